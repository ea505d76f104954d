// Since when the mailbox of this device can have held what it holds now. An author's clock can say anything; that the mailbox was read to
// its end before is this device's own knowledge. The slower of two clocks is believed: one that runs ahead makes no mail late.
import type { Clock } from "#shared/util/clock.ts";
import type { LocalStore } from "../../store/local-store.ts";
import type { SerialQueue } from "../../store/serial-queue.ts";
import type { NewestBlock } from "./newest-block.ts";

/** Key of that time in the store. */
export const MAILBOX_TIME_KEY = "mailbox read";
/** It is noted at most so often. */
const NOTE_MS = 600_000;

interface Surroundings {
  readonly clock: Pick<Clock, "nowMs">;
  readonly newestBlock: Pick<NewestBlock, "refresh" | "timeS">;
  readonly store: Pick<LocalStore, "begin">;
  readonly writer: SerialQueue;
}

/** When the mailbox was last seen read to its end. */
export class MailboxTime {
  #readMs: number;

  constructor(readMs: number | undefined) {
    this.#readMs = readMs ?? 0;
  }

  /** What is in the mailbox now came there after this time, milliseconds since 1970; 0 where that is not known. */
  earliestMs(nowMs: number): number {
    return Math.min(this.#readMs, nowMs);
  }

  /** All that was in the mailbox at a time of the own clock is stored. */
  async note(startedMs: number, { clock, newestBlock, store, writer }: Surroundings): Promise<void> {
    if (Math.abs(startedMs - this.#readMs) < NOTE_MS) return;
    await newestBlock.refresh();
    if (newestBlock.timeS === undefined) return;
    const readMs = Math.min(startedMs, clock.nowMs(), newestBlock.timeS * 1000);
    if (readMs <= this.earliestMs(clock.nowMs())) return;
    await writer.run(async () => {
      const batch = store.begin();
      batch.putMeta(MAILBOX_TIME_KEY, readMs);
      await batch.commit();
    });
    this.#readMs = readMs;
  }
}
