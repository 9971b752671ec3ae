"""Sentences by problem code: what is wrong, why by the rules, and what is possible."""

PROBLEMS = {
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
    "cannot_split": "{players} spelare kan inte delas i bord om 3 eller 4.",
    "repeated_item": "{item} finns med två gånger.",
    "bad_seats.heat": "Ett heat är för tre eller fyra spelare, inte för {number}.",
    "bad_chain": (
        "Särskiljningen består av kända steg, vart och ett högst en gång, flip-flop sist."
    ),
    "bad_flip_flop": (
        "En flip-flop ger ordningen för alla i en grupp som ligger lika; den här gör inte det."
    ),
    "other_rules": "Partiet spelades enligt {rules}, heatet enligt {heat}.",
    "other_players": "Partiets spelare är inte desamma som heatets.",
    "other_round": (
        "Omgång {stage}: spelare {player} är med i den, eller saknas i den, mot vad heaten "
        "före den gav."
    ),
    "other_qualifiers": "De kvalificerade är inte de som heaten ger: se spelare {player}.",
    "other_lucky_losers": "Lucky losers är inte de som finns i omgångarna: se spelare {player}.",
    "other_result": "Resultatet säger ”{told}”, partierna ger ”{found}” (placering: spelare).",
    "other_standing": (
        "Ställningen säger ”{told}”, tävlingarna ger ”{found}” (placering: spelare, poäng)."
    ),
    "needs_flip_flop": (
        "Heat {heat} är avslutat, men en delad placering avgör vem som går vidare och ingen "
        "Flip Flop är antecknad."
    ),
    "game_unfinished": "Partiet är inte färdigspelat: det finns inget att göra upp än.",
    "unreachable_total.win": "Inget parti enligt de här reglerna vinns så.",
    "unreachable_total.no_circle": (
        "{seat} har en asterisk men ingen ring: den som vunnit en chicago har spelat den."
    ),
    "unreachable_total.one_chicago": (
        "{seat} har {asterisks} asterisker, men bara en chicago var är tillåten."
    ),
    "unreachable_total.winner_out": "{seat} kan inte ha vunnit och vara ute.",
    "unreachable_total.nobody_out": (
        "{seat} kan inte vara ute: ingen åker ut med de här reglerna."
    ),
    "unreachable_total.out_with_chicago": (
        "{seat} har den chicago som krävs och kan inte ha åkt ut."
    ),
    "unreachable_total.out_score": "{seat} åkte ut och ska stå på 0, inte på {score}.",
    "unreachable_total.negative": "{seat} kan inte stå på {score}.",
    "unreachable_total.under_ruled": (
        "{seat} har {ruled} poäng av domslut och ingen ring, och kan inte stå på {score}."
    ),
    "unreachable_total.below_target": (
        "{seat} kan inte ha vunnit på poäng med {score}: det krävs {target}."
    ),
    "unreachable_total.winner_lacks": (
        "{seat} kan inte ha vunnit på poäng: den chicago som krävs saknas."
    ),
    "unreachable_total.standing_at_target": (
        "{seat} står på {score} och hade vunnit på poäng, inte som ensam kvar."
    ),
    "unreachable_total.too_high": "{seat} kan inte ha nått {score}.",
    "unreachable_total.flush_becomes": "{seat} vann på en färgstege och ska stå på 52.",
    "unreachable_total.no_blind": "{seat} vann en blind chicago och ska ha en asterisk.",
    "unreachable_total.not_reset": ("{seat} ska stå på 0 efter royal flush, inte på {score}."),
    "unreachable_total.lacking_stays": (
        "{seat} står på {score} utan den chicago som krävs: då blir man nollad."
    ),
    "unreachable_total.other_at_target": (
        "{seat} står på {score} och hade vunnit eller delat segern."
    ),
    "unreachable_total.alone": "Inget parti slutar så för {seat}.",
    "unreachable_total.together": (
        "Inget parti slutar så för {seat} med de andras poäng som de är."
    ),
}

FIELD_HINTS = {
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
    "win": ("det är target, straight_flush, royal_flush, blind_chicago, last_standing eller ended"),
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
}
