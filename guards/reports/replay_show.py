"""What `guards replay` found, for a terminal: rules by what they cost, with examples."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from guards.reports.burn_show import clean, one_line

TITLES = {
    "deny": "would be refused",
    "ask": "would be asked about",
    "watch": "only watched: this is what switching them on would cost",
    "note": "would be noted",
}


def lines(found: dict[str, Any], top: int) -> None:
    console = Console(highlight=False, soft_wrap=True)
    share = found["refused"] / found["calls"] * 100
    broken = f"; {found['malformed']:,} lines malformed" if found["malformed"] else ""
    broken += f"; {found['unread']:,} files that cannot be read" if found["unread"] else ""
    console.print(
        f"{found['calls']:,} calls in {found['sessions']:,} sessions, judged with today's policy on today's disk:"
        f" {found['refused']:,} refused ({share:.2f} %){broken}"
    )
    for action, title in TITLES.items():
        rows = [row for row in found["rules"] if row["action"] == action]
        if rows:
            console.print(f"\n[bold]{title}[/bold]")
            for row in rows:
                _rule(console, row, top)
    for fault in found["faults"]:
        console.print(
            Text(f"{fault['guard']} could not judge {fault['calls']:,} calls: {clean(fault['what'])}", style="red")
        )


def _rule(console: Console, row: dict[str, Any], top: int) -> None:
    per = row["calls"] / row["sessions"] if row["sessions"] else 0
    name = clean(f"{row['guard']}: {row['rule']}")
    cost = f"  {row['share'] * 100:5.2f} %  "
    tail = f"  ({row['sessions']:,} sessions, {per:.1f} each)"
    console.print(Text.assemble((f"{row['calls']:>7,}", "bold"), cost, (name, "cyan"), tail))
    width = max(console.width - 28, 40)
    for example in row["examples"][:top]:
        when = example["when"][:16].replace("T", " ")
        console.print(
            Text(f"         {when:16}  {clean(example['tool'])} {one_line(example['what'], width)}", style="dim")
        )
