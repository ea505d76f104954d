// Which rows of a chat are in the document, and where it is scrolled to. What one reads stays where it is, whatever comes, goes or grows
// above and below: a place is a row and its distance from the top of the view, not a number of pixels.
import { RowPositions, type RowRange } from "./row-positions.ts";

/** Distance from the end that still counts as the end, pixels. */
const END_PX = 60;
/** Rows are in the document so far above and below the view, pixels: more than is scrolled by between two frames; and at least so many. */
const OVERSCAN_PX = 500;
const OVERSCAN_ROWS = 10;
/** Rows that are in the document stay there until they are so far away, pixels: a row that proves to be tall pushes none out again. */
const KEPT_PX = 750;
/** Height of the view until it is known, pixels. */
const ASSUMED_HEIGHT = 800;
/** Positions that differ by less are the same: browsers round them. */
const SAME_PX = 1;
/** Rows that are so near to where they are to be are there. */
const EXACT_PX = 0.01;

/** What stays where it is. */
export type Place =
  /** `distance`: pixels from the end; less than 0 in the room below the last row. */
  | { readonly kind: "end"; readonly distance: number }
  /** `offset`: how far the top of the view is below that of the row. */
  | { readonly kind: "row"; readonly key: string; readonly offset: number }
  | { readonly kind: "center"; readonly key: string };

export const AT_END: Place = { kind: "end", distance: 0 };

/** The rows of a moment. */
export interface RowLayout {
  readonly positions: RowPositions;
  /** Those in the document. */
  readonly range: RowRange;
  /** True when the newest message is the last row: only then the end of the rows is that of the chat. */
  readonly isWhole: boolean;
}

/**
 * What of the rows in the document is kept where it is: their top while rows come below, their end while rows come above. So what these rows
 * really take moves nothing that is seen, and the browser lays out, paints and draws no more than them.
 */
interface Edge {
  readonly side: "top" | "end";
  /** Pixels from the top of all rows. */
  readonly at: number;
  /** Pixels from there to the end of what holds them; 0 where their top is kept. */
  readonly below: number;
}

export interface RowWindowEvents {
  /** Other rows are to be in the document; `isNow` when a frame is about to be drawn. */
  readonly onRange: (isNow: boolean) => void;
  readonly onAtEnd: (isAtEnd: boolean) => void;
  /** A row has a height, pixels, that it had not before. */
  readonly onMeasured: (index: number, height: number) => void;
}

/** The rows of an element that scrolls. */
export class RowWindow {
  readonly #events: RowWindowEvents;
  readonly #measured = new Map<string, number>();
  readonly #observer = new ResizeObserver((entries) => this.#resized(entries));
  readonly #keys = new WeakMap<Element, string>();
  #element: HTMLElement | null = null;
  /** What holds the rows of the document and is as high as all of them, and where they are in it. */
  #content: HTMLElement | null = null;
  #room = 0;
  #edge: Edge = { side: "top", at: 0, below: 0 };
  #height = ASSUMED_HEIGHT;
  #place: Place;
  #isAtEnd = false;
  /** Where the element was scrolled to when it was looked at last. */
  #seen = 0;
  #layout: RowLayout | undefined;
  #estimate: (index: number) => number = () => 0;

  constructor(place: Place, events: RowWindowEvents) {
    this.#place = place;
    this.#events = events;
  }

  /** How the rows lie; changes nothing. */
  layout(keys: readonly string[], estimate: (index: number) => number, isWhole: boolean): RowLayout {
    const known = this.#layout?.positions;
    // What was measured since is in those that are known.
    const isKnown = known?.keys === keys && this.#estimate === estimate;
    const positions = isKnown ? known : this.#anchored(RowPositions.of({ keys, measured: this.#measured, estimate }));
    const place = this.#hasMore(keys) && isWhole ? AT_END : this.#keptPlace(positions);
    const top = this.#topOf(place, positions);
    return { positions, isWhole, range: this.#rangeAt(positions, top) };
  }

  /** The rows of a layout are in the document now. */
  commit(layout: RowLayout, estimate: (index: number) => number): void {
    const before = this.#layout;
    const side = sideOf(before, layout) ?? this.#edge.side;
    this.#estimate = estimate;
    if (before?.positions.keys === layout.positions.keys) {
      this.#layout = layout;
    } else {
      // Before the first look at where it is scrolled to: the browser lays out once.
      this.#keepRoom(layout.positions.total);
      this.#look();
      this.#place = this.#hasMore(layout.positions.keys) && layout.isWhole ? AT_END : this.#keptPlace(layout.positions);
      this.#layout = layout;
      this.#forget(layout.positions);
    }
    this.#hold(side);
    // There is nothing above the first row to take up what rows differ by.
    if (this.#isNearTop(this.#layout.positions)) this.settle();
    if (before?.isWhole !== layout.isWhole) this.#report();
  }

  /** Has the first row begin at the top again, once no one scrolls: nothing that is seen moves. */
  settle(): void {
    const layout = this.#layout;
    if (layout === undefined || layout.positions.shift === 0) return;
    this.#look();
    this.#layout = { ...layout, positions: layout.positions.shifted(0) };
    this.#hold();
  }

  /** Begins with the element that scrolls and the one in it that holds the rows; returns the way to end. */
  attach(element: HTMLElement, content: HTMLElement | null): () => void {
    this.#element = element;
    this.#content = content;
    const scrolled = (): void => {
      this.#look();
      if (this.#layout !== undefined && this.#isNearTop(this.#layout.positions)) this.settle();
      this.#report();
      this.#showRange(true);
    };
    let { top } = element.getBoundingClientRect();
    const resized = new ResizeObserver(() => {
      const { top: now } = element.getBoundingClientRect();
      this.#height = element.clientHeight;
      // What comes or goes above the list moves its top, and not what one reads in it.
      if (this.#place.kind === "row") this.#place = { ...this.#place, offset: this.#place.offset + now - top };
      top = now;
      this.#hold();
      this.#report();
      this.#showRange(true);
    });
    this.#height = element.clientHeight;
    this.#seen = element.scrollTop;
    element.addEventListener("scroll", scrolled, { passive: true });
    resized.observe(element);
    this.#put("top", true);
    this.#hold();
    this.#report();
    return (): void => {
      element.removeEventListener("scroll", scrolled);
      resized.disconnect();
      this.#element = null;
      this.#content = null;
      this.#room = 0;
    };
  }

  /** Measures a row for as long as it is in the document; returns the way to end. */
  observe(element: Element, key: string): () => void {
    this.#keys.set(element, key);
    this.#observer.observe(element, { box: "border-box" });
    return (): void => this.#observer.unobserve(element);
  }

  /** Measures rows at once: the first frame would be drawn with estimates where the observer comes after it. */
  measure(rows: readonly Element[]): void {
    this.#take(
      rows.map((row) => [row, row.getBoundingClientRect().height || undefined]),
      false,
    );
  }

  /** Scrolls there, and stays there until someone scrolls. */
  goTo(place: Place): void {
    this.#place = place;
    this.#hold();
    this.#report();
    this.#showRange(false);
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** The row at the top of the view. */
  get topRow(): number {
    return this.#layout?.positions.rowAt(this.#seen) ?? 0;
  }

  #report(): void {
    if (this.#isNearEnd()) this.#isAtEnd = true;
    else if (this.#place.kind !== "end") this.#isAtEnd = false;
    this.#events.onAtEnd(this.#isAtEnd);
  }

  #showRange(isNow: boolean): void {
    const layout = this.#layout;
    if (layout === undefined) return;
    const { first, end } = this.#rangeAt(layout.positions, this.#seen);
    if (first !== layout.range.first || end !== layout.range.end) this.#events.onRange(isNow);
  }

  /** Takes over where someone has scrolled to. Only scrolling up leaves the end: what grows there is followed. */
  #look(): void {
    const [element, layout] = [this.#element, this.#layout];
    if (element === null || layout === undefined) return;
    const top = element.scrollTop;
    const before = this.#seen;
    this.#seen = top;
    // Less is there than before, so the browser is at its bottom: that is no scrolling up.
    const isCut = top < before && top >= element.scrollHeight - element.clientHeight - SAME_PX;
    // The room below the last row is less, or gone.
    if (isCut && this.#place.kind === "end" && this.#place.distance < 0)
      this.#place = { kind: "end", distance: Math.min(0, Math.max(0, layout.positions.total - element.clientHeight) - top) };
    if (isCut || Math.abs(top - before) < SAME_PX) return;
    const { positions } = layout;
    if (this.#isNearEnd()) this.#place = { kind: "end", distance: this.#max(positions) - top };
    else if (top < before || this.#place.kind !== "end") {
      const index = positions.rowAt(top);
      const key = positions.keys[index];
      if (key !== undefined) this.#place = { kind: "row", key, offset: top - positions.startOf(index) };
    }
  }

  #isNearEnd(): boolean {
    const layout = this.#layout;
    return layout?.isWhole === true && this.#max(layout.positions) - this.#seen <= END_PX;
  }

  /** Makes room for the rows, and scrolls to where the place is now. */
  #hold(side = this.#edge.side): void {
    if (this.#element === null || this.#layout === undefined) return;
    this.#keepRoom(this.#layout.positions.total);
    this.#put(side);
    this.#scroll();
  }

  /** Puts the rows of the document to where they are to be. */
  #put(wanted: Edge["side"], isNew = false): void {
    const [content, layout] = [this.#content, this.#layout];
    if (content === null || layout === undefined) return;
    const { positions, range } = layout;
    // Nothing can be put above all rows but by its end.
    const side = positions.startOf(range.first) < 0 ? "end" : wanted;
    const at = positions.startOf(side === "top" ? range.first : range.end);
    if (side === "end" && at > this.#room) this.#keepRoom(positions.total);
    const below = side === "top" ? 0 : this.#room - at;
    const known = this.#edge;
    const isSame = side === known.side && Math.abs(at - known.at) < EXACT_PX && Math.abs(below - known.below) < EXACT_PX;
    if (isSame && !isNew) return;
    this.#edge = { side, at, below };
    content.style.justifyContent = side === "top" ? "flex-start" : "flex-end";
    content.style.paddingTop = side === "top" ? `${at}px` : "0";
    content.style.paddingBottom = `${below}px`;
  }

  #scroll(): void {
    const [element, layout] = [this.#element, this.#layout];
    if (element === null || layout === undefined) return;
    const top = this.#topOf(this.#place, layout.positions);
    if (Math.abs(top - this.#seen) < SAME_PX) return;
    element.scrollTop = top;
    this.#seen = element.scrollTop;
  }

  /** A row that is drawn again may be small for a moment: the browser would scroll up, as a person does. */
  #keepRoom(total: number): void {
    if (this.#content === null || total === this.#room) return;
    this.#room = total;
    this.#content.style.height = `${total}px`;
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    this.#take(
      entries.map(({ target, borderBoxSize }) => [target, borderBoxSize[0]?.blockSize]),
      true,
    );
  }

  /** Takes over heights of rows; `isNow` when a frame is about to be drawn. */
  #take(sizes: readonly (readonly [Element, number | undefined])[], isNow: boolean): void {
    const layout = this.#layout;
    let hasChanged = false;
    for (const [target, size] of sizes) {
      const key = this.#keys.get(target);
      if (key === undefined || size === undefined || !target.isConnected || this.#measured.get(key) === size) continue;
      this.#measured.set(key, size);
      const index = layout?.positions.indexOf(key);
      if (index !== undefined) this.#events.onMeasured(index, size);
      hasChanged = true;
    }
    if (!hasChanged || layout === undefined) return;
    this.#look();
    const positions = this.#anchored(layout.positions.resized({ measured: this.#measured, estimate: this.#estimate }));
    this.#layout = { ...layout, positions };
    // What has grown has its room by itself. To ask for more would have the browser lay out all rows once more before it scrolls.
    if (positions.total < this.#room || !isNow) this.#keepRoom(positions.total);
    this.#put(this.#edge.side);
    this.#scroll();
    this.#report();
    this.#showRange(isNow);
  }

  /** The same rows, with the one at the top of the view where it was: what is above takes up the difference. */
  #anchored(next: RowPositions): RowPositions {
    const [place, layout] = [this.#place, this.#layout];
    if (place.kind !== "row" || layout === undefined || layout.positions.keys !== next.keys) return next;
    const index = next.indexOf(place.key);
    if (index === undefined) return next;
    const moved = next.shifted(layout.positions.startOf(index) - next.startOf(index));
    return this.#isNearTop(moved) ? next : moved;
  }

  /** True where one would see that rows do not begin at the top: what is before it is out of reach, and what is between them is empty. */
  #isNearTop({ shift }: RowPositions): boolean {
    return shift > 0 ? this.#seen < shift + OVERSCAN_PX : this.#seen < OVERSCAN_PX;
  }

  /**
   * The place among other rows, as it is seen: there may have been too few rows to scroll to where it should be. Where its row is gone,
   * that of the nearest one that stayed.
   */
  #keptPlace(next: RowPositions): Place {
    const [place, layout] = [this.#place, this.#layout];
    if (place.kind === "end" || layout === undefined || layout.positions.keys === next.keys) return place;
    const { positions } = layout;
    const from = positions.indexOf(place.key) ?? positions.rowAt(this.#seen);
    const stays = (key: string): boolean => next.indexOf(key) !== undefined;
    const key = positions.keys.slice(from).find(stays) ?? positions.keys.slice(0, from).findLast(stays);
    if (key === undefined) return place;
    return { kind: "row", key, offset: this.#seen - positions.startOf(positions.indexOf(key) ?? 0) };
  }

  /** True when rows were added at the end while one was there: they are followed. */
  #hasMore(keys: readonly string[]): boolean {
    const last = this.#layout?.positions.keys.at(-1);
    return this.#isAtEnd && last !== undefined && keys.at(-1) !== last;
  }

  /** Sizes of rows that were let go of are measured again when these come back. */
  #forget(positions: RowPositions): void {
    if (this.#measured.size < 2 * positions.keys.length + 100) return;
    for (const key of this.#measured.keys()) if (positions.indexOf(key) === undefined) this.#measured.delete(key);
  }

  #topOf(place: Place, positions: RowPositions): number {
    const max = this.#max(positions);
    if (place.kind === "end") return Math.max(0, max - place.distance);
    const index = positions.indexOf(place.key);
    if (index === undefined) return Math.min(this.#seen, max);
    const start = positions.startOf(index);
    const top = place.kind === "row" ? start + place.offset : (start + positions.startOf(index + 1) - this.#height) / 2;
    return Math.min(Math.max(0, top), max);
  }

  #max(positions: RowPositions): number {
    return Math.max(0, positions.total - this.#height);
  }

  #rangeAt(positions: RowPositions, top: number): RowRange {
    const bottom = top + this.#height;
    const near = positions.between(top - OVERSCAN_PX, bottom + OVERSCAN_PX);
    const seen = positions.between(top, bottom);
    const needed = {
      first: Math.max(0, Math.min(near.first, seen.first - OVERSCAN_ROWS)),
      end: Math.min(positions.keys.length, Math.max(near.end, seen.end + OVERSCAN_ROWS)),
    };
    const kept = this.#rangeOf(positions);
    const isApart = kept === undefined || kept.first > needed.end || kept.end < needed.first;
    if (isApart) return needed;
    const far = positions.between(top - KEPT_PX, bottom + KEPT_PX);
    return {
      first: Math.min(needed.first, Math.max(kept.first, far.first)),
      end: Math.max(needed.end, Math.min(kept.end, far.end)),
    };
  }

  /** Where the rows that are in the document are among others. */
  #rangeOf(next: RowPositions): RowRange | undefined {
    if (this.#layout === undefined) return undefined;
    const { positions, range } = this.#layout;
    if (positions.keys === next.keys) return range;
    const first = next.indexOf(positions.keys[range.first] ?? "");
    const last = next.indexOf(positions.keys[range.end - 1] ?? "");
    return first === undefined || last === undefined ? undefined : { first, end: last + 1 };
  }
}

/** What of the rows is to be kept where it is, by where rows came; undefined where none came on one side alone. */
function sideOf(before: RowLayout | undefined, { positions, range }: RowLayout): Edge["side"] | undefined {
  if (before?.positions.keys !== positions.keys) return undefined;
  const isAbove = range.first < before.range.first;
  const isBelow = range.end > before.range.end;
  if (isAbove === isBelow) return undefined;
  return isAbove ? "end" : "top";
}
