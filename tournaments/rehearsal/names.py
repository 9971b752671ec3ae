"""Invented people for rehearsals, as many as are wanted, never two of the same name."""

from itertools import count
from random import Random

FIRST = (
    "Adam", "Agnes", "Aino", "Alva", "Anders", "Astrid", "Åsa", "Åke", "Ärla", "Benoît", "Birgit",
    "Björn", "Bogdan", "Britt-Marie", "Carl-Gustaf", "Cecilia", "Čeněk", "Dagny", "David",
    "Désirée", "Ebba", "Einar", "Elif", "Emre", "Erik", "Fatima", "Folke", "Freja", "Gábor",
    "Göran", "Greta", "Hanna", "Håkan", "Hedvig", "Henrik", "Inga-Lill", "Ivar", "Jacek", "Jörgen",
    "Kajsa", "Kateřina", "Knut", "Lars-Åke", "Leila", "Linnéa", "Łukasz", "Magnus", "Måns",
    "Märta", "Mehmet", "Nils", "Noor", "Olof", "Ønskel", "Östen", "Pär", "Petra", "Ragnhild",
    "Rut", "Samira", "Sigrid", "Sören", "Stanisław", "Svea", "Thora", "Tuva", "Ulf", "Valter",
    "Vibeke", "Wilhelmina", "Yngve", "Zlatko",
)  # fmt: skip
LAST = (
    "Ahlström", "Andersson", "Ångström", "Bergström-Wachtmeister", "Blåsjö", "Brækhus", "Carlén",
    "Dvořáková", "Đurić", "Ek", "Ekelöf", "Falk", "Fjällström", "Groß", "Gyllenstierna", "Hägg",
    "Hult", "Jönsson", "Kask", "Kowalczyk", "Lefèvre", "Lindqvist", "Łukaszewicz", "Mäkelä",
    "Malmborg", "Nguyễn", "Nordenskiöld", "Nyström", "Ødegaard", "Öberg", "Özdemir", "Papadopoulou",
    "Quist", "Rask", "Sæther", "Sjöö", "Skog", "Strauß", "Stål", "Szczęśniak", "Szőke", "Tegnér",
    "Trädgårdh", "Ulfsparre", "von Schantz af Rosenborg", "Wikander", "Wójcik", "Yıldırım",
    "Zetterlund", "Þorvaldsdóttir",
)  # fmt: skip


def people(number: int, generator: Random) -> list[str]:
    """Return so many different names."""
    names: dict[str, None] = {}
    for turn in count():
        if len(names) == number:
            break
        name = f"{generator.choice(FIRST)} {generator.choice(LAST)}"
        if name in names and turn > 10 * number:
            name = f"{name} {turn}"
        names.setdefault(name)
    return list(names)
