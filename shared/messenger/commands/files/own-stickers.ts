// One's own stickers, which other own devices learn of one by one; loaded with the first look at them.
import { MAX_STICKER_BYTES, MAX_STICKER_SIDE, MAX_STICKERS } from "#shared/content/chat/sticker-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Change, writeChange } from "../../changes/change.ts";
import {
  inBatch,
  isWholeSticker,
  LATEST_MS,
  nextChange,
  type OwnSticker,
  putSticker,
  putStickers,
  queueSticker,
  readStickerBytes,
  readStickers,
  stickerId,
  takeRemoval,
} from "../../changes/chats/stored-stickers.ts";
import type { EngineContext } from "../../state/engine-context.ts";

/** Stickers of a running messenger. */
export class Stickers {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /** All of them, the first one first; at most {@link MAX_STICKERS}. */
  ownStickers(): Promise<readonly OwnSticker[]> {
    return readStickers(this.#context.store);
  }

  /** The picture of one, a WebP; undefined where it is not here. */
  readSticker(id: string): Promise<Uint8Array | undefined> {
    return readStickerBytes(this.#context.store, id);
  }

  /**
   * Adds a picture as the first one, or at the place of a time; one that is there gets the emoji and the place. Returns its id.
   * @throws CodedError BAD_REQUEST for what is no sticker, and with the count where there is no room.
   */
  async addSticker(emoji: string, data: Uint8Array, at?: number): Promise<string> {
    return this.#change(async (change) => {
      const { batch } = change;
      const stickers = await inBatch(batch);
      const id = stickerId(data);
      const place = at ?? this.#first(stickers);
      const sticker = { emoji, data, at: place, changedAt: await nextChange(batch, id, this.#context.clock.nowMs()) };
      if (!isWholeSticker(sticker))
        throw new CodedError(
          "BAD_REQUEST",
          `A sticker is a WebP without motion of at most ${MAX_STICKER_SIDE} pixels a side and ${MAX_STICKER_BYTES} bytes, with one emoji`,
          { details: { field: "data" } },
        );
      if (stickers.length >= MAX_STICKERS && !stickers.some((other) => other.id === id))
        throw new CodedError("BAD_REQUEST", `There are at most ${MAX_STICKERS} stickers`, { details: { count: MAX_STICKERS } });
      await putSticker(batch, sticker);
      queueSticker(this.#context, change, { id, ...sticker });
      return id;
    });
  }

  /** Makes it the first one. @throws CodedError NOT_FOUND. */
  async moveStickerFirst(id: string): Promise<void> {
    await this.#change(async (change) => {
      const { batch } = change;
      const stickers = await inBatch(batch);
      const known = stickers.find((sticker) => sticker.id === id);
      if (known === undefined) throw new CodedError("NOT_FOUND", "This sticker is no longer here");
      const changedAt = await nextChange(batch, id, this.#context.clock.nowMs());
      const moved = { ...known, at: this.#first(stickers), changedAt };
      putStickers(
        batch,
        stickers.map((sticker) => (sticker === known ? moved : sticker)),
      );
      queueSticker(this.#context, change, moved);
    });
  }

  /** Removes it with its picture; what was sent of it stays. */
  async removeSticker(id: string): Promise<void> {
    await this.#change(async (change) => {
      const { batch } = change;
      if (!(await inBatch(batch)).some((sticker) => sticker.id === id)) return;
      const removal = { id, at: await nextChange(batch, id, this.#context.clock.nowMs()) };
      await takeRemoval(batch, removal);
      queueSticker(this.#context, change, removal);
    });
  }

  async #change<T>(make: (change: Change) => Promise<T>): Promise<T> {
    const made = await writeChange(this.#context, make);
    this.#onQueued();
    return made;
  }

  /** Before all others, whatever the clock says. */
  #first([first]: readonly OwnSticker[]): number {
    return Math.min(LATEST_MS, Math.max(this.#context.clock.nowMs(), (first?.at ?? 0) + 1));
  }
}
