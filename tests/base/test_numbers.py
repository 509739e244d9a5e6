"""Numbers in the forms that clients write."""

import pytest

from gtp_engine.base.numbers import LARGEST, finite, number_of, whole
from support.driver import Driver


@pytest.mark.parametrize(
    "text, value",
    [("7", 7), ("-7", -7), ("+7", 7), ("007", 7), ("0", 0), ("0" * 5000 + "9", 9)],
)
def test_whole_numbers_are_read(text, value):
    assert whole(text) == value


@pytest.mark.parametrize("digits", [18, 19, 20, 4301, 200_000])
def test_a_number_of_any_length_is_out_of_range_and_not_unreadable(digits):
    """Python itself refuses to read more than 4300 digits."""
    assert whole("9" * digits) == LARGEST
    assert whole("-" + "9" * digits) == -LARGEST


@pytest.mark.parametrize("text", ["", "-", "1.0", "1_0", "0x1", " 1", "1\n", "٣", "x"])
def test_what_is_no_whole_number_is_refused(text):
    with pytest.raises(ValueError):
        whole(text)


@pytest.mark.parametrize("text", ["", "nan", "inf", "1_0", "٣", "1e999"])
def test_what_is_no_finite_number_is_refused(text):
    with pytest.raises(ValueError):
        finite(text)


def test_counts_with_their_nouns():
    assert number_of(1, "generation") == "1 generation"
    assert number_of(0, "generation") == "0 generations"


OUT_OF_RANGE = {
    "boardsize {}": "unacceptable size",
    "boardsize {0} {0}": "unacceptable size",
    "rectangular_boardsize 9 {}": "unacceptable size",
    "rectangular_boardsize {} 9": "unacceptable size",
    "game-select implo {}": "unacceptable size",
    "gg-undo {}": "cannot undo",
    "game-legal_turns {}": "the limit is an integer from 1 to 20000",
    "game-perft {}": "the depth is an integer from 0 to 50",
    "kata-benchmark {}": "too few or too many visits",
    "game-set visits {}": "invalid value for visits: integer 0..1000000000",
    "time_settings 0 0 {}": "unacceptable time",
    "time_settings {} 0 0": "unacceptable time",
    "time_left b {} 0": "unacceptable time",
    "kgs-time_settings absolute {}": "wrong numbers for absolute",
    "kata-time_settings fischer 60 {}": "wrong numbers for fischer",
}


@pytest.mark.parametrize("line", OUT_OF_RANGE)
@pytest.mark.parametrize("digits", [10, 19, 300])
def test_commands_say_of_a_huge_number_that_it_is_out_of_range(line, digits):
    assert Driver().fails(line.format("9" * digits)) == OUT_OF_RANGE[line]


def test_a_size_and_a_time_of_thousands_of_digits(drive):
    for line, told in (("boardsize {}", "unacceptable size"), ("gg-undo -{}", "cannot undo")):
        assert drive.fails(line.format("9" * 5000)) == told
