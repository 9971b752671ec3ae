"""Positions on the page, in millimetres. Tests check these numbers."""

from .paper import LEFT, TOP

HEAD = 20.8  # event, fields of the head, and the space below
GAP, MIN_GAP = 2.7, 1.6  # between two games; the least is used where it saves a page

# The columns of a game.
NAME, FENCE, SCORE, PLACE, POINTS = 38.0, 110.0, 13.0, 9.0, 15.0
X_FENCE = LEFT + NAME
X_SCORE = X_FENCE + FENCE
X_PLACE = X_SCORE + SCORE
X_POINTS = X_PLACE + PLACE

# The fences: 70 points fill the field, a bit more than the highest final score of a game to 52.
FENCE_PAD = 1.2
CAPACITY = 70
UNIT = (FENCE - FENCE_PAD - 0.6) / CAPACITY
SCALE = (10, 20, 30, 40, 50)
MAX_TALLIED = 140  # a higher score comes from a wild ruling: only the number is printed

TITLE_BAND, CAPTION_BAND = 5.4, 3.2
CAPTION = 6.6  # type size, in points, of column and line captions
SEAT_NUMBER = 4.4


def row_height(seats: int) -> float:
    """Return the height of one seat's row in mm; at least 12, so that a pencil has room."""
    return {2: 18.0, 3: 15.6, 4: 12.2}.get(seats, 12.0)


def block_height(seats: int) -> float:
    """Return the height of one game in mm, title and captions included."""
    return TITLE_BAND + CAPTION_BAND + row_height(seats) * seats


# The ranking of the heat.
RANK_ROW = 6.6
RANK_ROW_BLANK = 6.9
RANK_PLACE, RANK_NAME, RANK_GAME = 9.0, 41.0, 14.0
RANK_SUM, RANK_SCORE, RANK_STARS = 17.0, 16.0, 9.0

TALLY = 7.7  # height of a fence

SIGN_ROW = 10.5
SIGN_COLUMNS = 3
QR = 19.0
FOOT = 4.0


def first_top() -> float:
    """Return where the first game begins."""
    return TOP + HEAD
