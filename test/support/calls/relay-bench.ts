// A relay of calls without sockets: clients and other sides are lists of what was sent to them, and the test moves the clock.
import { type IssuedCredential, issueCredential } from "#node/network/calls/rules/credentials.ts";
import { PeerRules } from "#node/network/calls/rules/peer-rules.ts";
import type { RelayClient, RelaySocket } from "#node/network/calls/serving/allocation.ts";
import { RelayRequests } from "#node/network/calls/serving/requests.ts";
import type { RelayDay } from "#node/network/calls/serving/traffic.ts";
import type { Endpoint } from "#node/network/calls/wire/stun-values.ts";
import { OVER_UDP, REQUESTS, readAnswer, type TurnAnswer, type TurnRequest, turnRequest } from "./turn-client.ts";

/** Address of the relay, of which other machines know. */
export const RELAY_ADDRESS = "45.33.0.1";
const SECRET = new Uint8Array(32).fill(9);

/** A socket of an allocation. */
export interface BenchSocket {
  readonly port: number;
  readonly sent: { readonly bytes: Buffer; readonly to: Endpoint }[];
  isClosed: boolean;
  arrive(bytes: Buffer, source: Endpoint): void;
}

export interface BenchOptions {
  readonly allowsPrivate?: boolean;
  readonly dailyBytes?: number;
  readonly day?: RelayDay;
  readonly own?: readonly string[];
}

export class RelayBench {
  nowMs = 1_000_000;
  readonly startSec = 1_800_000_000;
  readonly sockets: BenchSocket[] = [];
  readonly requests: RelayRequests;
  hasPorts = true;
  #ids = 0;

  constructor({ allowsPrivate = false, dailyBytes = 1e12, day, own = ["45.33.0.99"] }: BenchOptions = {}) {
    this.requests = new RelayRequests({
      secret: SECRET,
      address: RELAY_ADDRESS,
      dailyBytes,
      ...(day && { day }),
      rules: new PeerRules(allowsPrivate, RELAY_ADDRESS, () => own),
      openSocket: (onPacket): Promise<RelaySocket | undefined> => {
        if (!this.hasPorts) return Promise.resolve(undefined);
        const socket: BenchSocket = { port: 50_000 + this.sockets.length, sent: [], isClosed: false, arrive: onPacket };
        this.sockets.push(socket);
        return Promise.resolve({
          port: socket.port,
          send: (bytes: Buffer, to: Endpoint): void => void socket.sent.push({ bytes, to }),
          close: (): void => {
            socket.isClosed = true;
          },
        });
      },
      monotonicMs: (): number => this.nowMs,
      nowSec: (): number => this.nowSec,
      randomBytes: (count): Uint8Array => new Uint8Array(count),
    });
  }

  get nowSec(): number {
    return this.startSec + Math.floor((this.nowMs - 1_000_000) / 1_000);
  }

  issue(): IssuedCredential {
    this.#ids += 1;
    return issueCredential(SECRET, new Uint8Array(8).fill(this.#ids), this.nowSec);
  }

  client(address = "93.184.216.34", port = 40_000): BenchClient {
    return new BenchClient(this, { address, port });
  }

  pass(seconds: number): void {
    for (const end = this.nowMs + seconds * 1_000; this.nowMs < end; ) this.nowMs = Math.min(end, this.nowMs + 60_000);
    this.requests.sweep();
  }
}

export class BenchClient implements RelayClient {
  readonly key: string;
  readonly source: Endpoint;
  readonly party: string;
  readonly received: Buffer[] = [];
  readonly #bench: RelayBench;
  credential: IssuedCredential;
  nonce = "";

  constructor(bench: RelayBench, source: Endpoint) {
    this.#bench = bench;
    this.source = source;
    this.party = source.address;
    this.key = `udp ${source.address}:${source.port}`;
    this.credential = bench.issue();
  }

  send(bytes: Buffer): void {
    this.received.push(bytes);
  }

  /** Sends as it is, and gives what came back at once. */
  raw(bytes: Buffer): readonly Buffer[] {
    const before = this.received.length;
    this.#bench.requests.receive(this, bytes);
    return this.received.slice(before);
  }

  /** Sends a request under the credential; undefined without an answer. */
  async ask(request: TurnRequest): Promise<TurnAnswer | undefined> {
    const before = this.received.length;
    this.#bench.requests.receive(this, turnRequest({ credential: this.credential, nonce: this.nonce, ...request }));
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    const [bytes] = this.received.slice(before);
    return bytes === undefined ? undefined : readAnswer(bytes);
  }

  /** Fetches a nonce and makes an allocation. */
  async allocate(request: Partial<TurnRequest> = {}): Promise<TurnAnswer | undefined> {
    const [challenge = Buffer.alloc(20)] = this.raw(turnRequest({ type: REQUESTS.allocate, attributes: OVER_UDP }));
    this.nonce = readAnswer(challenge).attributes.get(0x0015)?.toString() ?? "";
    return await this.ask({ type: REQUESTS.allocate, attributes: OVER_UDP, ...request });
  }
}
