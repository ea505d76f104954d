// The transport through relays, which takes connections only from relays that this node has asked for a place. The library takes them from
// any peer, and asks that peer for a place as well: one address could then bring any number of peer ids, none of which has an address.
import { type CircuitRelayTransportComponents, circuitRelayTransport, RELAY_V2_STOP_CODEC } from "@libp2p/circuit-relay-v2";
import type { Connection, PeerId, Stream, Transport } from "@libp2p/interface";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { dropStream } from "../wire/frames.ts";

/** The part of the library's transport that this node uses besides. */
export interface CircuitTransport {
  readonly reservationStore: {
    reservationCount(): number;
    addRelay(peer: unknown, type: "discovered"): Promise<unknown>;
  };
}

interface Reservations {
  readonly reservationStore: { hasReservation(relay: PeerId): boolean };
}

type Registrar = CircuitRelayTransportComponents["registrar"];

/** The transport. */
export function createCircuitTransport(components: CircuitRelayTransportComponents): Transport & CircuitTransport {
  const { registrar } = components;
  const handle: Registrar["handle"] = (protocol, handler, options) => {
    if (protocol !== RELAY_V2_STOP_CODEC) return registrar.handle(protocol, handler, options);
    // The library takes care of a promise that is rejected when the stream ends.
    const respond = async (stream: Stream, connection: Connection): Promise<void> => {
      if (transport.reservationStore.hasReservation(connection.remotePeer)) await handler(stream, connection);
      else dropStream(stream, "The peer is no relay of this node");
    };
    return registrar.handle(protocol, respond, options);
  };
  const guarded = Object.create(components, {
    registrar: { value: Object.create(registrar, { handle: { value: handle } }) },
  }) as CircuitRelayTransportComponents;
  const transport = circuitRelayTransport({ reservationCompletionTimeout: NETWORK_LIMITS.dialTimeoutMs })(guarded) as Transport &
    CircuitTransport &
    Reservations;
  return transport;
}
