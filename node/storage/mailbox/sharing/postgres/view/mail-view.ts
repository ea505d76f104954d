// The mailboxes as one transaction sees them: what was read of them, changed in memory by the same rules as a mailbox in SQLite. What was not
// read is asked for by throwing, and the work runs again in a fresh view. Nothing here waits for the database.
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import { type Envelope, envelopeBytes, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { type MailSource, UNKNOWN_SOURCE } from "../../../mail-sources.ts";
import type { Placing } from "../../../mailbox-repository.ts";
import type { Usage } from "../../../mailbox-usage.ts";
import type { OpenCounts, OpeningSource } from "../../../opened-box-repository.ts";
import type { StoredProof } from "../../../used-proof-repository.ts";
import { ROOMS, usageOf, type WaitingEnvelope, type WaitingPlace } from "../../../waiting-envelopes.ts";
import type { MailStore } from "../../mail-store.ts";
import { LackingMail, type LoadedMail, oldestKey, type SourceKind } from "./loaded-mail.ts";
import { type BoxRow, dayOf, type EnvelopeRow, placeOf } from "./mail-rows.ts";
import type { NewEnvelope, NewOpening, Notice, ViewChanges } from "./view-changes.ts";
import { SourceNumbers, ViewSources } from "./view-sources.ts";

/** What parties may still hand in today without asking the database. */
export interface DayLeases {
  /** True when so much is left beside what the view has used. */
  covers(party: string, day: number, bytes: number): boolean;
  /** True when the database said a moment ago that no more is left. */
  isUsedUp(party: string, day: number, bytes: number): boolean;
}

/** An empty mailbox. */
const NOTHING: Usage = { count: 0, bytes: 0 };

/** One view. */
export class MailView implements MailStore {
  readonly served: MailStore["served"] = { has: (recipientPub): boolean => (this.#box(recipientPub)?.servedAtSec ?? 0) > 0 };
  /** Fees are collected by the node that the envelope is handed to. */
  readonly claims: MailStore["claims"] = { add: (): void => undefined };
  readonly boxes: MailStore["boxes"];
  readonly deleted: MailStore["deleted"];
  readonly waiting: MailStore["waiting"];
  readonly open: MailStore["open"];
  /** Proofs of mailbox keys that this work uses up. */
  readonly proofs: { readonly add: (proof: StoredProof) => void } = { add: (proof): void => void this.#proofs.push(proof) };
  readonly #loaded: LoadedMail;
  readonly #leases: DayLeases;
  readonly #numbers = new SourceNumbers();
  readonly #sources: Readonly<Record<SourceKind, ViewSources>>;
  readonly #boxes = new Map<X25519KeyHex, BoxRow>();
  readonly #envelopes = new Map<string, EnvelopeRow | undefined>();
  readonly #waiting = new Map<X25519KeyHex, Map<number, WaitingEnvelope>>();
  readonly #handles = new Map<number, EnvelopeRow>();
  #added = new Map<string, NewEnvelope>();
  readonly #removed: EnvelopeRow[] = [];
  readonly #read = new Map<string, { readonly row: EnvelopeRow; readonly isHidden: boolean }>();
  readonly #deleted = new Map<string, boolean>();
  readonly #openings = new Map<X25519KeyHex, NewOpening>();
  readonly #proofs: StoredProof[] = [];
  readonly #notices: Notice[] = [];
  readonly #days = new Map<string, number>();
  #bytes = 0;
  #openBytes = 0;
  #lastHandle = 0;

  constructor(loaded: LoadedMail, leases: DayLeases) {
    this.#loaded = loaded;
    this.#leases = leases;
    this.#sources = { waiting: new ViewSources(loaded, "waiting", this.#numbers), open: new ViewSources(loaded, "open", this.#numbers) };
    this.boxes = this.#boxesOf();
    this.deleted = this.#deletedOf();
    this.waiting = this.#waitingOf();
    this.open = this.#openOf();
  }

  get changes(): ViewChanges {
    return {
      added: [...this.#added.values()],
      removed: this.#removed,
      read: [...this.#read.values()],
      deleted: this.#deleted,
      openings: [...this.#openings.values()],
      proofs: this.#proofs,
      notices: this.#notices,
      days: this.#days,
    };
  }

  /** Mailboxes whose figures have changed. */
  get changedBoxes(): Iterable<readonly [X25519KeyHex, BoxRow]> {
    return this.#boxes;
  }

  /** Bytes by party and tag that came and went. */
  sourceChanges(kind: SourceKind): ReadonlyMap<string, ReadonlyMap<string, number>> {
    return this.#sources[kind].added;
  }

  put(envelope: Envelope, receivedAtSec: number, placing: Placing = {}): "stored" | "duplicate" {
    const { source = UNKNOWN_SOURCE, findRoom, admit, replaces } = placing;
    const { recipient_pub: recipientPub, id } = envelope;
    const stored = this.#find(recipientPub, id);
    const isAuthentic = isAuthenticEnvelope(envelope);
    if (stored !== undefined && stored.seq !== replaces && (stored.isAuthentic || !isAuthentic)) return "duplicate";
    const bytes = envelopeBytes(envelope);
    const room = findRoom?.(stored === undefined ? { count: 1, bytes } : { count: 0, bytes: bytes - stored.bytes }) ?? ROOMS.free;
    const box = this.#changedBox(recipientPub);
    if (box === undefined) throw new CodedError("MAILBOX_FULL", "The recipient's mailbox has the number of another one: use another key");
    if (stored !== undefined) this.evict(recipientPub, id);
    box.lastSeq += 1;
    const { party, tag } = source;
    const placed = { room, isHidden: false, isAuthentic, party, tag, sender: envelope.sender_ed25519_pub };
    const row = { recipientPub, id, seq: box.lastSeq, day: dayOf(receivedAtSec), bytes, feeUt: envelope.fee_ut, ...placed };
    this.#added.set(placeOf(recipientPub, id), { row, number: box.number, envelope, receivedAtSec, admit });
    this.#envelopes.set(placeOf(recipientPub, id), row);
    this.#count(row);
    const waiting = this.#waiting.get(recipientPub);
    if (waiting !== undefined && room !== ROOMS.open) this.#addWaiting(waiting, row);
    return "stored";
  }

  sizeOf(recipientPub: X25519KeyHex, id: string): number | undefined {
    return this.#find(recipientPub, id)?.bytes;
  }

  usage(recipientPub: X25519KeyHex): Usage {
    return this.#box(recipientPub) ?? NOTHING;
  }

  waitingOf(recipientPub: X25519KeyHex): ReadonlyMap<number, WaitingEnvelope> {
    const known = this.#waiting.get(recipientPub);
    if (known !== undefined) return known;
    const loaded = this.#loaded.waiting.get(recipientPub);
    if (loaded === undefined) throw new LackingMail({ type: "waiting", recipientPub });
    const waiting = new Map<number, WaitingEnvelope>();
    for (const row of loaded) if (this.#present(row) !== undefined) this.#addWaiting(waiting, row);
    for (const { row } of this.#added.values())
      if (row.recipientPub === recipientPub && row.room !== ROOMS.open) this.#addWaiting(waiting, row);
    this.#waiting.set(recipientPub, waiting);
    return waiting;
  }

  postageOf(recipientPub: X25519KeyHex, sender: string): number {
    let promisedUt = 0;
    for (const { seq, room, feeUt } of this.waitingOf(recipientPub).values())
      if (room === ROOMS.postage && this.#handles.get(seq)?.sender === sender) promisedUt += feeUt;
    return promisedUt;
  }

  totalBytes(): number {
    return this.#loaded.totals.bytes + this.#bytes;
  }

  /** What is not there is not remembered as deleted: nodes are told of the deletion, and do not bring it. */
  delete(recipientPub: X25519KeyHex, id: string): boolean {
    if (this.#find(recipientPub, id) === undefined) return false;
    this.#deleted.set(placeOf(recipientPub, id), true);
    this.evict(recipientPub, id);
    return true;
  }

  evict(recipientPub: X25519KeyHex, id: string): void {
    const row = this.#find(recipientPub, id);
    if (row === undefined) return;
    const place = placeOf(recipientPub, id);
    this.#endWaiting(row);
    const box = this.#changedBox(recipientPub);
    this.#bytes -= row.bytes;
    if (box !== undefined) {
      box.count -= 1;
      box.bytes -= row.bytes;
      box.hidden -= row.isHidden ? 1 : 0;
    }
    this.#envelopes.set(place, undefined);
    this.#read.delete(place);
    // One that came with this view was never there.
    if (!this.#added.delete(place)) this.#removed.push(row);
  }

  hide(recipientPub: X25519KeyHex, id: string): void {
    const row = this.#find(recipientPub, id);
    if (row === undefined || row.room === ROOMS.open || row.isHidden) return;
    this.#markRow(row, true);
  }

  markRead(recipientPub: X25519KeyHex, id: string): boolean {
    const row = this.#find(recipientPub, id);
    if (row === undefined || row.room === ROOMS.open || row.room === null) return false;
    this.#markRow(row, false);
    return true;
  }

  inTransaction<T>(work: () => T): T {
    return work();
  }

  /** The network of nodes is to be told this, once the transaction is durable. */
  notice(notice: Notice): void {
    this.#notices.push(notice);
  }

  #boxesOf(): MailStore["boxes"] {
    const { openings } = this.#loaded;
    return {
      find: (mailbox): BoxOpening | undefined => this.#openings.get(mailbox)?.opening ?? openings.get(mailbox)?.opening,
      isHeld: (mailbox, nowSec): boolean => this.#openings.has(mailbox) || (openings.get(mailbox)?.heldUntilSec ?? 0) > nowSec,
      counts: (party, nowSec): OpenCounts => this.#countsOf(party, nowSec),
      put: (opening, source, nowSec): void => this.#putOpening(opening, source, nowSec),
      prune: (): void => undefined,
    };
  }

  #deletedOf(): MailStore["deleted"] {
    const has = (recipientPub: X25519KeyHex, id: string): boolean =>
      this.#deleted.get(placeOf(recipientPub, id)) ?? this.#loaded.deleted.has(placeOf(recipientPub, id));
    return {
      has,
      add: (recipientPub, id): void => void this.#deleted.set(placeOf(recipientPub, id), true),
      remove: (recipientPub, id): void => void (has(recipientPub, id) && this.#deleted.set(placeOf(recipientPub, id), false)),
      hidden: {
        has: (recipientPub, id): boolean => this.#find(recipientPub, id)?.isHidden === true,
        oldest: (): WaitingPlace | undefined => this.#oldestRead(),
      },
      // Nodes keep them: they are told of each.
      signed: { has: (): boolean => false, add: (): void => undefined },
    };
  }

  #waitingOf(): MailStore["waiting"] {
    return {
      sources: this.#sources.waiting,
      takeDay: (party, day): boolean => this.#takeDay(party, day),
      oldestOf: (party): WaitingPlace | undefined => this.#oldestOf("waiting", party),
      placeOf: (handle): WaitingPlace | undefined => this.#handles.get(handle),
    };
  }

  #openOf(): MailStore["open"] {
    const bytes = (): number => this.#loaded.totals.openBytes + this.#openBytes;
    return {
      get bytes(): number {
        return bytes();
      },
      sources: this.#sources.open,
      usageOf: (recipientPub): Usage => this.#openUsage(recipientPub),
      oldestOf: (party): WaitingPlace | undefined => this.#oldestOf("open", party),
    };
  }

  #markRow(row: EnvelopeRow, isHidden: boolean): void {
    const place = placeOf(row.recipientPub, row.id);
    this.#endWaiting(row);
    const marked = { ...row, room: null, isHidden };
    const box = this.#changedBox(row.recipientPub);
    if (box !== undefined) box.hidden += isHidden ? 1 : 0;
    this.#envelopes.set(place, marked);
    const added = this.#added.get(place);
    if (added !== undefined) this.#added.set(place, { ...added, row: marked });
    else this.#read.set(place, { row: marked, isHidden });
  }

  #find(recipientPub: X25519KeyHex, id: string): EnvelopeRow | undefined {
    const place = placeOf(recipientPub, id);
    return this.#envelopes.has(place) ? this.#envelopes.get(place) : this.#loaded.envelopes.get(place);
  }

  /** The row as it is now, when it is there. */
  #present({ recipientPub, id, seq }: EnvelopeRow): EnvelopeRow | undefined {
    const place = placeOf(recipientPub, id);
    const row = this.#envelopes.has(place) ? this.#envelopes.get(place) : this.#loaded.envelopes.get(place);
    return row?.seq === seq ? row : undefined;
  }

  #box(recipientPub: X25519KeyHex): BoxRow | undefined {
    return this.#boxes.get(recipientPub) ?? this.#loaded.boxes.get(recipientPub);
  }

  #changedBox(recipientPub: X25519KeyHex): BoxRow | undefined {
    const known = this.#boxes.get(recipientPub);
    if (known !== undefined) return known;
    const loaded = this.#loaded.boxes.get(recipientPub);
    if (loaded === undefined) return undefined;
    const copy = { ...loaded };
    this.#boxes.set(recipientPub, copy);
    return copy;
  }

  /** Counts an envelope that came. */
  #count(row: EnvelopeRow): void {
    const box = this.#changedBox(row.recipientPub);
    this.#bytes += row.bytes;
    if (box !== undefined) {
      box.count += 1;
      box.bytes += row.bytes;
    }
    this.#sources[row.room === ROOMS.open ? "open" : "waiting"].add(row, row.bytes);
    if (row.room === ROOMS.open) this.#openBytes += row.bytes;
  }

  #endWaiting(row: EnvelopeRow): void {
    if (row.room === null) return;
    this.#sources[row.room === ROOMS.open ? "open" : "waiting"].add(row, -row.bytes);
    if (row.room === ROOMS.open) this.#openBytes -= row.bytes;
    const waiting = this.#waiting.get(row.recipientPub);
    for (const handle of waiting?.keys() ?? []) {
      if (this.#handles.get(handle)?.seq !== row.seq) continue;
      waiting?.delete(handle);
      return;
    }
  }

  #addWaiting(waiting: Map<number, WaitingEnvelope>, row: EnvelopeRow): void {
    const room = row.room ?? ROOMS.free;
    this.#lastHandle += 1;
    this.#handles.set(this.#lastHandle, row);
    waiting.set(this.#lastHandle, {
      seq: this.#lastHandle,
      source: this.#numbers.numberOf(row satisfies MailSource),
      room,
      bytes: row.bytes,
      feeUt: row.feeUt,
    });
  }

  #openUsage(recipientPub: X25519KeyHex): Usage {
    const loaded = this.#loaded.openUsage.get(recipientPub);
    if (loaded === undefined) throw new LackingMail({ type: "open-usage", recipientPub });
    const isOpen = (row: EnvelopeRow): boolean => row.recipientPub === recipientPub && row.room === ROOMS.open;
    const came = usageOf([...this.#added.values()].map(({ row }) => row).filter(isOpen));
    const went = usageOf(this.#removed.filter(isOpen));
    return { count: loaded.count + came.count - went.count, bytes: loaded.bytes + came.bytes - went.bytes };
  }

  #oldestOf(kind: SourceKind, party: string): WaitingPlace | undefined {
    const tag = this.#sources[kind].largestTagOf(party);
    if (tag === undefined) return undefined;
    const rows = this.#loaded.oldest.get(oldestKey(kind, party, tag));
    if (rows === undefined) throw new LackingMail({ type: "oldest", kind, party, tag });
    return rows.find((row) => {
      const present = this.#present(row);
      return present !== undefined && present.room !== null;
    });
  }

  #oldestRead(): WaitingPlace | undefined {
    const rows = this.#loaded.oldestRead;
    if (rows === undefined) throw new LackingMail({ type: "oldest-read" });
    const [first] = this.#read.values();
    return rows.find((row) => this.#present(row) !== undefined) ?? first?.row;
  }

  #takeDay(party: string, { day, bytes, most }: { readonly day: number; readonly bytes: number; readonly most: number }): boolean {
    const used = (this.#days.get(party) ?? 0) + bytes;
    if (!this.#leases.covers(party, day, used)) {
      if (this.#leases.isUsedUp(party, day, bytes)) return false;
      throw new LackingMail({ type: "day", party, day, bytes: used, most });
    }
    this.#days.set(party, used);
    return true;
  }

  #countsOf(party: string, nowSec: number): OpenCounts {
    const counts = this.#loaded.openedCounts.get(party);
    if (counts === undefined) throw new LackingMail({ type: "opened-counts", party, nowSec });
    const opened = [...this.#openings.values()].filter(({ isUpdate }) => !isUpdate);
    return {
      all: counts.all + opened.length,
      foreign: counts.foreign + opened.filter(({ source }) => source.isForeign).length,
      carried: counts.carried,
      ofParty: counts.ofParty + opened.filter(({ source }) => source.party === party).length,
    };
  }

  #putOpening(opening: BoxOpening, source: OpeningSource, nowSec: number): void {
    const isUpdate = (this.#loaded.openings.get(opening.mailbox)?.heldUntilSec ?? 0) > nowSec;
    this.#openings.set(opening.mailbox, { opening, source: this.#openings.get(opening.mailbox)?.source ?? source, isUpdate });
  }
}
