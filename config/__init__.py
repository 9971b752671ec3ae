"""Settings, URLs and entry points of the web application."""
