"""The board in the browser: a small local web server, and its page."""
