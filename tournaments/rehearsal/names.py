"""Invented persons, with the kinds of names found in real lists."""

from itertools import count
from random import Random

#: Names and clubs.
PLAYERS = (
    ("Anna Lindqvist", "Hjärter Dam, Uppsala"),
    ("Bo Åkesson", "Kortklubben Knekten, Malmö"),
    ("Cia Öström", "Hjärter Dam, Uppsala"),
    ("Dag Hammarstedt", "Stockholms Kortsällskap"),
    ("Elif Yıldırım", "Göteborgs Pokerförening"),
    ("Fredrik Bergström-Wachtmeister", "Stockholms Kortsällskap"),
    ("Gunnel Ångström", "Sista Sticket, Norrköping"),
    ("Håkan Sjöö", "Sista Sticket, Norrköping"),
    ("Ingrid Nyström", "Lunds Nation"),
    ("Jörgen Blåsjö", "Kortklubben Knekten, Malmö"),
    ("Kateřina Dvořáková", "Praha"),
    ("Lars-Åke Gyllenstierna", "Stockholms Kortsällskap"),
    ("Mehmet Özdemir", "Göteborgs Pokerförening"),
    ("Nils Wrede", ""),
    ("Øystein Brækhus", "Oslo Kortklubb"),
    ("Per Ulfsparre", "Lunds Nation"),
    ("Qing Yao", "Chalmers Kortförening"),
    ("Ragnhild Sæther", "Oslo Kortklubb"),
    ("Stanisław Wójcik", "Kraków"),
    ("Thora Þorvaldsdóttir", "Reykjavík"),
    ("Ulla-Britt Hägg", "Sista Sticket, Norrköping"),
    ("Viktor Groß", "Kieler Kartenrunde"),
    ("Wilhelmina von Schantz af Rosenborg-Lejonhufvud", "Stockholms Kortsällskap"),
    ("Xenia Papadopoulou", "Chalmers Kortförening"),
    ("Yngve Rask", "Kortklubben Knekten, Malmö"),
    ("Zlatko Đurić", "Kortklubben Knekten, Malmö"),
    ("Åsa Malmborg", "Hjärter Dam, Uppsala"),
    ("Ärla Tegnér", "Lunds Nation"),
    ("Östen Frisk", "Umeå Kort & Bricka"),
    ("Aino Mäkelä", "Helsingin Korttikerho"),
    ("Benoît Lefèvre-Dûbois", "Lille"),
    ("Carl Johan Eklöf", ""),
    ("Désirée Nordenskiöld", "Umeå Kort & Bricka"),
    ("Emil Stål", "Chalmers Kortförening"),
    ("Fatima al-Husseini", "Göteborgs Pokerförening"),
    ("Gábor Szőke", "Budapest"),
    ("Hanna Wikander", "Umeå Kort & Bricka"),
    ("Iñaki Etxeberria", "Bilbo"),
    ("Josefin Hult", ""),
    ("Kristján Ægisson", "Reykjavík"),
    ("Linnéa Skog", "Umeå Kort & Bricka"),
    ("Måns Trädgårdh", "Lunds Nation"),
    ("Nguyễn Thị Phương Thảo", "Hjärter Dam, Uppsala"),
)
NICKNAMES = {"Carl Johan Eklöf": "Cajo", "Emil Stål": "Esset"}
HIDDEN = {"Josefin Hult"}


def people(number: int, generator: Random) -> list[str]:
    """Return this many different names, made of the players' first and last names."""
    first, last = zip(*(name.split(" ", 1) for name, _club in PLAYERS), strict=True)
    names: dict[str, None] = {}
    for turn in count():
        if len(names) == number:
            break
        name = f"{generator.choice(first)} {generator.choice(last)}"
        if name in names and turn > 10 * number:
            name = f"{name} {turn}"
        names.setdefault(name)
    return list(names)
