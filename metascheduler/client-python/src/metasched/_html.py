"""A timeline for notebooks. What comes from the wire is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from html import escape
from typing import NamedTuple

_LEFT, _WIDTH, _ROW = 120, 400, 22


class Bar(NamedTuple):
    site: str
    label: str
    start: datetime
    end: datetime


def _words(time: datetime) -> str:
    return time.astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def timeline(title: str, bars: Sequence[Bar]) -> str:
    """Each part is a bar in its row; the hover has its times."""
    head = f"<div><strong>{escape(title)}</strong></div>"
    if not bars:
        return head
    first, last = min(bar.start for bar in bars), max(bar.end for bar in bars)
    scale = _WIDTH / max((last - first).total_seconds(), 1.0)
    height = _ROW * len(bars) + _ROW
    rows = []
    for row, bar in enumerate(bars):
        x = _LEFT + (bar.start - first).total_seconds() * scale
        width = max((bar.end - bar.start).total_seconds() * scale, 2.0)
        y = row * _ROW
        hover = f"{bar.site}: {bar.label}, {_words(bar.start)} to {_words(bar.end)}"
        rows.append(
            f'<text x="0" y="{y + 15}">{escape(bar.site[:16])}</text>'
            f'<rect x="{x:.1f}" y="{y + 2}" width="{width:.1f}" height="{_ROW - 4}" fill="#4a7fb5">'
            f"<title>{escape(hover)}</title></rect>"
            f'<text x="{x + 4:.1f}" y="{y + 15}" fill="#fff">{escape(bar.label)}</text>'
        )
    y = height - 6
    return (
        f'{head}<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH}" height="{height}" role="img"'
        f' aria-label="{escape(title)}" font-size="12" fill="currentColor">{"".join(rows)}'
        f'<text x="{_LEFT}" y="{y}">{_words(first)}</text>'
        f'<text x="{_LEFT + _WIDTH}" y="{y}" text-anchor="end">{_words(last)}</text></svg>'
    )
