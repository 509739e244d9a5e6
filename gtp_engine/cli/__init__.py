"""Entry points: arguments to objects, and the only place that says where the log goes."""
