"""Who plays in the demo festival: invented persons, with the kinds of names that lists meet."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Player:
    """A person of the demo; `nickname` is shown instead of the name where it is given."""

    name: str
    club: str = ""
    nickname: str = ""
    hidden: bool = False


PLAYERS = (
    Player("Anna Lindqvist", "Hjärter Dam, Uppsala"),
    Player("Bo Åkesson", "Kortklubben Knekten, Malmö"),
    Player("Cia Öström", "Hjärter Dam, Uppsala"),
    Player("Dag Hammarstedt", "Stockholms Kortsällskap"),
    Player("Elif Yıldırım", "Göteborgs Pokerförening"),
    Player("Fredrik Bergström-Wachtmeister", "Stockholms Kortsällskap"),
    Player("Gunnel Ångström", "Sista Sticket, Norrköping"),
    Player("Håkan Sjöö", "Sista Sticket, Norrköping"),
    Player("Ingrid Nyström", "Lunds Nation"),
    Player("Jörgen Blåsjö", "Kortklubben Knekten, Malmö"),
    Player("Kateřina Dvořáková", "Praha"),
    Player("Lars-Åke Gyllenstierna", "Stockholms Kortsällskap"),
    Player("Mehmet Özdemir", "Göteborgs Pokerförening"),
    Player("Nils Wrede"),
    Player("Øystein Brækhus", "Oslo Kortklubb"),
    Player("Per Ulfsparre", "Lunds Nation"),
    Player("Qing Yao", "Chalmers Kortförening"),
    Player("Ragnhild Sæther", "Oslo Kortklubb"),
    Player("Stanisław Wójcik", "Kraków"),
    Player("Thora Þorvaldsdóttir", "Reykjavík"),
    Player("Ulla-Britt Hägg", "Sista Sticket, Norrköping"),
    Player("Viktor Groß", "Kieler Kartenrunde"),
    Player("Wilhelmina von Schantz af Rosenborg-Lejonhufvud", "Stockholms Kortsällskap"),
    Player("Xenia Papadopoulou", "Chalmers Kortförening"),
    Player("Yngve Rask", "Kortklubben Knekten, Malmö"),
    Player("Zlatko Đurić", "Kortklubben Knekten, Malmö"),
    Player("Åsa Malmborg", "Hjärter Dam, Uppsala"),
    Player("Ärla Tegnér", "Lunds Nation"),
    Player("Östen Frisk", "Umeå Kort & Bricka"),
    Player("Aino Mäkelä", "Helsingin Korttikerho"),
    Player("Benoît Lefèvre-Dûbois", "Lille"),
    Player("Carl Johan Eklöf", nickname="Cajo"),
    Player("Désirée Nordenskiöld", "Umeå Kort & Bricka"),
    Player("Emil Stål", "Chalmers Kortförening", nickname="Esset"),
    Player("Fatima al-Husseini", "Göteborgs Pokerförening"),
    Player("Gábor Szőke", "Budapest"),
    Player("Hanna Wikander", "Umeå Kort & Bricka"),
    Player("Iñaki Etxeberria", "Bilbo"),
    Player("Josefin Hult", hidden=True),
    Player("Kristján Ægisson", "Reykjavík"),
    Player("Linnéa Skog", "Umeå Kort & Bricka"),
    Player("Måns Trädgårdh", "Lunds Nation"),
    Player("Nguyễn Thị Phương Thảo", "Hjärter Dam, Uppsala"),
)
