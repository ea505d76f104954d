// Whether keepers have what they signed for. Of what a keeper confirmed to this node, one envelope is chosen by chance and asked for later,
// as a reader would ask. What no one confirmed says nothing against anyone: a keeper that lacks mail that is here, as its readers or another
// keeper of it notice, is given it first.
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import type { Log } from "#node/observability/log.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import type { DoubtStore, StoredReceipt } from "#node/storage/messages/doubt-store.ts";
import { isSignedDeletion } from "#shared/protocol/mail/box-proof.ts";
import { envelopeBytes, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { KeptEnvelope, MailPlace, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { isSignedReceipt, receiptMark } from "#shared/protocol/mail/mail-receipt.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import type { Verify } from "../../intake/client-mail.ts";
import type { Relay } from "../../relay.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";
import type { Finding } from "./doubted-keepers.ts";
import type { KeeperDoubts } from "./keeper-doubts.ts";

export interface ReceiptAuditDependencies {
  readonly chainId: string;
  /** Key of this node: what it has itself it is not asked for. */
  readonly ownKey: PublicKeyHex;
  readonly ranks: Pick<KeeperRanks, "keepersOf" | "isKeeper">;
  readonly relay: Pick<Relay, "readers" | "boxes">;
  readonly store: Pick<MailboxRepository, "recipients" | "listIds" | "get" | "deleted" | "open">;
  readonly memory: Pick<DoubtStore, "receipts">;
  readonly doubts: Pick<KeeperDoubts, "add" | "counts">;
  /** Asks a keeper, which is not to know who asks. @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  /** False while mail goes by gossip alone. */
  readonly isActive: () => boolean;
  /** How long an envelope is kept, ms. */
  readonly retentionMs: number;
  readonly limits: KeeperLimits;
  readonly verify: Verify;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** A receipt that is to be checked. */
interface Waiting {
  readonly receipt: StoredReceipt;
  /** Receipts of this keeper among which it was chosen. */
  seen: number;
  tries: number;
  nextAtMs: number;
  /** True for a keeper that has signed for more since it did not answer: it can be reached. */
  hasSignedOn: boolean;
}

/** What a keeper says of an envelope. */
type Found = "kept" | "deleted" | "lacks" | "unknown";

/** Mail that is here, and a keeper that should have it too. */
interface Probe {
  readonly keeper: PublicKeyHex;
  readonly item: KeptEnvelope;
}

/** Mailboxes that are looked at for one that is read or kept here, and envelopes of it. */
const TRIED_BOXES = 8;
const READ_IDS = 256;
const KEY_BYTES = 32;
const DRAW_BYTES = 4;
const HEX_ID = /^[0-9a-f]{32}$/;

/** Checks, one keeper at a time. {@link ReceiptAudit.start} begins, and {@link ReceiptAudit.close} ends it. */
export class ReceiptAudit {
  /** Looks since the start that had an answer, and receipts of those that turned out to be worth nothing. */
  readonly figures = { looks: 0, dropped: 0 };
  readonly #dependencies: ReceiptAuditDependencies;
  readonly #waiting = new Map<PublicKeyHex, Waiting>();
  readonly #aborter = new AbortController();
  #isChanged = false;
  #cancel: (() => void) | undefined;

  constructor(dependencies: ReceiptAuditDependencies) {
    this.#dependencies = dependencies;
    const { memory, clock, limits } = dependencies;
    const nowMs = clock.nowMs();
    for (const stored of memory.receipts.slice(-limits.audits)) {
      // A clock that was set back may have left times to come.
      const receipt = { ...stored, atMs: Math.min(stored.atMs, nowMs) };
      this.#waiting.set(receipt.keeper, { receipt, seen: 1, tries: 0, nextAtMs: receipt.atMs + limits.lateMs, hasSignedOn: false });
    }
  }

  start(): void {
    this.#schedule();
  }

  close(): void {
    this.#aborter.abort();
    this.#cancel?.();
    this.#save();
  }

  /**
   * A keeper has signed for an envelope. Which one of a keeper's is checked, chance decides, all alike: who sends much to its own boxes cannot
   * know that no other is.
   */
  note(keeper: PublicKeyHex, item: KeptEnvelope): void {
    const { ownKey, limits } = this.#dependencies;
    if (keeper === ownKey || envelopeBytes(item.envelope) > limits.auditBytes) return;
    const known = this.#waiting.get(keeper);
    if (known === undefined && this.#waiting.size >= limits.audits) return;
    if (known !== undefined) {
      known.seen += 1;
      known.hasSignedOn = known.tries > 0;
      // What it was asked for and has not answered stays, however much it signs for meanwhile.
      if (known.hasSignedOn || this.#draw(known.seen) > 0) return;
    }
    this.#wait(keeper, item, known?.seen ?? 1);
  }

  #wait(keeper: PublicKeyHex, { envelope, admit }: KeptEnvelope, seen: number): void {
    const { clock, limits } = this.#dependencies;
    const atMs = clock.nowMs();
    const mark = receiptMark({ envelope, admit }, nativeSha256);
    const receipt = { keeper, box: envelope.recipient_pub, id: envelope.id, mark, isAdmitted: admit !== null, atMs };
    this.#waiting.set(keeper, { receipt, seen, tries: 0, nextAtMs: atMs + limits.lateMs, hasSignedOn: false });
    this.#isChanged = true;
  }

  #schedule(): void {
    if (this.#aborter.signal.aborted) return;
    this.#cancel = this.#dependencies.timers.setTimer(this.#dependencies.limits.auditMs, () => void this.#run());
  }

  async #run(): Promise<void> {
    const { isActive, log, clock } = this.#dependencies;
    try {
      if (isActive()) {
        const nowMs = clock.nowMs();
        // Where the clock was set back no one knows how old these are: their keepers may have forgotten them in time.
        for (const waiting of this.#waiting.values()) if (waiting.receipt.atMs > nowMs) this.#forget(waiting);
        const due = [...this.#waiting.values()].filter(({ nextAtMs }) => nextAtMs <= nowMs).sort((a, b) => a.nextAtMs - b.nextAtMs)[0];
        await (due === undefined ? this.#probe() : this.#check(due));
      }
    } catch (error) {
      if (!this.#aborter.signal.aborted) log.error({ err: error }, "It could not be checked what keepers have");
    }
    if (!this.#aborter.signal.aborted) this.#save();
    this.#schedule();
  }

  async #check(waiting: Waiting): Promise<void> {
    const { clock, limits, ranks } = this.#dependencies;
    const { receipt } = waiting;
    const { keeper, isAdmitted } = receipt;
    const isOld = clock.nowMs() - receipt.atMs >= limits.keptMs;
    if (isOld || !ranks.isKeeper(keeper, receipt.box) || this.#isDeleted(receipt)) return this.#forget(waiting);
    const found = await this.#look(keeper, receipt);
    if (found === "unknown") {
      waiting.tries += 1;
      waiting.nextAtMs = clock.nowMs() + limits.lateMs;
      if (waiting.tries < limits.auditTries) return;
      this.#forget(waiting);
      // As it does whose mail is gone: it takes more, and does not say what it has.
      if (waiting.hasSignedOn) this.#find({ keeper, isCertain: false });
      return;
    }
    this.#forget(waiting);
    const elsewhere = found === "lacks" ? await this.#lookElsewhere(receipt) : "deleted";
    // What no one has any more its box may have lost by a flood: mail in open boxes is displaced by no other.
    if (elsewhere === "deleted" || (elsewhere === "lacks" && !isAdmitted)) return;
    this.#find({ keeper, isCertain: isAdmitted && elsewhere === "kept" });
  }

  #find(finding: Finding): void {
    const { doubts, log } = this.#dependencies;
    const { keeper } = finding;
    this.figures.dropped += 1;
    const didCount = doubts.counts(keeper);
    doubts.add(finding);
    if (didCount && !doubts.counts(keeper))
      log.warn({ keeper }, "A keeper does not have the mail that it signed for: its receipts do not count here for a while");
  }

  #forget({ receipt }: Waiting): void {
    if (this.#waiting.get(receipt.keeper)?.receipt === receipt) this.#waiting.delete(receipt.keeper);
    this.#isChanged = true;
  }

  /** What a reader or another keeper knows: it is here, and should be there. */
  async #probe(): Promise<void> {
    const probe = this.#choose();
    if (probe === undefined) return;
    const { keeper, item } = probe;
    const { recipient_pub: box, id } = item.envelope;
    const mark = receiptMark(item, nativeSha256);
    if ((await this.#look(keeper, { box, id, mark })) !== "lacks" || this.#isDeleted({ box, id })) return;
    if (await this.#give(keeper, item, mark)) this.#wait(keeper, item, 1);
  }

  #choose(): Probe | undefined {
    const { store, random, ranks, ownKey } = this.#dependencies;
    for (let tried = 0; tried < TRIED_BOXES; tried += 1) {
      const [box = store.recipients("", 1)[0]] = store.recipients(toHex(random(KEY_BYTES)), 1);
      if (box === undefined || !this.#isOwn(box)) continue;
      const others = (ranks.keepersOf(box)?.keeping ?? []).filter(({ key }) => key !== ownKey && !this.#waiting.has(key));
      const keeper = others[this.#draw(others.length)]?.key;
      const item = keeper === undefined ? undefined : this.#chooseItem(box);
      if (keeper !== undefined && item !== undefined) return { keeper, item };
    }
    return undefined;
  }

  #isOwn(box: X25519KeyHex): boolean {
    const { relay, ranks, ownKey } = this.#dependencies;
    return relay.readers.has(box) || ranks.isKeeper(ownKey, box);
  }

  /** One that repair has had the time for, and that is kept for longer than repair leaves it. */
  #chooseItem(box: X25519KeyHex): KeptEnvelope | undefined {
    const { store, clock, retentionMs, limits } = this.#dependencies;
    const agesMs = (receivedAtSec: number): number => clock.nowMs() - receivedAtSec * 1_000;
    const rows = store.listIds(box, 0, READ_IDS).filter(({ id, receivedAtSec }) => {
      const ageMs = agesMs(receivedAtSec);
      return HEX_ID.test(id) && ageMs >= limits.lateMs && ageMs < retentionMs - limits.leastKeptMs && !store.deleted.hidden.has(box, id);
    });
    const row = rows[this.#draw(rows.length)];
    const stored = row && store.get(box, row.id);
    if (stored === undefined || !isAuthenticEnvelope(stored.envelope) || envelopeBytes(stored.envelope) > limits.auditBytes)
      return undefined;
    return { envelope: stored.envelope, admit: store.open.admitOf(stored.seq) ?? null };
  }

  #isDeleted({ box, id }: MailPlace): boolean {
    const { deleted } = this.#dependencies.store;
    return deleted.has(box, id) || deleted.hidden.has(box, id);
  }

  /** What the other keepers of a box have of an envelope, together. */
  async #lookElsewhere(receipt: StoredReceipt): Promise<Found> {
    const { ranks, ownKey, store } = this.#dependencies;
    const { keeping = [], standingIn = [] } = ranks.keepersOf(receipt.box) ?? {};
    let isKept = store.get(receipt.box, receipt.id) !== undefined;
    for (const { key } of [...keeping, ...standingIn]) {
      if (key === receipt.keeper || key === ownKey) continue;
      const found = await this.#look(key, receipt);
      if (found === "deleted") return "deleted";
      isKept ||= found === "kept";
    }
    return isKept ? "kept" : "lacks";
  }

  /** Asks for one envelope. What its owner has deleted, the owner has signed; another copy is not what the keeper confirmed. */
  async #look(keeper: PublicKeyHex, { box, id, mark }: Pick<StoredReceipt, "box" | "id" | "mark">): Promise<Found> {
    const { chainId, verify } = this.#dependencies;
    const response = await this.#ask(keeper, { type: "fetch", places: [{ box, id }] });
    if (response?.type !== "mail") return "unknown";
    this.figures.looks += 1;
    const isIt = (item: KeptEnvelope): boolean => isAuthenticEnvelope(item.envelope) && receiptMark(item, nativeSha256) === mark;
    if (response.items.some(isIt)) return "kept";
    for (const deletion of response.deletions)
      if (deletion.mailbox === box && deletion.ids.includes(id) && (await isSignedDeletion(chainId, deletion, verify))) return "deleted";
    return "lacks";
  }

  /** True when the keeper has signed for it. */
  async #give(keeper: PublicKeyHex, item: KeptEnvelope, mark: string): Promise<boolean> {
    const { relay, chainId, verify, clock, limits } = this.#dependencies;
    const opening = item.admit === null ? undefined : relay.boxes.find(item.envelope.recipient_pub)?.opening;
    const response = await this.#ask(keeper, { type: "put", items: [item], openings: opening === undefined ? [] : [opening], passOn: [] });
    const receipts = response?.type === "receipts" ? response.receipts : [];
    const leastSec = (clock.nowMs() + limits.keptMs) / 1_000;
    const own = receipts.find(({ from, marks, untilSec }) => from === keeper && marks.includes(mark) && untilSec >= leastSec);
    return own !== undefined && (await isSignedReceipt(chainId, own, verify));
  }

  /** Undefined where the keeper, or the way to it, does not answer. */
  async #ask(keeper: PublicKeyHex, request: MailRequest): Promise<MailResponse | undefined> {
    const { ask, limits, log } = this.#dependencies;
    const signal = AbortSignal.any([this.#aborter.signal, AbortSignal.timeout(limits.requestMs)]);
    try {
      return await ask(keeper, request, signal);
    } catch (error) {
      this.#aborter.signal.throwIfAborted();
      log.debug({ err: error, keeper }, "A keeper does not say what it has");
      return undefined;
    }
  }

  /** A number below another one, by chance. */
  #draw(below: number): number {
    if (below < 2) return 0;
    return new DataView(this.#dependencies.random(DRAW_BYTES).slice().buffer).getUint32(0) % below;
  }

  #save(): void {
    const { memory, log } = this.#dependencies;
    if (!this.#isChanged) return;
    this.#isChanged = false;
    try {
      memory.receipts = [...this.#waiting.values()].map(({ receipt }) => receipt);
    } catch (error) {
      log.error({ err: error }, "The file of mail to keepers failed");
    }
  }
}
