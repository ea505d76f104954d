// Mailboxes of simulated devices: what is put in may be lost, doubled and delayed, and waits 30 days.
import type { OpenedContent } from "#shared/messenger/pairs/take-content.ts";
import type { Random } from "#test/support/host/random.ts";
import { PublicDirectory } from "./simulated-public.ts";

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
  /** The box that it is for; undefined for the lasting mailbox of the device. */
  readonly box?: string | undefined;
  readonly cardId: string;
  /** That is a public card. */
  readonly isPublic?: boolean;
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
  /** Envelopes that came into boxes, and those that were refused there. */
  inBoxes = 0;
  refused = 0;
  /** Envelopes under public cards that their recipients opened, and that they did not. */
  publicOpened = 0;
  publicClosed = 0;
  readonly publicCards: PublicDirectory;
  readonly #open = new Set<string>();

  constructor(random: Random, faults: NetworkFaults) {
    this.#random = random;
    this.publicCards = new PublicDirectory(random);
    this.faults = faults;
  }

  /** Boxes that get what another one gets: a copy of a device reads its mailbox along. */
  readonly mirrors = new Map<string, string>();

  /** A box takes something from now on, or no more. */
  setOpen(box: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(box);
    else this.#open.delete(box);
  }

  /** Nodes lose what they know of boxes. */
  forgetBoxes(): void {
    this.#open.clear();
  }

  /** False where the box takes nothing: nothing happened then. */
  put(envelope: SimulatedEnvelope, nowMs: number): boolean {
    const { to, box } = envelope;
    if (box !== undefined && !this.#open.has(box)) {
      this.refused += 1;
      return false;
    }
    if (box !== undefined) this.inBoxes += 1;
    this.recorded.push(envelope);
    this.#deliver(mailboxOf(to, box), envelope, nowMs);
    const mirror = this.mirrors.get(to);
    if (mirror !== undefined) this.#deliver(mailboxOf(mirror, box), envelope, nowMs);
    return true;
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

  /** Everything that has come into mailboxes of a device, in order of arrival; it leaves them. */
  take(device: string, boxes: readonly string[], nowMs: number): readonly SimulatedEnvelope[] {
    const come = [undefined, ...boxes].flatMap((box) => {
      const name = mailboxOf(device, box);
      const all = this.#waiting.get(name) ?? [];
      if (!all.some(({ atMs }) => atMs <= nowMs)) return [];
      this.#waiting.set(
        name,
        all.filter(({ atMs }) => atMs > nowMs),
      );
      return all.filter(({ atMs }) => atMs <= nowMs && atMs > nowMs - MAILBOX_DAYS * DAY_MS);
    });
    return come.sort((a, b) => a.atMs - b.atMs).map(({ envelope }) => envelope);
  }
}

function mailboxOf(device: string, box: string | undefined): string {
  return box === undefined ? device : `${device} ${box}`;
}
