// Mailboxes of simulated devices: what is put in may be lost, doubled and delayed, and waits 30 days.
import type { OpenedContent } from "#shared/messenger/pairs/take-content.ts";
import type { Random } from "#test/support/host/random.ts";
import { PublicDirectory } from "../device/simulated-public.ts";
import type { HostileRelay } from "./hostile-relay.ts";

const MAILBOX_DAYS = 30;
const DAY_MS = 86_400_000;

/** What a content carries: a text, its deletion, or nothing but what is around it. */
export interface Body {
  readonly text?: string;
  readonly deletes?: string;
  /** It disappears a day after it was read. */
  readonly disappears?: boolean;
  /** Positions of a chain of the reader that are asked for. */
  readonly asks?: { readonly stream: string; readonly positions: readonly number[] };
  /** Positions of the author's chain that are gone for good. */
  readonly gone?: OpenedContent["gone"];
}

/** A content on its way, sealed to a card: only who has its key reads on. */
export interface SimulatedEnvelope {
  readonly from: string;
  readonly to: string;
  /** The box that it is for; undefined for the lasting mailbox of the device. */
  readonly box?: string | undefined;
  /** What the box around it opens with: the key of the mailbox that it is for. */
  readonly outer: string;
  readonly cardId: string;
  /** That is a public card. */
  readonly isPublic?: boolean;
  /** What opens it. */
  readonly key: string;
  readonly content: Omit<OpenedContent, "cardId">;
  readonly body: Body;
}

/** An envelope as it lies in a mailbox. */
export interface LaidEnvelope {
  readonly envelope: SimulatedEnvelope;
  /** In which box; undefined for the lasting mailbox. */
  readonly lay: string | undefined;
  readonly atMs: number;
}

/** What lies in a mailbox, and when the first of it has come: infinite where nothing does. */
interface Mailbox {
  waiting: { readonly atMs: number; readonly envelope: SimulatedEnvelope }[];
  firstMs: number;
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
  readonly #mailboxes = new Map<string, Mailbox>();
  /** The same by device and box. */
  readonly #byBox = new Map<string, Map<string | undefined, Mailbox>>();
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
  readonly hostile: HostileRelay | undefined;

  constructor(random: Random, faults: NetworkFaults, hostile?: HostileRelay) {
    this.#random = random;
    this.publicCards = new PublicDirectory(random, hostile);
    this.faults = faults;
    this.hostile = hostile;
  }

  /** Boxes that get what another one gets: a copy of a device reads its mailbox along. */
  readonly mirrors = new Map<string, string>();

  /** Until then nodes have no room for boxes that are not open, as strangers have opened so many. */
  fullUntilMs = Number.NEGATIVE_INFINITY;
  /** Boxes that were ever open, and one of those that people wrote to, named by its owner, and that never was. */
  readonly #everOpen = new Set<string>();
  neverOpened: string | undefined;

  /** A box takes something from now on, or no more; false where there is no room for it. */
  setOpen(box: string, isOpen: boolean, nowMs: number): boolean {
    if (!isOpen) return this.#open.delete(box);
    if (nowMs < this.fullUntilMs && !this.#open.has(box)) return false;
    this.#open.add(box);
    this.#everOpen.add(box);
    return true;
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
      if (!this.#everOpen.has(box)) this.neverOpened ??= to;
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
    const { instead, more = [] } = this.hostile?.isActive === true ? this.hostile.meddle(name, envelope, nowMs) : {};
    for (const { mailbox, atMs, ...lying } of [...(instead ?? []), ...more]) this.#lay(mailbox, lying.envelope, atMs);
    if (instead !== undefined) return;
    const { loss, doubling, delayMs } = this.faults;
    if (this.#random.chance(loss)) {
      this.lost += 1;
      return;
    }
    const copies = this.#random.chance(doubling) ? 2 : 1;
    this.doubled += copies - 1;
    for (let copy = 0; copy < copies; copy += 1) this.#lay(name, envelope, nowMs + this.#random.next() * delayMs);
  }

  /** Lays an envelope into the lasting mailbox of a device: nothing happens to it on its way, and it is not recorded. */
  lay(envelope: SimulatedEnvelope, nowMs: number): void {
    this.#lay(mailboxOf(envelope.to, undefined), envelope, nowMs);
  }

  #lay(name: string, envelope: SimulatedEnvelope, atMs: number): void {
    const mailbox = this.#mailbox(name);
    mailbox.waiting.push({ atMs, envelope });
    mailbox.firstMs = Math.min(mailbox.firstMs, atMs);
  }

  #mailbox(name: string): Mailbox {
    const known = this.#mailboxes.get(name);
    if (known !== undefined) return known;
    const mailbox = { waiting: [], firstMs: Number.POSITIVE_INFINITY };
    this.#mailboxes.set(name, mailbox);
    return mailbox;
  }

  #mailboxOf(device: string, box: string | undefined): Mailbox {
    const boxes = this.#byBox.get(device) ?? new Map<string | undefined, Mailbox>();
    if (boxes.size === 0) this.#byBox.set(device, boxes);
    const mailbox = boxes.get(box) ?? this.#mailbox(mailboxOf(device, box));
    boxes.set(box, mailbox);
    return mailbox;
  }

  /** Everything that has come into mailboxes of a device, in order of arrival; it stays there. */
  look(device: string, boxes: readonly string[], nowMs: number): readonly LaidEnvelope[] {
    const come: LaidEnvelope[] = [];
    for (const lay of [undefined, ...boxes]) {
      const { waiting, firstMs } = this.#mailboxOf(device, lay);
      if (firstMs > nowMs) continue;
      for (const { atMs, envelope } of waiting)
        if (atMs <= nowMs && atMs > nowMs - MAILBOX_DAYS * DAY_MS) come.push({ atMs, envelope, lay });
    }
    return come.sort((a, b) => a.atMs - b.atMs);
  }

  /** The same, and it leaves them. */
  take(device: string, boxes: readonly string[], nowMs: number): readonly LaidEnvelope[] {
    const come = this.look(device, boxes, nowMs);
    for (const box of [undefined, ...boxes]) {
      const mailbox = this.#mailboxOf(device, box);
      if (mailbox.firstMs > nowMs) continue;
      mailbox.waiting = mailbox.waiting.filter(({ atMs }) => atMs > nowMs);
      mailbox.firstMs = Math.min(...mailbox.waiting.map(({ atMs }) => atMs));
    }
    return this.hostile?.isActive === true ? this.hostile.ordered(come) : come;
  }

  /** What was taken stays in its mailbox after all. */
  leave(device: string, { envelope, lay, atMs }: LaidEnvelope): void {
    this.#lay(mailboxOf(device, lay), envelope, atMs);
  }
}

function mailboxOf(device: string, box: string | undefined): string {
  return box === undefined ? device : `${device} ${box}`;
}
