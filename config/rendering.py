"""Django's templates, which here let go of what a page was made of as soon as it is made.

A template's context refers to itself, so all that a page has read would otherwise stay until the
collector of cycles comes by: for 200 tables 7 MB.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends import django as backend
from django.template.context import make_context
from django.utils.safestring import SafeString


class Template(backend.Template):
    """A template whose context is emptied after rendering."""

    def render(
        self, context: dict[str, Any] | None = None, request: HttpRequest | None = None
    ) -> SafeString:
        """Return the text."""
        made = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            return self.template.render(made)
        except TemplateDoesNotExist as problem:
            backend.reraise(problem, self.backend)
            raise
        finally:
            made.dicts.clear()


class Templates(backend.DjangoTemplates):
    """Django's templates with such contexts."""

    def from_string(self, template_code: str) -> Template:
        """Return a template of this text."""
        return Template(super().from_string(template_code).template, self)

    def get_template(self, template_name: str) -> Template:
        """Return the template of a file; raise TemplateDoesNotExist if there is none."""
        return Template(super().get_template(template_name).template, self)
