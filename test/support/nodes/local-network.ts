// What a test of discovery needs of the local network: whether multicast works here, and a response of a neighbour by hand.
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

const GROUP = "224.0.0.251";
const MDNS_PORT = 5_353;
const [PTR, TXT, IN] = [12, 16, 1];
/** A response, authoritative. */
const RESPONSE = 0x84_00;
const LIFETIME_S = 120;
const PROBE_MS = 2_000;

/** True when what this machine sends to the group of multicast DNS comes back to it. */
export async function hasMulticast(): Promise<boolean> {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  try {
    socket.bind(0);
    await once(socket, "listening");
    socket.addMembership(GROUP);
    const received = once(socket, "message", { signal: AbortSignal.timeout(PROBE_MS) });
    await Promise.all([received, send(socket, Buffer.from("probe"), { host: GROUP, port: socket.address().port })]);
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}

/** Tells the nodes of this machine, by plain UDP, that a neighbour with this address offers a service. */
export async function respondAsNeighbour(service: string, address: string): Promise<void> {
  const socket = createSocket("udp4");
  try {
    await send(socket, neighbourResponse(service, address), { host: "127.0.0.1", port: MDNS_PORT });
  } finally {
    socket.close();
  }
}

/** The packet of a neighbour that answers a request for a service (RFC 6762, 6763). */
export function neighbourResponse(service: string, address: string): Buffer {
  const instance = `neighbour.${service}`;
  const head = Buffer.alloc(12);
  head.writeUInt16BE(RESPONSE, 2);
  head.writeUInt16BE(2, 6);
  const text = Buffer.from(`dnsaddr=${address}`);
  return Buffer.concat([head, record(service, PTR, nameBytes(instance)), record(instance, TXT, Buffer.from([text.length, ...text]))]);
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(IN, 2);
  fields.writeUInt32BE(LIFETIME_S, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), fields, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

function send(socket: Socket, packet: Buffer, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.send(packet, port, host, (error) => (error === null ? resolve() : reject(error)));
  return promise;
}
