"""Matches between engines that speak GTP: play, store, count, report."""
