"""The interface for other programs, under ``/api/v1/``: the same facts as the pages, as JSON."""
