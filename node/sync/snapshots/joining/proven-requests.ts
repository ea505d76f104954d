// Requests that any peer can answer: one after the other is asked until a response is proven. A false one is a lie.
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Timers } from "#shared/util/clock.ts";
import { SNAPSHOT_LIMITS } from "../snapshot-limits.ts";
import type { SnapshotRequest, SnapshotResponse } from "../wire/snapshot-messages.ts";
import type { SnapshotPeers } from "./snapshot-peers.ts";

export interface ProvenRequestsDependencies {
  readonly peers: Pick<SnapshotPeers, "names" | "ask" | "report">;
  readonly timers: Timers;
  readonly log: Pick<Log, "warn">;
}

/** What is proven of a response; else, as text, why it is false. */
export type ProvenOrReason<T> = { readonly value: T } | string;

/** Asks peers in turns. */
export class ProvenRequests {
  readonly #dependencies: ProvenRequestsDependencies;
  readonly #liars = new Set<PeerName>();
  #turn = 0;

  constructor(dependencies: ProvenRequestsDependencies) {
    this.#dependencies = dependencies;
  }

  /** What `check` finds proven in a response of the kind. @throws CodedError UPSTREAM_FAILED when no peer has it, or the signal ends it */
  async first<K extends SnapshotResponse["kind"], T>(
    request: SnapshotRequest,
    { kind, check }: { readonly kind: K; readonly check: (response: Extract<SnapshotResponse, { readonly kind: K }>) => ProvenOrReason<T> },
    signal: AbortSignal,
  ): Promise<T> {
    for (let round = 0; round < SNAPSHOT_LIMITS.requestRounds && !signal.aborted; round += 1) {
      for (const peer of this.#inTurn()) {
        const response = await this.#ask(peer, request, signal);
        if (response?.kind !== kind) continue;
        const checked = check(response as Extract<SnapshotResponse, { readonly kind: K }>);
        if (typeof checked !== "string") return checked.value;
        this.#liars.add(peer);
        this.#dependencies.log.warn({ peer, reason: checked }, "A peer sent a part of the chain that is not proven");
        this.#dependencies.peers.report(peer, "lie");
      }
      await this.#pause(signal);
    }
    throw new CodedError("UPSTREAM_FAILED", "No connected node has served what a joining node needs beside the state");
  }

  async #ask(peer: PeerName, request: SnapshotRequest, signal: AbortSignal): Promise<SnapshotResponse | undefined> {
    try {
      return await this.#dependencies.peers.ask(peer, request, signal);
    } catch (error) {
      if (isCodedError(error)) return undefined;
      throw error;
    }
  }

  #inTurn(): readonly PeerName[] {
    const names = this.#dependencies.peers.names().filter((name) => !this.#liars.has(name));
    this.#turn += 1;
    const first = names.length === 0 ? 0 : this.#turn % names.length;
    return [...names.slice(first), ...names.slice(0, first)];
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#dependencies.timers.setTimer(SNAPSHOT_LIMITS.peersMs, resolve);
      const end = (): void => {
        cancel();
        resolve();
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  }
}
