// Requests between two peers: one stream a request, one frame out, frames back. Size, time and rate are bounded on both sides.
import type { Connection, Libp2p, Stream } from "@libp2p/interface";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import { NETWORK_LIMITS, type RequestLimits } from "../network-limits.ts";
import type { PeerName, PeerOffence } from "../peer-network.ts";
import { dropStream, readFrames, writeFrame } from "../wire/frames.ts";

/** A protocol by name with its limits. */
export interface RequestProtocol {
  readonly name: string;
  readonly limits: RequestLimits;
}

/** What a protocol needs of its surroundings. */
export interface RequestContext {
  readonly libp2p: Pick<Libp2p, "handle">;
  readonly clock: Clock;
  readonly report: (peer: PeerName, offence: PeerOffence) => void;
}

/** What a protocol needs that also sends on connections that are open. */
export interface PeerContext extends RequestContext {
  readonly connectionTo: (peer: PeerName) => Connection | undefined;
}

/** Frames of the response to a request, now or later; undefined when the request is malformed. Must not reject. */
export type RequestHandler = (request: Uint8Array, from: PeerName) => Frames | Promise<Frames>;

type Frames = Iterable<Uint8Array> | undefined;

/** A request to a peer. */
export interface OutgoingRequest {
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
  /** Takes a frame of the response; false ends the exchange, because the frame is malformed. */
  readonly onFrame: (frame: Uint8Array) => boolean;
}

/** Serves the requests of a protocol until the node stops. */
export async function serveRequests(protocol: RequestProtocol, context: RequestContext, handler: RequestHandler): Promise<void> {
  const server = new RequestServer(protocol, context, handler);
  await context.libp2p.handle(protocol.name, (stream, connection) => server.serve(stream, connection.remotePeer.toString()), {
    maxInboundStreams: NETWORK_LIMITS.requestStreams,
    maxOutboundStreams: NETWORK_LIMITS.requestStreams,
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
  if (outcome === "givenUp") throw new CodedError("UPSTREAM_FAILED", `The request to peer ${peer} was given up`);
  // A connection that broke is not the peer's fault.
  if (connection.status === "open") report(peer, outcome);
  throw new CodedError(
    "UPSTREAM_FAILED",
    outcome === "malformed" ? `Peer ${peer} sent a malformed response` : `Peer ${peer} did not answer`,
  );
}

type Outcome = "done" | "givenUp" | "malformed" | "unresponsive";

async function exchange({ name, limits }: RequestProtocol, connection: Connection, request: OutgoingRequest): Promise<Outcome> {
  const { signal } = request;
  let stream: Stream;
  try {
    const opening = AbortSignal.any([signal, AbortSignal.timeout(limits.silenceMs)]);
    stream = await connection.newStream(name, {
      signal: opening,
      runOnLimitedConnection: true,
      maxOutboundStreams: NETWORK_LIMITS.requestStreams,
    });
  } catch {
    return signal.aborted ? "givenUp" : "unresponsive";
  }
  const outcome = await readResponse(stream, limits, request);
  if (outcome !== "done") dropStream(stream, "The response was malformed");
  return outcome;
}

function readResponse(stream: Stream, limits: RequestLimits, { bytes, signal, onFrame }: OutgoingRequest): Promise<Outcome> {
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
      onProgress: () => silence.refresh(),
      onFrame: (frame) => {
        received += frame.length;
        if (received > limits.responseBytes + limits.frameBytes || !onFrame(frame)) finish("malformed");
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

class RequestServer {
  readonly #protocol: RequestProtocol;
  readonly #context: RequestContext;
  readonly #handle: RequestHandler;
  readonly #buckets = new Map<PeerName, TokenBucket>();

  constructor(protocol: RequestProtocol, context: RequestContext, handle: RequestHandler) {
    this.#protocol = protocol;
    this.#context = context;
    this.#handle = handle;
  }

  serve(stream: Stream, peer: PeerName): void {
    const { limits } = this.#protocol;
    const timer = setTimeout(() => this.#punish(stream, peer, "unresponsive"), limits.silenceMs);
    let hasRequest = false;
    readFrames(stream, {
      maxBytes: limits.requestBytes,
      onFrame: (request) => {
        clearTimeout(timer);
        if (hasRequest) this.#punish(stream, peer, "malformed");
        else void this.#reply(stream, peer, request);
        hasRequest = true;
      },
      onEnd: (problem) => {
        clearTimeout(timer);
        if (problem === "malformed") this.#punish(stream, peer, "malformed");
        else if (!hasRequest) dropStream(stream, "The peer sent no request");
      },
    });
  }

  async #reply(stream: Stream, peer: PeerName, request: Uint8Array): Promise<void> {
    if (!this.#takeTurn(peer)) {
      this.#punish(stream, peer, "flood");
      return;
    }
    const frames = await this.#handle(request, peer);
    if (frames === undefined) {
      this.#punish(stream, peer, "malformed");
      return;
    }
    try {
      await this.#send(stream, frames);
    } catch {
      // The peer went away, or reads the response too slowly: its stream ends, and it may ask again.
      dropStream(stream, "The response could not be delivered");
    }
  }

  async #send(stream: Stream, frames: Iterable<Uint8Array>): Promise<void> {
    const { silenceMs, responseBytes, frameBytes } = this.#protocol.limits;
    let sent = 0;
    for (const frame of frames) {
      if (frame.length > frameBytes || (sent > 0 && sent + frame.length > responseBytes)) break;
      sent += frame.length;
      if (!writeFrame(stream, frame)) await stream.onDrain({ signal: AbortSignal.timeout(silenceMs) });
    }
    await stream.close({ signal: AbortSignal.timeout(silenceMs) });
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
