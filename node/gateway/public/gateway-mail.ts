// Mailboxes in PostgreSQL: the rules of a node's mailbox, over views of the database. What clients hand in is durable, and waits for the
// network of nodes in the same transaction, before it is acknowledged.
import { addressOf } from "#node/api/security/mail-input.ts";
import type { Verify } from "#node/relay/intake/client-mail.ts";
import { checkFee, sealForClient, withSentAt } from "#node/relay/intake/client-mail.ts";
import type { MailElsewhere } from "#node/relay/intake/mail-elsewhere.ts";
import type { RefusalCode } from "#node/relay/intake/mail-intake.ts";
import type { ArrivedEnvelope, MailClient, MailService } from "#node/relay/intake/mail-service.ts";
import type { MailboxLimits } from "#node/relay/mailbox-limits.ts";
import type { Arrival, Postage } from "#node/relay/mailbox-room.ts";
import { type Admission, admitMissing, type OpenedBox } from "#node/relay/owners/opened-boxes.ts";
import { type MailSource, UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import type { MailboxQuery, MailboxText } from "#node/storage/mailbox/mailbox-repository.ts";
import type { MailKeys } from "#node/storage/mailbox/sharing/postgres/mail/mail-loader.ts";
import { MailQueue } from "#node/storage/mailbox/sharing/postgres/mail/mail-queue.ts";
import { countMail, findHeld, findOpening, noteReader } from "#node/storage/mailbox/sharing/postgres/mail/mail-reads.ts";
import { MailTransactions } from "#node/storage/mailbox/sharing/postgres/mail/mail-transactions.ts";
import type { WaitingNotices } from "#node/storage/mailbox/sharing/postgres/mail/network-positions.ts";
import { RecentPages } from "#node/storage/mailbox/sharing/postgres/mail/recent-pages.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import type { MailView } from "#node/storage/mailbox/sharing/postgres/view/mail-view.ts";
import type { Notice } from "#node/storage/mailbox/sharing/postgres/view/view-changes.ts";
import type { StoredProof } from "#node/storage/mailbox/used-proof-repository.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import { type BoxKeyPair, boxKeyPair, type Envelope, parseEnvelope, type X25519KeyHex, x25519 } from "#shared/protocol/mail/envelope.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { RETRY_AFTER_S, WAITING_NOTICE_BYTES, WAITING_NOTICES } from "./gateway-limits.ts";
import { MailRules } from "./mail-rules.ts";
import type { WakePoller } from "./wake-poller.ts";

export interface GatewayMailDependencies {
  readonly database: PostgresDatabase;
  readonly chainId: string;
  /** X25519 secret that all processes share, 32 bytes. */
  readonly secretKey: Uint8Array;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly verify: Verify;
  /** Height of the chain, by which proofs of mailbox keys are judged. */
  readonly height: () => number | undefined;
  readonly limits: MailboxLimits;
  /** Without it no envelope has postage. */
  readonly postage: (Postage & { prepare(envelope: Envelope): Promise<void> }) | undefined;
  readonly poller: Pick<WakePoller, "listen" | "hurry" | "announce">;
  readonly envelopeCount: () => number;
  /** What waits for the network of nodes, as it was a moment ago. */
  readonly waitingNotices?: () => WaitingNotices;
  readonly onError: (error: unknown) => void;
  /** Hands what is for a mailbox to a node first, where nodes refused some of it. @throws what the node says, which its sender is to hear */
  readonly askFirst?: (notice: Notice, mailbox: X25519KeyHex) => Promise<void>;
  /** Mail that nodes have elsewhere; undefined while the database gets all that there is. */
  readonly elsewhere?: () => MailElsewhere | undefined;
  /** Someone reads this mailbox here. */
  readonly onReader?: (recipientPub: X25519KeyHex, party?: string) => void;
  /** Someone listens to this mailbox here; returns the way to end that. */
  readonly onListener?: (recipientPub: X25519KeyHex) => () => void;
}

/** An envelope that the network of nodes brought. */
export interface NetworkEnvelope {
  readonly envelope: Envelope;
  /** What its box takes it by. */
  readonly admission: Admission | undefined;
  readonly source: MailSource;
}

/** What the network of nodes brought. */
export interface NetworkMail {
  readonly mail: readonly NetworkEnvelope[];
  readonly openings: readonly BoxOpening[];
  readonly deletions: readonly BoxDeletion[];
}

/** Who brings openings of other nodes. */
const NETWORK: MailSource = { party: "network", tag: "" };
const UNKNOWN_CLIENT: MailClient = { ...UNKNOWN_SOURCE, isLimited: false };
/** Readers whose mark was written lately. */
const MAX_SEEN = 65_536;
const SEEN_INTERVAL_S = 3_600;

/** The mailboxes. */
export class GatewayMail implements MailService {
  readonly publicKey: X25519KeyHex;
  readonly refused: Record<RefusalCode, number> = { MAILBOX_FULL: 0, RELAY_FULL: 0 };
  readonly deletions: MailService["deletions"];
  readonly boxes: MailService["boxes"];
  readonly proofs: MailService["proofs"];
  readonly #dependencies: GatewayMailDependencies;
  readonly #keys: BoxKeyPair;
  readonly #rules: MailRules;
  readonly #transactions: MailTransactions;
  readonly #queue: MailQueue;
  readonly #pages: RecentPages;
  readonly #seenAtSec = new Map<X25519KeyHex, number>();
  /** Proofs that a judgement is using up. */
  #used: StoredProof[] = [];

  constructor(dependencies: GatewayMailDependencies) {
    const { database, clock, limits, secretKey } = dependencies;
    this.#dependencies = dependencies;
    this.#keys = boxKeyPair(secretKey);
    this.publicKey = toHex(this.#keys.publicKey);
    const onRefused = (code: RefusalCode): void => {
      this.refused[code] += 1;
    };
    this.#rules = new MailRules({ ...dependencies, onRefused });
    this.#transactions = new MailTransactions(database, clock);
    this.#pages = new RecentPages(database);
    this.#queue = new MailQueue((keys, work) => this.#transactions.run(keys, work), limits);
    this.deletions = {
      take: (deletion): Promise<number> => this.#takeDeletion(deletion),
      // Without the owner's signature a gateway has nothing to show to nodes.
      announceRead: (): void => undefined,
    };
    this.boxes = {
      find: (mailbox): Promise<OpenedBox | undefined> => this.#findBox(mailbox),
      take: (opening, source): Promise<BoxOpening> => this.#takeOpening(opening, source),
    };
    this.proofs = { since: (): readonly StoredProof[] => [], add: (proof): void => void this.#used.push(proof) };
  }

  get elsewhere(): MailElsewhere | undefined {
    return this.#dependencies.elsewhere?.();
  }

  get envelopeCount(): number {
    return this.#dependencies.envelopeCount();
  }

  async broadcast(value: unknown, client = UNKNOWN_CLIENT, admit?: string): Promise<Envelope> {
    const { chainId, clock, verify, postage } = this.#dependencies;
    this.#assertRoomForNotices();
    const envelope = withSentAt(parseEnvelope(value), clock.nowMs());
    await checkFee(envelope, chainId, verify);
    if (envelope.fee_ut > 0) await postage?.prepare(envelope);
    const admission = admit === undefined ? undefined : await this.#admissionOf(envelope, admit);
    await this.#dependencies.askFirst?.(noticeOf(envelope, admission, client), envelope.recipient_pub);
    await this.#store(envelope, client, admission);
    return envelope;
  }

  async send(recipientPub: X25519KeyHex, plaintext: Uint8Array, client = UNKNOWN_CLIENT): Promise<Envelope> {
    const { clock, random } = this.#dependencies;
    this.#assertRoomForNotices();
    const envelope = sealForClient(recipientPub, plaintext, { keys: this.#keys, clock, random });
    await this.#dependencies.askFirst?.(noticeOf(envelope, undefined, client), envelope.recipient_pub);
    await this.#store(envelope, client, undefined);
    return envelope;
  }

  /** Takes in what a node of the operator has judged; resolves once it is durable. What finds no room is left to the nodes. */
  async receive({ mail, openings, deletions }: NetworkMail): Promise<void> {
    // Work of one queue, in this order.
    await Promise.all([
      ...openings.map((opening) => this.#placeForeign(opening)),
      ...mail.map((arrived) => this.#put(arrivalOf(arrived)).catch(unlessRefused)),
      ...deletions.map((deletion) => this.#delete(deletion, false)),
    ]);
    if (mail.length > 0) this.#dependencies.poller.hurry();
  }

  listText(query: MailboxQuery): Promise<MailboxText> {
    return this.#pages.list(query);
  }

  count(recipientPub: X25519KeyHex, hidesDeleted = false): Promise<number> {
    return countMail(this.#dependencies.database, recipientPub, hidesDeleted);
  }

  async deleteIf(recipientPub: X25519KeyHex, id: string, isAllowed: () => boolean): Promise<void> {
    this.#used = [];
    if (!isAllowed()) return;
    const proofs = this.#used;
    // Alone in its transaction: a proof that was used at another process fails all of it.
    await this.#transactions.run(presentKeys(recipientPub, [id]), (view) => {
      for (const proof of proofs) view.proofs.add(proof);
      view.delete(recipientPub, id);
    });
  }

  async hide(recipientPub: X25519KeyHex, id: string): Promise<void> {
    await this.#queue.add({ keys: presentKeys(recipientPub, [id]), work: (view) => view.hide(recipientPub, id) });
  }

  sharedSecret(recipientPub: X25519KeyHex): Uint8Array | undefined {
    return x25519(this.#keys.secretKey, fromHex(recipientPub));
  }

  serve(recipientPub: X25519KeyHex, party?: string): void {
    const { database, onError, onReader } = this.#dependencies;
    onReader?.(recipientPub, party);
    const nowSec = this.#nowSec();
    if (nowSec - (this.#seenAtSec.get(recipientPub) ?? 0) < SEEN_INTERVAL_S) return;
    if (this.#seenAtSec.size >= MAX_SEEN) this.#seenAtSec.clear();
    this.#seenAtSec.set(recipientPub, nowSec);
    void noteReader(database, recipientPub, nowSec).catch(onError);
  }

  watch(recipientPub: X25519KeyHex): () => void {
    return this.#dependencies.onListener?.(recipientPub) ?? ((): void => undefined);
  }

  /** Tells those who listen of an envelope that is not in the database. */
  announce(envelope: ArrivedEnvelope): void {
    this.#dependencies.poller.announce(envelope);
  }

  onArrival(listener: (envelope: ArrivedEnvelope) => void, isWanted: (recipientPub: X25519KeyHex) => boolean): () => void {
    return this.#dependencies.poller.listen(listener, isWanted);
  }

  /** Forgets limits whose time is over. */
  prune(): Promise<void> {
    return this.#transactions.prune();
  }

  /** Commits what waits. */
  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #admissionOf(envelope: Envelope, admit: string): Promise<Admission | undefined> {
    const opening = await findOpening(this.#dependencies.database, envelope.recipient_pub);
    return await this.#rules.over(opening).boxes.checkFirstHand(envelope, admit);
  }

  async #findBox(mailbox: X25519KeyHex): Promise<OpenedBox | undefined> {
    return this.#rules.over(await findOpening(this.#dependencies.database, mailbox)).boxes.find(mailbox);
  }

  async #store(envelope: Envelope, { isLimited, ...source }: MailClient, admission: Admission | undefined): Promise<void> {
    await this.#put({ envelope, isFirstHand: true, source, isLimited, admission });
    this.#dependencies.poller.hurry();
  }

  async #put(arrival: Arrival): Promise<void> {
    if (await this.#putNew(arrival)) return;
    // Someone was faster with an envelope that the write key has not signed: its sender and time are not in the id.
    const { envelope, admission } = arrival;
    const replaces = admission && (await this.#notAdmitted(envelope, admission));
    if (replaces !== undefined) await this.#putNew({ ...arrival, replaces });
  }

  async #notAdmitted(envelope: Envelope, { writeKey }: Admission): Promise<number | undefined> {
    if (writeKey === undefined) return undefined;
    const held = await findHeld(this.#dependencies.database, envelope.recipient_pub, envelope.id);
    if (held === undefined) return undefined;
    const { seq, admit, ...parts } = held;
    const { boxes } = this.#rules.over(undefined);
    return admit !== null && (await boxes.isAdmitted({ ...envelope, ...parts }, { admit, writeKey })) ? undefined : seq;
  }

  /** False for one that is here already. */
  #putNew(arrival: Arrival): Promise<boolean> {
    const { envelope, isFirstHand, admission, source, isLimited } = arrival;
    const { recipient_pub: recipientPub, id } = envelope;
    const keys = { receiving: [recipientPub], present: [], envelopes: [{ recipientPub, id }] };
    const work = (view: MailView): boolean => {
      const { boxes, intake } = this.#rules.of(view);
      if (isFirstHand && admission === undefined && boxes.find(recipientPub) !== undefined) throw admitMissing();
      const result = intake.put(arrival, this.#nowSec());
      if ("error" in result) throw result.error;
      const { isNew } = result.value;
      if (isFirstHand && isNew) view.notice(noticeOf(envelope, admission, { ...source, isLimited }));
      return isNew;
    };
    return this.#queue.add({ keys, work }, isFirstHand);
  }

  async #takeDeletion(deletion: BoxDeletion): Promise<number> {
    this.#assertRoomForNotices();
    await this.#rules.over(undefined).deletions.check(deletion);
    return await this.#delete(deletion, true);
  }

  #delete(deletion: BoxDeletion, isFirstHand: boolean): Promise<number> {
    const { mailbox, ids, height, signature } = deletion;
    const work = (view: MailView): number => {
      const deleted = this.#rules.of(view).deletions.apply(deletion);
      if (isFirstHand) view.notice({ kind: "deletion", body: JSON.stringify({ pub: mailbox, ids, height, signature }), client: null });
      return deleted;
    };
    return this.#queue.add({ keys: presentKeys(mailbox, ids), work }, isFirstHand);
  }

  #placeForeign(opening: BoxOpening): Promise<void> {
    const work = (view: MailView): void => this.#rules.of(view).boxes.placeForeign(opening, NETWORK);
    return this.#queue.add({ keys: receivingKeys(opening.mailbox), work }, false);
  }

  async #takeOpening(opening: BoxOpening, source: MailSource): Promise<BoxOpening> {
    this.#assertRoomForNotices();
    await this.#rules.over(undefined).boxes.check(opening);
    await this.#dependencies.askFirst?.(openingNotice(opening, source), opening.mailbox);
    const work = (view: MailView): BoxOpening => {
      const held = this.#rules.of(view).boxes.place(opening, source);
      view.notice(openingNotice(held, source));
      return held;
    };
    return await this.#queue.add({ keys: receivingKeys(opening.mailbox), work });
  }

  /** While no node takes it, not without end. */
  #assertRoomForNotices(): void {
    const { count, bytes } = this.#dependencies.waitingNotices?.() ?? { count: 0, bytes: 0 };
    if (count < WAITING_NOTICES && bytes < WAITING_NOTICE_BYTES) return;
    this.refused.RELAY_FULL += 1;
    throw new CodedError("RELAY_FULL", "More mail waits for the network of nodes than this service keeps: try again later", {
      details: { retryAfterS: RETRY_AFTER_S },
    });
  }

  #nowSec(): number {
    return Math.floor(this.#dependencies.clock.nowMs() / 1000);
  }
}

function arrivalOf({ envelope, admission, source }: NetworkEnvelope): Arrival {
  return { envelope, isFirstHand: false, source, isLimited: false, admission };
}

/** Who is not counted here, as on the gateway's own machine, is not named to nodes, which would count it. */
function noticeOf(envelope: Envelope, admission: Admission | undefined, { isLimited, ...source }: MailClient): Notice {
  const admit = admission === undefined ? {} : { admit: admission.admit };
  return { kind: "envelope", body: JSON.stringify({ envelope, ...admit }), client: (isLimited && addressOf(source)) || null };
}

function openingNotice(opening: BoxOpening, source: MailSource): Notice {
  const { mailbox: pub, writeKey: write_pub, read, untilSec: until, height, signature } = opening;
  const body = JSON.stringify({ pub, write_pub, read, until, height, signature });
  return { kind: "opening", body, client: addressOf(source) ?? null };
}

function receivingKeys(recipientPub: X25519KeyHex): MailKeys {
  return { receiving: [recipientPub], present: [], envelopes: [] };
}

function presentKeys(recipientPub: X25519KeyHex, ids: readonly string[]): MailKeys {
  return { receiving: [], present: [recipientPub], envelopes: ids.map((id) => ({ recipientPub, id })) };
}

/** @throws what is no refusal of one envelope */
function unlessRefused(error: unknown): void {
  if (!isCodedError(error, "MAILBOX_FULL", "RELAY_FULL", "FORBIDDEN")) throw error;
}
