import { describe, expect, it } from "vitest";
import { refuseDroppedFiles, takeDroppedFiles } from "#renderer/lib/browser/window/dropped-files.ts";

const FILE = new File(["x"], "x.txt");

function drag(type: string, fields: { readonly files?: readonly File[]; readonly types?: readonly string[] } = {}): Event {
  const event = new Event(type, { bubbles: true, cancelable: true });
  const { files = [FILE], types = ["Files"] } = fields;
  return Object.assign(event, { dataTransfer: { types, files, dropEffect: "copy" }, relatedTarget: null });
}

describe("dropped files", () => {
  it("are refused where nothing takes them: a browser would open them and leave the app", () => {
    const window = new EventTarget();
    const stop = refuseDroppedFiles(window);
    for (const type of ["dragover", "drop"]) expect(window.dispatchEvent(drag(type))).toBe(false);
    expect(window.dispatchEvent(drag("drop", { types: ["text/plain"], files: [] }))).toBe(true);
    stop();
    expect(window.dispatchEvent(drag("drop"))).toBe(true);
  });

  it("go to the view that takes them, which is marked while they are over the window", () => {
    const window = new EventTarget();
    const seen: unknown[] = [];
    const stop = takeDroppedFiles(window, () => true, {
      onOver: (isOver) => seen.push(isOver),
      onFiles: (files) => seen.push(...files),
    });
    window.dispatchEvent(drag("dragenter"));
    window.dispatchEvent(drag("dragleave"));
    window.dispatchEvent(drag("dragover"));
    expect(window.dispatchEvent(drag("drop"))).toBe(false);
    expect(seen).toEqual([true, false, true, false, FILE]);
    stop();
    expect(window.dispatchEvent(drag("drop"))).toBe(true);
  });

  it("are not taken from a dialog above the view, and texts are left to the fields", () => {
    const window = new EventTarget();
    const seen: unknown[] = [];
    takeDroppedFiles(window, () => false, { onOver: (isOver) => seen.push(isOver), onFiles: (files) => seen.push(...files) });
    window.dispatchEvent(drag("dragover"));
    window.dispatchEvent(drag("drop"));
    expect(seen).toEqual([false]);
    expect(window.dispatchEvent(drag("dragover", { types: ["text/plain"], files: [] }))).toBe(true);
  });
});
