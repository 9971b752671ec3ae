"""What all views of the interface share: who may, what may be asked, and how it is answered."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.exceptions import RequestDataTooBig
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ...core.permissions import VIEW_DESK
from ...models import ApiToken, Event
from ...models.enums import ApiScope, EventStatus
from ..authentication import TokenAuthentication, count_write
from ..problems import Problem

READS = ("GET", "HEAD", "OPTIONS")


class OnlyJson(BaseContentNegotiation):
    """There is one form of every answer, whatever is asked for."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        kind = request.content_type.partition(";")[0].strip().lower()
        return parsers[0] if kind == JSONParser.media_type else None

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


class Headers(APIView):
    """Headers that every answer has, errors included."""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kw: Any) -> Any:
        """Let scripts of any site read what everybody may read; keep the rest nowhere."""
        response = super().finalize_response(request, response, *args, **kw)
        if getattr(request, "auth", None) is None:
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        else:
            response["Cache-Control"] = "no-store, private"
        return response


class ApiView(Headers):
    """A view of the interface; ``query`` says what may be asked, and what for.

    ``shape`` is what it answers, ``body`` what it reads, ``done`` the status of success.
    """

    authentication_classes: ClassVar[Any] = [TokenAuthentication]
    permission_classes: ClassVar[Any] = []
    parser_classes: ClassVar[Any] = [JSONParser]
    renderer_classes: ClassVar[Any] = [JSONRenderer]
    content_negotiation_class: ClassVar[Any] = OnlyJson
    query: ClassVar[Mapping[str, tuple[str, str]]] = {}
    shape: ClassVar[type[serializers.Serializer] | None] = None
    body: ClassVar[type[serializers.Serializer] | None] = None
    done = 200

    @classmethod
    def as_view(cls, **kwargs: Any) -> Any:
        """Return the view, cached like a public page if everybody may read it."""
        view = super().as_view(**kwargs)
        if issubclass(cls, PublicView):
            view.cached_query = frozenset(cls.query)
        return view

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what the address cannot be asked."""
        super().initial(request, *args, **kwargs)
        for name, value in request.query_params.items():
            if name not in self.query:
                text = _("This address cannot be asked for “%(name)s”.") % {"name": name[:40]}
                raise Problem(400, "bad_query", text)
            if len(request.query_params.getlist(name)) > 1 or not value.isprintable():
                text = _("“%(name)s” is given twice or is not text.") % {"name": name}
                raise Problem(400, "bad_query", text)

    def options(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Tell a browser that scripts may read."""
        response = Response(status=204)
        response["Access-Control-Allow-Methods"] = "GET, HEAD"
        response["Access-Control-Allow-Headers"] = "Accept-Language, If-None-Match"
        response["Access-Control-Max-Age"] = "86400"
        return response

    @property
    def root(self) -> str:
        """What addresses begin with."""
        return str(self.request.build_absolute_uri("/")).rstrip("/")

    def answer(self, document: Any) -> Response:
        """Return a document in the view's shape."""
        if self.shape is None:
            return Response(document, status=self.done)
        return Response(self.shape(document).data, status=self.done)

    def sent(self) -> dict[str, Any]:
        """Return what was sent, as ``body`` reads it; a problem names each wrong field.

        Nothing at all is an empty document, whatever kind it says it is.
        """
        assert self.body is not None
        document: Any = {}
        if self.request.META.get("CONTENT_LENGTH") not in (None, "", "0"):
            document = self._read()
        form = self.body(data=document)
        form.is_valid(raise_exception=True)
        data: dict[str, Any] = form.validated_data
        return data

    def _read(self) -> Any:
        try:
            return self.request.data
        except RequestDataTooBig as error:
            raise Problem(413, "too_large", _("That is more than can be sent at once.")) from error
        except RecursionError as error:
            # Brackets in brackets, deeper than any reader goes.
            raise ParseError from error


class PublicView(ApiView):
    """A view that shows the same to everybody; a token also opens its event's draft."""

    def event_of(self, slug: str) -> Event:
        """Return the event; a draft is found only with a token of its own."""
        event = Event.objects.select_related("organiser").filter(slug=slug).first()
        token: ApiToken | None = self.request.auth
        hidden = event is not None and event.status == EventStatus.DRAFT
        if event is None or (hidden and (token is None or token.event_id != event.pk)):
            raise Problem(404, "no_event", _("There is no such event."))
        return event


class TokenView(ApiView):
    """A view for a token of the event; the maker's own rights at the event hold, too."""

    scope: ClassVar[ApiScope] = ApiScope.READ
    right = VIEW_DESK

    def event_of(self, slug: str) -> Event:
        """Return the event of the token, or raise the problem."""
        token: ApiToken | None = self.request.auth
        if token is None:
            raise Problem(401, "no_token", _("This address needs a token of the event."))
        if token.event.slug != slug:
            raise Problem(404, "no_event", _("There is no such event."))
        if self.scope == ApiScope.DESK and token.scope != ApiScope.DESK:
            raise Problem(403, "wrong_scope", _("This token may only read."))
        if not token.made_by.has_perm(self.right, token.event):
            raise Problem(
                403, "no_right", _("Whoever made this token no longer has the right to do that.")
            )
        if self.request.method not in READS:
            count_write(token)
        return token.event
