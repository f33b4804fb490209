"""What the documentation site is built with, besides its pages."""
