"""The lines at the foot of an empty protocol."""

REMINDER = {
    "hands": "Händer",
    "tricks": "Stick",
    "game": "Parti",
    "or": "{value} eller {zero}",
    "one_other": "nollar en annan",
    "last_trick": "sista sticket {points}",
    "last_trick.deuce": "sista sticket {points}, med tvåa {deuce}",
    "chicago": "chicago vunnen +{won}, bruten −{lost}",
    "breaker": "den som bryter +{points}",
    "minimum": "chicago från {points} poäng",
    "blind": "blind chicago +{won}, med tvåa +{deuce}, förlorad −{lost}",
    "need.nothing": "till {target}",
    "need.executed": "till {target} med spelad chicago",
    "need.won": "till {target} med vunnen chicago",
    "discardless": "köpstopp från {limit}",
    "game_points": "placeringspoäng {points}",
    "marks": "ringa in namnet på den som har spelat chicago, * för varje vunnen",
    "checksum": "Kontrollsumma: placeringspoängen blir tillsammans {each}.",
    "checksum.games": (
        "Kontrollsumma: placeringspoängen blir {each} i varje parti, {all} i alla partier "
        "tillsammans."
    ),
}
