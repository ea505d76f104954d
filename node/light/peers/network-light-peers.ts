// The full nodes that a light one asks, over the network: who they are, and requests to them. A malformed or late response costs the peer.
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { type EncodedRequest, holdsChain, type PeerName, type PeerNetwork, type PeerOffence } from "#node/network/peer-network.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { BlockHeader, Height } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { Deadline } from "../deadline.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { KnownSet, LightPeer, LightPeers } from "../light-peers.ts";
import { type LightRequest, lightRequestCodec, UNVERIFIED_READ } from "../wire/light-requests.ts";
import { type LightResponse, lightResponseCodec } from "../wire/light-responses.ts";
import { RequestQueue } from "./request-queue.ts";

/** Responses that a request can have: those of its kind, and that there is none. */
export type ResponseTo<K extends LightRequest["kind"]> = Extract<LightResponse, { readonly kind: ResponseKind[K] | "unknown" | "error" }>;

interface ResponseKind {
  readonly blocks: "blocks";
  readonly block: "block";
  readonly header: "header";
  readonly records: "records";
  readonly body: "body";
  readonly transaction: "transaction";
  readonly history: "history";
  readonly [UNVERIFIED_READ]: typeof UNVERIFIED_READ;
  readonly submit: "accepted";
  readonly fork: "accepted";
}

const RESPONSE_KIND: ResponseKind = {
  blocks: "blocks",
  block: "block",
  header: "header",
  records: "records",
  body: "body",
  transaction: "transaction",
  history: "history",
  [UNVERIFIED_READ]: UNVERIFIED_READ,
  submit: "accepted",
  fork: "accepted",
};

/** Connected full nodes, and whatever can be asked of them. */
export interface LightRequester extends LightPeers {
  /**
   * The response of a peer, which proves nothing yet.
   * @throws CodedError UPSTREAM_FAILED when it does not answer in time or answers something else, for which it has paid; BUSY when
   * too many requests wait
   */
  ask<K extends LightRequest["kind"]>(
    peer: PeerName,
    request: Extract<LightRequest, { readonly kind: K }>,
    signal?: AbortSignal,
  ): Promise<ResponseTo<K>>;
}

const PEER_FAULTS: ReadonlySet<ErrorCode> = new Set([
  "BUSY",
  "UNAVAILABLE",
  "RATE_LIMITED",
  "INTERNAL",
  "UPSTREAM_FAILED",
  "STORAGE_FAILED",
  "STORAGE_CORRUPT",
]);

/** True when another peer may do better: the reason lies with the one that was asked. */
export function isPeerFault(code: ErrorCode): boolean {
  return PEER_FAULTS.has(code);
}

export interface NetworkLightPeersDependencies {
  readonly network: Pick<PeerNetwork, "peers" | "requestLight" | "report">;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** For those who wait as long as it takes. */
const NEVER = new AbortController().signal;
/** How long a peer that was of no use is asked last, ms. */
const FAULT_MS = 30_000;
/** Peers whose faults and last requests are remembered. */
const MAX_REMEMBERED = 256;

export class NetworkLightPeers implements LightRequester {
  readonly #dependencies: NetworkLightPeersDependencies;
  readonly #queue: RequestQueue;
  /** Until when a peer is asked last. */
  readonly #faults = new Map<PeerName, number>();
  /** Order of the last request to a peer. */
  readonly #asked = new Map<PeerName, number>();
  readonly #proven = new Map<PeerName, true>();
  #requests = 0;

  constructor(dependencies: NetworkLightPeersDependencies) {
    this.#dependencies = dependencies;
    this.#queue = new RequestQueue(dependencies);
  }

  /**
   * Those that say that they keep a chain: first those of whose responses one was verified, the highest of them first; then new ones, whose
   * claims count for nothing; last those that were of no use lately. Among equals who was not asked for longest, and is connected longest.
   */
  peers(): readonly LightPeer[] {
    const nowMs = this.#dependencies.clock.monotonicMs();
    const known = this.#dependencies.network.peers().flatMap(({ name, status }) => {
      if (status === null || !holdsChain(status)) return [];
      const hasFault = (this.#faults.get(name) ?? 0) > nowMs;
      const isProven = this.#proven.has(name);
      const rank = hasFault ? 2 : isProven ? 0 : 1;
      const { height, firstHeight, firstHeader = firstHeight } = status;
      return [{ name, height, firstHeight, firstHeader, isProven, rank, asked: this.#asked.get(name) ?? 0 }];
    });
    known.sort((a, b) => a.rank - b.rank || (a.isProven && b.isProven ? b.height - a.height : 0) || a.asked - b.asked);
    return known.map(({ rank: _rank, asked: _asked, ...peer }) => peer);
  }

  /** True while a response is waited for. */
  get isAsking(): boolean {
    return this.#queue.isInUse;
  }

  noteProven(peer: PeerName): void {
    if ((this.#faults.get(peer) ?? 0) <= this.#dependencies.clock.monotonicMs()) remember(this.#proven, peer, true);
  }

  async lightBlock(peer: PeerName, height: Height, signal: AbortSignal, known?: KnownSet): Promise<LightBlock | undefined> {
    const knownSet = known === undefined ? null : fromHex(known.hash);
    const response = await this.ask(peer, { kind: "block", height, knownSet }, signal);
    if (response.kind === "error") throw new CodedError(response.code, response.message);
    if (response.kind === "unknown") return undefined;
    const { header, commit } = response;
    const validators = response.validators ?? (header.validatorsHash === known?.hash ? known.validators : undefined);
    if (header.height !== height || validators === undefined) return this.#malformed(peer);
    return { header, commit, validators };
  }

  async header(peer: PeerName, height: Height, signal: AbortSignal): Promise<BlockHeader | undefined> {
    const response = await this.ask(peer, { kind: "header", height }, signal);
    if (response.kind === "error") throw new CodedError(response.code, response.message);
    if (response.kind === "unknown") return undefined;
    return response.header.height === height ? response.header : this.#malformed(peer);
  }

  async lightBlocks(peer: PeerName, from: Height, count: number, signal: AbortSignal): Promise<readonly LightBlock[]> {
    const asked = Math.min(count, LIGHT_LIMITS.blocksPerRequest);
    const response = await this.ask(peer, { kind: "blocks", from, count: asked }, signal);
    if (response.kind === "error") throw new CodedError(response.code, response.message);
    if (response.kind === "unknown") return [];
    const { blocks } = response;
    if (blocks.length > asked || blocks.some(({ header }, index) => header.height !== from + index)) return this.#malformed(peer);
    return blocks;
  }

  async ask<K extends LightRequest["kind"]>(
    peer: PeerName,
    request: Extract<LightRequest, { readonly kind: K }>,
    signal: AbortSignal = NEVER,
  ): Promise<ResponseTo<K>> {
    const bytes = encoded(request);
    this.#requests += 1;
    remember(this.#asked, peer, this.#requests);
    const { timers } = this.#dependencies;
    const waiting = new Deadline(timers, LIGHT_LIMITS.responseMs, signal);
    const send = (): Promise<Uint8Array> => {
      waiting.end();
      return this.#request(peer, { bytes, responseBytes: mostResponseBytes(request) }, signal);
    };
    const response = tryDecode(lightResponseCodec, await this.#queue.run(peer, send, waiting.over).finally(() => waiting.end()));
    if (response === undefined || ![RESPONSE_KIND[request.kind], "unknown", "error"].includes(response.kind)) return this.#malformed(peer);
    if (response.kind === "error" && isPeerFault(response.code)) this.#recordFault(peer);
    return response as ResponseTo<K>;
  }

  report(peer: PeerName, offence: PeerOffence): void {
    this.#recordFault(peer);
    this.#dependencies.network.report(peer, offence);
  }

  async #request(peer: PeerName, request: EncodedRequest, signal: AbortSignal): Promise<Uint8Array> {
    const deadline = new Deadline(this.#dependencies.timers, LIGHT_LIMITS.responseMs, signal);
    const response = await deadline.within((inner) => this.#dependencies.network.requestLight(peer, request, inner));
    deadline.end();
    if (response !== undefined) return response;
    // It was not the peer that gave up the request.
    if (!signal.aborted) this.#recordFault(peer);
    if (deadline.isPassed) this.report(peer, "unresponsive");
    throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} did not answer`);
  }

  #malformed(peer: PeerName): never {
    this.report(peer, "malformed");
    throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} sent a malformed response`);
  }

  #recordFault(peer: PeerName): void {
    this.#proven.delete(peer);
    remember(this.#faults, peer, this.#dependencies.clock.monotonicMs() + FAULT_MS);
  }
}

function remember<T>(values: Map<PeerName, T>, peer: PeerName, value: T): void {
  values.delete(peer);
  const oldest = values.size >= MAX_REMEMBERED ? values.keys().next() : undefined;
  if (oldest !== undefined && oldest.done !== true) values.delete(oldest.value);
  values.set(peer, value);
}

/** Most bytes that an honest response has: what is longer is not even received. */
function mostResponseBytes(request: LightRequest): number {
  switch (request.kind) {
    case "blocks":
      return LIGHT_LIMITS.messageBytes + request.count * LIGHT_LIMITS.lightBlockBytes;
    case "block":
      return LIGHT_LIMITS.messageBytes + LIGHT_LIMITS.lightBlockBytes;
    case "history":
      return LIGHT_LIMITS.messageBytes + request.count * LIGHT_LIMITS.entryBytes;
    case "header":
    case "submit":
    case "fork":
      return LIGHT_LIMITS.messageBytes;
    default:
      return NETWORK_LIMITS.light.responseBytes;
  }
}

/** @throws CodedError BAD_REQUEST for a request that exceeds a limit. */
function encoded(request: LightRequest): Uint8Array {
  try {
    return encode(lightRequestCodec, request);
  } catch (cause) {
    throw new CodedError("BAD_REQUEST", `No node answers such a request for ${request.kind}`, { cause });
  }
}
