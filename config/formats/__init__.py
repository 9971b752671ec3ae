"""How dates and numbers are written where Django has only another country's way."""
