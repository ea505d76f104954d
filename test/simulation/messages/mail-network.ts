// Mailboxes of simulated devices: what is put in may be lost, doubled and delayed, and waits 30 days.
import type { OpenedContent } from "#shared/messenger/pairs/take-content.ts";
import type { Random } from "#test/support/host/random.ts";

const MAILBOX_DAYS = 30;
const DAY_MS = 86_400_000;

/** What a content carries: a text, its deletion, or nothing but what is around it. */
export interface Body {
  readonly text?: string;
  readonly deletes?: string;
  /** It disappears a day after it was read. */
  readonly disappears?: boolean;
}

/** A content on its way, sealed to a card: only who has its key reads on. */
export interface SimulatedEnvelope {
  readonly from: string;
  readonly to: string;
  readonly cardId: string;
  /** What opens it. */
  readonly key: string;
  readonly content: Omit<OpenedContent, "cardId">;
  readonly body: Body;
}

/** How the network behaves. */
export interface NetworkFaults {
  readonly loss: number;
  readonly doubling: number;
  /** Longest delay, milliseconds. */
  readonly delayMs: number;
}

/** All mailboxes, and everything that was ever put into them. */
export class MailNetwork {
  readonly recorded: SimulatedEnvelope[] = [];
  readonly #waiting = new Map<string, { readonly atMs: number; readonly envelope: SimulatedEnvelope }[]>();
  readonly #random: Random;
  faults: NetworkFaults;
  doubled = 0;
  lost = 0;

  constructor(random: Random, faults: NetworkFaults) {
    this.#random = random;
    this.faults = faults;
  }

  /** Boxes that get what another one gets: a copy of a device reads its mailbox along. */
  readonly mirrors = new Map<string, string>();

  put(envelope: SimulatedEnvelope, nowMs: number): void {
    this.recorded.push(envelope);
    this.#deliver(envelope.to, envelope, nowMs);
    const mirror = this.mirrors.get(envelope.to);
    if (mirror !== undefined) this.#deliver(mirror, envelope, nowMs);
  }

  #deliver(name: string, envelope: SimulatedEnvelope, nowMs: number): void {
    const { loss, doubling, delayMs } = this.faults;
    if (this.#random.chance(loss)) {
      this.lost += 1;
      return;
    }
    const copies = this.#random.chance(doubling) ? 2 : 1;
    this.doubled += copies - 1;
    const box = this.#waiting.get(name) ?? [];
    for (let copy = 0; copy < copies; copy += 1) box.push({ atMs: nowMs + this.#random.next() * delayMs, envelope });
    this.#waiting.set(name, box);
  }

  /** Everything that has come for a device, in order of arrival; it leaves the mailbox. */
  take(device: string, nowMs: number): readonly SimulatedEnvelope[] {
    const box = this.#waiting.get(device) ?? [];
    this.#waiting.set(
      device,
      box.filter(({ atMs }) => atMs > nowMs),
    );
    const come = box.filter(({ atMs }) => atMs <= nowMs && atMs > nowMs - MAILBOX_DAYS * DAY_MS);
    return come.sort((a, b) => a.atMs - b.atMs).map(({ envelope }) => envelope);
  }
}
