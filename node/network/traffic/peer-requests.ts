// Requests and responses: ranges of blocks, mailbox sync, reads of light nodes, states for nodes that join.
import type { Connection } from "@libp2p/interface";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { concatBytes } from "#shared/util/bytes.ts";
import { hostTimers } from "#shared/util/host.ts";
import { PacedWork } from "../flow/paced-work.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { NetworkRole } from "../network-options.ts";
import type {
  EncodedFinalBlock,
  EncodedRequest,
  MailboxRequest,
  MailboxResponse,
  NetworkHandlers,
  PeerName,
  ReceivedBlock,
} from "../peer-network.ts";
import type { ProtocolNames } from "../protocol-names.ts";
import { firstMailboxResponseCodec, mailboxRequestCodec, mailboxResponseCodec, secondMailboxResponseCodec } from "../wire/relay-codec.ts";
import { blocksRequestCodec, decodeBlockFront, encodedFinalBlockCodec } from "../wire/wire-codec.ts";
import {
  type OutgoingRequest,
  type PeerContext,
  type RequestProtocol,
  type ServerContext,
  sendRequest,
  serveRequests,
} from "./request-protocol.ts";

/** What requests work with. */
export interface PeerRequestsDependencies extends PeerContext, ServerContext {
  readonly names: ProtocolNames;
  readonly handlers: Pick<NetworkHandlers, "blocks" | "mailbox" | "light" | "snapshot">;
  readonly role: NetworkRole;
  /** Learns which bytes of a connection this node requested. */
  readonly meter: { credit(connection: Connection, bytes: number): void };
}

/** All these protocols. */
export class PeerRequests {
  readonly #dependencies: PeerRequestsDependencies;
  readonly #blocks: RequestProtocol;
  readonly #mailbox: RequestProtocol;
  readonly #light: RequestProtocol;
  readonly #snapshot: RequestProtocol;
  /** Pages of mailboxes are made on the thread that makes blocks. */
  readonly #pages: PacedWork;

  constructor(dependencies: PeerRequestsDependencies) {
    this.#dependencies = dependencies;
    this.#blocks = { names: [dependencies.names.blocks], limits: NETWORK_LIMITS.blocks };
    const { mailbox, secondMailbox, firstMailbox } = dependencies.names;
    this.#mailbox = { names: [mailbox, secondMailbox, firstMailbox], limits: NETWORK_LIMITS.mailbox };
    this.#light = { names: [dependencies.names.light], limits: NETWORK_LIMITS.light };
    this.#snapshot = { names: [dependencies.names.snapshot], limits: NETWORK_LIMITS.snapshot };
    this.#pages = new PacedWork({ clock: dependencies.clock, timers: hostTimers });
  }

  async start(): Promise<void> {
    const { libp2p, clock, report, handlers, budget } = this.#dependencies;
    const context: ServerContext = { libp2p, clock, report, budget };
    await serveRequests(this.#mailbox, context, async (bytes, from, name) => {
      const request = tryDecode(mailboxRequestCodec, bytes);
      if (request === undefined) return undefined;
      const frame = await this.#pages.run(from, () => this.#mailboxFrame(handlers.mailbox(request), name));
      return { frames: [frame], bytes: frame.length };
    });
    if (this.#dependencies.role === "full") await this.#serveChain(context);
  }

  /** Blocks from a height on, in order, without gaps; may be fewer than asked. Their bodies are not read. */
  async blocks(
    peer: PeerName,
    range: { readonly from: Height; readonly count: number },
    signal: AbortSignal,
  ): Promise<readonly ReceivedBlock[]> {
    const received: ReceivedBlock[] = [];
    const onFrame = (frame: Uint8Array): boolean => {
      const next = decodeBlockFront(frame);
      const isNext = next?.header.height === range.from + received.length && next.commit.height === next.header.height;
      if (next === undefined || !isNext || received.length >= range.count) return false;
      received.push(next);
      return true;
    };
    await this.#send(this.#blocks, peer, { bytes: encode(blocksRequestCodec, range), signal, onFrame });
    return received;
  }

  async mailbox(peer: PeerName, asked: MailboxRequest, signal: AbortSignal): Promise<MailboxResponse> {
    const recipients = new Set(asked.recipients);
    let response: MailboxResponse | undefined;
    const onFrame = (frame: Uint8Array, name: string): boolean => {
      const decoded = response === undefined ? this.#mailboxOf(frame, name) : undefined;
      if (decoded === undefined || !decoded.envelopes.every(({ recipient_pub }) => recipients.has(recipient_pub))) return false;
      if (![...decoded.deletions, ...decoded.openings].every(({ mailbox }) => recipients.has(mailbox))) return false;
      response = decoded;
      return true;
    };
    await this.#send(this.#mailbox, peer, { bytes: encode(mailboxRequestCodec, asked), signal, onFrame });
    return response ?? this.#silent(peer);
  }

  #mailboxFrame(page: MailboxResponse, name: string): Uint8Array {
    const { firstMailbox, secondMailbox } = this.#dependencies.names;
    if (name === firstMailbox) return encode(firstMailboxResponseCodec, page);
    return name === secondMailbox ? encode(secondMailboxResponseCodec, page) : encode(mailboxResponseCodec, page);
  }

  #mailboxOf(frame: Uint8Array, name: string): MailboxResponse | undefined {
    const { firstMailbox, secondMailbox } = this.#dependencies.names;
    if (name !== firstMailbox && name !== secondMailbox) return tryDecode(mailboxResponseCodec, frame);
    const page = name === firstMailbox ? tryDecode(firstMailboxResponseCodec, frame) : tryDecode(secondMailboxResponseCodec, frame);
    return page && { deletions: [], ...page, admits: page.envelopes.map(() => null), openings: [] };
  }

  /** The response of a peer to a light node's request. */
  light(peer: PeerName, request: EncodedRequest, signal: AbortSignal): Promise<Uint8Array> {
    return this.#message(this.#light, peer, request, signal);
  }

  /** The response of a peer to the request of a node that joins. */
  snapshot(peer: PeerName, request: EncodedRequest, signal: AbortSignal): Promise<Uint8Array> {
    return this.#message(this.#snapshot, peer, request, signal);
  }

  /** One message that comes in frames. */
  async #message(
    { names, limits }: RequestProtocol,
    peer: PeerName,
    { bytes, responseBytes }: EncodedRequest,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    const most = Math.min(limits.responseBytes, responseBytes ?? limits.responseBytes);
    const frameBytes = Math.min(limits.frameBytes, most);
    const onFrame = (frame: Uint8Array): boolean => {
      pieces.push(frame);
      return frame.length > 0 && pieces.reduce((sum, { length }) => sum + length, 0) <= most;
    };
    await this.#send({ names, limits: { ...limits, frameBytes } }, peer, { bytes, signal, onFrame });
    return pieces.length > 0 ? concatBytes(...pieces) : this.#silent(peer);
  }

  async #send(protocol: RequestProtocol, peer: PeerName, request: Omit<OutgoingRequest, "onBytes">): Promise<void> {
    const { report, meter } = this.#dependencies;
    const connection = this.#connection(peer);
    await sendRequest(protocol, connection, { ...request, onBytes: (bytes) => meter.credit(connection, bytes) }, report);
  }

  /** What only a node with a chain can serve. */
  async #serveChain(context: ServerContext): Promise<void> {
    const { handlers } = this.#dependencies;
    await serveRequests(this.#blocks, context, (bytes) => {
      const request = tryDecode(blocksRequestCodec, bytes);
      if (request === undefined) return undefined;
      return { frames: encodeBlocks(handlers.blocks(request.from, Math.min(request.count, NETWORK_LIMITS.blocksPerRequest))) };
    });
    await serveMessages(this.#light, context, handlers.light);
    await serveMessages(this.#snapshot, context, handlers.snapshot);
  }

  #silent(peer: PeerName): never {
    this.#dependencies.report(peer, "malformed");
    throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} sent an empty response`);
  }

  #connection(peer: PeerName): Connection {
    const connection = this.#dependencies.connectionTo(peer);
    if (connection === undefined) throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} is not connected`);
    return connection;
  }
}

function* encodeBlocks(blocks: Iterable<EncodedFinalBlock>): Iterable<Uint8Array> {
  for (const final of blocks) yield encode(encodedFinalBlockCodec, final);
}

/** Serves a protocol whose responses are one message each, where there is a handler. */
async function serveMessages(
  protocol: RequestProtocol,
  context: ServerContext,
  handler: ((request: Uint8Array, from: PeerName) => Promise<Uint8Array | undefined>) | undefined,
): Promise<void> {
  if (handler === undefined) return;
  await serveRequests(protocol, context, async (bytes, from) => {
    const response = await handler(bytes, from);
    return response === undefined ? undefined : { frames: pieces(response, protocol.limits), bytes: response.length };
  });
}

function* pieces(response: Uint8Array, { frameBytes }: RequestProtocol["limits"]): Iterable<Uint8Array> {
  for (let at = 0; at < response.length; at += frameBytes) yield response.subarray(at, at + frameBytes);
}
