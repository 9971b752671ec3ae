"""How the views describe themselves in the OpenAPI document (``make openapi``)."""

from inspect import cleandoc
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from .shapes.parts import ProblemShape

JSON, PROBLEM = "application/json", "application/problem+json"


class Schema(AutoSchema):
    """Reads what the views declare: ``shape``, ``body``, ``query`` and ``done``."""

    def get_operation_id(self) -> str:
        """Return the name of the class, which no other address has."""
        name: str = type(self.view).__name__
        return name[0].lower() + name[1:]

    def get_tags(self) -> list[str]:
        """Return the module: public, or desk."""
        return [type(self.view).__module__.rpartition(".")[2]]

    def get_description(self) -> str:
        return cleandoc(type(self.view).__doc__ or "")

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return that a token is needed, or, where everybody may read, that it is not."""
        return [] if self.get_tags() == ["public"] else [{"token": []}]

    def get_override_parameters(self) -> Any:
        """Return what may be asked, and the key of a write."""
        found = [
            OpenApiParameter(
                name,
                {"type": "string", "pattern": pattern}
                if pattern
                else {"type": "integer", "minimum": 1, "maximum": 200},
                OpenApiParameter.QUERY,
                description=text,
            )
            for name, (text, pattern) in self.view.query.items()
        ]
        if self.view.body is not None:
            key = {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"}
            text = "New for each thing to be done; the same one again does nothing more."
            found.append(
                OpenApiParameter(
                    "Idempotency-Key",
                    key,
                    OpenApiParameter.HEADER,
                    required=True,
                    description=text,
                )
            )
        return found

    def get_request_serializer(self) -> Any:
        return self.view.body

    def get_response_serializers(self) -> Any:
        """Return the shape of success, and problems."""
        shape = self.view.shape or OpenApiTypes.OBJECT
        found: dict[Any, Any] = {(self.view.done, JSON): OpenApiResponse(shape, "It is done.")}
        wrong = [400, 404]
        if self.get_tags() != ["public"] or self.view.body is not None:
            wrong += [401, 403]
        if self.view.body is not None:
            wrong += [409, 413, 415]
        for status in sorted([*wrong, *([401] if 401 not in wrong else []), 429]):
            found[status, PROBLEM] = OpenApiResponse(ProblemShape, "Why not.")
        return found
