// Which way mail goes: by gossip, to keepers, or both ways for a day before and after.
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { MailWays } from "../../intake/outgoing-mail.ts";
import type { KeeperRanks } from "./keeper-ranks.ts";

/** As long as an announcement, ms. */
const BOTH_WAYS_MS = KEEPER_RULES.announcedEpochs * KEEPER_RULES.epochS * 1_000;
/** It is written down once in this time that keepers have the mail, ms. */
const NOTE_MS = 60_000;

/** How mail goes once keepers are there. */
export interface WayOptions {
  /** False while gossip goes on beside keepers: what only gossip brings to some would not reach them otherwise. */
  readonly endsGossip: boolean;
}

/** What outlives the program. */
export interface WayMemory {
  /** When keepers had the mail alone, ms since 1970; undefined when never. */
  atKeepersMs: number | undefined;
}

/** Follows the mode of the directory in force. */
export class MailWay {
  readonly #ranks: Pick<KeeperRanks, "directory">;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #memory: WayMemory;
  readonly #endsGossip: boolean;
  readonly #onError: (error: unknown) => void;
  /** When it was to be written down last, ms since 1970. */
  #notedMs: number | undefined;

  constructor(
    ranks: Pick<KeeperRanks, "directory">,
    clock: Pick<Clock, "nowMs">,
    { memory, endsGossip, onError }: WayOptions & { readonly memory: WayMemory; readonly onError: (error: unknown) => void },
  ) {
    this.#onError = onError;
    this.#endsGossip = endsGossip;
    this.#ranks = ranks;
    this.#clock = clock;
    this.#memory = memory;
  }

  /** Keepers take mail from the announcement on, and for a day after they had it alone. */
  get now(): MailWays {
    const mode = this.#ranks.directory?.mode.is;
    const sinceMs = this.#sinceMs(mode === "keepers");
    return {
      gossip: mode !== "keepers" || !this.#endsGossip,
      keepers: mode === "keepers" || mode === "announced" || sinceMs < BOTH_WAYS_MS,
    };
  }

  /** True while mail that went to keepers may be there yet: for so long after they had it, ms. */
  readsKeepers(keptMs: number): boolean {
    return this.now.keepers || this.#sinceMs(false) < keptMs;
  }

  /** True where mail may be at keepers that did not come by gossip: while they have it alone, and for so long after, ms. */
  mayLackMail(keptMs: number): boolean {
    if (!this.#endsGossip) return false;
    return this.#sinceMs(this.#ranks.directory?.mode.is === "keepers") < keptMs;
  }

  /** True for a day after keepers were given up. */
  get isReturning(): boolean {
    return this.#endsGossip && this.#ranks.directory?.mode.is === "gossip" && this.#sinceMs(false) < BOTH_WAYS_MS;
  }

  /** Time since keepers had the mail alone, ms. */
  #sinceMs(isNow: boolean): number {
    const nowMs = this.#clock.nowMs();
    if (isNow) {
      this.#note(nowMs);
      return 0;
    }
    const { atKeepersMs } = this.#memory;
    return atKeepersMs === undefined ? Number.POSITIVE_INFINITY : nowMs - atKeepersMs;
  }

  /** A disk that fails must not end the mail that asks for its way. */
  #note(nowMs: number): void {
    const memory = this.#memory;
    const sinceMs = nowMs - (this.#notedMs ?? memory.atKeepersMs ?? Number.NEGATIVE_INFINITY);
    // A clock that was set back may have left a time to come.
    if (sinceMs >= 0 && sinceMs < NOTE_MS) return;
    this.#notedMs = nowMs;
    try {
      memory.atKeepersMs = nowMs;
    } catch (error) {
      this.#onError(error);
    }
  }
}
