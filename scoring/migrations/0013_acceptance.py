"""The players' acceptances and objections, in append-only rows."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_OF_SHEET = (
    "SELECT 1 FROM scoring_sheet s JOIN scoring_table t ON t.id = s.table_id "
    "WHERE s.id = {sheet} AND t.expired_at IS NOT NULL"
)
#: By table: the condition for deleting its rows.
EXPIRED = {
    "scoring_gameacceptance": _OF_SHEET.format(sheet="OLD.sheet_id"),
    "scoring_objection": _OF_SHEET.format(sheet="OLD.sheet_id"),
    "scoring_objectionanswer": _OF_SHEET.format(
        sheet="(SELECT sheet_id FROM scoring_objection WHERE id = OLD.objection_id)"
    ),
}


def _sqlite(table, expired):
    yield (
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END"
    )
    yield (
        f"CREATE TRIGGER {table}_there BEFORE DELETE ON {table} WHEN NOT EXISTS ({expired}) "
        f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END"
    )


def _postgresql(table, expired):
    yield (
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION scoring_kept()"
    )
    yield (
        f"CREATE FUNCTION {table}_there() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN IF EXISTS ({expired}) THEN RETURN OLD; END IF; "
        f"RAISE EXCEPTION 'rows of {table} are never deleted' "
        "USING ERRCODE = 'integrity_constraint_violation'; END $$"
    )
    yield (
        f"CREATE TRIGGER {table}_there BEFORE DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_there()"
    )
    yield (
        f"CREATE TRIGGER {table}_whole BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION scoring_kept()"
    )


def make_triggers(apps, schema_editor):
    made = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
    with schema_editor.connection.cursor() as cursor:
        for table, expired in EXPIRED.items():
            for statement in made(table, expired):
                cursor.execute(statement)


def drop_triggers(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        for table in EXPIRED:
            if schema_editor.connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_kept")
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_there")
            else:
                for name in ("kept", "there", "whole"):
                    cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{name} ON {table}")
                cursor.execute(f"DROP FUNCTION IF EXISTS {table}_there()")


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0012_announcement'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='protest',
            field=models.CharField(blank=True, max_length=200, null=True, verbose_name='signed off under protest, because'),
        ),
        migrations.CreateModel(
            name='Objection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('author', models.CharField(max_length=80, verbose_name='by')),
                ('player', models.CharField(help_text='reference of the player', max_length=64)),
                ('deal', models.PositiveSmallIntegerField(help_text='from 1')),
                ('text', models.CharField(blank=True, default='', max_length=200)),
                ('client_id', models.UUIDField(unique=True)),
                ('created_at', models.DateTimeField()),
                ('author_link', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.link', verbose_name='by link')),
                ('author_user', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by account')),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='objections', to='scoring.sheet')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ObjectionAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('author', models.CharField(max_length=80, verbose_name='by')),
                ('reason', models.CharField(blank=True, default='', max_length=200)),
                ('withdrawn', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField()),
                ('author_link', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.link', verbose_name='by link')),
                ('author_user', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by account')),
                ('objection', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='answer', to='scoring.objection')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='GameAcceptance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('author', models.CharField(max_length=80, verbose_name='by')),
                ('player', models.CharField(help_text='reference of the player', max_length=64)),
                ('means', models.CharField(choices=[('own', 'on their own page'), ('pin', 'with the PIN'), ('auditor', 'as the Auditor')], max_length=8)),
                ('chain', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField()),
                ('author_link', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.link', verbose_name='by link')),
                ('author_user', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by account')),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acceptances', to='scoring.sheet')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('sheet', 'player', 'chain'), name='scoring_acceptance_once'), models.CheckConstraint(condition=models.Q(('means__in', ['own', 'pin', 'auditor'])), name='scoring_acceptance_means')],
            },
        ),
        migrations.AddConstraint(
            model_name='objection',
            constraint=models.CheckConstraint(condition=models.Q(('deal__gte', 1)), name='scoring_objection_deal'),
        ),
        migrations.AddConstraint(
            model_name='objectionanswer',
            constraint=models.CheckConstraint(condition=models.Q(('withdrawn', True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='scoring_answer_reason'),
        ),
        migrations.RunPython(make_triggers, drop_triggers),
    ]
