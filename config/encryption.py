"""Files encrypted with a passphrase, of any size.

The first line names the format and holds the salt. Each further line is one piece as a Fernet token
(``cryptography``: AES and HMAC), whose content begins with its number and whether it is the last,
so that missing, moved or changed pieces are noticed. Scrypt derives the key from the passphrase.
The format is our own, because a Fernet token alone keeps its whole content in memory.
"""

import base64
import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

_MARK = b"chicago-encrypted-1 "
_PIECE = 1 << 20


class CannotDecrypt(Exception):
    """The file cannot be opened; the message says why."""


def is_encrypted(path: Path) -> bool:
    """Return whether a file was written by :func:`encrypt`."""
    with path.open("rb") as file:
        return file.read(len(_MARK)) == _MARK


def encrypt(source: Path, target: Path, passphrase: str) -> None:
    """Write ``source`` encrypted into ``target``."""
    salt = os.urandom(16)
    fernet = _fernet(passphrase, salt)
    with source.open("rb") as plain, target.open("wb") as file:
        file.write(_MARK + base64.urlsafe_b64encode(salt) + b"\n")
        number, piece = 0, plain.read(_PIECE)
        while True:
            following = plain.read(_PIECE)
            head = number.to_bytes(8, "big") + (b"\0" if following else b"\1")
            file.write(fernet.encrypt(head + piece) + b"\n")
            if not following:
                return
            number, piece = number + 1, following


def decrypt(source: Path, target: Path, passphrase: str) -> None:
    """Decrypt an encrypted file into ``target``, which only its owner may read."""
    if not passphrase:
        raise CannotDecrypt("This backup is encrypted: set BACKUP_PASSPHRASE to its passphrase.")
    target.touch(mode=0o600)
    with source.open("rb") as file, target.open("wb") as plain:
        salt = base64.urlsafe_b64decode(file.readline().removeprefix(_MARK).strip())
        fernet = _fernet(passphrase, salt)
        last = False
        for number, line in enumerate(file):
            try:
                piece = fernet.decrypt(line.strip())
            except InvalidToken as problem:
                raise CannotDecrypt("The passphrase is wrong, or the file is damaged.") from problem
            if last or int.from_bytes(piece[:8], "big") != number:
                raise CannotDecrypt("The file is damaged: its pieces are not in order.")
            last = piece[8:9] == b"\1"
            plain.write(piece[9:])
        if not last:
            raise CannotDecrypt("The file is damaged: its end is missing.")


def _fernet(passphrase: str, salt: bytes) -> Fernet:
    key = Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode())
    return Fernet(base64.urlsafe_b64encode(key))
