"""Formats of dates and numbers for languages where Django has only another country's."""
