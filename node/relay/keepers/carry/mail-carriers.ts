// Carriers of mail as one node has part in them: it sends its own through others, passes on that of others, and as a keeper answers both.
import { nodeKeyOf, peerNameOf } from "#node/network/peer-name.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CarryRequest, CarryResponse } from "#shared/protocol/mail/carry-messages.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailTarget } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CarryFigures } from "../../intake/outgoing-mail.ts";
import { CarriedMail, type CarriedMailDependencies } from "./carried-mail.ts";
import { CarriedService, type CarriedServiceDependencies } from "./carried-service.ts";
import { CarriedWatches } from "./carried-watches.ts";
import { Carrier, type CarrierDependencies } from "./carrier.ts";
import { CARRY_LIMITS } from "./carry-limits.ts";
import { x25519PrivateKey, x25519PublicHex } from "./carry-seal.ts";

export interface MailCarriersDependencies
  extends Omit<CarriedMailDependencies, "countReaders">,
    Pick<CarriedServiceDependencies, "kept" | "respond">,
    Pick<CarrierDependencies, "partyOf" | "networkOf"> {
  /** X25519 secret of the node's relay, 32 bytes. */
  readonly relaySecret: Uint8Array;
  /** Boxes that are read here, and which of them were opened: each device has one that was not. */
  readonly readers: { readonly all: Iterable<X25519KeyHex> };
  readonly isOpened: (box: X25519KeyHex) => boolean;
  /** True for a box that was opened here by way of a carrier. */
  readonly isProven?: (box: X25519KeyHex, carrier: PeerName) => boolean;
  /** A keeper said this, as to a node that watches there itself. */
  readonly onNews: (request: MailRequest, keeper: PeerName) => void;
  /** A keeper does not send news of all that is watched there any more. */
  readonly onGone: (keeper: PublicKeyHex) => void;
}

/** The parts, wired. */
export class MailCarriers {
  readonly mail: CarriedMail;
  /** Nodes that watch here through carriers. */
  readonly watches: CarriedWatches;
  readonly #dependencies: MailCarriersDependencies;
  readonly #service: CarriedService;
  readonly #carrier: Carrier;

  constructor(dependencies: MailCarriersDependencies) {
    this.#dependencies = dependencies;
    const { chainId, ownKey: key, ranks, relaySecret, send, readers, isOpened } = dependencies;
    const secret = x25519PrivateKey(relaySecret);
    this.mail = new CarriedMail({ ...dependencies, countReaders: (most): number => countReaders(readers.all, isOpened, most) });
    const own = { chainId, key, x25519: x25519PublicHex(secret), secret };
    this.watches = new CarriedWatches({
      ...dependencies,
      own,
      send: async (carrier, news): Promise<void> => {
        const signal = AbortSignal.timeout(CARRY_LIMITS.newsMs);
        const { type } = await this.#sendBack(carrier, news, signal);
        if (type !== "done") throw new CodedError("UPSTREAM_FAILED", "The carrier passes nothing on");
      },
    });
    this.#service = new CarriedService({ ...dependencies, own, watches: this.watches });
    this.#carrier = new Carrier({
      ...dependencies,
      find: (keeper): MailTarget | undefined => {
        const found = ranks.find(keeper);
        return found && { key: keeper, multiaddr: found.multiaddr };
      },
      send,
      sendBack: (peer, request, signal): ReturnType<CarrierDependencies["sendBack"]> => this.#sendBack(peer, request, signal),
    });
  }

  /** Requests that this node passes on news of. */
  get tokens(): number {
    return this.#carrier.tokens;
  }

  get figures(): CarryFigures {
    const { outcomes: carried, bytes, tokens: watches } = this.#carrier;
    return { carried, bytes, watches, asked: this.mail.outcomes };
  }

  /** The response to a peer. */
  async respond(request: CarryRequest, from: PeerName): Promise<CarryResponse | undefined> {
    switch (request.type) {
      case "pass":
        return await this.#carrier.pass(request, from);
      case "open":
        return await this.#service.open(request.sealed, from);
      case "gone":
        for (const keeper of this.mail.onGone(request.tokens, from)) this.#dependencies.onGone(keeper);
        return { type: "done" };
      case "news":
        return await this.#news(request, from);
    }
  }

  /** Forgets what hangs on connections that ended. */
  keep(isConnected: (peer: PeerName) => boolean): void {
    this.watches.keep(isConnected);
    this.#carrier.keep(isConnected);
  }

  async #news(news: Extract<CarryRequest, { readonly type: "news" }>, from: PeerName): Promise<CarryResponse> {
    const own = this.mail.openNews(news, from);
    if (own !== undefined) {
      this.#dependencies.onNews(own.request, peerNameOf(own.keeper));
      return { type: "done" };
    }
    // Who sends what no one asked for, as after a restart, stops.
    return (await this.#carrier.news(news, from)) || this.mail.isOwnToken(news.token, from)
      ? { type: "done" }
      : { type: "refused", why: "unknown" };
  }

  async #sendBack(peer: PeerName, request: CarryRequest, signal: AbortSignal): ReturnType<CarrierDependencies["sendBack"]> {
    const key = nodeKeyOf(peer);
    if (key === null) throw new CodedError("UPSTREAM_FAILED", "The peer has no key of a node");
    return await this.#dependencies.send({ key, multiaddr: null }, request, signal);
  }
}

/** Those who read here, up to so many: a device has one mailbox that it has not opened, which the chain lists. */
export function countReaders(boxes: Iterable<X25519KeyHex>, isOpened: (box: X25519KeyHex) => boolean, most: number): number {
  let count = 0;
  for (const box of boxes) {
    if (!isOpened(box)) count += 1;
    if (count >= most) break;
  }
  return count;
}
