"""The progress reports of a training."""

import time

import pytest

from gtp_engine.learn import progress
from gtp_engine.learn.progress import FitProgress, SelfplayPace, moment

NOW = 1_800_000_000.0


@pytest.fixture(autouse=True)
def _clock(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr(progress.time, "time", lambda: NOW)
    yield
    monkeypatch.undo()
    time.tzset()


def test_moments_have_a_date_where_they_are_far_away():
    assert moment(0) == moment(-5) == "08:00"
    assert moment(3660) == "09:01"
    assert moment(86400) == "2027-01-16 08:00"


def test_self_play_that_ends_by_time():
    pace = SelfplayPace(100, None, 50.0)
    assert pace.told(340, 170.0, 1800.0, 7200.0) == (
        "340 games, 2.0 a second; self-play ends about 08:30, the training about 10:00"
    )


def test_self_play_that_ends_by_its_games():
    pace = SelfplayPace(0, 160, 0.0)
    assert pace.told(100, 6000.0, 18000.0, 36000.0) == (
        "100 of 160 games, 1.0 a minute; self-play ends about 09:00, the training about 14:00"
    )


def test_a_fit():
    progress = FitProgress(1200, 5400, (2.31, 0.55, 0.3), 600.0)
    told = (
        "step 1,200 of at most 5,400; losses: steps 2.3100, value 0.5500, owners 0.3000; "
        "the fit ends about 08:10"
    )
    assert str(progress) == told
