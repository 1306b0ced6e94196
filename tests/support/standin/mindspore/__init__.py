"""What a program of MindSpore takes its profiler from; see profiler/__init__.py."""

from . import profiler
from .profiler import Profiler

__all__ = ["Profiler", "profiler"]
