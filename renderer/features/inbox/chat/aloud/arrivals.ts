// Which newest messages of an open chat have just come. Pure.
import type { ChatMessage, MessageKey } from "#shared/messenger/model/message.ts";
import { comparePositions } from "#shared/messenger/model/records.ts";

/** The newest message of a chat, as far as this asks. */
export type NewestPlace = Pick<ChatMessage, "key" | "at" | "direction">;

/** Follows the newest message of one chat; what was there at first has not just come. */
export class Arrivals {
  /** Those that were the newest before: one whose removal is undone has not come again. */
  readonly #seen = new Set<MessageKey>();
  #before: NewestPlace | undefined;
  #isBegun = false;

  /** True for a message of another person that comes after the one before, and was not the newest once one after it was removed. */
  hasArrived(newest: NewestPlace | undefined): boolean {
    const before = this.#before;
    const isLater = newest !== undefined && (before === undefined || comparePositions(newest, before) > 0);
    const isNew = this.#isBegun && isLater && !this.#seen.has(newest.key);
    this.#isBegun = true;
    this.#before = newest;
    if (newest !== undefined) this.#seen.add(newest.key);
    return isNew && newest.direction === "in";
  }
}
