// A light node among others: it carries mailboxes like every node, and of the chain it learns how far others are.

import type { ProposalUse } from "#node/engine/engine-interface.ts";
import type {
  ChainStatus,
  EncodedFinalBlock,
  EncodedRequest,
  NetworkFigures,
  NetworkHandlers,
  PeerName,
  PeerNetwork,
  PeerOffence,
  PeerView,
  ValidationResult,
} from "#node/network/peer-network.ts";
import type { RelayNetwork } from "#node/relay/relay-network.ts";
import type { PeerInfo } from "#shared/api/schemas/discovery.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { createNetwork } from "./create-network.ts";
import { type NetworkDependencies, networkOptions } from "./network-dependencies.ts";
import { peerInfo } from "./peer-info.ts";

/** What the network is wired to. */
export interface LightNetworkDependencies extends NetworkDependencies {
  readonly relay: RelayNetwork;
}

/** What the network asks and reports of the chain. */
export interface LightListener {
  tip(): TrustedBlock;
  /** A peer reported how far it is. */
  onStatus(peer: PeerName): void;
}

/** The other nodes, as a light one sees them. Before the start and after the end there are none. */
export class LightNetwork implements Pick<PeerNetwork, "peers" | "requestLight" | "requestSnapshot" | "report"> {
  readonly #dependencies: LightNetworkDependencies;
  #network: PeerNetwork | null = null;
  #unsubscribe: () => void = () => undefined;

  constructor(dependencies: LightNetworkDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws CodedError when an address is wrong or taken. */
  async start(listener: LightListener): Promise<void> {
    const options = await networkOptions(this.#dependencies);
    this.#network = await createNetwork({ ...options, role: "light" }, this.#handlers(listener));
    this.#unsubscribe = this.#dependencies.relay.attach(this.#network);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    const network = this.#network;
    this.#network = null;
    await network?.stop();
  }

  /** Connected peers. */
  list(): readonly PeerInfo[] {
    const nowMs = this.#dependencies.clock.nowMs();
    return this.peers().map((peer) => peerInfo(peer, nowMs));
  }

  figures(): NetworkFigures | undefined {
    return this.#network?.figures();
  }

  /** Addresses at which others can dial this node. */
  addresses(): readonly string[] {
    return this.#network?.addresses() ?? [];
  }

  peers(): readonly PeerView[] {
    return this.#network?.peers() ?? [];
  }

  async requestLight(peer: PeerName, request: EncodedRequest, signal: AbortSignal): Promise<Uint8Array> {
    if (this.#network === null) throw new CodedError("UNAVAILABLE", "The network does not run");
    return await this.#network.requestLight(peer, request, signal);
  }

  async requestSnapshot(peer: PeerName, request: EncodedRequest, signal: AbortSignal): Promise<Uint8Array> {
    if (this.#network === null) throw new CodedError("UNAVAILABLE", "The network does not run");
    return await this.#network.requestSnapshot(peer, request, signal);
  }

  report(peer: PeerName, offence: PeerOffence): void {
    this.#network?.report(peer, offence);
  }

  #handlers(listener: LightListener): NetworkHandlers {
    const ignore = (): Promise<ValidationResult> => Promise.resolve("ignore");
    return {
      // In the role of a light node nothing of the chain is subscribed to.
      transactions: ignore,
      block: ignore,
      pending: (): undefined => undefined,
      proposalUse: (): ProposalUse => "none",
      consensus: (): void => undefined,
      status: (_status, from): void => listener.onStatus(from),
      disconnected: (): void => undefined,
      ownStatus: (): ChainStatus => {
        const { header, hash } = listener.tip();
        // Two above, so that no peer takes it for a full node whose first block is still to come.
        return { height: header.height, tipHash: hash, firstHeight: header.height + 2 };
      },
      blocks: (): readonly EncodedFinalBlock[] => [],
      ...this.#dependencies.relay.handlers,
    };
  }
}
