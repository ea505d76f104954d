// A network that gives its keepers up goes back to gossip: what waits at them, and what is on its way to them, is passed on to all nodes.
import { keptEnvelopeCodec } from "#node/network/wire/mail-codec.ts";
import type { Log } from "#node/observability/log.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import type { MailQueue } from "#node/storage/messages/mail-queue.ts";
import { tryDecode } from "#shared/codec/codec.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { KeptEnvelope } from "#shared/protocol/mail/mail-messages.ts";
import type { Timers } from "#shared/util/clock.ts";

export interface ReturnToGossipDependencies {
  readonly queue: Pick<MailQueue, "list">;
  readonly store: Pick<MailboxRepository, "recipients" | "list" | "open">;
  /** True for a box of which this node is a keeper, in any rank. */
  readonly keeps: (box: X25519KeyHex) => boolean;
  /** True for a day after keepers were given up. */
  readonly isReturning: () => boolean;
  /** Stores an envelope that was on its way, as one that comes by gossip. */
  readonly take: (item: KeptEnvelope) => void;
  /** Passes an envelope on to all nodes. */
  readonly publish: (item: KeptEnvelope) => void;
  readonly timers: Timers;
  readonly log: Log;
}

/** Time between two messages, ms: the nodes that take them do other things too. */
export const RETURN_PAUSE_MS = 100;
/** Time between two looks whether keepers were given up, ms. */
const LOOK_MS = 10_000;
const READ_ROWS = 64;
const READ_BYTES = 4_194_304;

/** Passes on, once each time that keepers are given up. */
export class ReturnToGossip {
  readonly #dependencies: ReturnToGossipDependencies;
  #items: Iterator<KeptEnvelope> | undefined;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(dependencies: ReturnToGossipDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#tick();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  #tick(): void {
    if (this.#isClosed) return;
    let delayMs = LOOK_MS;
    try {
      delayMs = this.#next();
    } catch (error) {
      this.#dependencies.log.error({ err: error }, "Mail of keepers could not be passed on");
    }
    this.#cancel = this.#dependencies.timers.setTimer(delayMs, () => this.#tick());
  }

  /** Time to the next step, ms. */
  #next(): number {
    const { isReturning, publish } = this.#dependencies;
    if (!isReturning()) {
      this.#items = undefined;
      return LOOK_MS;
    }
    this.#items ??= this.#waiting();
    const { value, done } = this.#items.next();
    if (done === true) return LOOK_MS;
    publish(value);
    return RETURN_PAUSE_MS;
  }

  *#waiting(): Generator<KeptEnvelope, void> {
    yield* this.#onTheWay();
    const { store, keeps } = this.#dependencies;
    for (let boxes = store.recipients("", READ_ROWS); boxes.length > 0; boxes = store.recipients(boxes.at(-1) ?? "", READ_ROWS))
      for (const box of boxes) if (keeps(box)) yield* this.#ofBox(box);
  }

  *#onTheWay(): Generator<KeptEnvelope, void> {
    const { queue, take } = this.#dependencies;
    for (let some = queue.list(0, READ_ROWS, READ_BYTES); some.length > 0; some = queue.list(some.at(-1)?.seq ?? 0, READ_ROWS, READ_BYTES))
      for (const { content } of some) {
        const item = tryDecode(keptEnvelopeCodec, content);
        if (item === undefined) continue;
        take(item);
        yield item;
      }
  }

  *#ofBox(recipientPub: X25519KeyHex): Generator<KeptEnvelope, void> {
    const { store } = this.#dependencies;
    for (let afterSeq = 0, hasMore = true; hasMore; ) {
      const page = store.list({ recipientPub, limit: READ_ROWS, afterSeq, maxBytes: READ_BYTES });
      for (const { envelope, seq } of page.items) {
        yield { envelope, admit: store.open.admitOf(seq) ?? null };
        afterSeq = seq;
      }
      hasMore = page.hasMore;
    }
  }
}
