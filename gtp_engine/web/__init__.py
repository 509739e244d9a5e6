"""A board in the browser: a small local web server, and the page that it shows."""
