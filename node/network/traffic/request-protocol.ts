// Requests between two peers: one stream a request, one frame out, frames back. Size, time and rate are bounded on both sides.
import type { Connection, Libp2p, Stream } from "@libp2p/interface";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import { sourceOf } from "../addresses/peer-source.ts";
import type { Reservation, ResponseBudget } from "../flow/response-budget.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import { NETWORK_LIMITS, type RequestLimits } from "../network-limits.ts";
import type { PeerName, PeerOffence } from "../peer-network.ts";
import { dropStream, readFrames, writeFrame } from "../wire/frames.ts";
import { sendResponse } from "./response-sender.ts";

/** A protocol by name with its limits. */
export interface RequestProtocol {
  /** Several where nodes of earlier versions speak another one: the newest first. */
  readonly names: readonly string[];
  readonly limits: RequestLimits;
  /** Nodes of earlier versions do not speak it: that costs them no score. */
  readonly isOptional?: boolean;
  /** Streams of one peer at once; `requestStreams` when absent. */
  readonly streams?: number;
}

/** The peer is of an earlier version, which does not speak the protocol. */
export class UnknownProtocolError extends CodedError {
  constructor(peer: PeerName) {
    super("UPSTREAM_FAILED", `Peer ${peer} does not know such requests`);
  }
}

/** What a protocol needs of its surroundings. */
export interface RequestContext {
  readonly libp2p: Pick<Libp2p, "handle">;
  readonly clock: Clock;
  readonly report: (peer: PeerName, offence: PeerOffence) => void;
}

/** What a protocol needs whose requests are served. */
export interface ServerContext extends RequestContext {
  /** Shared by all protocols. */
  readonly budget: ResponseBudget;
}

/** What a protocol needs that also sends on connections that are open. */
export interface PeerContext extends RequestContext {
  readonly connectionTo: (peer: PeerName) => Connection | undefined;
}

/** The response to a request by one of the protocol's names, now or later; undefined when the request is malformed. Must not reject. */
export type RequestHandler = (request: Uint8Array, from: PeerName, name: string) => Response | Promise<Response>;

/** What is sent back. */
export interface ResponseFrames {
  readonly frames: Iterable<Uint8Array>;
  /** Bytes that it occupies until it is sent, when that is known. */
  readonly bytes?: number;
}

type Response = ResponseFrames | undefined;

/** A request to a peer. */
export interface OutgoingRequest {
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
  /** So many bytes of the response came. */
  readonly onBytes: (bytes: number) => void;
  /** Takes a frame of the response by one of the protocol's names; false ends the exchange, because the frame is malformed. */
  readonly onFrame: (frame: Uint8Array, name: string) => boolean;
}

/** Serves the requests of a protocol until the node stops. */
export async function serveRequests(protocol: RequestProtocol, context: ServerContext, handler: RequestHandler): Promise<void> {
  const server = new RequestServer(protocol, context, handler);
  await context.libp2p.handle([...protocol.names], (stream, connection) => server.serve(stream, connection), {
    maxInboundStreams: protocol.streams ?? NETWORK_LIMITS.requestStreams,
    maxOutboundStreams: protocol.streams ?? NETWORK_LIMITS.requestStreams,
    runOnLimitedConnection: true,
  });
}

/**
 * Sends a request and passes on the frames of the response; resolves at its end.
 * @throws CodedError UPSTREAM_FAILED; the peer was reported, unless the caller gave up.
 */
export async function sendRequest(
  protocol: RequestProtocol,
  connection: Connection,
  request: OutgoingRequest,
  report: RequestContext["report"],
): Promise<void> {
  const peer = connection.remotePeer.toString();
  const outcome = await exchange(protocol, connection, request);
  if (outcome === "done") return;
  if (outcome === "unknown") throw new UnknownProtocolError(peer);
  if (outcome === "givenUp") throw new CodedError("UPSTREAM_FAILED", `The request to peer ${peer} was given up`);
  // A connection that broke is not the peer's fault.
  if (connection.status === "open") report(peer, outcome);
  throw new CodedError(
    "UPSTREAM_FAILED",
    outcome === "malformed" ? `Peer ${peer} sent a malformed response` : `Peer ${peer} did not answer`,
  );
}

type Outcome = "done" | "givenUp" | "unknown" | "malformed" | "unresponsive";

async function exchange(
  { names, limits, isOptional = false, streams }: RequestProtocol,
  connection: Connection,
  request: OutgoingRequest,
): Promise<Outcome> {
  const { signal } = request;
  let stream: Stream;
  try {
    const opening = AbortSignal.any([signal, AbortSignal.timeout(limits.silenceMs)]);
    stream = await connection.newStream([...names], {
      signal: opening,
      runOnLimitedConnection: true,
      maxOutboundStreams: streams ?? NETWORK_LIMITS.requestStreams,
    });
  } catch (error) {
    if (isOptional && (error as Error).name === "UnsupportedProtocolError") return "unknown";
    return signal.aborted ? "givenUp" : "unresponsive";
  }
  const outcome = await readResponse(stream, limits, request);
  if (outcome !== "done") dropStream(stream, "The response was malformed");
  return outcome;
}

function readResponse(stream: Stream, limits: RequestLimits, { bytes, signal, onBytes, onFrame }: OutgoingRequest): Promise<Outcome> {
  return new Promise((resolve) => {
    let received = 0;
    const finish = (outcome: Outcome): void => {
      clearTimeout(silence);
      clearTimeout(total);
      signal.removeEventListener("abort", giveUp);
      resolve(outcome);
    };
    const giveUp = (): void => finish("givenUp");
    const silence = setTimeout(() => finish("unresponsive"), limits.silenceMs);
    const total = setTimeout(() => finish("unresponsive"), limits.totalMs);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    readFrames(stream, {
      maxBytes: limits.frameBytes,
      onProgress: (count) => {
        silence.refresh();
        onBytes(count);
      },
      onFrame: (frame) => {
        received += frame.length;
        if (received > limits.responseBytes + limits.frameBytes || !onFrame(frame, stream.protocol)) finish("malformed");
      },
      onEnd: (problem) => finish(problem === "malformed" ? "malformed" : problem === "broken" ? "unresponsive" : "done"),
    });
    try {
      writeFrame(stream, bytes);
      void stream.close().catch(() => finish("unresponsive"));
    } catch {
      finish("unresponsive");
    }
  });
}

interface GrantedRequest {
  readonly stream: Stream;
  readonly connection: Connection;
  readonly reservation: Reservation;
}

class RequestServer {
  readonly #protocol: RequestProtocol;
  readonly #context: ServerContext;
  readonly #handle: RequestHandler;
  readonly #buckets = new Map<PeerName, TokenBucket>();

  constructor(protocol: RequestProtocol, context: ServerContext, handle: RequestHandler) {
    this.#protocol = protocol;
    this.#context = context;
    this.#handle = handle;
  }

  serve(stream: Stream, connection: Connection): void {
    const { limits } = this.#protocol;
    const peer = connection.remotePeer.toString();
    const timer = setTimeout(() => this.#punish(stream, peer, "unresponsive"), limits.silenceMs);
    let hasRequest = false;
    readFrames(stream, {
      maxBytes: limits.requestBytes,
      onFrame: (request) => {
        clearTimeout(timer);
        if (hasRequest) this.#punish(stream, peer, "malformed");
        else void this.#reply(stream, connection, request);
        hasRequest = true;
      },
      onEnd: (problem) => {
        clearTimeout(timer);
        if (problem === "malformed") this.#punish(stream, peer, "malformed");
        else if (!hasRequest) dropStream(stream, "The peer sent no request");
      },
    });
  }

  async #reply(stream: Stream, connection: Connection, request: Uint8Array): Promise<void> {
    const peer = connection.remotePeer.toString();
    if (!this.#takeTurn(peer)) {
      this.#punish(stream, peer, "flood");
      return;
    }
    const reservation = await this.#reserve(stream, connection).catch(() => undefined);
    try {
      if (reservation === undefined || stream.status !== "open") dropStream(stream, "The request waited too long");
      else await this.#respond({ stream, connection, reservation }, request);
    } finally {
      reservation?.release();
    }
  }

  async #respond({ stream, connection, reservation }: GrantedRequest, request: Uint8Array): Promise<void> {
    const peer = connection.remotePeer.toString();
    const response = await this.#handle(request, peer, stream.protocol);
    if (response === undefined) {
      this.#punish(stream, peer, "malformed");
      return;
    }
    if (response.bytes !== undefined) reservation.shrink(response.bytes);
    const onProgress = (takenBytes: number): void => reservation.noteProgress(takenBytes);
    onProgress(0);
    try {
      await sendResponse({ stream, connection, clock: this.#context.clock, onProgress }, this.#within(response.frames));
      reservation.noteEnd(true);
    } catch {
      reservation.noteEnd(false);
      // The peer went away, or reads the response too slowly: its stream ends, and it may ask again.
      dropStream(stream, "The response could not be delivered");
    }
  }

  /** A peer that ends its stream waits no more: it would open another one, and what waits would have no end. */
  async #reserve(stream: Stream, connection: Connection): Promise<Reservation> {
    const { names, limits } = this.#protocol;
    const source = sourceOf(connection.remoteAddr);
    const gone = new AbortController();
    const onClose = (): void => gone.abort(new CodedError("UPSTREAM_FAILED", "The peer went away"));
    stream.addEventListener("close", onClose);
    try {
      return await this.#context.budget.reserve({
        peer: connection.remotePeer.toString(),
        address: source?.isLocal === false ? source.host : undefined,
        bytes: limits.heldBytes,
        kind: { name: names[0] ?? "", perPeer: limits.responsesPerPeer, first: limits.firstResponses ?? limits.responsesPerPeer },
        // Later the peer waits no more.
        signal: AbortSignal.any([gone.signal, AbortSignal.timeout(limits.silenceMs)]),
        onRevoke: () => dropStream(stream, "The response was not taken while others waited"),
      });
    } finally {
      stream.removeEventListener("close", onClose);
    }
  }

  /** As many frames as one response takes. */
  *#within(frames: Iterable<Uint8Array>): Iterable<Uint8Array> {
    const { responseBytes, frameBytes } = this.#protocol.limits;
    let sent = 0;
    for (const frame of frames) {
      if (frame.length > frameBytes || (sent > 0 && sent + frame.length > responseBytes)) return;
      sent += frame.length;
      yield frame;
    }
  }

  #takeTurn(peer: PeerName): boolean {
    const nowMs = this.#context.clock.monotonicMs();
    const bucket = this.#buckets.get(peer) ?? new TokenBucket(this.#protocol.limits.requests, nowMs);
    this.#buckets.delete(peer);
    if (this.#buckets.size >= NETWORK_LIMITS.inboundConnections * 4) {
      const oldest = this.#buckets.keys().next();
      if (oldest.done !== true) this.#buckets.delete(oldest.value);
    }
    this.#buckets.set(peer, bucket);
    return bucket.take(1, nowMs);
  }

  #punish(stream: Stream, peer: PeerName, offence: PeerOffence): void {
    this.#context.report(peer, offence);
    dropStream(stream, `The request was ${offence}`);
  }
}
