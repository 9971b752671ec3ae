"""One game's score sheet, stored: entries, replayed state, the Auditor's page, the protocol."""
