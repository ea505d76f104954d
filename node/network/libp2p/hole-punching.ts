// Direct connections between two nodes behind routers (DCUtR over TCP). The library alone cannot make any. It dials from another port
// each time, so the address under which others see it is of no use to anybody, and it ignores it (js-libp2p issue 2620). Here such a
// node dials from one port: what a peer then sees is a way through the router that both can meet on. And its queue of dials forgets
// which of the two that dial each other is to answer, so both would ask, and its muxer never knew; here the transport tells them.
import { once } from "node:events";
import { createServer } from "node:net";
import { type DCUtRServiceComponents, dcutr } from "@libp2p/dcutr";
import type { Connection, IdentifyResult, Transport, TypedEventTarget, Upgrader } from "@libp2p/interface";
import { type TCPComponents, type TCPSocketOptions, tcp } from "@libp2p/tcp";
import type { Multiaddr } from "@multiformats/multiaddr";
import { systemErrorCode } from "#node/config/files/file-errors.ts";

/** Addresses under which peers saw this node lately, that are offered to others. */
const SEEN_ADDRESSES = 4;
/** The port is in use towards this peer: a connection to it has just ended, or the system does not share ports. */
const PORT_TAKEN = ["EADDRINUSE", "EADDRNOTAVAIL"];

/** What identification contains, as far as it is used here. */
type IdentifyEvents = TypedEventTarget<{ "peer:identify": CustomEvent<Pick<IdentifyResult, "connection" | "observedAddr">> }>;

type ConnectionManager = DCUtRServiceComponents["connectionManager"];
type Open = ConnectionManager["openConnection"];

/** Holds the port, and what peers see of it. */
export class HolePunching {
  readonly #port: number;
  readonly #dialled = new WeakSet<Connection>();
  /** Addresses that are being dialled to answer there. */
  readonly #answered = new Set<string>();
  /** Latest last. */
  readonly #seen = new Map<string, Multiaddr>();

  constructor(port: number) {
    this.#port = port;
  }

  /** TCP that dials from the one port where it can. */
  transport(components: TCPComponents, dialOpts: TCPSocketOptions = {}): Transport {
    const transport = tcp({ dialOpts })(components);
    const dial = transport.dial.bind(transport);
    const fromPort = tcp({ dialOpts: { ...dialOpts, localPort: this.#port } as TCPSocketOptions })(components);
    transport.dial = async (address, options): Promise<Connection> => {
      try {
        const isListening = this.#answered.has(endOf(address));
        const connection = await fromPort.dial(address, isListening ? { ...options, upgrader: asListener(options.upgrader) } : options);
        this.#dialled.add(connection);
        return connection;
      } catch (error) {
        if (!PORT_TAKEN.includes(systemErrorCode(error) ?? "")) throw error;
        return await dial(address, options);
      }
    };
    return transport;
  }

  /** The service that meets relayed peers directly. It proposes what peers have seen besides what is known to be reachable. */
  service(components: DCUtRServiceComponents): unknown {
    const { peerStore, registrar, transportManager, logger, addressManager, connectionManager } = components;
    const getAddresses = (): readonly Multiaddr[] => [...addressManager.getAddresses(), ...this.#seen.values()];
    const openConnection: Open = (target, options) => this.#open(connectionManager, target, options);
    return dcutr()({
      peerStore,
      registrar,
      transportManager,
      logger,
      addressManager: Object.create(addressManager, { getAddresses: { value: getAddresses } }),
      connectionManager: Object.create(connectionManager, { openConnection: { value: openConnection } }),
    });
  }

  /** Begins to learn how peers see this node. */
  watch(events: IdentifyEvents): void {
    events.addEventListener("peer:identify", ({ detail: { connection, observedAddr } }) => {
      if (observedAddr !== undefined && this.#dialled.has(connection)) this.#learn(observedAddr);
    });
  }

  async #open(manager: ConnectionManager, target: Parameters<Open>[0], options?: Parameters<Open>[1]): Promise<Connection> {
    const ends = options?.initiator === false && Array.isArray(target) ? target.map(endOf) : [];
    for (const end of ends) this.#answered.add(end);
    try {
      return await manager.openConnection(target, options);
    } finally {
      for (const end of ends) this.#answered.delete(end);
    }
  }

  #learn(address: Multiaddr): void {
    const name = address.toString();
    this.#seen.delete(name);
    this.#seen.set(name, address);
    const oldest = this.#seen.keys().next();
    if (this.#seen.size > SEEN_ADDRESSES && !oldest.done) this.#seen.delete(oldest.value);
  }
}

/** Holes are punched from a port that is free now. */
export async function createHolePunching(): Promise<HolePunching> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return new HolePunching(typeof address === "object" && address !== null ? address.port : 0);
}

/** Lets the other side of a dialled connection ask, as if it had dialled. */
function asListener(upgrader: Upgrader): Upgrader {
  const upgradeOutbound: Upgrader["upgradeOutbound"] = (connection, options) =>
    upgrader.upgradeOutbound(Object.assign(connection, { direction: "inbound" }), { ...options, initiator: false });
  return Object.create(upgrader, { upgradeOutbound: { value: upgradeOutbound } });
}

/** An address without the peer behind it. */
function endOf(address: Multiaddr): string {
  return address.toString().split("/p2p/")[0] ?? "";
}
