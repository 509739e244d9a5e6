"""Books of solved openings: the winner's way to where a level's solver goes on."""

import random
from pathlib import Path

import pytest

from documents import books
from documents.books import LOST, NOT_WON, UNPROVEN, WON, Maker, by_search, by_solver
from documents.solved_play import (
    LEVELS,
    PAGE,
    RECORDS,
    known_by,
    read_records,
    result_of,
    solved_openings,
    with_section,
    worth_of,
)
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.turns import legal_turns
from gtp_engine.search import certificates
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.certificates import certified, has_book, stored_words
from gtp_engine.search.named_players import PLAYERS
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solver import make_solver
from support import check_book
from support.check_book import Book, Checker, NotWon, check, found_value
from support.shipped_data import shipped_data
from support.thorough import first_of

pytestmark = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")

SPECS = Path(__file__).parents[2] / "protocol_specs"
SHIPPED = sorted(certificates.BOOKS.glob("*.book"))
IN_BOOK = [each for each in solved_openings() if known_by(each) == "book"]
BOLOA = find_game("boloa")


def shipped(path) -> Book:
    name, size = path.stem.split("-")
    return Book(path, find_game(name), int(size))


def test_all_that_ships_of_solved_boards_is_half_a_megabyte_at_most():
    folders = certificates.FOLDER, certificates.BOOKS
    assert SHIPPED
    assert sum(path.stat().st_size for folder in folders for path in folder.iterdir()) <= 500_000


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_book_begins_with_its_openings(path):
    book = shipped(path)
    assert book.openings
    for opening in book.openings:
        found = certified(book.after(opening))
        assert found is not None and found.value in (0, 1)


@shipped_data("books")
@pytest.mark.parametrize("games", first_of([10, 300]))
@pytest.mark.parametrize("opening", IN_BOOK, ids=lambda each: f"{each.game.name}-{each.first.word}")
def test_every_reply_on_the_way_is_answered_by_the_book_or_the_solver(opening, games):
    """The program of books proves it for every game: this follows random ones."""
    rng = random.Random(f"book {opening.first.word}")
    checker = Checker(stored_words(opening.game, 4))
    for _ in range(games):
        at = opening.first.position
        winner = WHITE if opening.value == 0 else BLACK
        waiting = checker.answers(at) if at.to_move is winner else [at]
        while waiting:
            at = rng.choice(waiting)
            if checker.is_end(at):
                break
            replies = [turn.position for turn in legal_turns(at, 1000)]
            at = rng.choice(replies)
            if at.outcome() is not None:
                assert at.outcome().winner is winner
                break
            waiting = checker.answers(at)


@pytest.mark.parametrize("count", first_of([1, 24]))
@pytest.mark.parametrize("opening", IN_BOOK, ids=lambda each: f"{each.game.name}-{each.first.word}")
def test_levels_win_by_the_book(opening, count, rng):
    for number in range(count):
        opponent = list(PLAYERS)[number % len(PLAYERS)]
        level = LEVELS[number // len(PLAYERS) % len(LEVELS)]
        assert result_of(opening, level, opponent, rng) == 1


def test_the_page_tells_of_all_games_and_none_was_given_away_where_the_way_is_known():
    """If this fails, run: python tests documents.solved_play protocol_specs"""
    page, records = (SPECS / PAGE).read_text(), read_records(SPECS / RECORDS)
    assert page == with_section(page, records)
    known = {
        (each.game.name, each.first.word)
        for each in solved_openings()
        if known_by(each) != "search"
    }
    games = [each for each in records if (each.game, each.opening) in known]
    assert len(games) >= 200
    assert {(each.game, each.opening) for each in games} == known
    assert {each.level for each in games} == set(LEVELS)
    assert [each for each in games if each.result < worth_of(each)] == []


@pytest.fixture
def hard(monkeypatch):
    """Solvers that prove nearly nothing, so that 3x3 needs a book."""
    monkeypatch.setattr(check_book, "limit_of", lambda position: 100)


def made(path, openings, game=BOLOA, best=None) -> Book:
    book = Book(path, game, 3)
    prover = make_solver(book.start, "kernel", SearchOptions(hash_mb=1, threads=1))
    maker = Maker(best or by_solver(prover), book.words, path.with_suffix(".found"))
    for opening in openings:
        start = book.after(opening)
        value = prover.solve(start, Budget()).value
        assert value == book.value_after(opening)
        book.add(opening, maker.part(start, value == (start.to_move != 0)))
    return book


def test_a_book_proves_its_openings_again_and_every_position_is_met(hard, tmp_path):
    made(tmp_path / "3.book", ["pA2"])
    book = made(tmp_path / "3.book", ["sA2", "pB2"])
    assert book.openings == ["pA2", "pB2", "sA2"]
    assert len(book.words) > 10
    assert check(Book(tmp_path / "3.book", BOLOA, 3)) == len(book.words)


def test_what_no_turn_and_no_solver_answers_is_not_proven(hard, tmp_path):
    book = made(tmp_path / "3.book", ["pA2"])
    first = check_book.word_in_book(book.after("pA2"))
    assert first in book.words
    book.words = frozenset({first})
    with pytest.raises(NotWon, match="has no answer"):
        check(book)


def test_a_position_that_is_not_lost_is_not_proven(hard, tmp_path):
    book = Book(tmp_path / "3.book", BOLOA, 3)
    won = next(turn.position for turn in legal_turns(book.after("sA1"), 100))
    book.words |= {check_book.word_in_book(book.after("sB2")), check_book.word_in_book(won)}
    book.openings.append("sB2")
    with pytest.raises(NotWon):
        check(book)


def test_an_opening_that_nobody_wins_has_no_book(tmp_path):
    robble = Book(tmp_path / "robble.book", find_game("robble"), 3)
    prover = make_solver(robble.start, "kernel", SearchOptions(hash_mb=64))
    maker = Maker(by_solver(prover), (), tmp_path / "found")
    with pytest.raises(NotWon):
        maker.part(robble.after("A1"), lost=False)


def test_an_interrupted_book_goes_on(hard, tmp_path, monkeypatch):
    whole = made(tmp_path / "whole.book", ["pA2"])
    asked: list[Position] = []

    def counted(position, most):
        asked.append(position)
        if len(asked) == 30:
            raise TimeoutError
        return found_value(position, most)

    monkeypatch.setattr(check_book, "found_value", counted)
    with pytest.raises(TimeoutError):
        made(tmp_path / "3.book", ["pA2"])
    lines = (tmp_path / "3.found").read_text().splitlines()
    known = {line.split()[0] for line in lines if line.split()[1] in (WON, LOST, UNPROVEN)}
    again = made(tmp_path / "3.book", ["pA2"])
    assert again.words == whole.words
    asked_again = {f"{check_book.word_in_book(position):x}" for position in asked[30:]}
    assert asked_again and len(known) > 20 and not asked_again & known


def test_a_book_that_is_made_again_asks_no_solver(hard, tmp_path, monkeypatch):
    whole = made(tmp_path / "3.book", ["pA2"])
    (tmp_path / "3.book").unlink()
    monkeypatch.setattr(
        check_book, "found_value", lambda *asked: pytest.fail("a small solver is asked")
    )
    monkeypatch.setattr(books, "after_win", lambda *asked: pytest.fail("a large one is asked"))
    assert made(tmp_path / "3.book", ["pA2"]).words == whole.words


def test_the_positions_of_another_book_come_first(hard, tmp_path):
    whole = made(tmp_path / "3.book", ["pA2"])
    asked: list[Position] = []

    def best(position):
        asked.append(position)
        return iter(())

    maker = Maker(best, (), tmp_path / "again.found", whole.words)
    again = maker.part(whole.after("pA2"), lost=True)
    assert again <= whole.words and not asked
    whole.words = frozenset(again)
    assert check(whole) == len(again)


def test_less_work_makes_a_larger_book(hard, tmp_path):
    small, large = made(tmp_path / "3.book", ["pA2"]), Book(tmp_path / "large.book", BOLOA, 3)
    prover = make_solver(small.start, "kernel", SearchOptions(hash_mb=1, threads=1))
    maker = Maker(by_solver(prover), (), tmp_path / "large.found", few=1)
    large.add("pA2", maker.part(large.after("pA2"), lost=True))
    assert check(large) == len(large.words) > len(small.words)


def test_turns_that_a_search_guesses_wrong_are_taken_back(monkeypatch, tmp_path):
    """A search of one visit guesses nearly at random."""
    monkeypatch.setattr(check_book, "limit_of", lambda position: 200)
    book = made(tmp_path / "3.book", ["pA2"], best=by_search(BOLOA, 1))
    assert NOT_WON in (tmp_path / "3.found").read_text()
    assert check(book) == len(book.words) > 5


def test_an_opening_that_the_other_color_wins_has_no_book(hard, tmp_path):
    book = Book(tmp_path / "3.book", BOLOA, 3)
    maker = Maker(by_search(BOLOA, 10), (), tmp_path / "3.found")
    with pytest.raises(NotWon, match="is not lost"):
        maker.part(book.after("sB2"), lost=True)


def test_a_reply_without_a_word_is_left_to_the_solver(tmp_path, rng):
    """After a pass Pilo's positions have no word."""
    book = Book(tmp_path / "3.book", find_game("pilo"), 3)
    after_pass: list[Position] = []
    while not after_pass:
        at = book.start
        while at.outcome() is None:
            at = rng.choice(legal_turns(at, 1000)).position
            if at.fields() and at.outcome() is None and found_value(at) == 1:
                after_pass.append(at)
    assert check_book.word_of(after_pass[0]) is None
    kept = tmp_path / "3.found"
    maker = Maker(by_search(book.start.game, 1), (), kept)
    assert maker.part(after_pass[0], lost=False) == set() and not kept.exists()
    with pytest.raises(NotWon, match="has no word"):
        maker.part(after_pass[0], lost=True)


@pytest.mark.parametrize("kind", ["book", "certificate"])
def test_a_book_that_is_none_is_refused_and_a_good_one_leads_the_player(
    kind, hard, tmp_path, monkeypatch, logged
):
    monkeypatch.setattr(certificates, "FOLDER", tmp_path)
    monkeypatch.setattr(certificates, "BOOKS", tmp_path)
    stored_words.cache_clear()
    certificates.certificate_words.cache_clear()
    has_book.cache_clear()
    try:
        book = made(tmp_path / "boloa-3.book", ["pA2"])
        if kind == "certificate":
            words = sorted(book.words)
            certificates.save_certificate(book.path, book.start, 1, words)
        assert has_book(BOLOA, 3) and not has_book(BOLOA, 4)
        assert (certified(book.after("pA2")) is None) == (kind == "certificate")
        assert len(logged) == (kind == "certificate")
        assert all("playing without a book" in line for line in logged)
    finally:
        stored_words.cache_clear()
        certificates.certificate_words.cache_clear()
        has_book.cache_clear()
