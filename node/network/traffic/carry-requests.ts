// Requests to carriers of mail, of carriers to keepers, and news on the way back: the protocol `carry/1`.
import { setTimeout as pause } from "node:timers/promises";
import type { Connection, Libp2p } from "@libp2p/interface";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CarryOutcome, CarryRequest, CarryResponse } from "#shared/protocol/mail/carry-messages.ts";
import type { MailTarget } from "#shared/protocol/mail/mail-messages.ts";
import { OutboundTurns } from "../flow/outbound-turns.ts";
import { SharedRate } from "../flow/shared-rate.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { NetworkHandlers } from "../peer-network.ts";
import type { MailPeers } from "../peers/mail-peers.ts";
import type { ProtocolNames } from "../protocol-names.ts";
import { carryRequestCodec, carryResponseCodec } from "../wire/carry-codec.ts";
import { type RequestProtocol, type ServerContext, sendRequest, serveRequests, UnknownProtocolError } from "./request-protocol.ts";

export interface CarryRequestsDependencies extends ServerContext {
  readonly libp2p: Pick<Libp2p, "handle">;
  readonly names: Pick<ProtocolNames, "carry">;
  readonly handlers: Pick<NetworkHandlers, "carry">;
  readonly peers: Pick<MailPeers, "reach">;
  /** Learns which bytes of a connection this node requested. */
  readonly meter: { credit(connection: Connection, bytes: number): void };
}

/** Time between two looks whether a peer may be asked again, ms. */
const RATE_LOOK_MS = 20;

/** The protocol: nodes of earlier versions do not speak it, and are not asked twice. */
export class CarryRequests {
  readonly #dependencies: CarryRequestsDependencies;
  readonly #protocol: RequestProtocol;
  /** By peer: as many streams as it takes. */
  readonly #turns = new OutboundTurns(NETWORK_LIMITS.carryItems);
  /** Less than a peer takes: else those who ask through a carrier could make it look like a flood. */
  readonly #rate: SharedRate;

  constructor(dependencies: CarryRequestsDependencies) {
    this.#dependencies = dependencies;
    this.#rate = new SharedRate(NETWORK_LIMITS.carrySending, dependencies.clock.monotonicMs());
    const streams = NETWORK_LIMITS.carryItems.streams;
    this.#protocol = { names: [dependencies.names.carry], limits: NETWORK_LIMITS.carry, isOptional: true, streams };
  }

  async start(): Promise<void> {
    const { handlers } = this.#dependencies;
    if (handlers.carry === undefined) return;
    await serveRequests(this.#protocol, this.#dependencies, async (bytes, from) => {
      const request = tryDecode(carryRequestCodec, bytes);
      const response = request && (await handlers.carry?.(request, from));
      if (response === undefined) return undefined;
      const frame = encode(carryResponseCodec, response);
      return { frames: [frame], bytes: frame.length };
    });
  }

  /** What the peer responded. @throws CodedError UPSTREAM_FAILED */
  async request(target: MailTarget, request: CarryRequest, signal: AbortSignal): Promise<CarryOutcome> {
    try {
      return await this.#turns.run(target.key, signal, () => this.#send(target, request, signal));
    } catch (error) {
      if (error instanceof UnknownProtocolError) return { type: "unsupported" };
      throw error;
    }
  }

  async #send(target: MailTarget, request: CarryRequest, signal: AbortSignal): Promise<CarryResponse> {
    const { peers, meter, report } = this.#dependencies;
    await this.#untilRate(target, signal);
    // A dial takes longer than those who ask wait: it may still succeed for the next request.
    const connection = await until(peers.reach(target), signal);
    let response: CarryResponse | undefined;
    const onFrame = (frame: Uint8Array): boolean => {
      const decoded = response === undefined ? tryDecode(carryResponseCodec, frame) : undefined;
      if (decoded === undefined || !isResponseTo(request, decoded)) return false;
      response = decoded;
      return true;
    };
    const bytes = encode(carryRequestCodec, request);
    const outgoing = { bytes, signal, onFrame, onBytes: (count: number): void => meter.credit(connection, count) };
    await sendRequest(this.#protocol, connection, outgoing, report);
    if (response !== undefined) return response;
    const peer = connection.remotePeer.toString();
    report(peer, "malformed");
    throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} sent an empty response`);
  }

  async #untilRate({ key }: MailTarget, signal: AbortSignal): Promise<void> {
    while (!this.#rate.take(key, this.#dependencies.clock.monotonicMs())) {
      if (signal.aborted) throw givenUp();
      await pause(RATE_LOOK_MS);
    }
  }
}

/** @throws CodedError UPSTREAM_FAILED when it takes longer than the signal allows */
async function until<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const onAbort = (): void => ended.reject(givenUp());
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([value, ended.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function givenUp(): CodedError {
  return new CodedError("UPSTREAM_FAILED", "The request was given up before the peer was asked");
}

function isResponseTo({ type }: CarryRequest, response: CarryResponse): boolean {
  if (type === "news" || type === "gone") return response.type === "done";
  return response.type !== "done";
}
