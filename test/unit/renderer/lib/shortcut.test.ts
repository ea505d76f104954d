import { describe, expect, it } from "vitest";
import { type KeyPress, matchesShortcut } from "#renderer/lib/commands/shortcut.ts";

const NOTHING: KeyPress = { key: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({ ...NOTHING, key, ...modifiers });

describe("matchesShortcut", () => {
  it("takes mod as Ctrl on one machine and as ⌘ on the other", () => {
    expect(matchesShortcut(press("k", { ctrlKey: true }), "mod+k", false)).toBe(true);
    expect(matchesShortcut(press("k", { metaKey: true }), "mod+k", true)).toBe(true);
    expect(matchesShortcut(press("k", { ctrlKey: true }), "mod+k", true)).toBe(false);
    expect(matchesShortcut(press("k", { metaKey: true }), "mod+k", false)).toBe(false);
  });

  it("wants exactly its modifiers", () => {
    expect(matchesShortcut(press("l", { ctrlKey: true }), "mod+shift+l", false)).toBe(false);
    expect(matchesShortcut(press("L", { ctrlKey: true, shiftKey: true }), "mod+shift+l", false)).toBe(true);
    expect(matchesShortcut(press("k", { ctrlKey: true, altKey: true }), "mod+k", false)).toBe(false);
    expect(matchesShortcut(press("K", { ctrlKey: true, shiftKey: true }), "mod+k", false)).toBe(false);
  });

  it("finds a sign that needs Shift on some keyboards", () => {
    expect(matchesShortcut(press("/", { ctrlKey: true, shiftKey: true }), "mod+/", false)).toBe(true);
    expect(matchesShortcut(press("/", { ctrlKey: true }), "mod+/", false)).toBe(true);
  });

  it("knows named keys", () => {
    expect(matchesShortcut(press("ArrowUp", { altKey: true }), "alt+arrowup", false)).toBe(true);
    expect(matchesShortcut(press("ArrowDown", { altKey: true }), "alt+arrowup", false)).toBe(false);
  });
});
