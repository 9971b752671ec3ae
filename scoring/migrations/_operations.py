"""Operations of the initial migrations."""

from contextlib import suppress

from django.db.migrations.operations.base import Operation, OperationCategory


class CreateModels(Operation):
    """Creates models that need each other.

    After each single ``CreateModel`` Django makes the classes of all related models anew, which
    took an empty database's first start longer than all statements. Here they are made once.
    """

    category = OperationCategory.ADDITION
    serialization_expand_args = ["operations"]

    def __init__(self, operations):
        """``operations``: CreateModel operations, each model whole."""
        self.operations = operations

    def state_forwards(self, app_label, state):
        with suppress(AttributeError):
            # Models made already would be made anew with each that is added.
            del state.apps
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self):
        return f"Create {len(self.operations)} models"
