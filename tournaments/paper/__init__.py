"""Sheets that were kept on paper: entered by the staff, compared with it by a second person."""
