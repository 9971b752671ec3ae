"""Sentences about heats, draws, settlements and totals, in English and Swedish.

They have the form of :mod:`engine.messages.problems` and extend its catalogue.
"""

from __future__ import annotations

from typing import Final

HEAT_PROBLEMS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "cannot_split": "{players} players cannot be divided into tables of 3 or 4.",
        "repeated_item": "{item} appears twice.",
        "bad_seats.heat": "A heat is for three or four players, not for {number}.",
        "bad_chain": (
            "A tie chain consists of known steps, each at most once, the Flip Flop last."
        ),
        "bad_flip_flop": ("A Flip Flop orders all players of one tied group; this one does not."),
        "other_rules": "This game was played under {rules}, the heat under {heat}.",
        "other_players": "The players of this game are not those of the heat.",
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
    },
    "sv": {
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
    },
}
