"""Pictures drawn by the server: shapes, what charts are made of, and SVG without a script."""
