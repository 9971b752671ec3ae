"""Whose acceptance a table needs, and the players' PINs."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0035_ends_with_heats'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='acceptance',
            field=models.CharField(choices=[('auditor', 'nobody but the Auditor'), ('one', 'one of the other players'), ('majority', 'most of the other players'), ('all', 'all the other players'), ('director', 'the director, who signs the table off')], default='auditor', help_text='Before the table can sign off; on their own pages or with their PINs.', max_length=8, verbose_name="a table's games are accepted by"),
        ),
        migrations.AddField(
            model_name='registration',
            name='pin',
            field=models.CharField(blank=True, default='', editable=False, max_length=128, verbose_name='PIN (hashed)'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('acceptance__in', ['auditor', 'one', 'majority', 'all', 'director'])), name='event_acceptance'),
        ),
    ]
