// Keeps the mailboxes of this device for one person each: makes one where it is time, opens them at the own node, closes those of people who are
// blocked, and hears of what comes in them. Everything follows from what is stored, so it may be done again at any time.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { BoxName } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import { writeChange } from "../../changes/change.ts";
import { problemOf } from "../../model/problem.ts";
import { BOXES_KEY } from "../../pairs/box-registry.ts";
import type { BothClocks } from "../../pairs/counted-days.ts";
import {
  dueGeneration,
  MAX_BOX_PEOPLE,
  noBoxes,
  openingsDue,
  openingTerms,
  type PersonBoxes,
  withAllClosed,
  withBox,
  withClocks,
  withOpened,
} from "../../pairs/own-boxes.ts";
import { isBound } from "../../pairs/pair-record.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { MAX_TYPING_PEOPLE } from "../../views/pair-typing.ts";

/** Boxes of one call of the keyring, and of one step. */
const BOXES_AT_ONCE = 64;
/** After a failure nothing is tried for so long. */
const PAUSE_MS = 300_000;

/** What is to be signed for a node: boxes of one person by their numbers. */
interface Step {
  readonly names: readonly BoxName[];
  readonly isClosing: boolean;
}

/** A box that the node was told of. */
interface DoneBox extends BoxName {
  readonly mailbox: X25519KeyHex;
}

/** Boxes of one run. */
export class BoxKeeper {
  readonly #context: EngineContext;
  readonly #onMail: (mailbox?: X25519KeyHex) => void;
  readonly #onTyping: (mailbox: X25519KeyHex, from: X25519KeyHex) => void;
  readonly #subscriptions = new Map<X25519KeyHex, () => void>();
  readonly #typing = new Map<X25519KeyHex, () => void>();
  #isRunning = false;
  #isAgain = false;
  #isStopped = false;
  #failedMs = Number.NEGATIVE_INFINITY;

  /** `onMail`: something may have come in a box, or in any; `onTyping`: someone types to one. */
  constructor(
    context: EngineContext,
    {
      onMail,
      onTyping,
    }: { readonly onMail: (mailbox?: X25519KeyHex) => void; readonly onTyping: (mailbox: X25519KeyHex, from: X25519KeyHex) => void },
  ) {
    this.#context = context;
    this.#onMail = onMail;
    this.#onTyping = onTyping;
  }

  /** Does what is due. Call when pairs or blocks may have changed, when the node is back, and now and then. */
  check(): void {
    if (this.#isStopped) return;
    this.#isAgain = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** The node has come back: what failed is tried at once. */
  retryNow(): void {
    this.#failedMs = Number.NEGATIVE_INFINITY;
    this.check();
  }

  /** The connection is gone. The next node may allow fewer pushes: which ones it says with what it lists. */
  forgetNode(): void {
    this.#context.boxes.watchable = 0;
    this.#subscribe();
  }

  stop(): void {
    this.#isStopped = true;
    for (const unsubscribe of [...this.#subscriptions.values(), ...this.#typing.values()]) unsubscribe();
    this.#subscriptions.clear();
    this.#typing.clear();
  }

  async #run(): Promise<void> {
    while (this.#isAgain && !this.#isStopped) {
      this.#isAgain = false;
      try {
        await this.#renew();
        await this.#tellNode();
      } catch (error) {
        this.#failedMs = this.#context.clock.monotonicMs();
        const problem = problemOf(error);
        if (problem.code === "LOCAL_STORE_FAILED" || problem.code === "INTERNAL") this.#context.report(problem);
      }
      this.#subscribe();
    }
    this.#isRunning = false;
  }

  /** Makes boxes where it is time, marks those of blocked people to be closed, and forgets those of people without a pair. */
  async #renew(): Promise<void> {
    const { boxes, keyring, node, days, newestBlock } = this.#context;
    await newestBlock.refresh();
    const now = days.now();
    const records = this.#people().map((peer) => boxes.get(peer) ?? noBoxes(peer));
    const due = records.flatMap((record): readonly BoxName[] => {
      const generation = dueGeneration(record, now);
      return generation === undefined ? [] : [{ chainId: node.chainId, peer: record.peer, generation }];
    });
    const made = new Map<PublicKeyHex, PersonBoxes>();
    for (let start = 0; start < due.length; start += BOXES_AT_ONCE) {
      const some = due.slice(start, start + BOXES_AT_ONCE);
      const keys = await keyring.ownBoxes({ boxes: some });
      for (const [at, { peer, generation }] of some.entries()) {
        const key = keys[at];
        const box = key && { generation, mailbox: key.mailbox, writeSeed: toHex(key.writeSeed), madeAt: now };
        if (box !== undefined) made.set(peer, withBox(boxes.get(peer) ?? noBoxes(peer), box));
      }
    }
    await this.#put((record) => this.#followed(made.get(record.peer) ?? withClocks(record, now)), [...made.values()]);
  }

  /** The record of a person as their pairs and blocks are now; undefined where there is nothing left of it. */
  #followed(record: PersonBoxes): PersonBoxes | undefined {
    const { registry, account, pairs } = this.#context;
    const { peer } = record;
    if (peer !== account.masterPub && registry.isBlocked(peer)) return withAllClosed(record);
    const isWritingTo = pairs.all.some((pair) => pair.peer === peer && isBound(pair));
    return isWritingTo || record.closing.length > 0 || record.closedUpTo >= 0 ? record : undefined;
  }

  /** People for whom there are boxes: those who write in version 2, contacts and people of shared groups, and oneself. */
  #people(): readonly PublicKeyHex[] {
    const { pairs, registry, account, boxes } = this.#context;
    const people = new Set(pairs.all.filter(isBound).map(({ peer }) => peer));
    const known = [...people].filter((peer) => peer === account.masterPub || (registry.isKnown(peer) && !registry.isBlocked(peer)));
    const byHaving = known.sort((a, b) => Number(boxes.get(b) !== undefined) - Number(boxes.get(a) !== undefined));
    return byHaving.slice(0, MAX_BOX_PEOPLE);
  }

  /** Opens what is due, and closes what is to be closed, part by part. A closing that is refused keeps no box from being opened. */
  async #tellNode(): Promise<void> {
    const { clock, node, days } = this.#context;
    if (!node.isOnline() || clock.monotonicMs() - this.#failedMs < PAUSE_MS) return;
    let refusal: unknown;
    while (!this.#isStopped) {
      const step = this.#nextStep(days.now(), refusal === undefined);
      if (step === undefined) break;
      const { done, failure } = await this.#openAtNode(step);
      const mailboxes = new Set(done.map(({ mailbox }) => mailbox));
      const after = (record: PersonBoxes): PersonBoxes =>
        step.isClosing
          ? { ...record, closing: record.closing.filter((number) => !isNamed(done, record.peer, number)) }
          : withOpened(record, mailboxes, days.now());
      await this.#put(after, []);
      if (done.length > 0) this.#onMail();
      if (failure !== undefined && !step.isClosing) throw failure;
      refusal ??= failure;
    }
    if (refusal !== undefined) throw refusal;
  }

  /** Boxes that the node is told of next: closed ones first, where it `closes` any. */
  #nextStep(now: BothClocks, closes: boolean): Step | undefined {
    const { boxes, node } = this.#context;
    const { chainId } = node;
    const closing = boxes.all.flatMap(({ peer, closing: numbers }) => numbers.map((generation) => ({ chainId, peer, generation })));
    if (closes && closing.length > 0) return { names: closing.slice(0, BOXES_AT_ONCE), isClosing: true };
    const due = openingsDue(boxes.all, now).map((name) => ({ chainId, ...name }));
    return due.length === 0 ? undefined : { names: due.slice(0, BOXES_AT_ONCE), isClosing: false };
  }

  /** What the node has opened or closed, and why it refused others: one keeps no other one from it. @throws CodedError of the keyring. */
  async #openAtNode({ names, isClosing }: Step): Promise<{ readonly done: readonly DoneBox[]; readonly failure: unknown }> {
    const { keyring, node, newestBlock, days } = this.#context;
    const terms = openingTerms(days.now().ownMs, newestBlock.known?.height ?? 0, isClosing);
    const openings = await keyring.signOpenings({ boxes: names, isClosing, ...terms });
    const done: DoneBox[] = [];
    let failure: unknown;
    for (const [at, opening] of openings.entries()) {
      const name = names[at];
      try {
        await node.openBox(opening);
        if (name !== undefined) done.push({ ...name, mailbox: opening.mailbox });
      } catch (error) {
        failure ??= error;
        if (!isCodedError(error, "FORBIDDEN")) break;
      }
    }
    return { done, failure };
  }

  /** Changes records in the store, then in memory, where that changes anything. */
  async #put(change: (record: PersonBoxes) => PersonBoxes | undefined, added: readonly PersonBoxes[]): Promise<void> {
    const { boxes } = this.#context;
    const known = boxes.all;
    const next = [...known, ...added.filter(({ peer }) => boxes.get(peer) === undefined)].flatMap((record) => change(record) ?? []);
    if (next.length === known.length && next.every((record, at) => record === known[at])) return;
    await writeChange(this.#context, async ({ batch }) => batch.putMeta(BOXES_KEY, next));
    boxes.set(next);
  }

  /** Hears of typing to the newest boxes of those in whose chats something happened last, where that is shown. */
  #listen(): void {
    const { boxes, node, registry, settings } = this.#context;
    const people = boxes.all.toSorted((a, b) => registry.get(b.peer).updatedAt - registry.get(a.peer).updatedAt);
    const newest = people.flatMap(({ boxes: own }) => own.at(-1)?.mailbox ?? []);
    const wanted = new Set(this.#isStopped || !settings().typing ? [] : newest.slice(0, MAX_TYPING_PEOPLE));
    for (const [mailbox, unsubscribe] of this.#typing) {
      if (wanted.has(mailbox)) continue;
      unsubscribe();
      this.#typing.delete(mailbox);
    }
    for (const mailbox of wanted)
      if (!this.#typing.has(mailbox))
        this.#typing.set(
          mailbox,
          node.subscribeTyping(mailbox, (from) => this.#onTyping(mailbox, from)),
        );
  }

  /** Hears of mail in the newest boxes; the others are read when all are. */
  #subscribe(): void {
    this.#listen();
    const { boxes, node } = this.#context;
    const wanted = new Set(this.#isStopped ? [] : boxes.watched.map(({ mailbox }) => mailbox));
    for (const [mailbox, unsubscribe] of this.#subscriptions) {
      if (wanted.has(mailbox)) continue;
      unsubscribe();
      this.#subscriptions.delete(mailbox);
    }
    for (const mailbox of wanted) {
      if (this.#subscriptions.has(mailbox)) continue;
      this.#subscriptions.set(
        mailbox,
        node.subscribeInbox(mailbox, () => this.#onMail(mailbox)),
      );
      // What came since it was listed is in no push.
      this.#onMail(mailbox);
    }
  }
}

function isNamed(names: readonly BoxName[], peer: PublicKeyHex, generation: number): boolean {
  return names.some((name) => name.peer === peer && name.generation === generation);
}
