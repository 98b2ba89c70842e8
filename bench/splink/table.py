"""Counts the answers of both engines to the same requests and prints them side by side."""

import collections
import dataclasses
import statistics

# Fixed before anything was linked: what Roster's levels stand beside. None is chosen on the data that it is judged by.
PROBABILITIES = (0.9, 0.99, 0.999)
LEVELS = ("low", "moderate", "high")


@dataclasses.dataclass
class Answered:
    """A request, whom it meant, and what each engine answered."""

    kind: str
    truth: str | None
    found: str | None
    level: str | None
    seconds: float
    record: str | None
    probability: float | None

    def roster(self, level):
        """The id that Roster answers to who takes this level and above."""
        return self.found if self.found and LEVELS.index(self.level) >= LEVELS.index(level) else None

    def splink(self, probability):
        """The id that Splink answers to who takes this probability and above."""
        return self.record if self.record and self.probability >= probability else None


def percent(part, whole):
    return f"{100 * part / whole:.2f} %" if whole else "-"


def counts(answers, answer_of):
    """Asked, answered, precision, recall; asked for nobody, answered of those."""
    known = [(answer.truth, answer_of(answer)) for answer in answers if answer.truth]
    nobody = [answer_of(answer) for answer in answers if not answer.truth]
    answered = sum(found is not None for _, found in known)
    right = sum(found == truth for truth, found in known)
    strangers = sum(found is not None for found in nobody)
    return [len(known), answered, percent(right, answered), percent(right, len(known)), len(nobody), strangers]


def engines():
    """Every row of a table: its name, and how it answers."""
    for level in LEVELS:
        yield f"Roster, {level}{' and above' * (level != LEVELS[-1])}", lambda answer, level=level: answer.roster(level)
    for least in PROBABILITIES:
        yield f"Splink, {least} and above", lambda answer, least=least: answer.splink(least)


def show(title, answers):
    """One table with both engines, and one by kind where there are several."""
    print(f"\n{title}\n")
    head("engine", "asked", "answered", "precision", "recall", "asked for nobody", "answered")
    for name, answer_of in engines():
        row(name, *counts(answers, answer_of))
    by_kind = collections.defaultdict(list)
    for answer in answers:
        by_kind[answer.kind.removeprefix("none_").removeprefix("name_")].append(answer)
    if len(by_kind) < 2:
        return
    print()
    first = f"Roster, {LEVELS[0]} / Splink, {PROBABILITIES[0]}"
    head(f"by what is given: {first}", "asked", "precision", "recall", "asked for nobody", "answered")
    for kind, those in sorted(by_kind.items()):
        sides = [counts(those, lambda answer: answer.roster(LEVELS[0])), counts(those, lambda answer: answer.splink(PROBABILITIES[0]))]
        both = [f"{one} / {other}" for one, other in zip(*sides)]
        row(f"`{kind}`", sides[0][0], both[2], both[3], sides[0][4], both[5])


def show_times(loading, answers, training, linking):
    """How long each took; Roster answers one request after the other, Splink all at once."""
    times = [answer.seconds for answer in answers]
    each = 1000 * statistics.fmean(times)
    print(
        f"\nRoster: {loading:.1f} s to load, {sum(times):.1f} s to answer {len(times)} requests one by one ({each:.2f} ms each). "
        f"Splink: {training:.1f} s to train, {linking:.1f} s to link them in one batch ({1000 * linking / len(times):.2f} ms each).",
        flush=True,
    )


def head(*names):
    row(*names)
    print("|" + "---|" * len(names))


def row(*values):
    print("| " + " | ".join(f"{value:,}" if isinstance(value, int) else value for value in values) + " |")
