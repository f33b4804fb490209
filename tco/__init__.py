"""tco: is my own hardware cheaper than the API, by how much, and how sure is that?"""

from __future__ import annotations

__version__ = "0.1.0"
