#!/usr/bin/env bash
# What a JSON-only view of Django REST framework says to a form.
#
# Guess:    with parser_classes = [JSONParser] every form is refused with 415 when the view reads
#           request.data, whatever came before the view.
# Behaviour: so it is only while nobody has read request.POST. Once a middleware has (a form guard, a
#           method override, a CSRF check of one's own), the body is spent, and request.data is an
#           empty QueryDict: no exception. A serializer then says that every required field is
#           missing, and one without required fields accepts the form as an empty document.
#           JSON is not concerned: reading request.POST leaves its body alone.
# What to do: compare request.content_type with what the view reads, before request.data.
# Version:  djangorestframework 3.18.3, Django 5.2.19; rest_framework/request.py, _parse.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check django==5.2.19 djangorestframework==3.18.3
cat > "$work/try.py" <<'PY'
import sys

import django
from django.conf import settings


def reads_post(get_response):
    def middleware(request):
        if sys.argv[1] == "read":
            request.POST.get("anything")
        return get_response(request)

    return middleware


settings.configure(
    SECRET_KEY="field note",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework"],
    MIDDLEWARE=[f"{__name__}.reads_post"],
)
django.setup()

from django.test import Client
from django.urls import path
from rest_framework.parsers import JSONParser
from rest_framework.response import Response
from rest_framework.views import APIView


class Notes(APIView):
    authentication_classes = []
    permission_classes = []
    parser_classes = [JSONParser]

    def post(self, request):
        return Response({"data": request.data})


urlpatterns = [path("", Notes.as_view())]
form = Client().post("/", {"note": "hello"})
json = Client().post("/", {"note": "hello"}, content_type="application/json")
print(sys.argv[1], form.status_code, form.json(), json.status_code, json.json())
PY
cd "$work"
seen=$("$work/venv/bin/python" try.py left 2>/dev/null; "$work/venv/bin/python" try.py read 2>/dev/null)
echo "$seen"
wanted="left 415 {'detail': 'Unsupported media type \"multipart/form-data; boundary=BoUnDaRyStRiNg\" in request.'} 200 {'data': {'note': 'hello'}}
read 200 {'data': {}} 200 {'data': {'note': 'hello'}}"
[ "$seen" = "$wanted" ] || { echo "It has changed."; exit 1; }
