// Sockets of a relay of calls: one for all clients over UDP, a listener over TCP at the same port, and one of each allocation.
import { randomInt } from "node:crypto";
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { type Socket as Connection, createServer, type Server } from "node:net";
import { hostOf, parseIp } from "../../addresses/ip-address.ts";
import { CALL_RELAY_LIMITS } from "../rules/call-relay-limits.ts";
import { endpointKey, plainAddress } from "../rules/peer-rules.ts";
import { StreamFrames } from "../wire/stream-frames.ts";
import { padded } from "../wire/stun-message.ts";
import type { Endpoint } from "../wire/stun-values.ts";
import type { RelayClient, RelaySocket } from "./allocation.ts";
import type { RelayRequests } from "./requests.ts";

/** Ports that are tried before none counts as free. */
const TRIES = 16;

type Served = Pick<RelayRequests, "receive" | "gone" | "hasAllocation">;

/** Where clients are listened to. */
export interface ClientListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Binds UDP and TCP at one port; 0 takes one that is free for both. @throws the system's error */
export async function listenForClients(place: Endpoint, requests: Served): Promise<ClientListener> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await listenOnce(place, requests);
    } catch (error) {
      if (place.port !== 0 || attempt === TRIES) throw error;
    }
}

async function listenOnce({ address, port }: Endpoint, requests: Served): Promise<ClientListener> {
  const udp = createSocket("udp4");
  udp.on("message", (bytes, info) => {
    if (bytes.length <= CALL_RELAY_LIMITS.packetBytes && info.port !== 0) requests.receive(datagramClient(udp, info), bytes);
  });
  await bound(udp, address, port);
  const listened = udp.address().port;
  const connections = new Connections(requests);
  const tcp = createServer({ noDelay: true }, (connection) => connections.take(connection));
  try {
    await listening(tcp, address, listened);
  } catch (error) {
    udp.close();
    throw error;
  }
  for (const socket of [udp, tcp]) socket.on("error", () => undefined);
  return {
    port: listened,
    close: async (): Promise<void> => {
      connections.close();
      await Promise.all([new Promise<void>((done) => tcp.close(() => done())), new Promise<void>((done) => udp.close(done))]);
    },
  };
}

/** Opens the socket of an allocation at a random free port of the range; undefined where none was found. */
export async function openRelaySocket(
  { address, firstPort, lastPort }: { readonly address: string; readonly firstPort: number; readonly lastPort: number },
  onPacket: (bytes: Buffer, source: Endpoint) => void,
): Promise<RelaySocket | undefined> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const port = randomInt(firstPort, lastPort + 1);
    const socket = createSocket("udp4");
    try {
      await bound(socket, address, port);
    } catch {
      socket.close();
      continue;
    }
    // That another side is gone comes as an error of its packets.
    socket.on("error", () => undefined);
    socket.on("message", (bytes, info) => onPacket(bytes, info));
    return {
      port,
      send: (bytes, to): void => socket.send(bytes, to.port, to.address, () => undefined),
      close: (): void => void socket.close(),
    };
  }
  return undefined;
}

function datagramClient(socket: Socket, { address, port }: RemoteInfo): RelayClient {
  const source = { address, port };
  return {
    key: `udp ${endpointKey(source)}`,
    source,
    party: partyOf(address),
    send: (bytes): void => socket.send(bytes, port, address, () => undefined),
  };
}

function partyOf(address: string): string {
  const ip = parseIp(address);
  return ip === undefined ? address : hostOf(ip);
}

/** Clients over TCP. */
class Connections {
  readonly #requests: Served;
  readonly #open = new Map<Connection, string>();

  constructor(requests: Served) {
    this.#requests = requests;
  }

  take(connection: Connection): void {
    const source = { address: plainAddress(connection.remoteAddress ?? ""), port: connection.remotePort ?? 0 };
    const party = partyOf(source.address);
    const ofParty = [...this.#open.values()].filter((other) => other === party).length;
    const { connections, connectionsPerAddress, waitingBytes, idleS } = CALL_RELAY_LIMITS;
    if (this.#open.size >= connections || ofParty >= connectionsPerAddress || source.port === 0) {
      connection.destroy();
      return;
    }
    this.#open.set(connection, party);
    const client: RelayClient = {
      key: `tcp ${endpointKey(source)}`,
      source,
      party,
      send: (bytes): void => {
        if (connection.writableLength <= waitingBytes && connection.writable) connection.write(filledUp(bytes));
      },
    };
    const frames = new StreamFrames();
    const look = setInterval(() => {
      if (!this.#requests.hasAllocation(client)) connection.destroy();
    }, idleS * 1_000);
    connection.on("error", () => connection.destroy());
    connection.on("close", () => {
      clearInterval(look);
      this.#open.delete(connection);
      this.#requests.gone(client);
    });
    connection.on("data", (chunk) => {
      try {
        for (const frame of frames.take(chunk)) this.#requests.receive(client, frame);
      } catch {
        connection.destroy();
      }
    });
  }

  close(): void {
    for (const connection of this.#open.keys()) connection.destroy();
  }
}

/** Over a stream data of a channel is filled up as messages are. */
function filledUp(bytes: Buffer): Buffer {
  const missing = padded(bytes.length) - bytes.length;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

function bound(socket: Socket, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(port, address, () => {
      socket.off("error", reject);
      resolve();
    });
  });
}

function listening(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
