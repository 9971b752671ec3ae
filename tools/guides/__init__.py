"""The site of guides: `make docs` builds it from docs/, the engine and the API's description."""
