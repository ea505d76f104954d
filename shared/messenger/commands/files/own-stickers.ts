// One's own stickers on this device; loaded with the first look at them.
import { MAX_STICKER_BYTES, MAX_STICKER_SIDE, MAX_STICKERS } from "#shared/content/chat/sticker-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { writeChange } from "../../changes/change.ts";
import {
  dropSticker,
  inBatch,
  isWholeSticker,
  type OwnSticker,
  putSticker,
  putStickers,
  readStickerBytes,
  readStickers,
} from "../../changes/chats/stored-stickers.ts";
import type { EngineContext } from "../../state/engine-context.ts";

/** Stickers of a running messenger. */
export class Stickers {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
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
    return writeChange(this.#context, async ({ batch }) => {
      const sticker = { emoji, data, at: at ?? this.#first(await inBatch(batch)) };
      if (!isWholeSticker(sticker))
        throw new CodedError(
          "BAD_REQUEST",
          `A sticker is a WebP without motion of at most ${MAX_STICKER_SIDE} pixels a side and ${MAX_STICKER_BYTES} bytes, with one emoji`,
          { details: { field: "data" } },
        );
      const id = await putSticker(batch, sticker);
      if (id === undefined)
        throw new CodedError("BAD_REQUEST", `There are at most ${MAX_STICKERS} stickers`, { details: { count: MAX_STICKERS } });
      return id;
    });
  }

  /** Makes it the first one. @throws CodedError NOT_FOUND. */
  async moveStickerFirst(id: string): Promise<void> {
    await writeChange(this.#context, async ({ batch }) => {
      const stickers = await inBatch(batch);
      if (!stickers.some((sticker) => sticker.id === id)) throw new CodedError("NOT_FOUND", "This sticker is no longer here");
      const at = this.#first(stickers);
      putStickers(
        batch,
        stickers.map((sticker) => (sticker.id === id ? { ...sticker, at } : sticker)),
      );
    });
  }

  /** Removes it with its picture; what was sent of it stays. */
  async removeSticker(id: string): Promise<void> {
    await writeChange(this.#context, ({ batch }) => dropSticker(batch, id));
  }

  /** Before all others, whatever the clock says. */
  #first([first]: readonly OwnSticker[]): number {
    return Math.max(this.#context.clock.nowMs(), (first?.at ?? 0) + 1);
  }
}
