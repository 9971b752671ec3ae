"""The outlook of a heat."""

PLACES = ("first", "second", "third", "fourth")

OUTLOOK = {
    "clinched": "{name} advances, whatever happens.",
    "eliminated": "{name} is out on game points.",
    "tied": "{name} is level on game points; the tiebreak decides.",
    "flip_flop": "{name} is level in everything; Flip Flop decides.",
    "wins_last": "{name} advances by winning the last game.",
    "wins_next": "{name} advances by winning the next game.",
    "enough_last": "{name} advances by finishing {place} or better in the last game.",
    "enough_next": "{name} advances by finishing {place} or better in the next game.",
    "clinched_if": "{Place} is enough{unless}{also}.",
    "tie_if": "{Place} gives at best a tie on game points{unless}{also}.",
    "open_if": "{Place} keeps the chance{unless}{also}.",
    "eliminated_if": "{Place} is not enough.",
    "also": ", {place}{unless}",
    "later": "{name} cannot settle it in the next game.",
    "needed": "{name} must finish {place} or better in the next game to stay in it.",
    "needed_win": "{name} must win the next game to stay in it.",
    "unless": " unless {conditions}",
    "unless_orders": " in some orders of the others, not in all",
    "wins": "{name} wins",
    "reaches": "{name} finishes {place} or better",
    "level": "{condition} (then level)",
    "or": " or ",
    "short_clinched": "advances",
    "short_eliminated": "out",
    "short_tied": "level on game points",
    "short_enough": "{place} is enough{unless}",
    "short_win": "a win is enough{unless}",
    "short_needed": "must finish {place} or better",
    "short_must_win": "must win",
    "short_open": "open",
}

#: Instead, where nobody advances: of a final, and of a heat without play-offs after it.
OUTLOOK_OF_WINS = {
    "clinched": "{name} wins, whatever happens.",
    "wins_last": "{name} wins by winning the last game.",
    "wins_next": "{name} wins by winning the next game.",
    "enough_last": "{name} wins by finishing {place} or better in the last game.",
    "enough_next": "{name} wins by finishing {place} or better in the next game.",
    "short_clinched": "wins",
}
