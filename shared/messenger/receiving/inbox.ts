// Empties the mailboxes: list → open → check → store → only then delete. Whatever happens in between, an envelope is either still in
// its mailbox or in the store, and one that is in both is recognised. A backlog is listed first and then taken from its end, so that
// the conversations in which something happened last are up to date first; opening is the work of another thread.
import type { BoxName, OpenedItem, SealedItem } from "#shared/keyring/keyring-api.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { ASIDE_KEY, Change } from "../changes/change.ts";
import type { LyingItem, OpenedPair } from "../changes/pairs/open-pairs.ts";
import type { InboxEntry } from "../model/node-port.ts";
import { problemOf } from "../model/problem.ts";
import type { StoredMessage } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { applyIncoming } from "./apply-incoming.ts";
import type { AsideMail, AsideMailbox, OpenedMail } from "./boxes/aside-mail.ts";
import { MailboxReader } from "./boxes/mailbox-reader.ts";
import { NewerMail } from "./boxes/newer-mail.ts";
import { WaitingMail } from "./boxes/waiting-mail.ts";
import type { CallListener } from "./call-signal.ts";
import { interpretEnvelope, interpretPair, type ReceivedEvent, UnlistedYet, WaitsAside } from "./interpret-envelope.ts";
import type { UntakenMail } from "./note-devices.ts";

/** Envelopes that are opened and stored at a time: between two batches the interface has its turn. */
const BATCH_SIZE = 100;
/** Reads all mailboxes even when no push came: a connection may be dead without knowing it. */
const POLL_MS = 60_000;
const RETRY_MS = 5_000;
/** Short-lived keys are destroyed at most so often. */
const RETIRE_MS = 3_600_000;

/** What a node cannot say of a group's owners is waited for so long, with the mail in its mailbox. */
const WAITING_MS = 3_600_000;

/** What others want to know of mail. */
export interface InboxEvents {
  /** Called when what was there is stored: only then it is known what is missing. */
  readonly onStored: () => void;
  /** All mailboxes were read, beginning at a time of the monotonic clock. */
  readonly onRead: (begunMs: number) => void;
  /** The node of a person knows a block. */
  readonly onBlock: (person: PublicKeyHex, block: Checkpoint) => void;
  /** Something about a call came, and is stored. */
  readonly onCall: CallListener;
}

interface InterpretedEnvelope {
  readonly entry: InboxEntry;
  /** Undefined when the sender could not be checked, or a later version is needed: the envelope stays where it is. */
  readonly received: ReceivedEvent | undefined;
  /** It waits, as for the chain to list its device. */
  readonly waits?: { readonly mail: OpenedMail; readonly error: WaitsAside };
  /** It was put into the store, where it waits. */
  readonly isPut?: true;
  /** It is not taken, and its person's chat says so. */
  readonly untaken?: UntakenMail;
}

/** The receiving half of a running messenger. */
export class Inbox {
  readonly #context: EngineContext;
  readonly #events: InboxEvents;
  #isDraining = false;
  #isReading = false;
  /** All mailboxes are to be read, or else those that pushes have named. */
  #isAllDue = false;
  readonly #named = new Set<X25519KeyHex>();
  /** When all of them are to be read next, by the monotonic clock. */
  #dueMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;
  #dropped = 0;
  readonly #waiting = new WaitingMail();
  /** What waits in the store; undefined until there is something. */
  #aside: AsideMailbox | undefined;
  #isAsideRead = false;
  readonly #newer = new NewerMail();
  #retiredMs = Number.NEGATIVE_INFINITY;

  constructor(context: EngineContext, events: InboxEvents) {
    this.#context = context;
    this.#events = events;
  }

  /** True while what is in the mailbox is being stored. */
  get isReading(): boolean {
    return this.#isReading;
  }

  /** What became of envelopes that say nothing here. */
  get unread(): { readonly droppedEnvelopes: number; readonly needsUpdate: boolean } {
    return { droppedEnvelopes: this.#dropped, needsUpdate: this.#newer.isThere };
  }

  /** Something may have arrived: in one mailbox, or anywhere. */
  trigger(mailbox?: X25519KeyHex): void {
    if (this.#isStopped) return;
    if (mailbox === undefined) this.#isAllDue = true;
    else this.#named.add(mailbox);
    if (this.#isDraining) return;
    this.#cancelTimer?.();
    this.#isDraining = true;
    void this.#run();
  }

  /** A page in work ends by itself: with the writer closed it can neither be stored nor deleted. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  async #run(): Promise<void> {
    let isToRetry = false;
    try {
      do isToRetry = !(await this.#read()) || isToRetry;
      while (this.#isDue && !this.#isStopped);
      this.#context.report(null);
    } catch (error) {
      isToRetry = true;
      const problem = problemOf(error);
      if (problem.code === "LOCAL_STORE_FAILED" || problem.code === "INTERNAL") this.#context.report(problem);
    }
    this.#isDraining = false;
    this.#isReading = false;
    if (this.#isStopped) return;
    // However often mailboxes are named, all of them are read now and then.
    const nowMs = this.#context.clock.monotonicMs();
    if (isToRetry) this.#dueMs = nowMs + RETRY_MS;
    const delayMs = this.#dueMs - nowMs;
    // What came meanwhile is a reason to try at once; after a failure all is read.
    if (this.#isDue || delayMs <= 0) this.trigger();
    else this.#cancelTimer = this.#context.timers.setTimer(delayMs, () => this.trigger());
  }

  get #isDue(): boolean {
    return this.#isAllDue || this.#named.size > 0;
  }

  /** Reads what is due; false when envelopes had to stay. */
  async #read(): Promise<boolean> {
    const { clock } = this.#context;
    const [startedMs, startedMonotonicMs] = [clock.nowMs(), clock.monotonicMs()];
    const named = this.#isAllDue ? undefined : new Set(this.#named);
    this.#isAllDue = false;
    this.#named.clear();
    const neededUpdate = this.#newer.isThere;
    if (named === undefined) this.#newer.begin();
    const isEmptied = await this.#empty(named);
    if (named === undefined) await this.#judgeAgain();
    if (named === undefined && isEmptied) this.#newer.end();
    if (this.#newer.isThere !== neededUpdate) this.#context.changed();
    if (named !== undefined) {
      // Cards of what was deleted go once all mailboxes are read: not a minute later.
      if (isEmptied && this.#context.pairs.all.some(({ forgets }) => forgets.length > 0)) this.#isAllDue = true;
      return isEmptied;
    }
    this.#events.onRead(startedMonotonicMs);
    this.#dueMs = startedMonotonicMs + POLL_MS;
    if (!isEmptied) return false;
    await this.#context.mailboxTime.note(startedMs, this.#context);
    await this.#retireEpochs();
    await this.#retireCards(startedMs);
    return true;
  }

  /** What was sealed to short-lived keys has been read: those that have had their time can go. */
  async #retireEpochs(): Promise<void> {
    const { keyring, clock, newestBlock } = this.#context;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#retiredMs < RETIRE_MS) return;
    await newestBlock.refresh();
    if (newestBlock.timeS === undefined) return;
    await keyring.retireEpochs({ blockS: newestBlock.timeS });
    this.#retiredMs = nowMs;
  }

  async #retireCards(startedMs: number): Promise<void> {
    const { retireAfterReading } = await import("../changes/pairs/retire-cards.ts");
    await retireAfterReading(this.#context, startedMs);
  }

  /** What is sealed to cards, by its position in a list. */
  async #openPairs(opened: readonly LyingItem[]): Promise<ReadonlyMap<number, OpenedPair>> {
    if (opened.every(({ pair }) => pair === undefined)) return new Map();
    const { openPairs } = await import("../changes/pairs/open-pairs.ts");
    return openPairs({ ...this.#context, isKnown: (person) => this.#isKnown(person) }, opened);
  }

  /** Handles what is there, round after round; false when envelopes had to stay, or some may be missing. */
  async #empty(named: ReadonlySet<X25519KeyHex> | undefined): Promise<boolean> {
    let kept = 0;
    /** Deletions under way: what is deleted is stored. */
    const removals: Promise<number>[] = [];
    const reader = new MailboxReader(this.#context, named);
    this.#isReading = true;
    for (;;) {
      const { entries, hasMore } = await reader.next();
      const batches = batchesOf(entries);
      let boxes = this.#openBoxes(batches[0] ?? []);
      for (const [at, batch] of batches.entries()) {
        const opened = await boxes;
        if (this.#isStopped) break;
        // The keyring opens the next ones while these are stored: what opens a box says nothing of what is in others.
        boxes = this.#openBoxes(batches[at + 1] ?? []);
        const { waiting, stored } = await this.#handle(batch, opened);
        kept += batch.length - waiting;
        removals.push(this.#remove(stored));
      }
      for (const removed of await Promise.all(removals.splice(0))) kept -= removed;
      if (!hasMore || this.#isStopped) break;
    }
    this.#isReading = false;
    this.#events.onStored();
    // Keys of mail that may still come are not to be forgotten.
    return kept === 0 && reader.isComplete;
  }

  /** The outermost layer of envelopes, in order. */
  #openBoxes(entries: readonly InboxEntry[]): Promise<readonly OpenedItem[]> {
    if (entries.length === 0) return Promise.resolve([]);
    const opened = this.#context.keyring.open({ items: entries.map((entry) => this.#sealedPart(entry)) });
    // It may fail while nothing waits for it yet.
    opened.catch(() => undefined);
    return opened;
  }

  /** Stores what a batch means: how many of it wait for the chain in the mailbox, and those that can be deleted. */
  async #handle(
    entries: readonly InboxEntry[],
    opened: readonly OpenedItem[],
  ): Promise<{ readonly waiting: number; readonly stored: readonly InboxEntry[] }> {
    const pairs = await this.#openPairs(opened.map((item, index) => ({ ...item, mailbox: entries[index]?.box?.mailbox })));
    const judged = await Promise.all(entries.map((entry, index) => this.#interpret(entry, opened[index], pairs.get(index))));
    const aside = judged.some(({ waits }) => waits !== undefined) ? await this.#openAside(true) : undefined;
    await aside?.begin();
    const interpreted = aside === undefined ? judged : await this.#setAside(judged, aside);
    const events = interpreted.map(({ received }) => received).filter((event) => event !== undefined);
    const untaken = interpreted.flatMap((one) => one.untaken ?? []);
    const isSomePut = interpreted.some(({ isPut }) => isPut === true);
    await this.#store(events, isSomePut ? aside : undefined, (change) => this.#noteUntaken(change, untaken));
    const kept = new Set(interpreted.filter(({ received, isPut }) => received === undefined && isPut !== true).map(({ entry }) => entry));
    for (const entry of entries) if (!kept.has(entry)) this.#waiting.delete(entry);
    // What waits for the chain, and what this version cannot read, does not count as mail that waits to be read.
    const waiting = entries.filter((entry) => kept.has(entry) && (this.#waiting.has(entry) || this.#newer.has(entry))).length;
    return { waiting, stored: entries.filter((entry) => !kept.has(entry)) };
  }

  /** Stores what mail means, with what is put aside or taken from there. */
  async #store(events: readonly ReceivedEvent[], aside: AsideMailbox | undefined, also?: (change: Change) => Promise<void>): Promise<void> {
    if (events.length === 0 && aside === undefined) return;
    await this.#context.writer.run(async () => {
      const change = new Change(this.#context);
      aside?.fill(change);
      await applyIncoming(this.#context, change, events);
      await also?.(change);
      await this.#commitShown(change);
      aside?.end();
    });
    this.#dropped += events.filter(({ event }) => event.kind === "dropped").length;
    for (const { origin } of events) if (origin?.block !== undefined) this.#events.onBlock(origin.from, origin.block);
    for (const { call } of events) if (call !== undefined) this.#events.onCall(call);
  }

  /**
   * Puts what waits into the store. Without room, of what the chain does not list what is vouched for stays in its mailbox, and what only
   * claims to be of someone is what an unlisted device wrote; what is in an old form is not taken.
   */
  #setAside(interpreted: readonly InterpretedEnvelope[], aside: AsideMailbox): Promise<readonly InterpretedEnvelope[]> {
    return Promise.all(
      interpreted.map(async (one): Promise<InterpretedEnvelope> => {
        const { entry, waits } = one;
        if (waits === undefined) return one;
        const { mail, error } = waits;
        const { content, counts } = error;
        if (aside.put(mail, content)) {
          this.#waiting.delete(entry);
          return { ...one, received: counts, isPut: true };
        }
        const isVouched = aside.isVouched(mail, content);
        if (error instanceof UnlistedYet && isVouched && this.#waits(entry, content.from, Number.POSITIVE_INFINITY)) return one;
        const judged = await this.#judge(mail, { cameAt: this.#context.clock.nowMs(), setsAside: false });
        const { id, from, fromDevice: device } = content;
        const isUntaken = judged.received?.isInOldForm === true && isVouched;
        return { ...judged, entry, ...(isUntaken && { untaken: { id, from, device, event: "older" } }) };
      }),
    );
  }

  /** Judges again what waits in the store. */
  async #judgeAgain(): Promise<void> {
    const aside = await this.#openAside(false);
    if (aside === undefined || aside.isEmpty || this.#isStopped) return;
    const due = await aside.due();
    const judged = await Promise.all(
      due.map(async (mail) => ({ mail, ...(await this.#judge(mail, { cameAt: mail.item.at, setsAside: !mail.isOver })) })),
    );
    const done = judged.filter(({ received }) => received !== undefined);
    if (done.length === 0 || this.#isStopped) return;
    await aside.begin();
    aside.take(done.map(({ mail }) => mail.item));
    for (const { entry } of done) this.#waiting.delete(entry);
    const untaken = done.flatMap(({ mail: { item, isOver }, received }): readonly UntakenMail[] => {
      const isOld = received?.isInOldForm === true;
      const isUnlisted = received?.origin === undefined && received?.event.kind !== "blocked";
      return isOver && item.isVouched && (isOld || isUnlisted) ? [{ ...item, event: isOld ? "older" : "unlisted" }] : [];
    });
    await this.#store(
      done.flatMap(({ mail, received }) => (received === undefined ? [] : [aside.asItCame(mail, received)])),
      aside,
      (change) => this.#noteUntaken(change, untaken),
    );
    this.#events.onStored();
  }

  /** What was vouched for and not taken is said in the chat with its person. */
  async #noteUntaken(change: Change, mails: readonly UntakenMail[]): Promise<void> {
    const { masterPub } = this.#context.account;
    // Who was forgotten meanwhile gets no chat by it.
    const items = mails.filter(({ from }) => from !== masterPub && this.#isKnown(from));
    if (items.length === 0) return;
    const { noteUntaken } = await import("./note-devices.ts");
    for (const mail of items) await noteUntaken(this.#context, change, mail);
  }

  /** What waits in the store; undefined where there is nothing and it is not needed. */
  async #openAside(isNeeded: boolean): Promise<AsideMailbox | undefined> {
    if (this.#aside !== undefined || (this.#isAsideRead && !isNeeded)) return this.#aside;
    const items = (await this.#context.store.readMeta<AsideMail["item"][]>(ASIDE_KEY)) ?? [];
    this.#isAsideRead = true;
    if (items.length === 0 && !isNeeded) return undefined;
    const { AsideMailbox: Loaded } = await import("./boxes/aside-mail.ts");
    this.#aside = new Loaded(this.#context, items);
    return this.#aside;
  }

  /**
   * Commits messages that open chats show meanwhile. Nothing is acknowledged, and no envelope deleted, before they are stored; what cannot be
   * stored is taken from the chats again, and comes with its envelope once more.
   */
  async #commitShown(change: Change): Promise<void> {
    const messages = await shownAhead(change);
    if (messages.length > 0) this.#context.publish({ messages, deleted: [] }, false);
    try {
      await change.commit();
    } catch (error) {
      if (messages.length > 0) this.#context.publish({ messages: [], deleted: messages.map(({ key }) => key) }, false);
      throw error;
    }
  }

  async #interpret(entry: InboxEntry, opened: OpenedItem | undefined, pair: OpenedPair | undefined): Promise<InterpretedEnvelope> {
    const proven = { ...entry, sender_pub: opened?.senderPub ?? entry.sender_pub };
    const mail = { entry: pair === undefined ? proven : entry, plaintext: opened?.plaintext ?? undefined, pair };
    return { ...(await this.#judge(mail, { cameAt: this.#context.clock.nowMs(), setsAside: true })), entry };
  }

  /** What an opened envelope means, as far as that can be said now. */
  async #judge(mail: OpenedMail, how: { readonly cameAt: number; readonly setsAside: boolean }): Promise<InterpretedEnvelope> {
    const { entry, plaintext, pair } = mail;
    try {
      const context = { ...this.#context, ...how, mayWait: (from: PublicKeyHex): boolean => this.#mayWait(entry, from) };
      const received = await (pair === undefined
        ? interpretEnvelope(context, entry, plaintext ?? null)
        : interpretPair(context, entry, pair));
      if (received !== "newer") return { entry, received };
      return { entry, received: this.#newer.keeps(entry, this.#isOfKnown(mail)) ? undefined : { event: { kind: "dropped" } } };
    } catch (error) {
      return { entry, received: undefined, ...(error instanceof WaitsAside && { waits: { mail, error } }) };
    }
  }

  /** What the own node cannot say of the owners of a group is waited for, in mail of people one knows. */
  #mayWait(entry: InboxEntry, from: PublicKeyHex): boolean {
    return this.#isKnown(from) && this.#waits(entry, from, WAITING_MS);
  }

  /** True for oneself, and for people one knows and has not blocked. */
  #isKnown(person: PublicKeyHex): boolean {
    const { account, registry } = this.#context;
    return person === account.masterPub || (registry.isKnown(person) && !registry.isBlocked(person));
  }

  /** What only someone one knows can have written, although what it says cannot be read: their box, their card, or a seal of their device. */
  #isOfKnown({ entry, pair }: OpenedMail): boolean {
    if (pair?.kind === "newer" && pair.isKnown) return true;
    const person = entry.box?.peer ?? (pair === undefined ? this.#context.devices.personOf(entry.sender_pub) : undefined);
    return person !== undefined && this.#isKnown(person);
  }

  /** True for an envelope that may wait in its mailbox, for so long since it was seen there. */
  #waits(entry: InboxEntry, from: PublicKeyHex, forMs: number): boolean {
    return this.#waiting.waits(entry, from, { nowMs: this.#context.clock.monotonicMs(), forMs });
  }

  /** Number of envelopes that the node has deleted. One that stays is recognised when it is listed again. */
  async #remove(entries: readonly InboxEntry[]): Promise<number> {
    const { node, account } = this.#context;
    // What is asked for together shares a signature and a request.
    const asked = entries.map((entry) => node.deleteEnvelope(entry.box?.mailbox ?? account.devicePub, entry.id, this.#boxName(entry)));
    return (await Promise.allSettled(asked)).filter(({ status }) => status === "fulfilled").length;
  }

  #sealedPart(entry: InboxEntry): SealedItem {
    const { sender_pub, nonce, ciphertext } = entry;
    const box = this.#boxName(entry);
    return { sender_pub, nonce, ciphertext, ...(box && { box }) };
  }

  #boxName({ box }: InboxEntry): BoxName | undefined {
    return box && { chainId: this.#context.node.chainId, peer: box.peer, generation: box.generation };
  }
}

/** New messages of others as they are by now: what was taken back before it came is not shown for a moment. */
async function shownAhead({ added, batch }: Change): Promise<readonly StoredMessage[]> {
  const shown: StoredMessage[] = [];
  for (const { key } of added) {
    const record = await batch.message(key);
    if (record?.isUnread === true) shown.push({ key, record });
  }
  return shown;
}

/** Envelopes in batches, the newest first. */
function batchesOf(entries: readonly InboxEntry[]): readonly (readonly InboxEntry[])[] {
  const batches: InboxEntry[][] = [];
  for (let end = entries.length; end > 0; end -= BATCH_SIZE) batches.push(entries.slice(Math.max(0, end - BATCH_SIZE), end));
  return batches;
}
