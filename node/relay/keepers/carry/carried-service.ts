// What a keeper does for those who ask it through carriers: the same as for others, within what goes through a carrier.
import type { KeyObject } from "node:crypto";
import { nodeKeyOf } from "#node/network/peer-name.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import { carriedRequestCodec } from "#node/network/wire/carry-codec.ts";
import { mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import type { CarriedRequest, CarryResponse } from "#shared/protocol/mail/carry-messages.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";
import type { CarriedWatches } from "./carried-watches.ts";
import { type CarriedExchange, MAX_CARRIED_BYTES, openRequest, type SealedParty } from "./carry-seal.ts";
import { isCarried } from "./split-request.ts";

export interface CarriedServiceDependencies {
  readonly own: SealedParty & { readonly secret: KeyObject };
  readonly ranks: Pick<KeeperRanks, "find" | "epoch">;
  readonly watches: Pick<CarriedWatches, "add">;
  /** Of boxes those that this node keeps; who asks waits where many do. */
  readonly kept: (boxes: readonly X25519KeyHex[], from: PeerName) => Promise<readonly X25519KeyHex[]>;
  /** The response to all but `watch`, as to a node that asks itself. */
  readonly respond: (request: MailRequest, from: PeerName) => Promise<MailResponse | undefined>;
  readonly random: RandomBytes;
}

const UNKNOWN: CarryResponse = { type: "refused", why: "unknown" };

/** Opens and answers. */
export class CarriedService {
  readonly #dependencies: CarriedServiceDependencies;

  constructor(dependencies: CarriedServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** The answer to what a carrier passed on. What is in it is not the carrier's fault, and costs it nothing. */
  async open(sealed: Uint8Array, from: PeerName): Promise<CarryResponse> {
    const { own, ranks, random } = this.#dependencies;
    const carrier = nodeKeyOf(from);
    // Members have a bond, and a share of what a keeper does.
    if (carrier === null || ranks.find(carrier) === undefined) return UNKNOWN;
    const opened = openRequest(own, sealed);
    const asked = opened && tryDecode(carriedRequestCodec, opened.message);
    if (opened === undefined || asked === undefined) return UNKNOWN;
    const response = encode(mailResponseCodec, await this.#answer(asked, from, opened.exchange));
    // Room is measured before a response is made, and what is beyond it is none.
    const bytes = response.length <= MAX_CARRIED_BYTES ? response : encode(mailResponseCodec, { type: "busy" });
    return { type: "sealed", sealed: opened.exchange.seal("answer", bytes, random) };
  }

  async #answer({ epoch, token, request }: CarriedRequest, from: PeerName, exchange: CarriedExchange): Promise<MailResponse> {
    const { ranks, respond } = this.#dependencies;
    // Served are the newest directory and the one before. What was asked by an older one is late, or repeated.
    if (epoch < ranks.epoch - 1) return { type: "wrongKeeper", epoch: ranks.epoch };
    if (!isCarried(request)) return { type: "busy" };
    if (request.type === "watch") return await this.#watch(request.boxes, { token, from, exchange });
    return (await respond(request, from)) ?? { type: "busy" };
  }

  /** One box a token. */
  async #watch(
    boxes: readonly X25519KeyHex[],
    { token, from, exchange }: { readonly token: string | null; readonly from: PeerName; readonly exchange: CarriedExchange },
  ): Promise<MailResponse> {
    const { kept, watches, ranks } = this.#dependencies;
    const [box, ...others] = boxes;
    if (token === null || box === undefined || others.length > 0) return { type: "busy" };
    if ((await kept([box], from)).length === 0) return { type: "wrongKeeper", epoch: ranks.epoch };
    return { type: watches.add(from, token, box, exchange) ? "done" : "busy" };
  }
}
