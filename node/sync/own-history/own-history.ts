// Fetches the older entries of own accounts: those of blocks that this node never had, or dropped before the account was named. The newest one
// first, so that what is kept has no gap up to the blocks that are here, and a stop at any moment costs a few entries at most.
import { readAccount } from "#node/ledger/records/records.ts";
import { heightTooFar } from "#node/light/chain/block-finder.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import type { LightSource } from "#node/light/light-source.ts";
import type { Log } from "#node/observability/log.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { validatorsHash } from "#shared/protocol/chain/validators.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import { LeftEstimate } from "#shared/util/left-estimate.ts";
import { type FetchedEntry, fetchOwnEntry, type OwnEntryDependencies } from "./own-entry.ts";
import { OWN_HISTORY_LIMITS } from "./own-history-limits.ts";

export interface OwnHistoryDependencies extends Pick<OwnEntryDependencies, "first"> {
  readonly database: Pick<ChainDatabase, "explorer" | "blocks" | "state" | "validatorSets" | "inTransaction">;
  readonly source: Pick<LightSource, "history" | "transaction" | "body">;
  /** A proven block at most so many headers below those that are here, on the way to a height. @throws CodedError when no peer serves it */
  readonly stepTo: (height: Height, headers: number) => Promise<TrustedBlock>;
  /** Public keys of own accounts. */
  readonly accounts: () => readonly string[];
  /** True while blocks come first: the node catches up, or fetches older ones that it is to hold. */
  readonly isBusy: () => boolean;
  /** True while a connected node says that it has older blocks. */
  readonly hasPeers: () => boolean;
  /** Bytes that peers have sent so far for blocks that are not here, whatever read them. */
  readonly receivedBytes: () => number;
  /** @throws CodedError STORAGE_FULL */
  readonly requireRoom: () => void;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly log: Pick<Log, "info" | "warn">;
}

/**
 * `later`: blocks come first; `no_holder`: no connected node has the next entry; `unproven`: nothing leads from the headers here to its block;
 * `limit`: more are not fetched; `full`: the disk is.
 */
export type OlderState = "later" | "running" | "no_holder" | "unproven" | "limit" | "full";

/** What is missing of an account. */
export interface OlderView {
  readonly state: OlderState;
  /** Entries that are neither here nor kept. */
  readonly left: number;
  /** Headers that are still fetched before the next of them can be proven, where it lies far below all that is. */
  readonly headersLeft: number | undefined;
  readonly etaSeconds: number | undefined;
}

/** Newest entries that a page is counted from, one after another, before a turn ends without it. */
const MOST_COUNTS = 3;

interface KnownAccount {
  readonly estimate: LeftEstimate;
  fetched: number;
  turns: number;
  failures: number;
  /** Until when it is not tried. */
  restsUntilMs: number;
  /** On the way down to the next entry: headers that are left, and the number of the entry down to which the history is proven. */
  headersLeft: number | undefined;
  provenTo: number | undefined;
  readonly headersEstimate: LeftEstimate;
  headersFetched: number;
  /** Why nothing came last time. */
  trouble: "no_holder" | "unproven" | "full" | undefined;
}

/** The older history of the accounts of one node. */
export class OwnHistory {
  readonly #dependencies: OwnHistoryDependencies;
  readonly #ending = new AbortController();
  readonly #known = new Map<string, KnownAccount>();
  #cancel: CancelTimer = () => undefined;

  constructor(dependencies: OwnHistoryDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#later(OWN_HISTORY_LIMITS.lookMs);
  }

  /** Ends it: nothing is written any more. */
  stop(): void {
    this.#ending.abort();
    this.#cancel();
  }

  /** Undefined where nothing is missing. */
  view(publicKey: string): OlderView | undefined {
    const { explorer } = this.#dependencies.database;
    const left = explorer.history.nextOlder(publicKey);
    if (left === 0) return undefined;
    const account = this.#account(publicKey);
    const state = this.#stateOf(publicKey, account);
    const isRunning = state === "running";
    const { headersLeft } = account;
    const estimate = headersLeft === undefined ? account.estimate : account.headersEstimate;
    const leftMs = isRunning ? estimate.leftMs() : undefined;
    return {
      ...{ state, left, headersLeft: isRunning ? headersLeft : undefined },
      etaSeconds: leftMs === undefined ? undefined : Math.round(leftMs / 1_000),
    };
  }

  #stateOf(publicKey: string, { trouble }: KnownAccount): OlderState {
    const { isBusy, hasPeers, database } = this.#dependencies;
    if (isBusy()) return "later";
    if (database.explorer.keptCount(publicKey) >= OWN_HISTORY_LIMITS.entries) return "limit";
    return trouble ?? (hasPeers() ? "running" : "no_holder");
  }

  #later(pauseMs: number): void {
    if (this.#ending.signal.aborted) return;
    this.#cancel = this.#dependencies.timers.setTimer(pauseMs, () => {
      void this.#turn().then((restMs) => this.#later(restMs));
    });
  }

  /** Some entries of one account. @returns the pause that is due, ms */
  async #turn(): Promise<number> {
    const { lookMs } = OWN_HISTORY_LIMITS;
    const publicKey = this.#readDue();
    if (publicKey === undefined) return lookMs;
    const account = this.#account(publicKey);
    account.turns += 1;
    const { receivedBytes } = this.#dependencies;
    const [beganMs, beganBytes] = [this.#nowMs, receivedBytes()];
    try {
      await this.#fetchNext(publicKey, account);
      [account.failures, account.trouble] = [0, undefined];
      return Math.max(1, ((receivedBytes() - beganBytes) / OWN_HISTORY_LIMITS.bytesPerSecond) * 1_000 - (this.#nowMs - beganMs));
    } catch (error) {
      if (this.#ending.signal.aborted) return lookMs;
      this.#failed(account, error);
      return lookMs;
    }
  }

  /** The same; undefined where the database cannot be read, which must not end all later turns. */
  #readDue(): string | undefined {
    try {
      return this.#due();
    } catch (error) {
      this.#dependencies.log.warn({ err: error }, "It could not be read what is missing of own accounts: it is tried again");
      return undefined;
    }
  }

  /** The account that may be tried now and had the fewest turns. */
  #due(): string | undefined {
    const { accounts, isBusy, hasPeers, database } = this.#dependencies;
    if (isBusy() || !hasPeers()) return undefined;
    const nowMs = this.#nowMs;
    const isOpen = (publicKey: string): boolean => {
      if (this.#account(publicKey).restsUntilMs > nowMs) return false;
      const { history } = database.explorer;
      return history.nextOlder(publicKey) > 0 && database.explorer.keptCount(publicKey) < OWN_HISTORY_LIMITS.entries;
    };
    const open = accounts().filter(isOpen);
    return open.toSorted((a, b) => this.#account(a).turns - this.#account(b).turns)[0];
  }

  /** Some entries, or a step on the way down to them. @throws CodedError when neither could be had */
  async #fetchNext(publicKey: string, account: KnownAccount): Promise<void> {
    try {
      await this.#fetchSome(publicKey, account);
      account.headersLeft = undefined;
    } catch (error) {
      const height = heightTooFar(error);
      if (height === undefined) throw error;
      await this.#stepDown(height, account);
    }
  }

  /** Keeps a header on the way: what is done of it outlives the program. */
  async #stepDown(height: Height, account: KnownAccount): Promise<void> {
    const { stepTo, database } = this.#dependencies;
    const { header, commit } = await stepTo(height, Math.min(OWN_HISTORY_LIMITS.headersAtOnce, LIGHT_LIMITS.headersBack));
    this.#ending.signal.throwIfAborted();
    database.inTransaction(() => database.blocks.insertSingleHeader(header, commit));
    const left = header.height - height;
    if (account.headersLeft === undefined) account.headersEstimate.begin();
    else account.headersFetched += Math.max(0, account.headersLeft - left);
    account.headersLeft = left;
    account.headersEstimate.mark(account.headersFetched, account.headersFetched + left);
  }

  /** @throws CodedError when the next entry could not be had */
  async #fetchSome(publicKey: string, account: KnownAccount): Promise<void> {
    const { database, source, first, requireRoom, receivedBytes } = this.#dependencies;
    const endBytes = receivedBytes() + OWN_HISTORY_LIMITS.turnBytes;
    const { explorer, blocks, state } = database;
    requireRoom();
    const next = explorer.history.nextOlder(publicKey);
    account.estimate.mark(account.fetched, account.fetched + next);
    const entryIds = await this.#idsFrom(publicKey, next, account);
    const fetched: FetchedEntry[] = [];
    let below = blocks.firstHeight() * SEQ_PER_BLOCK;
    try {
      for (const [index, id] of entryIds.entries()) {
        const one = await fetchOwnEntry({ source, state, first }, { publicKey, number: next - index, id });
        this.#ending.signal.throwIfAborted();
        if (one.entry.seq >= below)
          throw new CodedError("UPSTREAM_FAILED", `The entry ${id} stands in a later block than the one after it`);
        below = one.entry.seq;
        fetched.push(one);
        // A single entry may cost thousands of headers on the way down to it.
        if (receivedBytes() >= endBytes) break;
      }
    } finally {
      if (!this.#ending.signal.aborted) this.#store(publicKey, next, fetched, account);
    }
  }

  /** Ids of some entries from a number down; none after a step on the way down to them, where it lies far below the newest one. */
  async #idsFrom(publicKey: string, next: number, account: KnownAccount): Promise<readonly string[]> {
    const { database, source } = this.#dependencies;
    const { entriesAtOnce, idsAtOnce } = OWN_HISTORY_LIMITS;
    const limit = Math.min(entriesAtOnce, next);
    let { historyCount: total } = readAccount(database.state, publicKey);
    const { provenTo = total } = account;
    // The source remembers how far the history is proven: each step begins where the last one ended.
    account.provenTo = undefined;
    const isStep = provenTo - next > idsAtOnce;
    const last = isStep ? provenTo - idsAtOnce : next;
    for (let tries = 0; tries < MOST_COUNTS && total >= next; tries += 1) {
      const { count, entryIds } = await source.history(publicKey, { limit: isStep ? 1 : limit, offset: total - last });
      if (count === total) {
        account.provenTo = last;
        return isStep ? [] : entryIds;
      }
      // Where peers are a block behind, their record leads to the page, and numbers are counted from its newest entry.
      total = count;
    }
    throw new CodedError("UPSTREAM_FAILED", "No connected node serves this part of the history");
  }

  #store(publicKey: string, next: number, fetched: readonly FetchedEntry[], account: KnownAccount): void {
    const { explorer, inTransaction, validatorSets, blocks } = this.#dependencies.database;
    if (fetched.length === 0) return;
    inTransaction(() => {
      // Blocks may have come, or gone, meanwhile.
      if (explorer.history.nextOlder(publicKey) !== next) return;
      for (const { entry, at } of fetched) {
        explorer.history.keepOlder(entry);
        const { height, validatorsHash: hash } = at.header;
        const isKnown = height === 0 || validatorsHash(validatorSets.at(height), nativeSha256) === hash;
        if (!isKnown) validatorSets.insertSingle(height, at.validators, blocks.firstHeader());
      }
    });
    account.fetched += fetched.length;
    account.failures = 0;
    account.estimate.mark(account.fetched, account.fetched + explorer.history.nextOlder(publicKey));
    if (explorer.history.nextOlder(publicKey) === 0)
      this.#dependencies.log.info({ account: publicKey, entries: account.fetched }, "The whole history of an own account is here");
  }

  #failed(account: KnownAccount, error: unknown): void {
    const { firstPauseMs, lastPauseMs } = OWN_HISTORY_LIMITS;
    account.trouble = troubleOf(error);
    const pauseMs = Math.min(lastPauseMs, firstPauseMs * 2 ** account.failures);
    account.restsUntilMs = this.#nowMs + pauseMs;
    account.failures += 1;
    const details = { ...(isCodedError(error) ? { reason: error.message } : { err: error }), retry_ms: pauseMs };
    if (account.failures === 1 || !isCodedError(error))
      this.#dependencies.log.warn(details, "Older entries of an own account could not be fetched: it is tried again");
  }

  get #nowMs(): number {
    return this.#dependencies.clock.monotonicMs();
  }

  #account(publicKey: string): KnownAccount {
    const known = this.#known.get(publicKey) ?? {
      estimate: new LeftEstimate(this.#dependencies.clock),
      fetched: 0,
      turns: 0,
      failures: 0,
      headersLeft: undefined,
      headersFetched: 0,
      headersEstimate: new LeftEstimate(this.#dependencies.clock),
      provenTo: undefined,
      restsUntilMs: Number.NEGATIVE_INFINITY,
      trouble: undefined,
    };
    this.#known.set(publicKey, known);
    return known;
  }
}

function troubleOf(error: unknown): NonNullable<KnownAccount["trouble"]> {
  if (isCodedError(error, "STORAGE_FULL")) return "full";
  return isCodedError(error, "UNAVAILABLE", "BAD_REQUEST") ? "unproven" : "no_holder";
}
