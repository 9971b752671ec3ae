"""What the templates need of money and of the sign-up."""

from django import template

from ..models import Event
from ..models.money import show_amount
from ..registration.commands.sign_up import sign_up_state

register = template.Library()


@register.filter
def money(amount: int, currency: str = "") -> str:
    """Return an amount for people."""
    return show_amount(amount, currency)


@register.filter
def sign_up(event: Event) -> str:
    """Return whether one can sign up: ``none``, ``later``, ``open`` or ``closed``."""
    return sign_up_state(event)
