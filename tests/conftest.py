"""Settings that all tests share."""

from hypothesis import settings

# How long an example takes says nothing about the code on a shared machine.
settings.register_profile("tco", deadline=None)
settings.load_profile("tco")
