// How high a row will be before it is measured: as high as the last one like it that was. Pure.
import { hasTrait } from "#shared/messenger/model/body-traits.ts";
import type { ChatRow } from "./chat-row.ts";

/** Pixels of rows while none like them was measured. */
const FIRST: Readonly<Record<ChatRow["kind"], number>> = { beginning: 72, day: 44, unread: 40, message: 46, album: 380, typing: 44 };
/** Texts that differ by fewer characters are alike. */
const CHARS = 12;
/** Heights that are remembered; the one that was learned longest ago goes first. */
const MAX_HEIGHTS = 1_024;

/** Heights by what rows are like. */
export class RowEstimate {
  readonly #heights = new Map<string, number>();
  readonly #likenesses = new WeakMap<ChatRow, string>();

  /** Pixels; what is no row is as high as a short message. */
  of(row: ChatRow | undefined): number {
    if (row === undefined) return FIRST.message;
    return this.#heights.get(this.#likenessOf(row)) ?? FIRST[row.kind];
  }

  learn(row: ChatRow | undefined, height: number): void {
    if (row === undefined) return;
    const likeness = this.#likenessOf(row);
    this.#heights.delete(likeness);
    this.#heights.set(likeness, height);
    const [oldest] = this.#heights.keys();
    if (this.#heights.size > MAX_HEIGHTS && oldest !== undefined) this.#heights.delete(oldest);
  }

  /** All rows are asked for whenever one of them proves to have another height. */
  #likenessOf(row: ChatRow): string {
    const known = this.#likenesses.get(row);
    if (known !== undefined) return known;
    const likeness = likenessOf(row);
    this.#likenesses.set(row, likeness);
    return likeness;
  }
}

function likenessOf(row: ChatRow): string {
  if (row.kind !== "message") return row.kind;
  const { message, isFirst, isLast } = row;
  const { body, reactions, author, problem } = message;
  const text = "text" in body ? body.text : "";
  const around = `${hasTrait(body, "isNote")}${isFirst}${isLast}${reactions.length > 0}${author !== null}${problem !== null}`;
  return `${body.kind} ${around} ${Math.ceil(text.length / CHARS)} ${text.split("\n", 100).length}`;
}
