"""Questions on which the sources differ: what they say, what holds here, how to change it."""

#: docs/rules-decisions.md shows the English ones, and a test compares them.
OPEN_QUESTIONS = {
    "suits": {
        "question": "Suits between equal straight flushes in festival and sm",
        "sources": "The tournament text is silent; the Swedish home rules rank the suits there.",
        "reading": "The suits decide, hearts highest.",
        "change": "The Auditor writes that nobody scores, where equal ones are to share nothing.",
    },
    "false_claim": {
        "question": "A false claim in pagat",
        "sources": (
            "Whoever is shown not to have the hand claimed loses the game; how the others go on, "
            "it does not say."
        ),
        "reading": "The sheet has no entry for it; points that were written stay.",
        "change": (
            "The director rules the player out of the game, on 0; or takes points, or gives a "
            "penalty for that offence."
        ),
    },
    "won_chicago": {
        "question": "The last trick of a won Chicago",
        "sources": (
            "Festival, svensk and basic rule its points out; pagat does so for a lost Chicago "
            "only, and wikipedia says nothing."
        ),
        "reading": "In a Chicago deal the last trick never scores.",
        "change": "The director adds the points by a ruling.",
    },
    "royal_outs": {
        "question": "A royal flush with somebody out of the game",
        "sources": (
            "The tournament text shares what is left among the remaining players; whether those "
            "who are out are among them, it does not say."
        ),
        "reading": "All others share it, those who are out as well.",
        "change": "The event gives players who are out no game points.",
    },
    "last_standing": {
        "question": "The last one standing, on 0",
        "sources": "No source says who wins when everybody else is out.",
        "reading": "Whoever is left wins, whatever the score.",
        "change": (
            "The director corrects the sheet: a ruling that ends the game, before the last other "
            "player goes out, places by score."
        ),
    },
    "flip_flop": {
        "question": "Franke's Flip Flop",
        "sources": "The tournament text settles ties by it; no source tells how it is played.",
        "reading": "The Auditor or the director records the order of the tied players.",
        "change": (
            "Played as the players know it; or the program draws lots, the house's method, whose "
            "seed is recorded so that anybody can repeat them; or an event's chain leaves it out."
        ),
    },
}
