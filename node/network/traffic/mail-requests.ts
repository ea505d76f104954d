// Requests to keepers of mail, and what this node responds to those of others.
import type { Connection, Libp2p } from "@libp2p/interface";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { MailRequest, MailResponse, MailTarget } from "#shared/protocol/mail/mail-messages.ts";
import { receiptMark } from "#shared/protocol/mail/mail-receipt.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { NetworkHandlers, PeerName } from "../peer-network.ts";
import type { MailPeers } from "../peers/mail-peers.ts";
import type { ProtocolNames } from "../protocol-names.ts";
import { mailRequestCodec, mailResponseCodec } from "../wire/mail-codec.ts";
import { type RequestProtocol, type ServerContext, sendRequest, serveRequests } from "./request-protocol.ts";

export interface MailRequestsDependencies extends ServerContext {
  readonly libp2p: Pick<Libp2p, "handle">;
  readonly names: Pick<ProtocolNames, "mail" | "cards" | "digests" | "watches">;
  readonly handlers: Pick<NetworkHandlers, "mail">;
  readonly peers: Pick<MailPeers, "reach">;
  /** Learns which bytes of a connection this node requested. */
  readonly meter: { credit(connection: Connection, bytes: number): void };
}

/** What a request is responded to with, beside a refusal. */
const RESPONSE_TYPES: Readonly<Record<MailRequest["type"], MailResponse["type"]>> = {
  put: "receipts",
  open: "done",
  get: "page",
  delete: "done",
  fetch: "mail",
  watch: "done",
  news: "done",
  typing: "done",
  digest: "digests",
  ranges: "ranges",
  card: "card",
  signed: "signed",
  renew: "renewed",
};

/**
 * The protocols `mail/1`, `cards/2`, `digests/1` and `watches/1`: a node of an earlier version would take a request for a card, for signed
 * digests, or to renew a watch, as malformed and hang up.
 */
export class MailRequests {
  readonly #dependencies: MailRequestsDependencies;
  readonly #mail: RequestProtocol;
  readonly #cards: RequestProtocol;
  readonly #digests: RequestProtocol;
  readonly #watches: RequestProtocol;

  constructor(dependencies: MailRequestsDependencies) {
    this.#dependencies = dependencies;
    const { mail, cards, digests, watches } = dependencies.names;
    this.#mail = { names: [mail], limits: NETWORK_LIMITS.mail };
    this.#cards = { names: [cards], limits: NETWORK_LIMITS.cards, isOptional: true };
    this.#digests = { names: [digests], limits: NETWORK_LIMITS.digests, isOptional: true };
    this.#watches = { names: [watches], limits: NETWORK_LIMITS.watches, isOptional: true };
  }

  async start(): Promise<void> {
    const { libp2p, clock, report, handlers, budget } = this.#dependencies;
    if (handlers.mail === undefined) return;
    for (const protocol of [this.#mail, this.#cards, this.#digests, this.#watches])
      await serveRequests(protocol, { libp2p, clock, report, budget }, async (bytes, from) => {
        const request = tryDecode(mailRequestCodec, bytes);
        if (request === undefined || this.#protocolOf(request) !== protocol) return undefined;
        const response = await handlers.mail?.(request, from);
        if (response === undefined) return undefined;
        const frame = encode(mailResponseCodec, response);
        return { frames: [frame], bytes: frame.length };
      });
  }

  /** The response of a keeper. @throws CodedError UPSTREAM_FAILED; what no keeper responds costs it score. */
  async request(target: MailTarget, request: MailRequest, signal: AbortSignal): Promise<MailResponse> {
    const { meter, report, peers } = this.#dependencies;
    const connection = await peers.reach(target);
    let response: MailResponse | undefined;
    const onFrame = (frame: Uint8Array): boolean => {
      const decoded = response === undefined ? tryDecode(mailResponseCodec, frame) : undefined;
      if (decoded === undefined || !isResponseTo(request, decoded)) return false;
      response = decoded;
      return true;
    };
    const bytes = encode(mailRequestCodec, request);
    const outgoing = { bytes, signal, onFrame, onBytes: (count: number): void => meter.credit(connection, count) };
    await sendRequest(this.#protocolOf(request), connection, outgoing, report);
    if (response === undefined) throw this.#silent(connection.remotePeer.toString());
    return response;
  }

  #protocolOf({ type }: MailRequest): RequestProtocol {
    if (type === "card") return this.#cards;
    if (type === "renew") return this.#watches;
    return type === "signed" ? this.#digests : this.#mail;
  }

  #silent(peer: PeerName): CodedError {
    this.#dependencies.report(peer, "malformed");
    return new CodedError("UPSTREAM_FAILED", `Peer ${peer} sent an empty response`);
  }
}

/** False for what no honest node responds: another kind of response, or what was not asked. */
export function isResponseTo(request: MailRequest, response: MailResponse): boolean {
  if (response.type === "wrongKeeper" || response.type === "busy") return true;
  if (response.type !== RESPONSE_TYPES[request.type]) return false;
  switch (response.type) {
    case "receipts": {
      const put = new Set(request.type === "put" ? request.items.map((item) => receiptMark(item, nativeSha256)) : []);
      return response.receipts.every(({ marks }) => marks.every((mark) => put.has(mark)));
    }
    case "page": {
      const boxes = new Set(request.type === "get" ? request.boxes.map(({ box }) => box) : []);
      const isOfBox = ({ deletions, opening, box }: (typeof response.boxes)[number]): boolean =>
        boxes.has(box) && deletions.every(({ mailbox }) => mailbox === box) && (opening === null || opening.mailbox === box);
      return response.boxes.every(isOfBox) && response.items.every(({ envelope }) => boxes.has(envelope.recipient_pub));
    }
    case "mail": {
      const places = request.type === "fetch" ? request.places : [];
      const asked = new Set(places.map(({ box, id }) => `${box} ${id}`));
      const boxes = new Set(places.map(({ box }) => box));
      const isAsked = response.items.every(({ envelope }) => asked.has(`${envelope.recipient_pub} ${envelope.id}`));
      return isAsked && [...response.deletions, ...response.openings].every(({ mailbox }) => boxes.has(mailbox));
    }
    case "digests":
      return request.type === "digest" && response.digests.length === request.slots.length;
    case "renewed":
      return request.type === "renew";
    case "signed":
      return request.type === "signed" && response.digests.length === request.slots.length;
    case "ranges":
      return request.type === "ranges" && response.answers.length === request.ranges.length;
    default:
      return true;
  }
}
