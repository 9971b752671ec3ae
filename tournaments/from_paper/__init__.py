"""Sheets kept on paper: entered by the staff and compared by a second person."""
