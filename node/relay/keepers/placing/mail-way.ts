// Which way mail goes: by gossip, to keepers, or both ways for a day before and after.
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { MailWays } from "../../intake/outgoing-mail.ts";
import type { KeeperRanks } from "./keeper-ranks.ts";

/** As long as an announcement, ms. */
const BOTH_WAYS_MS = KEEPER_RULES.announcedEpochs * KEEPER_RULES.epochS * 1_000;

/** Follows the mode of the directory in force. */
export class MailWay {
  readonly #ranks: Pick<KeeperRanks, "directory">;
  readonly #clock: Pick<Clock, "nowMs">;
  /** When keepers were seen to have the mail last, ms. */
  #atKeepersMs = Number.NEGATIVE_INFINITY;

  constructor(ranks: Pick<KeeperRanks, "directory">, clock: Pick<Clock, "nowMs">) {
    this.#ranks = ranks;
    this.#clock = clock;
  }

  /** Keepers take mail from the announcement on, and for a day after they had it alone. */
  get now(): MailWays {
    const mode = this.#ranks.directory?.mode.is;
    const nowMs = this.#clock.nowMs();
    if (mode === "keepers") this.#atKeepersMs = nowMs;
    const isBack = mode !== undefined && nowMs - this.#atKeepersMs < BOTH_WAYS_MS;
    return { gossip: mode !== "keepers", keepers: mode === "keepers" || mode === "announced" || isBack };
  }
}
