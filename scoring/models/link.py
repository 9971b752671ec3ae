"""Links for scoring or reading a table without an account."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from scoring.enums import LinkRole
from scoring.models.table import Table


class Link(models.Model):
    """A revocable link for one table.

    The token itself is not stored. It is an HMAC of ``nonce`` under the site's secret key, so it
    can be shown again as a QR code but cannot be read from a stolen database. ``digest`` finds the
    link for a token.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="links")
    role = models.CharField(max_length=8, choices=LinkRole.choices)
    nonce = models.CharField(max_length=32, unique=True)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    created_by = models.CharField(max_length=80)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.CharField(max_length=80, blank=True, default="")

    class Meta:
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
