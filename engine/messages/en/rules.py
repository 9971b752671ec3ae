"""One sentence for every preset and every variant."""

_LIMIT = "From {limit} points on a player may not exchange cards any more."

#: Beside a preset's name in a list of all.
PRESET_NAMES = {
    "festival": "tournament rules of the Festival Series",
    "sm": "the Swedish championship",
    "svensk": "the Swedish home game",
    "pagat": "the international description",
    "basic": "the short basic game",
    "wikipedia": "the basic game with the Blind Chicago",
}

PRESET_TEXTS = {
    "festival": (
        "The tournament rules of the Festival Series: three exchanges, a Chicago played is "
        "needed to win, the game ends the moment 52 is reached, and whoever reaches it "
        "without one is out on zero."
    ),
    "sm": (
        "The Swedish championship: played like the festival rules, with 20, 12, 8 and 5 game "
        "points for the places."
    ),
    "svensk": (
        "The Swedish home game: every deal is played to its end, a Chicago played is needed "
        "to win, and whoever has 52 without one goes back to zero and plays on."
    ),
    "pagat": (
        "The international description: a straight flush is worth 8 and a royal flush 52, "
        "nobody is set to zero, and no Chicago is needed to win."
    ),
    "basic": (
        "The short basic game: two exchanges, one open card, scores may fall below zero, and "
        "everybody may always exchange."
    ),
    "wikipedia": (
        "The basic game with the Blind Chicago, and six cards instead of exchanges for "
        "players at 42 or more."
    ),
}

VARIANT_TEXTS = {
    "A": "Suits decide between hands that are otherwise equal, hearts being the highest.",
    "B2": (
        "Four of a kind 7 or a reset, straight flush 8; a royal flush scores 52 and wins, and "
        "the others keep their points."
    ),
    "B3": (
        "Four of a kind 8 or a reset, straight flush 11; a royal flush scores 52 and wins, "
        "and the others keep their points."
    ),
    "B4": (
        "Four of a kind 8 or a reset, straight flush 11; only the royal flush in hearts "
        "scores 52 and wins, the others are worth 20."
    ),
    "C": "Four of a kind only scores points and sets nobody to zero.",
    "D": "Four of a kind scores its points and sets everybody else to zero as well.",
    "E": "A player dealt only cards below ten may ask for a new hand.",
    "F": "Only two exchanges: hands score after the first one and after the tricks.",
    "G": (
        "A player who exchanges one card may ask for it face up, and refuse it for one face down."
    ),
    "H": "At most four cards may be exchanged at a time.",
    "I": "The best hand scores only if nobody else has a hand of the same kind.",
    "J": (
        "A player who has taken points for four of a kind cannot reset with it later in the deal."
    ),
    "K": "The deal goes on after four of a kind has set the others to zero.",
    "L": "Broken combinations are put aside face down and shown after the deal.",
    "M": "Forehand leads to the first trick, in a Chicago too.",
    "N": "The last trick is worth 10 if it is taken with a deuce.",
    "O": "The last trick is worth 2, and 5 with a deuce where a deuce counts for more.",
    "P": "The first to overtake a Chicago scores 8.",
    "P10": "The first to overtake a Chicago scores 10.",
    "Q": "The best final hand scores in a Chicago deal too.",
    "R": "Scores may fall below zero, and a Chicago may be declared from any score.",
    "S": "Each player may declare only one Chicago in a game.",
    "T": "A Chicago may be declared in any order, and a better seat may take it over.",
    "U": "51 points are enough.",
    **{f"V{limit}": _LIMIT.format(limit=limit) for limit in range(40, 49)},
    "Voff": "Everybody may always exchange cards.",
    "W": "The winner must have won a Chicago; playing one is not enough.",
    "X": "No Chicago is needed to win.",
    "Y": (
        "The winner must take the last trick or win a Chicago in the final deal; with only the "
        "points one plays on."
    ),
    "Z": (
        "Reaching the target, going to zero and the end of exchanging take effect at once "
        "after the first and second exchange."
    ),
    "reset": "Four of a kind may set the others to zero instead of scoring; the deal ends.",
    "quads-end": "Four of a kind always ends the deal.",
    "sf10": "A straight flush is worth 10.",
    "sf-wins": "A straight flush scores 52 and wins the game.",
    "limit42": _LIMIT.format(limit=42),
    "need-chicago-3": (
        "With three players a Chicago must have been won; whoever reaches the target without "
        "one is set to zero at once."
    ),
    "breaker8": "Whoever takes the trick that breaks a Chicago scores 8 (as in pagat).",
    "win-again": (
        "A player with the points at the end of a deal must still take the last trick or win a "
        "Chicago in a later one."
    ),
    "three-exchanges": "Three exchanges; hands score after the first two and after the tricks.",
    "redeal-ten": "A player dealt only cards up to ten may ask for a new hand.",
    "no-open": "There is no open card.",
    "final-hand-never": "The best final hand never scores in a Chicago deal.",
    "quads52": "Four of a kind lifts its holder to the target instead of scoring points.",
    "reset-one": (
        "Four of a kind may set one other player to zero instead of scoring; the deal goes on."
    ),
    "sf52": "A straight flush lifts its holder to the target instead of scoring points.",
    "royal-wins": "A royal flush wins the game at once; the score becomes the target.",
    "declarer-leads": "Whoever declared a Chicago leads to its first trick, blind or not.",
    "outs-zero": "Players who are out of the game get no game points.",
}
