"""URLs of the pages about the interface, included by ``tournaments/urls.py``."""

from django.urls import URLPattern, path

from .views import tokens, trying

#: Of the whole site.
site_patterns: list[URLPattern] = [
    path("api/", trying.api, name="api"),
    path("api/openapi.yaml", trying.api_description, name="api_description"),
]

#: Under /e/<event>/desk/.
desk_patterns: list[URLPattern] = [
    path("tokens/", tokens.api_tokens, name="api_tokens"),
    path("tokens/end/", tokens.api_token_end, name="api_token_end"),
]
