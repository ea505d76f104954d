// Repair as a keeper runs it: every few minutes, and soon after keepers changed, it compares each of its slots with the others that have or
// had them, and fetches what it lacks. What others lack they fetch themselves.
import type { Log } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { MailDigest, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Timers } from "#shared/util/clock.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";
import { RestedWork } from "../rested-work.ts";
import type { DigestExchange } from "./digest-exchange.ts";
import { KeptFetcher, type KeptFetcherDependencies } from "./kept-fetcher.ts";
import { planRound, type RankedSlot, rankedSlot, type SlotKeepers } from "./repair-plan.ts";
import { repairSlot } from "./repair-slot.ts";
import type { SlotMail } from "./slot-mail.ts";

export interface MailRepairDependencies extends Omit<KeptFetcherDependencies, "ask" | "limits"> {
  /** Key of this node. */
  readonly ownKey: PublicKeyHex;
  readonly ranks: {
    keepersOfSlot(slot: number): SlotKeepers | undefined;
    /** Changes with the keepers of any slot. */
    readonly version: string;
  };
  /** False while mail goes by gossip alone. */
  readonly isActive: () => boolean;
  readonly slotMail: () => Pick<SlotMail, "digest" | "copy">;
  /** Asks a keeper. @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  readonly limits?: KeeperLimits;
  readonly timers: Timers;
  readonly log: Log;
  /** False for keepers that dropped what they had signed for: a stand-in fills their place. */
  readonly counts: (keeper: PublicKeyHex) => boolean;
  /** Has keepers sign what they have of slots that both have. */
  readonly digests?: Pick<DigestExchange, "compare"> | undefined;
}

/** What repair has done since the start. */
export interface RepairFigures {
  readonly rounds: number;
  /** Envelopes that were fetched and stored. */
  readonly fetched: number;
}

/** Slots of one request for digests. */
const SLOTS_PER_REQUEST = 256;

/** Repairs. {@link MailRepair.start} begins, and {@link MailRepair.close} ends it. */
export class MailRepair {
  readonly #dependencies: MailRepairDependencies;
  readonly #limits: KeeperLimits;
  readonly #fetcher: KeptFetcher;
  readonly #aborter = new AbortController();
  readonly #work: RestedWork;
  /** Keepers that did not answer when they were asked last. */
  readonly #unreached = new Set<PublicKeyHex>();
  /** Keepers whose last turn was over before all was compared, the one that had its turn longest ago first. */
  readonly #slow = new Set<PublicKeyHex>();
  #turnEndsAtMs = Number.POSITIVE_INFINITY;
  /** Until when those that lied are not asked, ms. */
  readonly #liars = new Map<PublicKeyHex, number>();
  #slots: { readonly version: string; readonly ranked: readonly RankedSlot[] } | undefined;
  #rounds = 0;
  #isRunning = false;
  #cancel: (() => void) | undefined;

  constructor(dependencies: MailRepairDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? KEEPER_LIMITS;
    const { clock, timers } = dependencies;
    this.#work = new RestedWork({ clock, timers, signal: this.#aborter.signal });
    this.#fetcher = new KeptFetcher({ ...dependencies, limits: this.#limits, ask: this.#ask.bind(this) });
  }

  get figures(): RepairFigures {
    return { rounds: this.#rounds, fetched: this.#fetcher.stored };
  }

  start(): void {
    this.#schedule(this.#limits.firstRepairMs);
  }

  /** Keepers are others now: a round begins in a moment. */
  onDirectory(): void {
    if (!this.#isRunning) this.#schedule(this.#limits.firstRepairMs);
  }

  close(): void {
    this.#aborter.abort();
    this.#cancel?.();
  }

  #schedule(delayMs: number): void {
    if (this.#aborter.signal.aborted) return;
    this.#cancel?.();
    this.#cancel = this.#dependencies.timers.setTimer(delayMs, () => void this.#run());
  }

  async #run(): Promise<void> {
    const { isActive, log, ranks } = this.#dependencies;
    this.#isRunning = true;
    const { version } = ranks;
    try {
      if (isActive()) await this.#round();
    } catch (error) {
      if (!this.#aborter.signal.aborted) log.error({ err: error }, "Mail could not be compared with other keepers");
    } finally {
      this.#isRunning = false;
      this.#schedule(ranks.version === version ? this.#limits.repairMs : this.#limits.firstRepairMs);
    }
  }

  async #round(): Promise<void> {
    const slots = await this.#rankedSlots();
    const plan = planRound(slots, (keeper) => !this.#unreached.has(keeper) && this.#dependencies.counts(keeper));
    for (const some of [this.#unreached, this.#slow]) for (const keeper of some) if (!plan.has(keeper)) some.delete(keeper);
    const slow = [...this.#slow];
    for (const keeper of plan.keys()) if (!slow.includes(keeper)) await this.#takeTurn(keeper, plan.get(keeper) ?? []);
    // Together they have as long as a round is away: they cannot keep the others from the next one.
    const endsAtMs = this.#dependencies.clock.monotonicMs() + this.#limits.repairMs;
    for (const keeper of slow) if (this.#dependencies.clock.monotonicMs() < endsAtMs) await this.#takeTurn(keeper, plan.get(keeper) ?? []);
    if (!this.#aborter.signal.aborted) this.#rounds += 1;
  }

  /** Compares with a keeper as long as its turn lasts. */
  async #takeTurn(keeper: PublicKeyHex, slots: readonly number[]): Promise<void> {
    if (this.#aborter.signal.aborted || this.#isLiar(keeper)) return;
    const { clock, log } = this.#dependencies;
    this.#turnEndsAtMs = clock.monotonicMs() + this.#limits.turnMs;
    this.#slow.delete(keeper);
    try {
      await this.#repairWith(keeper, slots);
      this.#unreached.delete(keeper);
      await this.#compareDigests(keeper, slots);
    } catch (error) {
      (clock.monotonicMs() >= this.#turnEndsAtMs ? this.#slow : this.#unreached).add(keeper);
      log.debug({ err: error, keeper }, "A keeper could not be compared with");
    }
  }

  /** Keepers of earlier versions sign nothing, and lose nothing by it. */
  async #compareDigests(keeper: PublicKeyHex, slots: readonly number[]): Promise<void> {
    const { digests, log } = this.#dependencies;
    try {
      await digests?.compare(keeper, slots, (request) => this.#ask(keeper, request));
    } catch (error) {
      log.debug({ err: error, keeper }, "A keeper has signed no digests");
    }
  }

  async #repairWith(keeper: PublicKeyHex, slots: readonly number[]): Promise<void> {
    for (let at = 0; at < slots.length; at += SLOTS_PER_REQUEST) {
      const asked = slots.slice(at, at + SLOTS_PER_REQUEST);
      const response = await this.#ask(keeper, { type: "digest", slots: asked });
      // Its directory is another one for now.
      if (response.type !== "digests") return;
      for (const slot of await this.#differing(asked, response.digests)) {
        if (this.#aborter.signal.aborted) return;
        const own = this.#dependencies.slotMail().copy(slot);
        const outcome = await repairSlot({ own, slot, keeper, limits: this.#limits, ask: this.#ask.bind(this), fetcher: this.#fetcher });
        if (outcome !== "lie") continue;
        this.#liars.set(keeper, this.#dependencies.clock.monotonicMs() + this.#limits.liarPauseMs);
        this.#dependencies.log.warn({ keeper, slot }, "A keeper says of its mail what cannot be true");
        return;
      }
    }
  }

  /** Slots of which the other side may have something that this node lacks. */
  async #differing(slots: readonly number[], digests: readonly (MailDigest | null)[]): Promise<readonly number[]> {
    const differing: number[] = [];
    this.#work.begin();
    for (const [at, slot] of slots.entries()) {
      await this.#work.pace();
      const theirs = digests[at];
      if (theirs === undefined || theirs === null || theirs.count === 0) continue;
      if (theirs.fingerprint !== this.#dependencies.slotMail().digest(slot).fingerprint) differing.push(slot);
    }
    return differing;
  }

  async #rankedSlots(): Promise<readonly RankedSlot[]> {
    const { ranks, ownKey } = this.#dependencies;
    const { version } = ranks;
    if (this.#slots?.version === version) return this.#slots.ranked;
    const ranked: RankedSlot[] = [];
    this.#work.begin();
    for (let slot = 0; slot < KEEPER_RULES.slots; slot += 1) {
      await this.#work.pace();
      const keepers = ranks.keepersOfSlot(slot);
      const found = keepers && rankedSlot(slot, keepers, ownKey);
      if (found !== undefined) ranked.push(found);
    }
    this.#slots = { version, ranked };
    return ranked;
  }

  #isLiar(keeper: PublicKeyHex): boolean {
    const untilMs = this.#liars.get(keeper);
    if (untilMs === undefined) return false;
    if (this.#dependencies.clock.monotonicMs() < untilMs) return true;
    this.#liars.delete(keeper);
    return false;
  }

  /** Asks, and rests by the time that it took. @throws CodedError UPSTREAM_FAILED */
  async #ask(keeper: PublicKeyHex, request: MailRequest): Promise<MailResponse> {
    const { ask, clock } = this.#dependencies;
    const beganMs = clock.monotonicMs();
    if (beganMs >= this.#turnEndsAtMs) throw new CodedError("UPSTREAM_FAILED", "The keeper's turn is over");
    const signal = AbortSignal.any([this.#aborter.signal, AbortSignal.timeout(this.#limits.requestMs)]);
    const response = await ask(keeper, request, signal);
    await this.#work.rest((clock.monotonicMs() - beganMs) * this.#limits.repairRestShare);
    return response;
  }
}
