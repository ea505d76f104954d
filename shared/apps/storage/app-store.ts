// What is stored of connections, while the keyring is open: the file of grants in two copies, and the journal. Everything is durable before
// it holds here. Files that are older than what vault, journal or computer say make all connections rest until the person confirms each.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AppAccess, AppKeys } from "#shared/keyring/confirmation/app-access.ts";
import { Copies, type VaultStorage } from "#shared/keyring/vault/vault-copies.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { MAX_CLOCK_BACK_MS } from "../app-limits.ts";
import { beginClocks, budgetTimeMs, type ClockReadings, expiryTimeMs, resumeClocks, seeClocks } from "../judging/two-clocks.ts";
import type { ChainObservation } from "../messages/apps-api.ts";
import type { AppConnection, AppsStored } from "./app-connection.ts";
import { AppJournal, type JournalStorage } from "./app-journal.ts";
import { AppLedger } from "./app-ledger.ts";
import { APPS_FORMAT, type AppsFile, openApps, sealApps } from "./apps-file.ts";
import type { HashedLine, JournalLine } from "./journal-format.ts";

/** What an open store needs. */
export interface AppStoreDependencies {
  readonly access: Pick<AppAccess, "keys" | "renewals" | "dropFormerKeys" | "storedGeneration" | "storeGeneration">;
  /** Copies of the file of grants. */
  readonly copies: VaultStorage;
  readonly journal: JournalStorage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Hash of the computer's id. */
  readonly machine: string;
  /** Size from which the journal's oldest lines go, bytes; `MAX_JOURNAL_BYTES` unless given. */
  readonly maxJournalBytes?: number;
}

/** What a line says of itself; times, height and number come of themselves. */
export type LineContent = Pick<JournalLine, "connection" | "action" | "outcome"> & Partial<JournalLine>;

const NO_BYTES = new Uint8Array();
/** Part of the journal that lines of messages may fill. */
const MESSAGE_PART = 1 / 2;
const NO_LINE = { subject: "", amountUt: 0, keyHash: NO_BYTES, bodyHash: NO_BYTES, txId: NO_BYTES, order: 0, timeMs: 0 } as const;

/** The store of one profile, between two locks of the keyring. */
export class AppStore {
  readonly ledger = new AppLedger();
  /** Lines of payments that are in a block, oldest first. */
  readonly #paid: JournalLine[] = [];
  readonly #dependencies: AppStoreDependencies;
  readonly #copies: Copies<AppsFile>;
  #keys: AppKeys;
  readonly #journal: AppJournal;
  #state: AppsStored | undefined;
  #generation: number;
  #clocks: ClockReadings | undefined;
  #chain: ChainObservation | undefined;
  #isBroken = false;

  private constructor(dependencies: AppStoreDependencies, keys: AppKeys, journal: AppJournal, file: AppsFile | undefined) {
    this.#dependencies = dependencies;
    this.#copies = new Copies(dependencies.copies, APPS_FORMAT);
    this.#keys = keys;
    this.#journal = journal;
    this.#generation = file?.body.generation ?? 0;
    this.#state = file && openApps([keys.file, ...keys.former.map((former) => former.file)], file);
    this.#clocks = this.#state?.clocks;
    // What was seen up to the file's last line is in the file.
    const anchor = this.#state?.journal?.n ?? 0;
    for (const { line } of journal.lines) this.#follow(line, line.n > anchor);
    for (const { number, lastOrder } of this.#state?.connections ?? []) this.ledger.raiseLastOrder(number, lastOrder);
  }

  /** @throws CodedError KEYRING_LOCKED, STORAGE_NEWER, UNAVAILABLE. */
  static async open(dependencies: AppStoreDependencies): Promise<AppStore> {
    const { access, copies, journal, random, maxJournalBytes: maxBytes } = dependencies;
    const keys = access.keys();
    const vaultGeneration = await access.storedGeneration();
    const newest = (await new Copies(copies, APPS_FORMAT).load()).good[0]?.file;
    const options = {
      storage: journal,
      key: keys.journal,
      formerKeys: keys.former.map((former) => former.journal),
      random,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    };
    const store = new AppStore(dependencies, keys, await AppJournal.open(options), newest);
    await store.#compare(vaultGeneration);
    const isFormer = newest !== undefined && store.#state !== undefined && openApps([keys.file], newest) === undefined;
    if (isFormer) await store.write((state) => state);
    await store.#dropFormerKeys();
    return store;
  }

  get state(): AppsStored | undefined {
    return this.#state;
  }

  get connections(): readonly AppConnection[] {
    return this.#state?.connections ?? [];
  }

  get lines(): readonly HashedLine[] {
    return this.#journal.lines;
  }

  get firstN(): number {
    return this.#journal.firstN;
  }

  /** Lines after a number that say that a payment is in a block, oldest first; the other lines are not looked at. */
  paidLines(after: number): readonly JournalLine[] {
    const { firstN } = this;
    const dropped = this.#paid.findIndex(({ n }) => n >= firstN);
    if (dropped !== 0) this.#paid.splice(0, dropped === -1 ? this.#paid.length : dropped);
    return this.#paid.slice(this.#paid.findLastIndex(({ n }) => n <= after) + 1);
  }

  /** Encrypts the numbers of orders. */
  get numberKey(): Uint8Array {
    return this.#keys.numbers;
  }

  /** A write failed half-way: what is stored is read again. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The chain as it was last observed. @throws CodedError UNAVAILABLE before that, and on another network than the connections'. */
  get chain(): ChainObservation {
    if (this.#chain === undefined) throw new CodedError("UNAVAILABLE", "The node has not been heard yet");
    if (this.#state !== undefined && this.#state.chainId !== this.#chain.chainId)
      throw new CodedError("UNAVAILABLE", "The connections were made on another network");
    return this.#chain;
  }

  /** @throws CodedError UNAVAILABLE as {@link chain}. */
  requireChain(): void {
    void this.chain;
  }

  /** The chain's time as it was last observed, unix ms. */
  get chainTimeMs(): number {
    return this.chain.blockTimeMs;
  }

  get budgetMs(): number {
    return this.#clocks === undefined ? 0 : budgetTimeMs(this.#see());
  }

  get expiryMs(): number {
    return this.#clocks === undefined ? 0 : expiryTimeMs(this.#see());
  }

  /** The computer's clock now, however far it was seen, unix ms. */
  get nowMs(): number {
    return this.#dependencies.clock.nowMs();
  }

  /**
   * The clock is well behind what was seen of it: it was set far ahead once. Until it is there again it holds no false node back, so that
   * every order asks. Connections that are made when all others have ended begin with the clock as it is.
   */
  get isClockBehind(): boolean {
    return this.clockMs - this.nowMs > MAX_CLOCK_BACK_MS;
  }

  /** The clock, as far as it was seen, unix ms. */
  get clockMs(): number {
    return this.#clocks === undefined ? this.#dependencies.clock.nowMs() : this.#see().highClockMs;
  }

  /** True when a connection has expired, or its program never got the token. */
  isOver({ expiresMs, endsAtClockMs, endsAtBlockMs, unusedUntilMs = expiresMs }: AppConnection): boolean {
    return (
      this.expiryMs >= Math.min(expiresMs, unusedUntilMs) || this.nowMs >= endsAtClockMs || (this.#chain?.blockTimeMs ?? 0) >= endsAtBlockMs
    );
  }

  /** What the node says now: a node that was wrong, or was replaced, may say less than before. Times of limits never go back by it. */
  observe(chain: ChainObservation): void {
    this.#chain = chain;
    if (this.#clocks !== undefined && this.#state?.chainId === chain.chainId)
      this.#clocks = seeClocks(this.#clocks, chain.blockTimeMs, this.#dependencies.clock.nowMs());
  }

  /** Stores another state; the first one begins here. */
  async write(change: (state: AppsStored) => AppsStored): Promise<void> {
    const { machine, random, access } = this.#dependencies;
    const clocks = this.#clocksToWrite();
    const first = (): AppsStored => {
      const { chainId, height } = this.chain;
      return { chainId, machine, clocks, height, nextNumber: this.ledger.lastConnection + 1, connections: [], ended: [], journal: null };
    };
    const { n, hash } = this.#journal.last;
    const changed = change(this.#state ?? first());
    const connections = changed.connections.map((entry) => ({ ...entry, lastOrder: this.ledger.lastOrder(entry.number) }));
    const state: AppsStored = { ...changed, connections, clocks, height: this.#height, machine, journal: n === 0 ? null : { n, hash } };
    const generation = this.#generation + 1;
    await this.#durably(async () => {
      await this.#copies.update(({ good }) => {
        this.#requireWhole();
        const stored = good[0]?.file.body.generation ?? 0;
        if (this.#state !== undefined && stored !== this.#generation)
          throw new CodedError("UNAVAILABLE", "Another program has changed the connections");
        return sealApps(this.#keys.file, generation, state, random);
      });
      [this.#state, this.#generation] = [state, generation];
      this.#clocks = clocks;
      await access.storeGeneration(generation);
    });
  }

  /** Appends lines of orders; they are durable, and followed, when this resolves. @throws CodedError UNAVAILABLE in a full journal. */
  async append(...contents: readonly LineContent[]): Promise<readonly HashedLine[]> {
    if (this.#journal.isFull) await this.#makeRoom();
    return this.#append(contents);
  }

  /**
   * Appends what came of lines that are there. In a full journal too: room is left for it, and what stayed open for want of room would stand
   * in the way of everything else, of ending a connection too.
   */
  async appendOutcome(...contents: readonly LineContent[]): Promise<readonly HashedLine[]> {
    const { budgetMs } = this;
    if (this.#journal.isFull && this.#journal.countDroppable(budgetMs) > 0) await this.#drop(budgetMs);
    return this.#append(contents);
  }

  /** Room for lines of messages, which take half of the journal. @throws CodedError RATE_LIMITED where it is full of young lines. */
  async requireMessageRoom(): Promise<void> {
    const { budgetMs } = this;
    if (!this.#journal.isHalfFull) return;
    if (this.#journal.countDroppable(budgetMs, MESSAGE_PART) === 0)
      throw new CodedError("RATE_LIMITED", "The log of programs has no room for more messages: its oldest lines go after days", {
        details: { retryAfterS: 3_600 },
      });
    await this.#drop(budgetMs, MESSAGE_PART);
  }

  async #append(contents: readonly LineContent[]): Promise<readonly HashedLine[]> {
    const { highClockMs: atMs, highBlockMs: blockMs } = this.#see();
    const times = { height: this.#height, atMs, blockMs, budgetMs: this.budgetMs };
    const added = await this.#durably(() => this.#journal.append(contents.map((content) => ({ ...NO_LINE, ...content, ...times }))));
    for (const { line } of added) this.#follow(line);
    return added;
  }

  /** Appends what was changed of grants, with the generation that was written; in a full journal too, so that ending never waits. */
  appendChange(
    action: "connect" | "rotate" | "end" | "confirm" | "rest",
    connections: readonly AppConnection[],
    outcome: "done" | "copied" = "done",
  ): Promise<readonly HashedLine[]> {
    const timeMs = this.#generation;
    return this.#append(connections.map(({ number }): LineContent => ({ connection: number, action, outcome, timeMs })));
  }

  /** The password was changed: what is stored is sealed again under the keys that came with it. */
  async renewKeys(): Promise<void> {
    const { access } = this.#dependencies;
    if (this.#isBroken || access.renewals() === this.#keys.renewals) return;
    const before = this.#keys;
    this.#keys = access.keys();
    await this.#durably(() => this.#journal.renewKey(this.#keys.journal));
    wipeKeys(before);
    if (this.#state !== undefined) await this.write((state) => state);
    await this.#dropFormerKeys();
  }

  /** Everything lies under the newest keys: what is put here under one of the others is not believed. */
  async #dropFormerKeys(): Promise<void> {
    const { former, renewals } = this.#keys;
    if (former.length === 0) return;
    await this.#dependencies.access.dropFormerKeys(renewals);
    wipeKeys({ ...this.#keys, file: NO_BYTES, journal: NO_BYTES, numbers: NO_BYTES });
    this.#keys = { ...this.#keys, former: [] };
  }

  /** Overwrites the keys. */
  close(): void {
    wipeKeys(this.#keys);
    this.#isBroken = true;
  }

  /** The person can end a connection while no node is there. */
  get #height(): number {
    return this.#chain?.height ?? this.#state?.height ?? 0;
  }

  /** Numbers of orders outlive their lines. */
  async #makeRoom(): Promise<void> {
    const { budgetMs } = this;
    if (this.#journal.countDroppable(budgetMs) === 0)
      throw new CodedError("UNAVAILABLE", "The journal of connections is full: its lines are too young to be dropped");
    await this.#drop(budgetMs);
  }

  async #drop(budgetMs: number, part?: number): Promise<void> {
    await this.write((state) => state);
    await this.#durably(() => this.#journal.dropOldest(budgetMs, part));
  }

  #follow(line: JournalLine, isNew = true): void {
    this.ledger.apply(line);
    if (line.action === "pay" && line.outcome === "committed") this.#paid.push(line);
    if (isNew && this.#clocks !== undefined) this.#clocks = seeClocks(this.#clocks, line.blockMs, line.atMs);
  }

  #clocksToWrite(): ClockReadings {
    const clocks = this.#see();
    if (this.#clocks === undefined || this.#chain === undefined || this.connections.length > 0) return clocks;
    return resumeClocks(clocks, this.#chain.blockTimeMs, this.nowMs);
  }

  #see(): ClockReadings {
    const { clock } = this.#dependencies;
    if (this.#clocks === undefined) return beginClocks(this.#chain?.blockTimeMs ?? 0, clock.nowMs());
    this.#clocks = seeClocks(this.#clocks, this.#clocks.highBlockMs, clock.nowMs());
    return this.#clocks;
  }

  /** Holds what was found to what vault, journal and computer say. The file is written first, so it may be one ahead of the vault. */
  async #compare(vaultGeneration: number): Promise<void> {
    const { access, machine, copies, random } = this.#dependencies;
    const state = this.#state;
    const found = this.#generation;
    this.#generation = Math.max(found, vaultGeneration, this.ledger.generation);
    if (state === undefined) return;
    const isCurrent = found >= this.ledger.generation && (found === vaultGeneration || found === vaultGeneration + 1);
    if (isCurrent && state.machine === machine && !this.#journal.isDamaged && this.#hasAnchor(state)) {
      if (found !== vaultGeneration) await this.#durably(() => access.storeGeneration(found));
      return;
    }
    const resting: AppsStored = {
      ...state,
      machine,
      connections: state.connections.map((entry) => ({ ...entry, isResting: true })),
      journal: null,
    };
    const generation = this.#generation + 1;
    await this.#durably(async () => {
      await new Copies(copies, APPS_FORMAT).update(() => sealApps(this.#keys.file, generation, resting, random));
      [this.#state, this.#generation] = [resting, generation];
      await access.storeGeneration(generation);
    });
    await this.appendChange("rest", resting.connections);
  }

  /** The journal still has the line that was its last when the file was written, or dropped it as an old one. */
  #hasAnchor({ journal: anchor }: AppsStored): boolean {
    if (anchor === null || anchor.n < this.#journal.firstN - 1) return true;
    const hash = this.#journal.hashOf(anchor.n);
    return hash !== undefined && equalBytes(hash, anchor.hash);
  }

  async #durably<T>(task: () => Promise<T>): Promise<T> {
    this.#requireWhole();
    try {
      return await task();
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  /** After a lock the keys are overwritten: nothing may be sealed with them. */
  #requireWhole(): void {
    if (this.#isBroken) throw new CodedError("UNAVAILABLE", "The connections are being read again: try again");
  }
}

function wipeKeys({ file, journal, numbers, former }: AppKeys): void {
  for (const key of [file, journal, numbers, ...former.flatMap((keys) => [keys.file, keys.journal])]) key.fill(0);
}
