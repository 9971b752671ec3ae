"""Whether a paper sheet's totals could come from any game."""
