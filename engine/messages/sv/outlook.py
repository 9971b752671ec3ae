"""The outlook of a heat."""

PLACES = ("etta", "tvåa", "trea", "fyra")

OUTLOOK = {
    "clinched": "{name} går vidare, vad som än händer.",
    "eliminated": "{name} är utan chans på placeringspoäng.",
    "tied": "{name} ligger lika på placeringspoäng; särskiljningen avgör.",
    "flip_flop": "{name} ligger lika i allt; flip-flop avgör.",
    "wins_last": "{name} går vidare genom att vinna sista partiet.",
    "wins_next": "{name} går vidare redan genom att vinna nästa parti.",
    "enough_last": "{name} går vidare som {place} eller bättre i sista partiet.",
    "enough_next": "{name} går vidare redan som {place} eller bättre i nästa parti.",
    "clinched_if": "Som {place} räcker det{unless}{also}.",
    "tie_if": "Som {place} blir det som bäst lika på placeringspoäng{unless}{also}.",
    "open_if": "Som {place} finns chansen kvar{unless}{also}.",
    "eliminated_if": "Som {place} räcker det inte.",
    "also": ", som {place}{unless}",
    "later": "{name} kan inte avgöra saken i nästa parti.",
    "needed": "{name} måste bli {place} eller bättre i nästa parti för att vara kvar.",
    "needed_win": "{name} måste vinna nästa parti för att vara kvar.",
    "unless": " om inte {conditions}",
    "unless_orders": " vid vissa placeringar av de andra, inte vid alla",
    "wins": "{name} vinner",
    "reaches": "{name} blir {place} eller bättre",
    "level": "{condition} (då lika)",
    "or": " eller ",
    "short_clinched": "går vidare",
    "short_eliminated": "utan chans",
    "short_tied": "lika på placeringspoäng",
    "short_enough": "det räcker att bli {place}{unless}",
    "short_win": "det räcker att vinna{unless}",
    "short_needed": "måste bli {place} eller bättre",
    "short_must_win": "måste vinna",
    "short_open": "öppet",
}

OUTLOOK_OF_WINS = {
    "clinched": "{name} vinner, vad som än händer.",
    "wins_last": "{name} vinner genom att vinna sista partiet.",
    "wins_next": "{name} vinner redan genom att vinna nästa parti.",
    "enough_last": "{name} vinner som {place} eller bättre i sista partiet.",
    "enough_next": "{name} vinner redan som {place} eller bättre i nästa parti.",
    "short_clinched": "vinner",
}
