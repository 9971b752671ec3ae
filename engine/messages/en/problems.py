"""Sentences by problem code: what is wrong, why by the rules, and what is possible.

A key is a code, or a code and a detail ("seat_out.sitting_out") where one code has several
sentences. Keys that start with "now." say what the sheet is waiting for.
"""

PROBLEMS = {
    # What cannot be read at all
    "malformed": "This is not a readable document.",
    "malformed.json": "This is not a readable document: it is not JSON.",
    "malformed.encoding": "This is not a readable document: its text is not UTF-8.",
    "malformed.nesting": "This is not a readable document: it is nested too deeply.",
    "malformed.constant": 'This is not a readable document: "{name}" is not a number.',
    "malformed.repeated_key": ('This is not a readable document: the key "{name}" appears twice.'),
    "malformed.object": "This is not a readable document: a JSON object is needed.",
    "malformed.format": 'This document does not say that its format is "{name}".',
    "malformed.version": 'Only version {version} of the format "{name}" can be read.',
    "malformed.file": 'The file "{name}" cannot be read.',
    "malformed.entry": "An entry must be a JSON object.",
    "unknown_rules": "There is no such rule set.",
    "unknown_rules.type": "The rules must be the name of a rule set, such as festival.",
    "unknown_rules.preset": (
        '"{name}" is not a rule set. Choose festival, sm, svensk, pagat, basic or wikipedia.'
    ),
    "unknown_rules.variant": '"{spec}" is not a rule set: there is no variant "{name}".',
    "unknown_rules.repeated": '"{spec}" is not a rule set: it has "{name}" twice.',
    "unknown_rules.clash": (
        '"{spec}" is not a rule set: "{first}" and "{second}" contradict each other.'
    ),
    "unknown_rules.fields": 'No rule set has "{first}" together with "{second}".',
    "unknown_rules.stored": "The stored rules are incomplete.",
    "unknown_rules.stored_field": 'The stored rules have no valid "{name}".',
    "bad_seats": "A game needs different names, none of them blank.",
    "bad_seats.type": "A game needs its players' names, as a list.",
    "bad_seats.number": "These rules are not for a game of {number} players.",
    "bad_seats.blank": "A game needs its players' names; one of them is blank.",
    "bad_seats.repeated": ('A game needs different names: "{name}" appears twice.'),
    "unknown_kind": '"{kind}" is not a kind of entry.',
    "unknown_field": '{where} has no field "{field}".',
    "missing_field": '{where} needs the field "{field}".',
    "missing_field.entry": 'An entry needs the field "{field}".',
    "bad_value": '"{value}" is not a valid {field}: {hint}.',
    # What the game does not allow
    "game_finished": "The game is over: {who} won. Nothing more can be written on this sheet.",
    "wrong_phase": "This belongs to {given_exchange}, but the sheet is at {exchange}.",
    "wrong_phase.redeal": "Nothing has been played yet that a new deal could replace.",
    "unexpected_kind": "This cannot be written now.",
    "unexpected_kind.before_tricks": ("{subject} comes after the last exchange."),
    "unexpected_kind.tricks_first": (
        "The best hand after the last exchange is written after the tricks."
    ),
    "unexpected_kind.not_shown": (
        "Before the tricks, only a hand that ends the deal or the game is shown; "
        "{category_a} is written after them."
    ),
    "unexpected_kind.revoked": (
        "Somebody did not follow suit, so the tricks have begun: no more hands are shown and no "
        "more cards exchanged."
    ),
    "unexpected_kind.shown": "Four of a kind has been shown: no more cards are exchanged.",
    "unexpected_kind.hand_due": "The tricks are over.",
    "unexpected_kind.blind_late": (
        "A Blind Chicago is declared before anybody has seen a card: it is the deal's first entry."
    ),
    "unexpected_kind.no_offences": (
        "These rules have no penalty for this; the tournament director may rule instead."
    ),
    "seat_out": "{seat} is not in the game.",
    "seat_out.out": "{seat} is out of this game. Choose somebody else.",
    "seat_out.disqualified": "{seat} is disqualified from this game. Choose somebody else.",
    "seat_out.sitting_out": (
        "{seat} sits out this deal and is back in the next one. Choose somebody else."
    ),
    "chicago_below_minimum": (
        "{seat} is on {score} and may not declare a Chicago: that takes at least {minimum}. "
        "Without a Chicago, the last trick is next."
    ),
    "chicago_limit": (
        "{seat} has already declared a Chicago in this game, and each player may do so only once. "
        "Without a Chicago, the last trick is next."
    ),
    "reset_not_allowed": (
        "{seat} cannot set the others to zero: by these rules four of a kind only scores points."
    ),
    "reset_not_allowed.final_hand": (
        "{seat} cannot set the others to zero now: that had to be declared before the tricks. "
        "Four of a kind still scores its points."
    ),
    "reset_not_allowed.chicago_hand": (
        "{seat} cannot set the others to zero after a Chicago. "
        "Four of a kind still scores its points."
    ),
    "reset_bound": (
        "{seat} has taken points for four of a kind in this deal and can no longer set the others "
        "to zero with it. It scores its points again."
    ),
    "dead_hand": "{seat} did not follow suit: the hand is dead.",
    "dead_hand.last_trick": (
        "{seat} did not follow suit: the hand is dead and cannot take the last trick. "
        "Choose who took it."
    ),
    "dead_hand.chicago": "{seat} did not follow suit: the hand is dead and cannot win a Chicago.",
    "dead_hand.breaker": "{seat} did not follow suit: the hand is dead and cannot break a Chicago.",
    "dead_hand.revoke": "{seat}'s hand is already dead in this deal.",
    "not_discardless": "{seat} is on {score} and may exchange cards; that ends at {limit}.",
    "not_discardless.now": (
        "{seat} may exchange cards in this deal, so there is nothing to penalise."
    ),
    "not_discardless.never": "By these rules everybody may always exchange cards.",
    "self_break": "{seat} declared the Chicago and cannot be the one who broke it. "
    "Choose who overtook first, or nobody.",
    "missing_suit": (
        "The suit of the royal flush is needed: only the one in hearts wins the game."
    ),
    "missing_reason": "A ruling needs a reason that stays on the sheet.",
    # What should be looked at twice
    "rare_hand": (
        "{seat} has {category_a}, which is very rare. In a tournament the director looks "
        "at the cards, too. Has everybody seen them?"
    ),
    "standing_hand": (
        "{holder} scored {held_a} in this deal and has not been able to exchange since, "
        "and now {seat} is to score {category_a}. One of the two is probably wrong."
    ),
    "standing_hand.own": (
        "{seat} scored {held_a} in this deal and has not been able to exchange since, "
        "and now is to score {category_a}. One of the two is probably wrong."
    ),
    "unreachable_total": "No game ends like this.",
    # What the sheet is waiting for
    "now.exchange": "Next is the best hand after {exchange}, or that nobody scores.",
    "now.tricks": "Next is a Chicago, or who took the last trick.",
    "now.final_hand": "Next is the best hand after the tricks, or that nobody scores.",
    "now.chicago_hand": "Next is the best hand after the Chicago, or that nobody scores.",
    # Heats, draws, settlements and totals
    "cannot_split": "{players} players cannot be divided into tables of 3 or 4.",
    "repeated_item": "{item} appears twice.",
    "bad_seats.heat": "A heat is for three or four players, not for {number}.",
    "bad_chain": ("A tie chain consists of known steps, each at most once, the Flip Flop last."),
    "bad_flip_flop": ("A Flip Flop orders all players of one tied group; this one does not."),
    "other_rules": "This game was played under {rules}, the heat under {heat}.",
    "other_players": "The players of this game are not those of the heat.",
    "other_round": (
        "Round {stage}: player {player} is in it, or missing from it, against what the heats "
        "before it gave."
    ),
    "other_qualifiers": "The qualifiers are not those of the heats: see player {player}.",
    "other_lucky_losers": "The lucky losers are not those of the rounds: see player {player}.",
    "other_result": "The result says “{told}”, the games give “{found}” (place: player).",
    "other_standing": (
        "The standing says “{told}”, the events give “{found}” (place: player, points)."
    ),
    "needs_flip_flop": (
        "Heat {heat} is finished, but a tie decides who advances and no Flip Flop is recorded."
    ),
    "game_unfinished": "The game is not finished, so there is nothing to settle yet.",
    "unreachable_total.win": "No game is won like that under these rules.",
    "unreachable_total.no_circle": (
        "{seat} has an asterisk but no circle: whoever wins a Chicago has played one."
    ),
    "unreachable_total.one_chicago": (
        "{seat} has {asterisks} asterisks, but each player may declare only one Chicago."
    ),
    "unreachable_total.winner_out": "{seat} cannot have won and be out.",
    "unreachable_total.nobody_out": "{seat} cannot be out: nobody goes out under these rules.",
    "unreachable_total.out_with_chicago": (
        "{seat} has the Chicago that is needed, and so cannot have gone out."
    ),
    "unreachable_total.out_score": "{seat} went out and must be on 0, not {score}.",
    "unreachable_total.negative": "{seat} cannot be on {score}.",
    "unreachable_total.under_ruled": (
        "{seat} has {ruled} points by rulings and no circle, so cannot be on {score}."
    ),
    "unreachable_total.below_target": (
        "{seat} cannot have won on points with {score}: that takes {target}."
    ),
    "unreachable_total.winner_lacks": (
        "{seat} cannot have won on points: the Chicago that is needed is missing."
    ),
    "unreachable_total.standing_at_target": (
        "{seat} is on {score} and would have won on points, not as the last one left."
    ),
    "unreachable_total.too_high": "{seat} cannot have reached {score}.",
    "unreachable_total.flush_becomes": "{seat} won with a flush and must be on 52.",
    "unreachable_total.no_blind": "{seat} won a Blind Chicago and must have an asterisk.",
    "unreachable_total.not_reset": ("{seat} must be on 0 after the royal flush, not {score}."),
    "unreachable_total.lacking_stays": (
        "{seat} is on {score} without the Chicago it takes: that goes back to 0."
    ),
    "unreachable_total.other_at_target": (
        "{seat} is on {score} and would have won or shared the win."
    ),
    "unreachable_total.alone": "No game ends with {seat} like this.",
    "unreachable_total.together": (
        "No game ends with {seat} like this and the others as they are."
    ),
}

#: What a field accepts, for ``bad_value``; the empty key covers all other fields.
FIELD_HINTS = {
    "": "the field does not take this value here",
    "phase": "phases are numbered from 1 to the number of exchanges",
    "seat": "seats are numbered from 0, clockwise",
    "breaker": "it is the seat that broke a lost Chicago",
    "category": "hands go from pair to royal_flush",
    "reset": "it is true or false, and true for four of a kind only",
    "reset_seat": "it is another seat, where four of a kind resets one other player",
    "suit": "suits are S, H, D and C",
    "won": "it is true or false",
    "blind": "it is true or false, and true only where the rules know Blind Chicago",
    "deuce": "it is true or false; in a Chicago true only for a Blind Chicago that was won",
    "action": (
        "rulings are points, sit_out_deal, sit_out_next_deal, sit_out_game, disqualify, "
        "redeal and end_game"
    ),
    "points": "points are a whole number, and only the ruling “points” takes them",
    "reason": "it is a text",
    "card": "a card is a rank, 2 to 9, T, J, Q, K or A, and a suit, c, d, h or s",
    "cards": "cards are written like Ah Kh Qh Jh Th, each of them once",
    "hand": "a hand is five different cards, such as Ah Kh Qh Jh Th",
    "dealer": "it is the seat of the first dealer, counted from 0",
    "entries": "it is a list of entries",
    "advance": "it is how many of a table advance, in the play-offs 1 to 3 and never everybody",
    "game_points": (
        "of a game with five or six players it is a list of whole numbers, one per place; of a "
        "penalty a text such as 5 or 5/2, above 0 and a multiple of 1/12"
    ),
    "score": "it is a whole number",
    "ruled": "it is a whole number, the points that rulings gave or took",
    "asterisks": "it is a whole number, 0 or more",
    "executed": "it is true or false",
    "out": "it is true or false",
    "winner": "it is a seat counted from 0, or a list of different seats",
    "win": ("it is target, straight_flush, royal_flush, blind_chicago, last_standing or ended"),
    "games": "it is a list of game records or totals",
    "games_planned": "it is a whole number, 1 or more",
    "games_left": "a heat has at most 100 games to go",
    "flip_flops": "it is a list of orders, each a list of names",
    "penalties": "it is a list of objects with player, game_points and reason",
    "player": "it is the name of one of the players",
    "qualifiers": "it is a whole number, 0 to 1000000",
    "meta": "it is an object",
    "id": "it is a text",
    "at": "it is a text",
    "by": "it is a text",
    "note": "it is a text",
}
