// Renews the reservation at a relay: the library does not ask again after a relay restarted, so this node does.
import { RELAY_V2_HOP_CODEC } from "@libp2p/circuit-relay-v2";
import type { Libp2p } from "@libp2p/interface";
import type { Log } from "#node/observability/log.ts";
import type { CircuitTransport } from "./circuit-transport.ts";

export interface RelayWatchdogDependencies {
  readonly libp2p: Libp2p;
  readonly circuit: CircuitTransport;
  readonly log: Log;
}

/** Asks one relay after another while the node has no reservation. */
export class RelayWatchdog {
  readonly #dependencies: RelayWatchdogDependencies;
  #isRunning = false;

  constructor(dependencies: RelayWatchdogDependencies) {
    this.#dependencies = dependencies;
  }

  /** Asks when there is no reservation. */
  async check(): Promise<void> {
    const { circuit, libp2p, log } = this.#dependencies;
    if (this.#isRunning || circuit.reservationStore.reservationCount() > 0) return;
    this.#isRunning = true;
    try {
      for (const connection of libp2p.getConnections()) {
        if (!connection.direct) continue;
        const peer = await libp2p.peerStore.get(connection.remotePeer).catch(() => undefined);
        if (peer?.protocols.includes(RELAY_V2_HOP_CODEC) !== true) continue;
        const isReserved = await circuit.reservationStore.addRelay(connection.remotePeer, "discovered").then(
          () => true,
          () => false,
        );
        if (!isReserved) continue;
        log.info({ relay: connection.remotePeer.toString() }, "The node is reachable through a relay");
        return;
      }
    } finally {
      this.#isRunning = false;
    }
  }
}
