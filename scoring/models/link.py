"""Links for scoring or reading a table without an account."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ..enums import LinkRole
from .table import Table


class Link(models.Model):
    """A revocable link for one table.

    The token itself is not stored. It is an HMAC of ``nonce`` under the site's secret key, so it
    can be shown again as a QR code but cannot be read from a stolen database. ``digest`` finds the
    link for a token.
    """

    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="links", verbose_name=_("table")
    )
    role = models.CharField(_("for whom"), max_length=8, choices=LinkRole.choices)
    nonce = models.CharField(_("random part"), max_length=32, unique=True)
    digest = models.CharField(_("digest"), max_length=64, unique=True)
    created_at = models.DateTimeField(_("created"))
    created_by = models.CharField(_("created by"), max_length=80)
    revoked_at = models.DateTimeField(_("closed"), null=True, blank=True)
    revoked_by = models.CharField(_("closed by"), max_length=80, blank=True, default="")

    class Meta:
        verbose_name = _("link to a table")
        verbose_name_plural = _("links to tables")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(role__in=LinkRole.values), name="scoring_link_role"),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True, revoked_by="")
                | (Q(revoked_at__isnull=False) & ~Q(revoked_by="")),
                name="scoring_link_revoked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.role}"
