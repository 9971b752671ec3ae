"""The bracket of the play-offs, drawn by the server as SVG and PDF."""
