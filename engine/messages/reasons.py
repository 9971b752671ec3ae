"""Reasons that the program itself gives for what it writes, by code."""

from __future__ import annotations

REASONS: dict[str, dict[str, str]] = {
    "en": {
        "disqualified_before": "since game {game}",
        "not_at_table": "Not at the table",
        "did_not_come": "Did not come",
        "ended_at_table": "Ended at the table",
        "as_in_document": "As in the document",
        "call_rules": "A question about the rules",
        "call_quarrel": "A quarrel at the table",
        "call_correction": "The sheet needs a correction",
        "offence.slow": "Took too long",
        "offence.language": "Bad language or manners",
        "offence.showed_cards": "Showed or told cards",
        "offence.wrong_exchange": "Exchanged wrongly",
        "offence.false_claim": "Claimed a hand that was not there",
        "offence.wrong_score": "Let a wrong score stand",
        "offence.absent": "Away from the table",
        "offence.cheating": "Cheated",
        "offence.other": "Something else",
    },
    "sv": {
        "disqualified_before": "sedan parti {game}",
        "not_at_table": "Inte vid bordet",
        "did_not_come": "Kom inte",
        "ended_at_table": "Avslutat vid bordet",
        "as_in_document": "Som i dokumentet",
        "call_rules": "En regelfråga",
        "call_quarrel": "Oenighet vid bordet",
        "call_correction": "Protokollet behöver rättas",
        "offence.slow": "Tog för lång tid",
        "offence.language": "Dåligt språk eller uppförande",
        "offence.showed_cards": "Visade eller avslöjade kort",
        "offence.wrong_exchange": "Köpte fel",
        "offence.false_claim": "Anmälde en hand som inte fanns",
        "offence.wrong_score": "Lät en felaktig poäng stå kvar",
        "offence.absent": "Borta från bordet",
        "offence.cheating": "Fuskade",
        "offence.other": "Något annat",
    },
}
