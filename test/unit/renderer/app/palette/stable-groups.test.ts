import { describe, expect, it } from "vitest";
import { enteredCommand, type PaletteGroup, stableGroups } from "#renderer/app/palette/stable-groups.ts";
import type { Command, CommandGroup } from "#renderer/lib/commands/command-store.ts";

const command = (group: CommandGroup, id: string): Command => ({ id, group, label: id, run: () => undefined });
const group = (value: CommandGroup, ...ids: readonly string[]): PaletteGroup => ({ value, items: ids.map((id) => command(value, id)) });
const shape = (groups: readonly PaletteGroup[]): readonly string[] =>
  groups.map(({ value, items }) => `${value}: ${items.map(({ id }) => id).join(" ")}`);

describe("what the palette shows for one text", () => {
  it("keeps first what was first, whatever is found later", () => {
    const before = [group("actions", "note", "lock")];
    const now = [group("people", "bob"), group("chain", "note-token"), group("actions", "new", "note", "lock")];
    expect(shape(stableGroups(before, now))).toEqual(["actions: note lock new", "people: bob", "chain: note-token"]);
  });

  it("drops what is not found any more, and takes over the newest form of what is", () => {
    const before = [group("people", "anna", "bob"), group("actions", "lock")];
    const renamed: Command = { ...command("people", "bob"), label: "Bob" };
    const groups = stableGroups(before, [{ value: "people", items: [renamed] }]);
    expect(shape(groups)).toEqual(["people: bob"]);
    expect(groups[0]?.items[0]?.label).toBe("Bob");
  });

  it("is what was found where nothing was shown", () => {
    const now = [group("go", "inbox"), group("actions", "lock")];
    expect(stableGroups([], now)).toEqual(now);
  });
});

describe("what Enter runs", () => {
  const groups = [group("actions", "note", "lock"), group("people", "bob")];

  it("is what is highlighted, in its newest form", () => {
    expect(enteredCommand(groups, command("people", "bob"))).toBe(groups[1]?.items[0]);
  });

  it("is the first of all while nothing is highlighted yet, or what was is not found any more", () => {
    expect(enteredCommand(groups, undefined)?.id).toBe("note");
    expect(enteredCommand(groups, command("people", "anna"))?.id).toBe("note");
    expect(enteredCommand([], command("people", "anna"))).toBeUndefined();
  });
});
