"""What there is belongs to one organiser; contacts go from the persons to their registrations."""

import uuid
from itertools import chain

from django.db import migrations

CONTACT = ("email", "phone", "note")
AT_ONCE = 500


def one_organiser(apps, schema_editor):
    Organiser, OrganiserMember, Event, Person = (
        apps.get_model("tournaments", name)
        for name in ("Organiser", "OrganiserMember", "Event", "Person")
    )
    User = apps.get_model("auth", "User")
    if not (Event.objects.exists() or Person.objects.exists() or User.objects.exists()):
        return
    organiser = Organiser.objects.create(slug="organiser")
    Event.objects.update(organiser=organiser)
    Person.objects.update(organiser=organiser)
    # Who could make events until now goes on to; the administrators, where there are any, say who
    # else may.
    makers = [user for user in User.objects.order_by("pk") if user.is_superuser or user.is_staff]
    owners = [user for user in makers if user.is_superuser] or makers
    OrganiserMember.objects.bulk_create(
        OrganiserMember(organiser=organiser, user=user, is_owner=user in owners) for user in makers
    )


def public_ids(apps, schema_editor):
    Person = apps.get_model("tournaments", "Person")
    rows = []
    for person in Person.objects.only("pk").iterator(AT_ONCE):
        person.public_id = uuid.uuid4()
        rows.append(person)
    Person.objects.bulk_update(rows, ["public_id"], AT_ONCE)


def contacts(apps, schema_editor):
    Person, Registration, PersonMerge, LogEntry = (
        apps.get_model("tournaments", name)
        for name in ("Person", "Registration", "PersonMerge", "LogEntry")
    )
    known = {
        row["pk"]: row
        for row in Person.objects.values("pk", "legal_name", *CONTACT)
        if any(row[name] for name in CONTACT)
    }
    # A registration that a merge has moved was made with the contacts of the person merged.
    came_from = {}
    for merge in PersonMerge.objects.filter(undone_at__isnull=True).order_by("pk"):
        for pk in merge.registrations:
            came_from.setdefault(pk, []).append(merge.merged_id)
    changed, kept = [], set()
    for registration in Registration.objects.iterator(AT_ONCE):
        for person in chain(came_from.get(registration.pk, ()), [registration.person_id]):
            if person not in known:
                continue
            kept.add(person)
            for name in CONTACT:
                setattr(registration, name, getattr(registration, name) or known[person][name])
        if any(getattr(registration, name) for name in CONTACT):
            changed.append(registration)
    Registration.objects.bulk_update(changed, CONTACT, AT_ONCE)
    # Nothing is lost: the log keeps the contacts of those who were never at an event.
    LogEntry.objects.bulk_create(
        LogEntry(
            actor="migration",
            action="person_changed",
            object_type="person",
            object_id=str(pk),
            object_label=row["legal_name"][:200],
            before={name: row[name] for name in CONTACT if row[name]},
            after={name: "" for name in CONTACT if row[name]},
        )
        for pk, row in known.items()
        if pk not in kept
    )


def contacts_back(apps, schema_editor):
    Registration = apps.get_model("tournaments", "Registration")
    Person = apps.get_model("tournaments", "Person")
    for registration in Registration.objects.order_by("pk").iterator(AT_ONCE):
        Person.objects.filter(pk=registration.person_id).update(
            **{n: getattr(registration, n) for n in CONTACT if getattr(registration, n)}
        )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0022_organisers")]
    operations = [
        migrations.RunPython(one_organiser, migrations.RunPython.noop),
        migrations.RunPython(public_ids, migrations.RunPython.noop),
        migrations.RunPython(contacts, contacts_back),
    ]
