// Which keepers' receipts count at this node, remembered over restarts.
import type { DoubtStore } from "#node/storage/messages/doubt-store.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import { countsReceipts, type DoubtedKeepers, doubtKeeper, type Finding } from "./doubted-keepers.ts";

type Keepers = readonly { readonly key: PublicKeyHex }[];

export interface KeeperDoubtsDependencies {
  readonly memory: Pick<DoubtStore, "doubts">;
  /** Keepers of the directory to ask by; undefined where there is none. */
  readonly keepers: () => Keepers | undefined;
  readonly limits: KeeperLimits;
  readonly clock: Pick<Clock, "nowMs">;
  readonly onError: (error: unknown) => void;
}

/** What was found. */
export class KeeperDoubts {
  readonly #dependencies: KeeperDoubtsDependencies;
  #doubts: DoubtedKeepers;
  /** Those of a directory that are doubted at all, whatever the time. */
  #counted: { readonly keepers: Keepers | undefined; readonly doubts: DoubtedKeepers; readonly doubted: ReadonlySet<string> } | undefined;

  constructor(dependencies: KeeperDoubtsDependencies) {
    this.#dependencies = dependencies;
    const nowMs = dependencies.clock.nowMs();
    // A clock that was set back may have left times to come.
    this.#doubts = new Map(dependencies.memory.doubts.map(({ keeper, score, atMs }) => [keeper, { score, atMs: Math.min(atMs, nowMs) }]));
  }

  /** Keepers whose receipts do not count now. */
  get doubted(): readonly PublicKeyHex[] {
    return [...this.#doubts.keys()].filter((keeper) => !this.counts(keeper));
  }

  /** True when a keeper's receipts count here. */
  counts(keeper: PublicKeyHex): boolean {
    const { clock, limits } = this.#dependencies;
    return countsReceipts(this.#doubts, keeper, clock.nowMs(), limits) || !this.#most().has(keeper);
  }

  /** A keeper lacks what it has signed for. */
  add(finding: Finding): void {
    const { memory, clock, limits, onError } = this.#dependencies;
    const doubts = doubtKeeper(this.#doubts, finding, clock.nowMs(), limits);
    if (doubts === this.#doubts) return;
    this.#doubts = doubts;
    try {
      memory.doubts = [...doubts].map(([keeper, { score, atMs }]) => ({ keeper, score, atMs }));
    } catch (error) {
      onError(error);
    }
  }

  /** As many as may be doubted of those in the directory, the newest ones. */
  #most(): ReadonlySet<string> {
    const keepers = this.#dependencies.keepers();
    const known = this.#counted;
    if (known !== undefined && known.keepers === keepers && known.doubts === this.#doubts) return known.doubted;
    const { doubtScore, doubtedShare } = this.#dependencies.limits;
    const keys = new Set(keepers?.map(({ key }) => key));
    const found = [...this.#doubts].filter(([keeper, { score }]) => score >= doubtScore && keys.has(keeper)).map(([keeper]) => keeper);
    const most = Math.floor(keys.size / doubtedShare);
    const doubted = new Set(most === 0 ? [] : found.slice(-most));
    this.#counted = { keepers, doubts: this.#doubts, doubted };
    return doubted;
  }
}
