// A node forgets mail of others once keepers have had it alone for two days: of boxes that it neither keeps nor reads. Nothing goes before
// all three keepers of its box list it, as a sender's node forgets at three receipts; one that lacks it is given it, and what it lists then
// goes in a later round.
import { LRUCache } from "lru-cache";
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { keptWireBytes } from "#node/network/wire/mail-codec.ts";
import type { Log } from "#node/observability/log.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { AskedBox, BoxPage, KeptEnvelope, MailPlace, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { Relay } from "../../relay.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";
import { RestedWork } from "../rested-work.ts";

export interface ForgetMailDependencies {
  /** Key of this node. */
  readonly ownKey: PublicKeyHex;
  readonly ranks: Pick<KeeperRanks, "keepersOf" | "isKeeper">;
  readonly relay: Pick<Relay, "readers" | "boxes" | "deletions" | "release">;
  readonly store: Pick<MailboxRepository, "recipients" | "listIds" | "get" | "open">;
  /** False for keepers that dropped what they had signed for: what they list is not as good as there. */
  readonly counts: (keeper: PublicKeyHex) => boolean;
  /** True while this node follows a box at its keepers: what it has fetched of it is not fetched once more. */
  readonly isFollowed: (box: X25519KeyHex) => boolean;
  /** True while a node may forget what it does not keep. */
  readonly mayForget: () => boolean;
  /** Asks a keeper. @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  /** A keeper said what no honest one says. */
  readonly onLie: (keeper: PublicKeyHex) => void;
  readonly limits?: KeeperLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** Boxes that are looked at together, and those that are read at once; ids of a box, likewise. */
const TOGETHER = 16;
const READ_BOXES = 64;
const READ_IDS = 4_096;
/** Pages of one keeper for these boxes: more than honest ones have. */
const PAGES = 64;
/** Envelopes that one transaction forgets. */
const RELEASED = 64;
/** No rest between pieces of work is longer, ms. */
const LONGEST_REST_MS = 1_000;
const HEX_ID = /^[0-9a-f]{32}$/;
const { putItems, putBytes } = NETWORK_LIMITS.mailItems;

/** What is here of one box, and who lists it. */
interface ForeignBox {
  readonly box: X25519KeyHex;
  /** Keepers that list each envelope. */
  readonly listed: ReadonlyMap<string, Set<PublicKeyHex>>;
  /** Keepers that have listed all of the box. */
  readonly answered: PublicKeyHex[];
}

/** Forgets. {@link ForgetMail.start} begins, and {@link ForgetMail.close} ends it. */
export class ForgetMail {
  readonly #dependencies: ForgetMailDependencies;
  readonly #limits: KeeperLimits;
  readonly #aborter = new AbortController();
  readonly #work: RestedWork;
  /** Keepers that did not respond in this round. */
  readonly #away = new Set<PublicKeyHex>();
  /** What was given to whom lately. */
  readonly #given: LRUCache<string, true>;
  #looks = 0;
  #forgotten = 0;
  #cancel: (() => void) | undefined;

  constructor(dependencies: ForgetMailDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? KEEPER_LIMITS;
    const { leftEntries, leftMs } = this.#limits;
    const { clock, timers } = dependencies;
    this.#work = new RestedWork({ clock, timers, signal: this.#aborter.signal, longestRestMs: LONGEST_REST_MS });
    const perf = { now: (): number => clock.monotonicMs() };
    this.#given = new LRUCache({ max: leftEntries, ttl: leftMs, perf });
  }

  /** Looks that have ended since the start, and envelopes that were forgotten. */
  get figures(): { readonly looks: number; readonly forgotten: number } {
    return { looks: this.#looks, forgotten: this.#forgotten };
  }

  /** All nodes of a network may begin at the same time: each has its own moment. */
  start(): void {
    const share = Number.parseInt(this.#dependencies.ownKey.slice(0, 4), 16) / 0x1_00_00;
    this.#schedule(Math.floor(share * this.#limits.forgetMs));
  }

  close(): void {
    this.#aborter.abort();
    this.#cancel?.();
  }

  #schedule(delayMs: number): void {
    if (this.#aborter.signal.aborted) return;
    this.#cancel = this.#dependencies.timers.setTimer(delayMs, () => void this.#run());
  }

  async #run(): Promise<void> {
    const { mayForget, log } = this.#dependencies;
    const before = this.#forgotten;
    try {
      if (mayForget()) await this.#round();
    } catch (error) {
      if (!this.#aborter.signal.aborted) log.error({ err: error }, "Mail that keepers have could not be forgotten");
    }
    if (this.#forgotten > before) log.info({ envelopes: this.#forgotten - before }, "Forgot mail of others, which their keepers have");
    this.#looks += 1;
    this.#schedule(this.#limits.forgetMs);
  }

  async #round(): Promise<void> {
    const { store, mayForget } = this.#dependencies;
    this.#away.clear();
    this.#work.begin();
    for (let boxes = store.recipients("", READ_BOXES); boxes.length > 0; boxes = store.recipients(boxes.at(-1) ?? "", READ_BOXES))
      for (let at = 0; at < boxes.length; at += TOGETHER) {
        if (!mayForget()) return;
        await this.#forget(await this.#foreign(boxes.slice(at, at + TOGETHER)));
      }
  }

  /** Those that are neither kept nor read here. Ranks cost a hash or more for each keeper. */
  async #foreign(boxes: readonly X25519KeyHex[]): Promise<readonly ForeignBox[]> {
    const { store } = this.#dependencies;
    const foreign: ForeignBox[] = [];
    for (const box of boxes) {
      await this.#work.pace();
      if (!this.#isForeign(box)) continue;
      const listed = new Map<string, Set<PublicKeyHex>>();
      for (let rows = store.listIds(box, 0, READ_IDS); rows.length > 0; rows = store.listIds(box, rows.at(-1)?.seq ?? 0, READ_IDS))
        // Keepers know no other ids than the hash of what they name: what has another one ends with its time.
        for (const { id } of rows) if (HEX_ID.test(id)) listed.set(id, new Set());
      if (listed.size > 0) foreign.push({ box, listed, answered: [] });
    }
    return foreign;
  }

  #isForeign(box: X25519KeyHex): boolean {
    const { relay, ranks, ownKey, isFollowed } = this.#dependencies;
    return !relay.readers.has(box) && !isFollowed(box) && !ranks.isKeeper(ownKey, box);
  }

  async #forget(boxes: readonly ForeignBox[]): Promise<void> {
    const byKeeper = new Map<PublicKeyHex, ForeignBox[]>();
    for (const each of boxes) {
      await this.#work.pace();
      for (const { key } of this.#dependencies.ranks.keepersOf(each.box)?.keeping ?? [])
        if (this.#dependencies.counts(key)) append(byKeeper, key, each);
    }
    for (const [keeper, some] of byKeeper) await this.#atKeeper(keeper, () => this.#list(keeper, some));
    // One that is away comes back or loses its place: until then nothing new comes here, and what is here ends with its time.
    for (const each of boxes) if (each.answered.length >= this.#limits.receiptsToForget) await this.#release(each);
    for (const [keeper, places] of lackedBy(boxes)) await this.#atKeeper(keeper, () => this.#give(keeper, places));
  }

  /** One that fails is not asked again in this round. */
  async #atKeeper(keeper: PublicKeyHex, work: () => Promise<void>): Promise<void> {
    if (this.#away.has(keeper)) return;
    try {
      await work();
    } catch (error) {
      this.#aborter.signal.throwIfAborted();
      this.#away.add(keeper);
      this.#dependencies.log.debug({ err: error, keeper }, "A keeper does not say what it has");
    }
  }

  /** Of which boxes this keeper lists what, with what their owners have deleted. @throws CodedError UPSTREAM_FAILED */
  async #list(keeper: PublicKeyHex, boxes: readonly ForeignBox[]): Promise<void> {
    const open = new Map(boxes.map((each) => [each.box, each]));
    let scope: string | null = null;
    let asked: readonly AskedBox[] = boxes.map(({ box }) => ({ box, after: 0, afterDeletion: 0 }));
    for (let page = 0; asked.length > 0; page += 1) {
      const response = await this.#ask(keeper, { type: "get", scope, boxes: asked, hasContent: false });
      const isSameRun = response.type === "page" && (scope === null || scope === response.scope);
      if (!isSameRun || page >= PAGES) throw new CodedError("UPSTREAM_FAILED", `The keeper's list is none: ${response.type}`);
      scope = response.scope;
      const more: AskedBox[] = [];
      for (const listed of response.boxes) if (await this.#take(keeper, listed, open)) more.push(nextOf(listed));
      asked = more;
    }
  }

  /** True when more of the box follows. Boxes that are read to their end are not open any more. */
  async #take(keeper: PublicKeyHex, { box, ids, deletions, hasMore }: BoxPage, open: Map<X25519KeyHex, ForeignBox>): Promise<boolean> {
    const { relay, onLie } = this.#dependencies;
    const each = open.get(box);
    if (each === undefined) return false;
    for (const id of ids) each.listed.get(id)?.add(keeper);
    if (!(await relay.deletions.learn(deletions))) {
      onLie(keeper);
      throw new CodedError("UPSTREAM_FAILED", "A keeper gave a deletion that its owner has not signed");
    }
    if (hasMore) return true;
    open.delete(box);
    each.answered.push(keeper);
    return false;
  }

  async #release({ box, listed, answered }: ForeignBox): Promise<void> {
    const { relay } = this.#dependencies;
    const ids = [...listed].filter(([, keepers]) => answered.every((keeper) => keepers.has(keeper))).map(([id]) => id);
    for (let at = 0; at < ids.length; at += RELEASED) {
      await this.#work.pace();
      // Someone may read here meanwhile.
      if (!this.#isForeign(box)) return;
      this.#forgotten += relay.release(box, ids.slice(at, at + RELEASED));
    }
  }

  /** @throws CodedError UPSTREAM_FAILED */
  async #give(keeper: PublicKeyHex, places: readonly MailPlace[]): Promise<void> {
    const { store, relay } = this.#dependencies;
    let items: KeptEnvelope[] = [];
    let bytes = 0;
    const put = async (): Promise<void> => {
      const boxes = new Set(items.map(({ envelope }) => envelope.recipient_pub));
      const openings = [...boxes].flatMap((box) => relay.boxes.find(box)?.opening ?? []);
      await this.#ask(keeper, { type: "put", items, openings, passOn: [] });
      items = [];
      bytes = 0;
    };
    for (const { box, id } of places) {
      const name = `${keeper} ${box} ${id}`;
      const stored = this.#given.has(name) ? undefined : store.get(box, id);
      if (stored === undefined || !isAuthenticEnvelope(stored.envelope)) continue;
      const item = { envelope: stored.envelope, admit: store.open.admitOf(stored.seq) ?? null };
      const added = keptWireBytes(item);
      if (items.length >= putItems || (items.length > 0 && bytes + added > putBytes)) await put();
      this.#given.set(name, true);
      items.push(item);
      bytes += added;
    }
    if (items.length > 0) await put();
  }

  /** Asks, and rests by the time that it took. @throws CodedError UPSTREAM_FAILED */
  async #ask(keeper: PublicKeyHex, request: MailRequest): Promise<MailResponse> {
    const { ask, clock } = this.#dependencies;
    const beganMs = clock.monotonicMs();
    const signal = AbortSignal.any([this.#aborter.signal, AbortSignal.timeout(this.#limits.requestMs)]);
    const response = await ask(keeper, request, signal);
    const { repairRestShare, requestMs } = this.#limits;
    await this.#work.rest(Math.min(clock.monotonicMs() - beganMs, requestMs) * repairRestShare);
    this.#work.begin();
    return response;
  }
}

function nextOf({ box, lastSeq, lastDeletion }: BoxPage): AskedBox {
  return { box, after: lastSeq, afterDeletion: lastDeletion };
}

/** What each keeper that has listed a box lacks of it. */
function lackedBy(boxes: readonly ForeignBox[]): ReadonlyMap<PublicKeyHex, readonly MailPlace[]> {
  const lacking = new Map<PublicKeyHex, MailPlace[]>();
  for (const { box, listed, answered } of boxes)
    for (const [id, keepers] of listed)
      for (const keeper of answered.filter((each) => !keepers.has(each))) append(lacking, keeper, { box, id });
  return lacking;
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
