// Shortcuts written as text: `mod+k`, `alt+arrowup`, `mod+shift+p`. `mod` is ⌘ on a Mac and Ctrl on other systems.

const MAC_KEYS: Readonly<Record<string, string>> = { mod: "⌘", shift: "⇧", alt: "⌥", ctrl: "⌃" };
const OTHER_KEYS: Readonly<Record<string, string>> = { mod: "Ctrl", shift: "Shift", alt: "Alt", ctrl: "Ctrl" };
const NAMED_KEYS: Readonly<Record<string, string>> = {
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  enter: "↵",
  escape: "Esc",
  pagedown: "PgDn",
  pageup: "PgUp",
};

/** True on a Mac, where ⌘ takes the part of Ctrl. */
export function isMac(): boolean {
  return /mac/i.test(navigator.platform);
}

/** Keys of a shortcut as this machine names them. */
export function shortcutKeys(shortcut: string): readonly string[] {
  const modifiers = isMac() ? MAC_KEYS : OTHER_KEYS;
  return shortcut
    .toLowerCase()
    .split("+")
    .map((key) => modifiers[key] ?? NAMED_KEYS[key] ?? key.toUpperCase());
}

/** The parts of a keyboard event that decide whether it is a shortcut. */
export type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** True when the key press is the shortcut, with exactly its modifiers (a character that needs Shift to type may be written plainly). */
export function matchesShortcut(press: KeyPress, shortcut: string, mac = isMac()): boolean {
  const parts = shortcut.toLowerCase().split("+");
  const key = parts.at(-1) ?? "";
  const wants = (modifier: string): boolean => parts.slice(0, -1).includes(modifier);
  if (press.key.toLowerCase() !== key) return false;
  const isLetterOrNamed = /^[a-z]$/.test(key) || key.length > 1;
  if (isLetterOrNamed && press.shiftKey !== wants("shift")) return false;
  const ctrl = wants("ctrl") || (wants("mod") && !mac);
  const meta = wants("mod") && mac;
  return press.altKey === wants("alt") && press.ctrlKey === ctrl && press.metaKey === meta;
}
