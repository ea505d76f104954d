// Commands of the palette. Every feature adds its own while it is loaded; sources return commands for what is typed.
import type { LucideIcon } from "lucide-react";
import { create } from "zustand";

/** Heading under which a command is listed. */
export type CommandGroup = "jump" | "people" | "labels" | "messages" | "chain" | "go" | "actions";

/** One thing that the palette can do. */
export interface Command {
  readonly id: string;
  readonly group: CommandGroup;
  readonly label: string;
  /** At the end of the row, muted. */
  readonly detail?: string;
  readonly icon?: LucideIcon;
  /** Shown beside it and listed in the shortcuts sheet; the shell listens for it. */
  readonly shortcut?: string;
  /** More words that find it. */
  readonly keywords?: string;
  readonly run: () => void;
}

/** Commands for a text: must be quick; it runs on every keystroke. */
export type CommandSource = (query: string) => readonly Command[];

interface CommandStore {
  readonly lists: ReadonlyMap<symbol, readonly Command[]>;
  readonly sources: ReadonlyMap<symbol, CommandSource>;
}

/** The registry. Use {@link useCommands} and {@link useCommandSource} of use-commands.ts to add. */
export const useCommandStore = create<CommandStore>()(() => ({ lists: new Map(), sources: new Map() }));

/** Adds commands; returns the way to remove them. */
export function addCommands(commands: readonly Command[]): () => void {
  const key = Symbol("commands");
  useCommandStore.setState(({ lists }) => ({ lists: new Map(lists).set(key, commands) }));
  return () => useCommandStore.setState(({ lists }) => ({ lists: new Map([...lists].filter(([other]) => other !== key)) }));
}

/** Adds a source; returns the way to remove it. */
export function addCommandSource(source: CommandSource): () => void {
  const key = Symbol("source");
  useCommandStore.setState(({ sources }) => ({ sources: new Map(sources).set(key, source) }));
  return () => useCommandStore.setState(({ sources }) => ({ sources: new Map([...sources].filter(([other]) => other !== key)) }));
}

/** Commands that match a text, best first: every word of it occurs in the label or the keywords. */
export function matchCommands(commands: readonly Command[], query: string): readonly Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = commands.flatMap((command) => {
    const label = command.label.toLowerCase();
    const text = `${label} ${command.keywords?.toLowerCase() ?? ""}`;
    if (!words.every((word) => text.includes(word))) return [];
    const first = words[0] ?? "";
    return [{ command, score: label.startsWith(first) ? 0 : label.includes(` ${first}`) ? 1 : 2 }];
  });
  return scored.sort((a, b) => a.score - b.score).map(({ command }) => command);
}
