// Requests and data of clients of a relay of calls (RFC 8656): what they may, and what they are answered. Knows no sockets.
import { SharedRate } from "../../flow/shared-rate.ts";
import { TokenBucket } from "../../flow/token-bucket.ts";
import { CALL_RELAY_LIMITS } from "../rules/call-relay-limits.ts";
import { credentialKey, isFreshNonce, makeNonce, REALM } from "../rules/credentials.ts";
import type { PeerRules } from "../rules/peer-rules.ts";
import { hasIntegrity, hasRightFingerprint, sealStun } from "../wire/integrity.ts";
import {
  ATTRIBUTES,
  attributeOf,
  attributesOf,
  CLASSES,
  METHODS,
  parseStun,
  type StunMessage,
  textOf,
  unknownAttributes,
  type Written,
} from "../wire/stun-message.ts";
import {
  type Endpoint,
  readUint32,
  readXorAddress,
  writeErrorCode,
  writeTypes,
  writeUint32,
  writeXorAddress,
} from "../wire/stun-values.ts";
import { Allocation, type RelayClient, type RelaySocket } from "./allocation.ts";
import { AllocationTable } from "./allocation-table.ts";
import { CHANNEL_NUMBERS, type Dropped, type RelayDay, Traffic } from "./traffic.ts";

const UDP = 17;
const IPV4 = 1;
const MAX_USERNAME_BYTES = 64;
const MAX_NONCE_BYTES = 64;

/** Why a request was refused. */
export type Refused = "credential" | "quota" | "peer" | "rate";

/** What came of a relay since its start. */
export interface CallRelayFigures {
  /** Allocations now. */
  readonly allocations: number;
  /** Allocations since the start. */
  readonly allocated: number;
  /** Bytes that were passed on. */
  readonly bytes: number;
  readonly dropped: Readonly<Record<Dropped, number>>;
  readonly refused: Readonly<Record<Refused, number>>;
}

export interface RelayRequestsOptions {
  /** Of this start: credentials and nonces are made with it. */
  readonly secret: Uint8Array;
  /** Address of IPv4 at which allocations are reached. */
  readonly address: string;
  readonly dailyBytes: number;
  readonly day?: RelayDay;
  readonly rules: PeerRules;
  /** Opens the socket of an allocation; undefined where no port is free. */
  readonly openSocket: (onPacket: (bytes: Buffer, source: Endpoint) => void) => Promise<RelaySocket | undefined>;
  /** Never backwards. */
  readonly monotonicMs: () => number;
  /** Unix seconds: credentials are issued by them. */
  readonly nowSec: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** A request that has shown a credential. */
interface Shown {
  readonly client: RelayClient;
  readonly message: StunMessage;
  readonly username: string;
  readonly key: Buffer;
}

/** What a request is answered. */
interface Answer {
  readonly class: number;
  /** Signs it; none for who has shown no credential. */
  readonly key?: Buffer;
  readonly attributes: readonly Written[];
}

export class RelayRequests {
  readonly #options: RelayRequestsOptions;
  readonly #table = new AllocationTable();
  readonly #traffic: Traffic;
  readonly #rates: SharedRate;
  readonly #strangers: TokenBucket;
  readonly #refused: Record<Refused, number> = { credential: 0, quota: 0, peer: 0, rate: 0 };
  #allocated = 0;
  #isClosed = false;

  constructor(options: RelayRequestsOptions) {
    const nowMs = options.monotonicMs();
    const { requests, allRequests, strangers } = CALL_RELAY_LIMITS;
    this.#options = options;
    this.#traffic = new Traffic({ ...options, table: this.#table }, nowMs);
    this.#rates = new SharedRate({ party: requests, total: allRequests }, nowMs);
    this.#strangers = new TokenBucket(strangers, nowMs);
  }

  day(): RelayDay {
    return this.#traffic.day(this.#options.monotonicMs());
  }

  figures(): CallRelayFigures {
    const { bytes, dropped } = this.#traffic;
    return { allocations: this.#table.size, allocated: this.#allocated, bytes, dropped: { ...dropped }, refused: { ...this.#refused } };
  }

  hasAllocation(client: RelayClient): boolean {
    return this.#table.of(client) !== undefined;
  }

  /** What a client has sent: one datagram, or one frame of a stream. */
  receive(client: RelayClient, bytes: Buffer): void {
    const nowMs = this.#options.monotonicMs();
    const allocation = this.#table.of(client);
    const open = allocation?.isOver(nowMs) === true ? undefined : allocation;
    if (((bytes[0] ?? 0) & 0xc0) === 0x40) {
      if (open !== undefined) this.#traffic.fromChannel(open, bytes, nowMs);
      return;
    }
    const message = parseStun(bytes);
    if (message === undefined || !hasRightFingerprint(message)) return;
    if (message.class === CLASSES.indication && open !== undefined) this.#indicated(open, message, nowMs);
    if (message.class === CLASSES.request) this.#request(client, message, nowMs);
  }

  /** A connection of a client has ended. */
  gone(client: RelayClient): void {
    this.#table.end(client);
  }

  /** Ends what is over. */
  sweep(): void {
    this.#table.sweep(this.#options.monotonicMs());
  }

  close(): void {
    this.#isClosed = true;
    this.#table.close();
  }

  #indicated(allocation: Allocation, message: StunMessage, nowMs: number): void {
    const peer = peerOf(message);
    const data = attributeOf(message, ATTRIBUTES.data);
    if (message.method !== METHODS.send || peer === undefined || data === undefined || unknownAttributes(message).length > 0) return;
    this.#traffic.toPeer(allocation, peer, { bytes: data.value, nowMs });
  }

  #request(client: RelayClient, message: StunMessage, nowMs: number): void {
    // Who has an allocation has a rate of its own: no flood of others ends a call.
    const known = this.#table.of(client);
    if (!(known === undefined ? this.#rates.take(client.party, nowMs) : known.requests.take(1, nowMs))) {
      this.#refused.rate += 1;
      return;
    }
    const shown = message.method === METHODS.binding ? bound(client, message) : this.#shown(client, message);
    if ("username" in shown) {
      const answer = this.#requested(shown, nowMs);
      if (answer !== undefined) answerTo(client, message, answer);
      return;
    }
    // What is said to strangers is little in all, under whatever address they come.
    if (known !== undefined || this.#strangers.take(1, nowMs)) answerTo(client, message, shown);
    else this.#refused.rate += 1;
  }

  /** Who shows a credential; others get the nonce that they need for it. */
  #shown(client: RelayClient, message: StunMessage): Shown | Answer {
    const { secret } = this.#options;
    const nowSec = this.#options.nowSec();
    if (attributeOf(message, ATTRIBUTES.integrity) === undefined) return this.#challenge(client, 401);
    const username = textOf(attributeOf(message, ATTRIBUTES.username), MAX_USERNAME_BYTES);
    const nonce = textOf(attributeOf(message, ATTRIBUTES.nonce), MAX_NONCE_BYTES);
    if (username === undefined || nonce === undefined || attributeOf(message, ATTRIBUTES.realm) === undefined) return failure(400);
    if (!isFreshNonce(secret, nonce, { client: client.key, nowSec })) return this.#challenge(client, 438);
    const known = this.#table.of(client);
    const key = known?.username === username ? known.key : credentialKey(secret, username, nowSec);
    if (key !== undefined && hasIntegrity(message, key)) return { client, message, username, key };
    this.#refused.credential += 1;
    return this.#challenge(client, 401);
  }

  #challenge(client: RelayClient, code: number): Answer {
    const nonce = makeNonce(this.#options.secret, client.key, this.#options.nowSec());
    const { attributes } = failure(code);
    const more: readonly Written[] = [
      [ATTRIBUTES.realm, Buffer.from(REALM)],
      [ATTRIBUTES.nonce, Buffer.from(nonce)],
    ];
    return { class: CLASSES.error, attributes: [...attributes, ...more] };
  }

  /** The answer; undefined where it comes later, or never. */
  #requested(shown: Shown, nowMs: number): Answer | undefined {
    const { client, message, username, key } = shown;
    const unknown = unknownAttributes(message);
    if (unknown.length > 0) {
      const { attributes } = failure(420);
      return { class: CLASSES.error, key, attributes: [...attributes, [ATTRIBUTES.unknown, writeTypes(unknown)]] };
    }
    if (this.#table.of(client)?.isOver(nowMs) === true) this.#table.end(client);
    const allocation = this.#table.of(client);
    if (allocation !== undefined && allocation.username !== username) return failure(441, key);
    if (message.method === METHODS.allocate) return this.#allocate(shown, allocation, nowMs);
    if (message.method === METHODS.refresh) return this.#refresh(shown, allocation, nowMs);
    if (allocation === undefined) return failure(437, key);
    const code = this.#changed(message, allocation, nowMs);
    return code === 0 ? success(key) : failure(code, key);
  }

  #allocate(shown: Shown, allocation: Allocation | undefined, nowMs: number): Answer | undefined {
    const { client, message, key, username } = shown;
    if (allocation !== undefined) {
      const isRepeated = allocation.transaction === message.transaction.toString("hex");
      return isRepeated ? this.#allocatedAnswer(shown, allocation, nowMs) : failure(437, key);
    }
    if (this.#table.isOpening(client)) return undefined;
    const transport = attributeOf(message, ATTRIBUTES.transport)?.value;
    if (transport?.length !== 4) return failure(400, key);
    if (transport[0] !== UDP) return failure(442, key);
    const family = attributeOf(message, ATTRIBUTES.family)?.value;
    if (family !== undefined && family[0] !== IPV4) return failure(440, key);
    const place = this.#traffic.isDaySpent(nowMs) ? "full" : this.#table.reserve({ client, username });
    if (place !== "reserved") {
      this.#refused.quota += 1;
      return failure(place === "full" ? 508 : 486, key);
    }
    this.#open(shown).then(
      (answer) => answer && answerTo(client, message, answer),
      () => this.#table.settle(client),
    );
    return undefined;
  }

  /** The answer once the socket is there; undefined where the client has gone meanwhile. */
  async #open(shown: Shown): Promise<Answer | undefined> {
    const { client, message, key, username } = shown;
    let allocation: Allocation | undefined;
    const socket = await this.#options.openSocket((bytes, source) => {
      const atMs = this.#options.monotonicMs();
      if (allocation !== undefined && !allocation.isOver(atMs)) this.#traffic.fromPeer(allocation, source, { bytes, nowMs: atMs });
    });
    if (socket === undefined) return this.#table.settle(client) ? failure(508, key) : undefined;
    const nowMs = this.#options.monotonicMs();
    const lifetimeS = lifetimeOf(message) || CALL_RELAY_LIMITS.lifetimeS;
    const made = new Allocation({ client, username, key, socket, transaction: message.transaction.toString("hex"), lifetimeS }, nowMs);
    if (this.#isClosed || !this.#table.settle(client, made)) {
      socket.close();
      return undefined;
    }
    allocation = made;
    this.#allocated += 1;
    return this.#allocatedAnswer(shown, made, nowMs);
  }

  #allocatedAnswer({ client, message, key }: Shown, allocation: Allocation, nowMs: number): Answer {
    const relayed = { address: this.#options.address, port: allocation.socket.port };
    return success(key, [
      [ATTRIBUTES.relayedAddress, addressValue(relayed, message)],
      [ATTRIBUTES.lifetime, writeUint32(allocation.lifetimeS(nowMs))],
      [ATTRIBUTES.mappedAddress, addressValue(client.source, message)],
    ]);
  }

  #refresh({ client, message, key }: Shown, allocation: Allocation | undefined, nowMs: number): Answer {
    const lifetimeS = lifetimeOf(message);
    if (lifetimeS > 0 && allocation === undefined) return failure(437, key);
    if (lifetimeS === 0) this.#table.end(client);
    const left = lifetimeS === 0 ? 0 : (allocation?.refresh(lifetimeS, nowMs) ?? 0);
    return success(key, [[ATTRIBUTES.lifetime, writeUint32(left)]]);
  }

  /** Names addresses, or binds a channel; the code of the error, 0 for none. */
  #changed(message: StunMessage, allocation: Allocation, nowMs: number): number {
    const peers = attributesOf(message, ATTRIBUTES.peerAddress).map(({ value }) => readXorAddress(value, message.transaction));
    const named = peers.filter((peer) => peer !== undefined);
    const [first] = named;
    if (first === undefined || named.length < peers.length) return 400;
    if (message.method === METHODS.permission)
      return (
        this.#refusalOf(named, nowMs) ||
        (allocation.permit(
          named.map(({ address }) => address),
          nowMs,
        )
          ? 0
          : 508)
      );
    if (message.method !== METHODS.channel) return 400;
    const value = attributeOf(message, ATTRIBUTES.channelNumber)?.value;
    const number = value?.length === 4 ? value.readUInt16BE(0) : 0;
    if (number < CHANNEL_NUMBERS.first || number > CHANNEL_NUMBERS.last) return 400;
    const refusal = this.#refusalOf([first], nowMs) || (this.#options.rules.isPort(first.port) ? 0 : 403);
    return refusal || BIND_CODES[allocation.bind(number, first, nowMs)];
  }

  /** The error for addresses that an allocation may not name, 0 for none. The relay's own stands for its other allocations. */
  #refusalOf(peers: readonly Endpoint[], nowMs: number): number {
    const { rules, address: own } = this.#options;
    if (peers.some(({ address }) => address.includes(":"))) return 443;
    if (peers.every(({ address }) => address === own || rules.isAllowed(address, nowMs))) return 0;
    this.#refused.peer += 1;
    return 403;
  }
}

const BIND_CODES = { bound: 0, conflict: 400, full: 508 } as const;

/** Anyone may ask from which address they are seen. */
function bound(client: RelayClient, message: StunMessage): Answer {
  return success(undefined, [[ATTRIBUTES.mappedAddress, addressValue(client.source, message)]]);
}

function success(key: Buffer | undefined, attributes: readonly Written[] = []): Answer {
  return { class: CLASSES.success, ...(key && { key }), attributes };
}

function failure(code: number, key?: Buffer): Answer {
  return { class: CLASSES.error, ...(key && { key }), attributes: [[ATTRIBUTES.errorCode, writeErrorCode(code)]] };
}

function answerTo(client: RelayClient, { method, transaction, attributes: asked }: StunMessage, answer: Answer): void {
  const hasFingerprint = asked.some(({ type }) => type === ATTRIBUTES.fingerprint);
  client.send(sealStun({ method, class: answer.class, transaction }, answer.attributes, { key: answer.key, hasFingerprint }));
}

function peerOf(message: StunMessage): Endpoint | undefined {
  const peer = attributeOf(message, ATTRIBUTES.peerAddress);
  return peer === undefined ? undefined : readXorAddress(peer.value, message.transaction);
}

/** Seconds that a client asks for, at most what there is; 0 where it asks for the end. */
function lifetimeOf(message: StunMessage): number {
  const asked = readUint32(attributeOf(message, ATTRIBUTES.lifetime)) ?? CALL_RELAY_LIMITS.lifetimeS;
  return Math.min(asked, CALL_RELAY_LIMITS.lifetimeS);
}

function addressValue({ address, port }: Endpoint, { transaction }: StunMessage): Buffer {
  return writeXorAddress(Uint8Array.from(address.split("."), Number), port, transaction);
}
