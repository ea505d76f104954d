// Reports a fork to full nodes: they know who voted for which block of their chain, and punish those who contradicted themselves.
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import type { LightRequester } from "./network-light-peers.ts";

/** How often those that have not accepted the report are sent it again, ms: peers connect, and chains come to that height. */
export const FORK_REPORT_MS = 30_000;
/** How often it is sent at most. */
const MAX_ROUNDS = 240;

export interface ForkReportsDependencies {
  readonly peers: Pick<LightRequester, "peers" | "ask">;
  readonly timers: Timers;
  readonly log: Pick<Log, "warn" | "info">;
}

/** The two blocks of a fork. */
export interface ReportedFork {
  readonly first: LightBlock;
  readonly second: LightBlock;
}

/** Sends one fork to every peer until it is accepted. */
export class ForkReports {
  readonly #dependencies: ForkReportsDependencies;
  readonly #stopping = new AbortController();
  readonly #accepted = new Set<PeerName>();
  #fork: ReportedFork | undefined;
  #rounds = 0;
  #cancel: CancelTimer | undefined;

  constructor(dependencies: ForkReportsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Begins to report; a node has one fork at a time. */
  report(fork: ReportedFork): void {
    if (this.#fork !== undefined || this.#stopping.signal.aborted) return;
    this.#fork = fork;
    this.#send();
  }

  stop(): void {
    this.#stopping.abort();
    this.#cancel?.();
  }

  #send(): void {
    const { peers, timers } = this.#dependencies;
    this.#rounds += 1;
    for (const { name } of peers.peers()) if (!this.#accepted.has(name)) void this.#sendTo(name);
    if (this.#rounds < MAX_ROUNDS) this.#cancel = timers.setTimer(FORK_REPORT_MS, () => this.#send());
  }

  async #sendTo(peer: PeerName): Promise<void> {
    if (this.#fork === undefined) return;
    const { first, second } = this.#fork;
    try {
      const request = { kind: "fork", first: blockOf(first), second: blockOf(second) } as const;
      const { kind } = await this.#dependencies.peers.ask(peer, request, this.#stopping.signal);
      if (kind !== "accepted") return;
      this.#accepted.add(peer);
      this.#dependencies.log.warn({ peer }, "A peer reports the validators that signed both blocks of the fork");
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#dependencies.log.info({ err: error, peer }, "The fork could not be reported to a peer yet");
    }
  }
}

/** Without what the node knows of a block beside its parts. */
function blockOf({ header, commit, validators }: LightBlock): LightBlock {
  return { header, commit, validators };
}
