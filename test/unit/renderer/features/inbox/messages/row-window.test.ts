// The window over an imitated element: rows have real sizes that differ from their estimates, and are laid out when they are drawn.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AT_END, type Place, type RowLayout, RowWindow } from "#renderer/features/inbox/messages/scroll/row-window.ts";

const HEIGHT = 400;
const ESTIMATE = 40;

/** Real pixels of a row. */
let sizeOf: (key: string) => number;

class ImitatedObserver {
  static all: ImitatedObserver[] = [];
  readonly targets = new Set<object>();
  readonly callback: (entries: unknown[]) => void;

  constructor(callback: (entries: unknown[]) => void) {
    this.callback = callback;
    ImitatedObserver.all.push(this);
  }
  observe(target: object): void {
    this.targets.add(target);
  }
  unobserve(target: object): void {
    this.targets.delete(target);
  }
  disconnect(): void {
    this.targets.clear();
  }
}

/** A list as React draws it. */
class List {
  keys: readonly string[];
  isWhole = true;
  layout: RowLayout;
  isAtEnd: boolean | undefined;
  readonly window: RowWindow;
  readonly #rows = new Map<string, { readonly element: object; readonly end: () => void }>();
  readonly #listeners: (() => void)[] = [];
  /** How often each row came into the document. */
  readonly made = new Map<string, number>();
  /** How often the browser was asked for other room. */
  asked = 0;
  #room = "0";
  readonly #style: { height: string };
  readonly #edges = { justifyContent: "flex-start", paddingTop: "0", paddingBottom: "0" };
  /** Pixels of what is above the list, in the same room. */
  above = 0;
  /** Pixels that are left free below all rows. */
  below = 0;
  /** How often the window scrolled. */
  written = 0;
  #top = 0;

  constructor(keys: readonly string[], place: Place = AT_END) {
    this.keys = keys;
    this.window = new RowWindow(place, {
      onRange: (): void => this.draw(),
      onMeasured: (): void => undefined,
      onAtEnd: (isAtEnd): void => {
        this.isAtEnd = isAtEnd;
      },
    });
    const ask = (room: string): void => {
      this.#room = room;
      this.asked += 1;
    };
    this.#style = Object.defineProperty({ height: "0" }, "height", { get: () => this.#room, set: ask });
    this.layout = this.window.layout(keys, () => ESTIMATE, true);
    const element = {
      getBoundingClientRect: (): object => ({ top: this.above }),
      addEventListener: (_: string, listener: () => void): void => void this.#listeners.push(listener),
      removeEventListener: (): void => undefined,
    };
    Object.defineProperty(element, "clientHeight", { get: () => HEIGHT - this.above });
    Object.defineProperty(element, "scrollHeight", { get: () => this.max + HEIGHT - this.above });
    Object.defineProperty(element, "scrollTop", {
      get: () => Math.min(this.#top, this.max),
      set: (top: number) => {
        this.written += 1;
        this.#top = Math.max(0, Math.min(top, this.max));
      },
    });
    this.draw();
    const style = new Proxy(this.#style, {
      set: (target, name: string, value: string): boolean => {
        if (name in this.#edges) this.#edges[name as "paddingTop"] = value;
        else target[name as "height"] = value;
        return true;
      },
    });
    this.window.attach(element as unknown as HTMLElement, { style } as unknown as HTMLElement);
    this.settle();
  }

  /** Where the browser would have the rows: those in the document by their real sizes, the others by what the list leaves for them. */
  startOf(key: string): number {
    const { positions, range } = this.layout;
    let start = this.#rowsTop;
    for (const each of positions.keys.slice(range.first, range.end)) {
      if (each === key) return start;
      start += sizeOf(each);
    }
    throw new Error(`${key} is not in the document`);
  }

  get max(): number {
    return Math.max(0, Math.max(this.#rowsTop + this.#drawn, Number.parseFloat(this.#style.height)) - HEIGHT + this.above) + this.below;
  }

  /** Pixels of the rows in the document. */
  get #drawn(): number {
    const { positions, range } = this.layout;
    return positions.keys.slice(range.first, range.end).reduce((sum, key) => sum + sizeOf(key), 0);
  }

  /** Where they begin: kept by their top, or by their end. */
  get #rowsTop(): number {
    const { justifyContent, paddingTop, paddingBottom } = this.#edges;
    const end = Number.parseFloat(this.#style.height) - Number.parseFloat(paddingBottom);
    return justifyContent === "flex-end" ? end - this.#drawn : Number.parseFloat(paddingTop);
  }

  get top(): number {
    return Math.min(this.#top, this.max);
  }

  /** Pixels of a row below the top of the view. */
  seen(key: string): number {
    return this.startOf(key) - this.top;
  }

  draw(): void {
    const estimate = (): number => ESTIMATE;
    this.layout = this.window.layout(this.keys, estimate, this.isWhole);
    const { positions, range } = this.layout;
    const drawn = new Set(positions.keys.slice(range.first, range.end));
    for (const [key, { end }] of this.#rows)
      if (!drawn.has(key)) {
        end();
        this.#rows.delete(key);
      }
    for (const key of drawn) {
      if (this.#rows.has(key)) continue;
      this.made.set(key, (this.made.get(key) ?? 0) + 1);
      const element = { key, isConnected: true, getBoundingClientRect: (): object => ({ height: sizeOf(key) }) };
      this.#rows.set(key, { element, end: this.window.observe(element as unknown as Element, key) });
    }
    this.window.commit(this.layout, estimate);
  }

  /** Draws rows and measures them at once, before a frame has ended; pixels that they have then. */
  roomOf(keys: readonly string[]): number {
    this.keys = keys;
    this.draw();
    this.window.measure([...this.#rows.values()].map(({ element }) => element as unknown as Element));
    return Number.parseFloat(this.#style.height);
  }

  /** The end of a frame, in which sizes are known before the window hears of scrolling, and all of the next one. */
  settle(): void {
    this.measure();
    for (const listener of this.#listeners) listener();
    this.measure();
  }

  /** Sizes become known. */
  measure(): void {
    for (let round = 0; round < 5; round += 1)
      for (const { targets, callback } of ImitatedObserver.all) {
        const entries = [...targets].flatMap((target) =>
          "key" in target ? [{ target, borderBoxSize: [{ blockSize: sizeOf(String(target.key)) }] }] : [],
        );
        if (entries.length > 0) callback(entries);
      }
  }

  /** The list itself has another size. */
  resize(): void {
    for (const { targets, callback } of ImitatedObserver.all) if ([...targets].some((target) => !("key" in target))) callback([]);
  }

  /** Someone scrolls; the window hears of it with the next frame. */
  scrollBy(pixels: number): void {
    this.#top = Math.max(0, Math.min(this.top + pixels, this.max));
  }

  show(keys: readonly string[], isWhole = true): void {
    this.keys = keys;
    this.isWhole = isWhole;
    this.draw();
    this.settle();
  }
}

const rows = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, index) => `m${from + index}`);

beforeEach(() => {
  ImitatedObserver.all = [];
  vi.stubGlobal("ResizeObserver", ImitatedObserver);
  sizeOf = (key): number => 30 + ((Number(key.slice(1)) * 7) % 50);
});
afterEach(() => vi.unstubAllGlobals());

describe("the rows of a chat", () => {
  it("begin at the end, and few of many are in the document", () => {
    const list = new List(rows(0, 600));
    expect(list.top).toBeCloseTo(list.max);
    expect(list.isAtEnd).toBe(true);
    expect(list.layout.range.end - list.layout.range.first).toBeLessThan(40);
  });

  it("have their room before the first frame where they are measured at once", () => {
    const keys = rows(0, 5);
    const list = new List([]);
    expect(list.roomOf(keys)).toBe(keys.reduce((sum, key) => sum + sizeOf(key), 0));
  });

  it("stay where they are while rows above are measured, whatever is scrolled meanwhile", () => {
    const list = new List(rows(0, 600));
    for (let step = 0; step < 60; step += 1) {
      const key = list.keys[list.window.topRow + 2] ?? "";
      const before = list.seen(key);
      list.scrollBy(-200);
      list.settle();
      expect(list.seen(key) - before, `step ${step}`).toBeCloseTo(200);
      list.settle();
      expect(list.seen(key) - before, `step ${step} at rest`).toBeCloseTo(200);
    }
    expect(list.isAtEnd).toBe(false);
  });

  it("scroll for no one but the person, up to the first ones, and begin at the top once they rest", () => {
    const list = new List(rows(0, 600));
    list.scrollBy(-300);
    list.settle();
    list.written = 0;
    for (let step = 0; step < 60; step += 1) {
      list.scrollBy(-200);
      list.settle();
    }
    expect(list.written).toBe(0);
    expect(list.layout.positions.shift).not.toBe(0);
    const key = list.keys[list.window.topRow + 2] ?? "";
    const before = list.seen(key);
    list.window.settle();
    list.draw();
    expect(list.layout.positions.shift).toBe(0);
    expect(list.seen(key)).toBeCloseTo(before);
    for (let step = 0; step < 80; step += 1) {
      list.scrollBy(-500);
      list.settle();
    }
    expect([list.top, list.window.topRow, list.seen("m0")]).toEqual([0, 0, 0]);
  });

  it("stay where they are on the screen when something comes above the list, and goes", () => {
    const list = new List(rows(0, 600));
    list.scrollBy(-2_000);
    list.settle();
    const key = list.keys[list.window.topRow + 3] ?? "";
    const before = list.seen(key);
    for (const above of [44, 0]) {
      list.above = above;
      list.resize();
      expect(list.seen(key) + above).toBeCloseTo(before);
    }
  });

  it("come once while one scrolls by, however tall they prove to be, and go where they are far away", () => {
    const list = new List(rows(0, 600));
    list.made.clear();
    for (let step = 0; step < 60; step += 1) {
      list.scrollBy(-200);
      list.settle();
    }
    expect(Math.max(...list.made.values())).toBe(1);
    expect(list.layout.range.end - list.layout.range.first).toBeLessThan(60);
    list.scrollBy(-10_000);
    list.settle();
    list.scrollBy(10_000);
    list.settle();
    expect(Math.max(...list.made.values())).toBe(2);
  });

  it("have their room by themselves where they grow, and what is left open is asked for where they shrink", () => {
    const list = new List(rows(0, 12));
    const real = sizeOf;
    const { asked } = list;
    sizeOf = (key): number => real(key) + 10;
    list.measure();
    expect(list.asked).toBe(asked);
    sizeOf = real;
    list.measure();
    sizeOf = (key): number => real(key) - 14;
    list.measure();
    expect(list.asked).toBeGreaterThan(asked);
    expect(list.max).toBeCloseTo(list.keys.reduce((sum, key) => sum + sizeOf(key), 0) - HEIGHT);
  });

  it("stay where they are when older ones come and newest are let go of, and the other way round", () => {
    const list = new List(rows(400, 1_000));
    list.scrollBy(-20_000);
    list.settle();
    const key = list.keys[list.window.topRow + 3] ?? "";
    const before = list.seen(key);
    list.show(rows(350, 950), false);
    expect(list.seen(key)).toBeCloseTo(before);
    list.show(rows(400, 1_000));
    expect(list.seen(key)).toBeCloseTo(before);
  });

  it("stay where they are when the row at the top is gone", () => {
    const list = new List(rows(0, 100));
    list.scrollBy(-2_000);
    list.settle();
    const top = list.window.topRow;
    const [gone, next = ""] = list.keys.slice(top, top + 2);
    const before = list.seen(next);
    list.show(list.keys.filter((key) => key !== gone));
    expect(list.seen(next)).toBeCloseTo(before);
  });

  it("follow what comes at the end only while one is there", () => {
    const list = new List(rows(0, 100));
    list.show(rows(0, 101));
    expect(list.top).toBeCloseTo(list.max);
    list.scrollBy(-300);
    list.settle();
    const { top } = list;
    list.show(rows(0, 102));
    expect(list.top).toBeCloseTo(top);
    expect(list.isAtEnd).toBe(false);
  });

  it("do not take the end of what is loaded for the end of the chat", () => {
    const list = new List(rows(0, 100));
    list.scrollBy(-500);
    list.settle();
    list.show(rows(0, 90), false);
    list.scrollBy(10_000);
    list.settle();
    expect(list.isAtEnd).toBe(false);
    const key = list.keys[list.window.topRow] ?? "";
    const before = list.seen(key);
    list.show(rows(0, 140), false);
    expect(list.seen(key)).toBeCloseTo(before);
    list.window.goTo(AT_END);
    list.settle();
    list.show(rows(0, 140));
    expect(list.isAtEnd).toBe(true);
  });

  it("are led to, and stay there until someone scrolls", () => {
    const list = new List(rows(0, 600));
    list.window.goTo({ kind: "center", key: "m300" });
    list.settle();
    const middle = list.seen("m300") + sizeOf("m300") / 2;
    expect(middle).toBeCloseTo(HEIGHT / 2);
    const real = sizeOf;
    sizeOf = (key): number => (key === "m298" ? 200 : real(key));
    list.settle();
    expect(list.seen("m300") + sizeOf("m300") / 2).toBeCloseTo(HEIGHT / 2);
    list.scrollBy(50);
    list.settle();
    expect(list.seen("m300") + sizeOf("m300") / 2).toBeCloseTo(HEIGHT / 2 - 50);
  });

  it("are at the end still when the last row becomes smaller while it is drawn again", () => {
    const list = new List(rows(0, 100));
    const real = sizeOf;
    sizeOf = (key): number => real(key) + (key === "m99" ? 400 : 0);
    list.settle();
    sizeOf = real;
    list.show([...list.keys]);
    expect(list.isAtEnd).toBe(true);
    expect(list.top).toBeCloseTo(list.max);
  });

  it("are at the end still when the last row was small for a moment", () => {
    const list = new List(rows(0, 100));
    const real = sizeOf;
    sizeOf = (key): number => (key === "m99" ? 1 : real(key));
    list.scrollBy(0);
    sizeOf = real;
    list.settle();
    expect(list.isAtEnd).toBe(true);
    expect(list.top).toBeCloseTo(list.max);
  });

  it("are at the end still when a last row that grew was small for a moment", () => {
    const list = new List(rows(0, 12));
    const real = sizeOf;
    const grown = (key: string): number => real(key) + (key === "m11" ? 400 : 0);
    sizeOf = grown;
    list.settle();
    sizeOf = real;
    list.scrollBy(0);
    list.settle();
    sizeOf = grown;
    list.settle();
    expect(list.isAtEnd).toBe(true);
    expect(list.top).toBeCloseTo(list.max);
  });

  it("stay where they are when there is room below them, while one is in it, and when it goes", () => {
    const list = new List(rows(0, 100));
    const end = list.top;
    list.below = 80;
    list.show([...list.keys]);
    expect(list.top).toBeCloseTo(end);
    list.scrollBy(500);
    list.settle();
    list.show([...list.keys]);
    expect(list.top, "in the room").toBeCloseTo(end + 80);
    list.below = 0;
    list.scrollBy(0);
    list.settle();
    list.below = 80;
    list.show([...list.keys]);
    expect(list.top, "with the next one").toBeCloseTo(end);
    expect(list.isAtEnd).toBe(true);
  });

  it("fewer than fill the view stay where they are with the next room below them, after one was in it when it went", () => {
    const list = new List(rows(0, 3));
    expect(list.max).toBe(0);
    list.below = 80;
    list.scrollBy(80);
    list.settle();
    list.below = 0;
    list.scrollBy(0);
    list.settle();
    list.below = 80;
    list.show([...list.keys]);
    expect(list.top).toBe(0);
    expect(list.isAtEnd).toBe(true);
  });

  it("are where they were scrolled to when a row above grows in the same frame", () => {
    const list = new List(rows(0, 100));
    list.scrollBy(-800);
    list.settle();
    const index = list.window.topRow;
    const [above = "", key = ""] = [list.keys[index - 2], list.keys[index + 2]];
    const before = list.seen(key);
    const real = sizeOf;
    list.scrollBy(-50);
    sizeOf = (each): number => real(each) + (each === above ? 90 : 0);
    list.settle();
    expect(list.seen(key)).toBeCloseTo(before + 50);
  });

  it("follow a row at the end that grows, and no row above the view moves what is in it", () => {
    const list = new List(rows(0, 100));
    const real = sizeOf;
    sizeOf = (key): number => real(key) + (key === "m99" ? 120 : 0);
    list.settle();
    expect(list.top).toBeCloseTo(list.max);
    list.scrollBy(-800);
    list.settle();
    const index = list.window.topRow;
    const [above = "", key = ""] = [list.keys[index - 2], list.keys[index + 2]];
    const before = list.seen(key);
    const grown = sizeOf;
    sizeOf = (each): number => grown(each) + (each === above ? 90 : 0);
    list.settle();
    expect(list.seen(key)).toBeCloseTo(before);
  });
});
