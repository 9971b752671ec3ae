"""What a page was made of goes when it is made."""

import gc
import weakref

import pytest
from django.template import TemplateDoesNotExist, engines
from django.template.loader import render_to_string
from django.test import RequestFactory


class Thing:
    def __str__(self) -> str:
        return "thing"


def test_it_goes_without_the_collector_of_cycles() -> None:
    template = engines["django"].from_string(
        "{{ thing }}{% with thing as other %}, {{ other }}{% endwith %}"
    )
    thing = Thing()
    gone = weakref.ref(thing)
    gc.disable()
    try:
        text = template.render({"thing": thing}, RequestFactory().get("/"))
        del thing
        assert gone() is None
    finally:
        gc.enable()
    assert text == "thing, thing"


def test_a_missing_template_is_named() -> None:
    template = engines["django"].from_string('{% include "nowhere.html" %}')
    with pytest.raises(TemplateDoesNotExist, match="nowhere"):
        template.render({})
    with pytest.raises(TemplateDoesNotExist, match="elsewhere"):
        render_to_string("elsewhere.html")
