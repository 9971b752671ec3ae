"""People, events, heats, seating, results and qualification; the director's and public pages."""
