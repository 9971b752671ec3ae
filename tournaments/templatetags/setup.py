"""Template tags for money and the sign-up."""

from django import template

from ..models import Event
from ..models.money import show_amount
from ..registration.queries.sign_up import sign_up_state

register = template.Library()


@register.filter
def money(amount: int, currency: str = "") -> str:
    return show_amount(amount, currency)


@register.filter
def sign_up(event: Event) -> str:
    """Return the state of the sign-up: ``none``, ``later``, ``open`` or ``closed``."""
    return sign_up_state(event)
