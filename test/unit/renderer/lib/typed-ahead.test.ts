import { describe, expect, it } from "vitest";
import { bufferTyping } from "#renderer/lib/commands/typed-ahead.ts";

/** Presses keys and says which of them went on to whatever has the focus. */
function press(source: EventTarget, keys: readonly (string | { readonly key: string; readonly ctrlKey?: boolean })[]): readonly string[] {
  return keys.flatMap((given) => {
    const { key, ...modifiers } = typeof given === "string" ? { key: given } : given;
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key, isComposing: false, ...modifiers });
    source.dispatchEvent(event);
    return event.defaultPrevented ? [] : [key];
  });
}

describe("keepTyping", () => {
  it("buffers letters and what is taken back of them from everything else, until they are taken", () => {
    const source = new EventTarget();
    const typed = bufferTyping(source, () => undefined);
    expect(press(source, ["@", "a", "d", "x", "Backspace", "a", "Tab", "Shift"])).toEqual(["Shift"]);
    expect(typed.take()).toEqual({ text: "@ada", isEntered: false });
    expect(press(source, ["b"])).toEqual(["b"]);
  });

  it("remembers Enter, and drops what comes behind it", () => {
    const source = new EventTarget();
    const typed = bufferTyping(source, () => undefined);
    expect(press(source, ["a", "Enter", "b", "Backspace", "Enter"])).toEqual([]);
    expect(typed.take()).toEqual({ text: "a", isEntered: true });
  });

  it("leaves shortcuts alone", () => {
    const source = new EventTarget();
    const typed = bufferTyping(source, () => undefined);
    expect(press(source, [{ key: "k", ctrlKey: true }])).toEqual(["k"]);
    expect(typed.take()).toEqual({ text: "", isEntered: false });
  });

  it("ends with Escape, and forgets", () => {
    const source = new EventTarget();
    let escaped = 0;
    const typed = bufferTyping(source, () => {
      escaped += 1;
    });
    press(source, ["a", "Escape"]);
    expect([escaped, typed.take()]).toEqual([1, { text: "", isEntered: false }]);
    expect(press(source, ["a", "Escape"])).toEqual(["a", "Escape"]);
    expect(escaped).toBe(1);
  });
});
