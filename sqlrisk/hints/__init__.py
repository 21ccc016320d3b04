"""What a column could be: hints by its name, by the shape of its values, and by its figures. Hints, not findings."""

from __future__ import annotations

import csv
import functools
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

DIRECT, QUASI, SENSITIVE, CONSTANT = (
    "direct identifier",
    "likely quasi-identifier",
    "sensitive",
    "constant",
)
_KINDS = {"direct": DIRECT, "quasi": QUASI, "sensitive": SENSITIVE}
_LANGUAGES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "pt": "Portuguese",
    "it": "Italian",
    "nl": "Dutch",
    "pl": "Polish",
    "sv": "Swedish",
}

# Regular expressions that mean the same to RE2 and to PostgreSQL: no `.`, which stops at a line's end in one of them. What they
# match is counted where the data is. Telephone numbers are told from decimals (12.345), spans of years and ZIP codes.
_ISO_DATE = "[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
SHAPES: dict[str, str] = {
    "email": "^[^@ ]+@[^@ ]+[.][A-Za-z]{2,}$",
    "phone": "|".join(
        (
            "^[+][1-9][0-9 ()/.-]{6,18}$",
            "^00[1-9][0-9]{0,2}[ ()/.-][0-9 ()/.-]{5,18}$",
            "^[(]?0[0-9]{1,4}[)]?[ /]+[0-9]{3,}([ -][0-9]{2,})*$",
            "^0[0-9]{1,3}-[0-9]{3,}([ -][0-9]{2,})*$",
            "^0[1-9]([ .-][0-9]{2}){4}$",
            "^(1[ .-])?[(]?[2-9][0-9]{2}[)]?[ .-]*[2-9][0-9]{2}[ .-][0-9]{4}$",
        )
    ),
    "ip": "^([0-9]{1,3}[.]){3}[0-9]{1,3}$|^[0-9A-Fa-f]{0,4}(:[0-9A-Fa-f]{0,4}){3,7}$",
    "url": "^(https?|ftp)://|^www[.]",
    "date": f"^{_ISO_DATE}([ T][0-9A-Za-z:.,+ /-]*)?$|^[0-9]{{1,2}}[./-][0-9]{{1,2}}[./-]([0-9]{{4}}|[0-9]{{2}})$",
    "postcode": (
        "^[0-9]{5}(-[0-9]{4})?$|^[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}$|^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$"
        "|^[0-9]{4} ?[A-Z]{2}$|^[0-9]{2}-[0-9]{3}$|^[0-9]{3} [0-9]{2}$"
    ),
}
_OF_SHAPE: dict[str, tuple[str, str, str]] = {
    "email": (DIRECT, "e-mail addresses", "email addresses"),
    "phone": (DIRECT, "telephone numbers", "telephone numbers"),
    "ip": (DIRECT, "IP addresses", "IP addresses"),
    "url": (DIRECT, "web addresses", "web addresses"),
    "date": (QUASI, "dates", "dates"),
    "postcode": (QUASI, "postcodes", "ZIP codes"),
}
MOSTLY = 0.5
"""From this share of the values on, a column is taken to hold what they look like."""
_FEWEST = 10  # records from which "each has its own value" says something


@dataclass(frozen=True)
class Word:
    """A word of a column's name, and what it says: ``identifier`` is the one of HIPAA's that it names, if it does."""

    text: str
    language: str
    kind: str
    identifier: str


@dataclass(frozen=True)
class Hint:
    """What a column could be, why, and by what: its ``name``, the ``shape`` of its values, or its ``figures``."""

    kind: str
    reason: str
    by: str
    identifier: str = ""


@functools.cache
def words() -> tuple[Word, ...]:
    """The table of words, English first."""
    text = resources.files("sqlrisk.hints").joinpath("words.csv").read_text("utf-8")
    return tuple(
        Word(row["word"], row["language"], _KINDS[row["kind"]], row["identifier"] or "")
        for row in csv.DictReader(text.splitlines())
    )


def word_of(name: str) -> Word | None:
    """The longest word of the table that the column's name holds as a whole; of equal ones the first."""
    held = f" {_plain(name)} "
    found = [word for word in words() if f" {_plain(word.text)} " in held]
    return max(found, key=lambda word: len(word.text), default=None)


def hint(
    name: str, *, records: int, missing: int, distinct: int, shapes: Mapping[str, float], countable: bool
) -> Hint | None:
    """What the column called ``name`` could be. ``shapes`` are shares of its values; ``countable`` says whether values of its
    own for each record are a sign of an identifier (not so for measurements and times)."""
    present = records - missing
    if distinct == 0:
        return Hint(CONSTANT, "every value is missing", "figures")
    if distinct == 1 and not missing and records > 1:
        return Hint(CONSTANT, "every record has the same value", "figures")
    shaped = max(shapes, key=lambda shape: shapes[shape], default=None)
    by_shape = _of_shape(shaped, shapes[shaped]) if shaped and shapes[shaped] >= MOSTLY else None
    if by_shape is not None and by_shape.kind == DIRECT:
        return by_shape
    word = word_of(name)
    if word is not None:
        language = _LANGUAGES[word.language]
        where = "" if word.language == "en" else f" ({language})"
        told = f"`{word.text}`{where} in its name stands for {_MEANT[word.kind]}"
        return Hint(word.kind, told, "name", word.identifier)
    if countable and present >= _FEWEST and distinct == present:
        return Hint(
            DIRECT,
            "each record has a value of its own, as a number or code of a person has",
            "figures",
            "other unique identifiers",
        )
    return by_shape


_MEANT = {
    DIRECT: "what belongs to one person",
    QUASI: "what others can know of a person",
    SENSITIVE: "what is nobody else's business",
}


def _of_shape(shape: str, share: float) -> Hint:
    kind, what, identifier = _OF_SHAPE[shape]
    return Hint(kind, f"{100 * share:.0f} % of its values look like {what}", "shape", identifier)


_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe"})


@functools.cache
def _plain(name: str) -> str:
    """A name's words in lower case with single spaces between: `PatientBirthDate`, `zip_code2` -> `patient birth date`, ...

    Accents are left out, since columns are often named without: `código_postal`, `codigo_postal` -> `codigo postal`.
    """
    letters = unicodedata.normalize("NFD", name)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", bare)
    return " ".join(re.sub(r"[\W_0-9]+", " ", apart.casefold().translate(_LETTERS)).split())
