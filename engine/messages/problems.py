"""Sentences by problem code: what is wrong, why by the rules, and what is possible.

A key is a code, or a code and a detail ("seat_out.sitting_out") where one code has several
sentences. Keys that start with "now." say what the sheet is waiting for.
"""

from __future__ import annotations

_EN: dict[str, str] = {
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
}

_SV: dict[str, str] = {
    "malformed": "Det här är inget läsbart dokument.",
    "malformed.json": "Det här är inget läsbart dokument: det är inte JSON.",
    "malformed.encoding": "Det här är inget läsbart dokument: texten är inte UTF-8.",
    "malformed.nesting": "Det här är inget läsbart dokument: det är för djupt nästlat.",
    "malformed.constant": 'Det här är inget läsbart dokument: "{name}" är inget tal.',
    "malformed.repeated_key": (
        'Det här är inget läsbart dokument: nyckeln "{name}" finns två gånger.'
    ),
    "malformed.object": "Det här är inget läsbart dokument: ett JSON-objekt behövs.",
    "malformed.format": 'Dokumentet säger inte att dess format är "{name}".',
    "malformed.version": 'Av formatet "{name}" kan bara version {version} läsas.',
    "malformed.file": 'Filen "{name}" kan inte läsas.',
    "malformed.entry": "En rad i protokollet måste vara ett JSON-objekt.",
    "unknown_rules": "Det regelverket finns inte.",
    "unknown_rules.type": "Reglerna ska vara namnet på ett regelverk, till exempel festival.",
    "unknown_rules.preset": (
        '"{name}" är inget regelverk. Det finns festival, sm, svensk, pagat, basic och wikipedia.'
    ),
    "unknown_rules.variant": ('"{spec}" är inget regelverk: varianten "{name}" finns inte.'),
    "unknown_rules.repeated": '"{spec}" är inget regelverk: "{name}" finns två gånger.',
    "unknown_rules.clash": (
        '"{spec}" är inget regelverk: "{first}" och "{second}" motsäger varandra.'
    ),
    "unknown_rules.fields": 'Inget regelverk har "{first}" tillsammans med "{second}".',
    "unknown_rules.stored": "De sparade reglerna är inte fullständiga.",
    "unknown_rules.stored_field": 'De sparade reglerna har inget giltigt "{name}".',
    "bad_seats": "Ett parti behöver olika namn, inget av dem tomt.",
    "bad_seats.type": "Ett parti behöver spelarnas namn, som en lista.",
    "bad_seats.number": "De här reglerna är inte för ett parti med {number} spelare.",
    "bad_seats.blank": "Ett parti behöver spelarnas namn; ett av dem är tomt.",
    "bad_seats.repeated": ('Ett parti behöver olika namn: "{name}" finns två gånger.'),
    "unknown_kind": '"{kind}" är inget slags rad.',
    "unknown_field": '{where} har inget fält "{field}".',
    "missing_field": '{where} behöver fältet "{field}".',
    "missing_field.entry": 'En rad behöver fältet "{field}".',
    "bad_value": '"{value}" är ogiltigt som {field}: {hint}.',
    "game_finished": "Partiet är slut: {who} vann. Inget mer kan skrivas i protokollet.",
    "wrong_phase": "Det här hör till {given_exchange}, men protokollet är vid {exchange}.",
    "wrong_phase.redeal": "Ännu är inget spelat som en ny giv kan ersätta.",
    "unexpected_kind": "Det här kan inte skrivas nu.",
    "unexpected_kind.before_tricks": "{subject} kommer efter sista köpet.",
    "unexpected_kind.tricks_first": ("Bästa hand efter sista köpet skrivs när sticken är spelade."),
    "unexpected_kind.not_shown": (
        "Före sticken visas bara en hand som avslutar given eller partiet; "
        "{category} skrivs efteråt."
    ),
    "unexpected_kind.revoked": (
        "Någon har inte bekänt färg, så sticken har börjat: ingen hand visas och inget köps längre."
    ),
    "unexpected_kind.shown": "Ett fyrtal har visats: inget köps längre.",
    "unexpected_kind.hand_due": "Sticken är spelade.",
    "unexpected_kind.blind_late": (
        "Blind chicago bjuds innan någon har sett ett kort: den är givens första rad."
    ),
    "unexpected_kind.no_offences": (
        "De här reglerna har ingen bestraffning för det; tävlingsledaren kan döma i stället."
    ),
    "seat_out": "{seat} är inte med i partiet.",
    "seat_out.out": "{seat} är ute ur partiet. Välj någon annan.",
    "seat_out.disqualified": "{seat} är diskvalificerad från partiet. Välj någon annan.",
    "seat_out.sitting_out": (
        "{seat} står över den här given och är tillbaka i nästa. Välj någon annan."
    ),
    "chicago_below_minimum": (
        "{seat} står på {score} och får inte bjuda chicago: det krävs minst {minimum}. "
        "Annars är det sista stickets tur."
    ),
    "chicago_limit": (
        "{seat} har redan bjudit chicago i partiet, och det får var och en bara göra en gång. "
        "Annars är det sista stickets tur."
    ),
    "reset_not_allowed": (
        "{seat} kan inte nolla de andra: med de här reglerna ger fyrtal bara poäng."
    ),
    "reset_not_allowed.final_hand": (
        "{seat} kan inte nolla de andra nu: det skulle ha anmälts före sticken. "
        "Fyrtalet ger ändå sina poäng."
    ),
    "reset_not_allowed.chicago_hand": (
        "{seat} kan inte nolla de andra efter en chicago. Fyrtalet ger ändå sina poäng."
    ),
    "reset_bound": (
        "{seat} har tagit poäng för fyrtal i den här given och kan inte nolla med det längre. "
        "Det ger sina poäng igen."
    ),
    "dead_hand": "{seat} bekände inte färg: handen är död.",
    "dead_hand.last_trick": (
        "{seat} bekände inte färg: handen är död och kan inte ta sista sticket. "
        "Välj vem som tog det."
    ),
    "dead_hand.chicago": "{seat} bekände inte färg: handen är död och kan inte vinna en chicago.",
    "dead_hand.breaker": "{seat} bekände inte färg: handen är död och kan inte bryta en chicago.",
    "dead_hand.revoke": "{seat} har redan en död hand i den här given.",
    "not_discardless": (
        "{seat} står på {score} och får köpa kort; först från {limit} gäller köpstopp."
    ),
    "not_discardless.now": (
        "{seat} har inte köpstopp i den här given, så det finns inget att straffa."
    ),
    "not_discardless.never": "Med de här reglerna har ingen köpstopp.",
    "self_break": "{seat} var spelförare och kan inte själv ha brutit sin chicago. "
    "Välj vem som stack över först, eller ingen.",
    "missing_suit": ("Färgen på royal flush behövs: bara den i hjärter vinner partiet."),
    "missing_reason": "Ett domslut behöver ett skäl som står kvar i protokollet.",
    "rare_hand": (
        "{seat} har {category}, och det är mycket ovanligt. I en tävling tittar tävlingsledaren "
        "också på korten. Har alla sett dem?"
    ),
    "standing_hand": (
        "{holder} fick poäng för {held} i den här given och har inte kunnat köpa sedan dess, "
        "och nu ska {seat} få poäng för {category}. En av raderna är troligen fel."
    ),
    "standing_hand.own": (
        "{seat} fick poäng för {held} i den här given och har inte kunnat köpa sedan dess, "
        "och ska nu få poäng för {category}. En av raderna är troligen fel."
    ),
    "unreachable_total": "Inget parti slutar så.",
    "now.exchange": "Nu väntas bästa hand efter {exchange}, eller att ingen får poäng.",
    "now.tricks": "Nu väntas chicago eller vem som tog sista sticket.",
    "now.final_hand": "Nu väntas bästa hand efter sticken, eller att ingen får poäng.",
    "now.chicago_hand": "Nu väntas bästa hand efter chicagon, eller att ingen får poäng.",
}

#: Sentences by language and key.
PROBLEMS: dict[str, dict[str, str]] = {"en": _EN, "sv": _SV}

#: What a field accepts, for ``bad_value``; the empty key covers all other fields.
FIELD_HINTS: dict[str, dict[str, str]] = {
    "en": {
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
        "advance": "it is how many of a table go on, in the play-offs 1 to 3 and never everybody",
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
    },
    "sv": {
        "": "fältet tar inte ett sådant värde här",
        "phase": "faserna räknas från 1 till antalet köp",
        "seat": "platserna räknas från 0, medurs",
        "breaker": "det är platsen som bröt en förlorad chicago",
        "category": "händerna går från pair till royal_flush",
        "reset": "det är sant eller falskt, och sant bara för fyrtal",
        "reset_seat": "det är en annan plats, där fyrtal nollar en enda annan spelare",
        "suit": "färgerna är S, H, D och C",
        "won": "det är sant eller falskt",
        "blind": "det är sant eller falskt, och sant bara där reglerna har blind chicago",
        "deuce": "det är sant eller falskt, för chicago sant bara om en blind chicago vanns",
        "action": (
            "domsluten är points, sit_out_deal, sit_out_next_deal, sit_out_game, disqualify, "
            "redeal och end_game"
        ),
        "points": "poäng är ett heltal, och bara domslutet ”points” tar dem",
        "reason": "det är en text",
        "card": "ett kort är en valör, 2 till 9, T, J, Q, K eller A, och en färg, c, d, h eller s",
        "cards": "kort skrivs som Ah Kh Qh Jh Th, vart och ett en gång",
        "hand": "en hand är fem olika kort, som Ah Kh Qh Jh Th",
        "dealer": "det är första givarens plats, räknat från 0",
        "entries": "det är en lista med rader",
        "advance": "det är hur många vid bordet som går vidare, i slutspelet 1 till 3, aldrig alla",
        "game_points": (
            "för ett parti med fem eller sex spelare är det en lista med heltal, ett per "
            "placering; för en bestraffning en text som 5 eller 5/2, över 0 och en multipel av 1/12"
        ),
        "score": "det är ett heltal",
        "ruled": "det är ett heltal, de poäng som domslut gav eller tog",
        "asterisks": "det är ett heltal, 0 eller mer",
        "executed": "det är sant eller falskt",
        "out": "det är sant eller falskt",
        "winner": "det är en plats, räknat från 0, eller en lista med olika platser",
        "win": (
            "det är target, straight_flush, royal_flush, blind_chicago, last_standing eller ended"
        ),
        "games": "det är en lista med partiprotokoll eller slutställningar",
        "games_planned": "det är ett heltal, 1 eller mer",
        "games_left": "ett heat har högst 100 partier kvar",
        "flip_flops": "det är en lista med ordningar, var och en en lista med namn",
        "penalties": "det är en lista med objekt som har player, game_points och reason",
        "player": "det är en av spelarnas namn",
        "qualifiers": "det är ett heltal, 0 till 1000000",
        "meta": "det är ett objekt",
        "id": "det är en text",
        "at": "det är en text",
        "by": "det är en text",
        "note": "det är en text",
    },
}
