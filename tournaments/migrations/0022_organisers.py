"""Organisers, and a registration's own contacts; what exists gets its values in the next step."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import tournaments.models.enums
import tournaments.models.validators

VISIBILITIES = [
    ("", "As at other events"),
    ("nickname", "Only the nickname shown"),
    ("hidden", "No name shown, only a number"),
]


def owned(related_name, *, null):
    """Return the link of a thing to its organiser."""
    return models.ForeignKey(
        editable=False,
        null=null,
        on_delete=django.db.models.deletion.PROTECT,
        related_name=related_name,
        to="tournaments.organiser",
    )


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0021_table_cards"),
    ]

    operations = [
        migrations.CreateModel(
            name="Organiser",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.SlugField(
                        editable=False, max_length=60, unique=True, verbose_name="address"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        blank=True,
                        max_length=120,
                        validators=[tournaments.models.validators.validate_visible],
                        verbose_name="name",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "organiser",
                "verbose_name_plural": "organisers",
                "ordering": ["name", "pk"],
            },
        ),
        migrations.CreateModel(
            name="OrganiserMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_owner", models.BooleanField(default=False, verbose_name="owner")),
                (
                    "organiser",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="tournaments.organiser",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_members",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "member of an organiser",
                "verbose_name_plural": "members of organisers",
                "constraints": [
                    models.UniqueConstraint(fields=("organiser", "user"), name="member_once")
                ],
            },
        ),
        migrations.AddField("event", "organiser", owned("events", null=True)),
        migrations.AddField("person", "organiser", owned("persons", null=True)),
        migrations.AddField(
            "person", "public_id", models.UUIDField(default=uuid.uuid4, editable=False, null=True)
        ),
        migrations.AddField(
            "registration",
            "email",
            models.EmailField(blank=True, default="", max_length=254, verbose_name="e-mail"),
            preserve_default=False,
        ),
        migrations.AddField(
            "registration",
            "phone",
            models.CharField(blank=True, default="", max_length=40, verbose_name="telephone"),
            preserve_default=False,
        ),
        migrations.AddField(
            "registration",
            "note",
            models.TextField(blank=True, default="", verbose_name="note for the staff"),
            preserve_default=False,
        ),
        migrations.AddField(
            "registration",
            "visibility",
            models.CharField(
                blank=True,
                choices=VISIBILITIES,
                default="",
                max_length=10,
                verbose_name="visible at this event",
            ),
        ),
        migrations.AddConstraint(
            "registration",
            models.CheckConstraint(
                condition=models.Q(("visibility__in", ["", "nickname", "hidden"])),
                name="registration_visibility",
            ),
        ),
        migrations.AlterField(
            "invitation",
            "event",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="invitations",
                to="tournaments.event",
            ),
        ),
        migrations.AddField(
            "invitation",
            "organiser",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="invitations",
                to="tournaments.organiser",
            ),
        ),
        migrations.AlterField(
            "invitation",
            "role",
            models.CharField(
                blank=True,
                choices=tournaments.models.enums.role_choices,
                max_length=10,
                verbose_name="role",
            ),
        ),
        migrations.AddConstraint(
            "invitation",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("event__isnull", False),
                        ("organiser__isnull", True),
                        models.Q(("role", ""), _negated=True),
                    ),
                    models.Q(
                        ("event__isnull", True),
                        ("organiser__isnull", False),
                        ("role__in", ["", "owner"]),
                    ),
                    _connector="OR",
                ),
                name="invitation_to_one",
            ),
        ),
    ]
