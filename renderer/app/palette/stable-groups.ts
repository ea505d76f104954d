// Order of what the palette finds for one text. Searches answer one after the other: what is there stays where it is, and above all what
// Enter would open. Pure.
import type { Command, CommandGroup } from "#renderer/lib/commands/command-store.ts";

/** Commands under one heading. */
export interface PaletteGroup {
  readonly value: CommandGroup;
  readonly items: readonly Command[];
}

/** The groups for the same text as before: known ones in their order with what is new behind it, then the new ones. */
export function stableGroups(before: readonly PaletteGroup[], now: readonly PaletteGroup[]): readonly PaletteGroup[] {
  const found = new Map(now.map((group) => [group.value, group]));
  const known = before.flatMap(({ value, items }) => {
    const group = found.get(value);
    return group === undefined ? [] : [{ value, items: stableItems(items, group.items) }];
  });
  const values = new Set(before.map(({ value }) => value));
  return [...known, ...now.filter(({ value }) => !values.has(value))];
}

function stableItems(before: readonly Command[], now: readonly Command[]): readonly Command[] {
  const found = new Map(now.map((command) => [command.id, command]));
  const known = before.flatMap(({ id }) => found.get(id) ?? []);
  const ids = new Set(before.map(({ id }) => id));
  return [...known, ...now.filter(({ id }) => !ids.has(id))];
}

/** What Enter runs: what is highlighted where it is still found, else the first of all; undefined where nothing is found. */
export function enteredCommand(groups: readonly PaletteGroup[], highlighted: Command | undefined): Command | undefined {
  const all = groups.flatMap(({ items }) => items);
  return all.find(({ id }) => id === highlighted?.id) ?? all[0];
}
