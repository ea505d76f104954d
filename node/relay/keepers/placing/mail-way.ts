// Which way mail goes: by gossip, to keepers, or both ways for a day before and after.
import type { KeepersAlone } from "#node/storage/messages/mail-queue.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { MailWays } from "../../intake/outgoing-mail.ts";
import type { KeeperRanks } from "./keeper-ranks.ts";

/** As long as an announcement, ms. */
const BOTH_WAYS_MS = KEEPER_RULES.announcedEpochs * KEEPER_RULES.epochS * 1_000;
/** Nodes forget what they do not keep once keepers have had it alone for so long by block time, s: keepers have filled by then. */
export const FORGET_AFTER_S = 172_800;
/** Between two times of keepers lie at least so many epochs, each with a block: where less has passed, it is the same time, s. */
const SAME_TIME_S = (KEEPER_RULES.startEpochs + KEEPER_RULES.announcedEpochs) * KEEPER_RULES.epochS;
/** A newest directory that is older, or further ahead of this node's clock, says nothing of now, s. */
const LATEST_S = 2 * KEEPER_RULES.epochS;
const AHEAD_S = KEEPER_RULES.delayS;
/** It is written down once in this time that keepers have the mail, ms. */
const NOTE_MS = 60_000;

/** What outlives the program. */
export interface WayMemory {
  /** When keepers had the mail alone, ms since 1970; undefined when never. */
  atKeepersMs: number | undefined;
  /** The latest time in which keepers had the mail alone, by blocks. */
  alone: KeepersAlone | undefined;
}

/** Follows the mode of the directory in force. */
export class MailWay {
  readonly #ranks: Pick<KeeperRanks, "directory" | "newest">;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #memory: WayMemory;
  readonly #onError: (error: unknown) => void;
  /** When it was to be written down last, ms since 1970. */
  #notedMs: number | undefined;

  constructor(
    ranks: Pick<KeeperRanks, "directory" | "newest">,
    clock: Pick<Clock, "nowMs">,
    { memory, onError }: { readonly memory: WayMemory; readonly onError: (error: unknown) => void },
  ) {
    this.#onError = onError;
    this.#ranks = ranks;
    this.#clock = clock;
    this.#memory = memory;
  }

  /** Keepers take mail from the announcement on, and for a day after they had it alone. */
  get now(): MailWays {
    const mode = this.#ranks.directory?.mode.is;
    const sinceMs = this.#sinceMs(mode === "keepers");
    return {
      gossip: mode !== "keepers",
      keepers: mode === "keepers" || mode === "announced" || sinceMs < BOTH_WAYS_MS,
    };
  }

  /** True while mail that went to keepers may be there yet: for so long after they had it, ms. */
  readsKeepers(keptMs: number): boolean {
    return this.now.keepers || this.#sinceMs(false) < keptMs;
  }

  /** True where mail may be at keepers that did not come by gossip: while they have it alone, and for so long after, ms. */
  mayLackMail(keptMs: number): boolean {
    return this.#sinceMs(this.#ranks.directory?.mode.is === "keepers") < keptMs;
  }

  /** True for a day after keepers were given up. */
  get isReturning(): boolean {
    return this.#ranks.directory?.mode.is === "gossip" && this.#sinceMs(false) < BOTH_WAYS_MS;
  }

  /**
   * True once keepers have had the mail alone for so long that nodes may forget what they do not keep. By block time, which no clock moves; a
   * node that is behind its chain does not know what holds now.
   */
  get mayForget(): boolean {
    const { newest, directory } = this.#ranks;
    const { alone } = this.#memory;
    if (alone === undefined || newest?.mode.is !== "keepers" || directory?.mode.is !== "keepers") return false;
    const ageS = this.#clock.nowMs() / 1_000 - newest.beganS;
    return ageS >= -AHEAD_S && ageS <= LATEST_S && newest.beganS - alone.sinceS >= FORGET_AFTER_S;
  }

  /** True where this node was a keeper not long before keepers were given up: it may have mail that those who were left have not. */
  get hasKeptLately(): boolean {
    const { newest } = this.#ranks;
    const keptS = this.#memory.alone?.keptS ?? null;
    return newest?.mode.is === "gossip" && keptS !== null && newest.beganS - keptS < FORGET_AFTER_S;
  }

  /** Another directory is the newest one: notes since when keepers have the mail alone, and that the node of this key is one of them. */
  follow(ownKey: PublicKeyHex): void {
    const { newest } = this.#ranks;
    if (newest?.mode.is !== "keepers") return;
    try {
      this.#noteAlone(newest, ownKey);
    } catch (error) {
      this.#onError(error);
    }
  }

  #noteAlone({ beganS, keepers }: ReadDirectory, ownKey: PublicKeyHex): void {
    const { alone } = this.#memory;
    // A node that was away may have missed that keepers were given up and came back.
    const isSame = alone !== undefined && beganS >= alone.sinceS && beganS - alone.seenS < SAME_TIME_S;
    if (isSame && beganS === alone.seenS) return;
    const keptS = keepers.some(({ key }) => key === ownKey) ? beganS : (alone?.keptS ?? null);
    this.#memory.alone = { sinceS: isSame ? alone.sinceS : beganS, seenS: beganS, keptS };
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
