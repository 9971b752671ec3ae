"""Numbers and dates, by Django's names: English as written in Europe, day before month."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = "\N{NO-BREAK SPACE}"
DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y H:i"
SHORT_DATE_FORMAT = "Y-m-d"
SHORT_DATETIME_FORMAT = "Y-m-d H:i"
