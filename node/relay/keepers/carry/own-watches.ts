// What this node watches through its carriers: which token stands for which box at which keeper, by which carrier its news come.
import type { PeerName } from "#node/network/peer-network.ts";
import { carriedNewsCodec } from "#node/network/wire/carry-codec.ts";
import { tryDecode } from "#shared/codec/codec.ts";
import type { CarryRequest } from "#shared/protocol/mail/carry-messages.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CarriedExchange } from "./carry-seal.ts";

/** A watch as it was asked for. */
export interface OwnWatch {
  readonly keeper: PublicKeyHex;
  readonly box: X25519KeyHex;
  /** Name of the carrier. */
  readonly carrier: PeerName;
  readonly exchange: CarriedExchange;
  readonly sinceMs: number;
}

interface Held extends OwnWatch {
  /** Of the news before. */
  number: number;
}

type News = Extract<CarryRequest, { readonly type: "news" }>;

/** News that came under a token of this node. */
export interface OwnNews {
  readonly keeper: PublicKeyHex;
  readonly request: MailRequest;
}

/** Watches by their tokens. */
export class OwnWatches {
  readonly #byToken = new Map<string, Held>();
  readonly #byKeeper = new Map<PublicKeyHex, Map<X25519KeyHex, string>>();

  get size(): number {
    return this.#byToken.size;
  }

  /** True where something of a keeper is watched. */
  has(keeper: PublicKeyHex): boolean {
    return this.#byKeeper.has(keeper);
  }

  find(keeper: PublicKeyHex, box: X25519KeyHex): (OwnWatch & { readonly token: string }) | undefined {
    const token = this.#byKeeper.get(keeper)?.get(box);
    const held = token === undefined ? undefined : this.#byToken.get(token);
    return token === undefined || held === undefined ? undefined : { ...held, token };
  }

  isOf(token: string, carrier: PeerName): boolean {
    return this.#byToken.get(token)?.carrier === carrier;
  }

  /** Carriers through which boxes of a keeper are watched. */
  carriersOf(keeper: PublicKeyHex): ReadonlySet<PeerName> {
    const tokens = [...(this.#byKeeper.get(keeper)?.values() ?? [])];
    return new Set(tokens.flatMap((token) => this.#byToken.get(token)?.carrier ?? []));
  }

  /** In place of the one that there was of the box at this keeper. */
  set(token: string, watch: OwnWatch): void {
    const before = this.#byKeeper.get(watch.keeper)?.get(watch.box);
    if (before !== undefined) this.#byToken.delete(before);
    const boxes = this.#byKeeper.get(watch.keeper) ?? new Map<X25519KeyHex, string>();
    this.#byKeeper.set(watch.keeper, boxes);
    boxes.set(watch.box, token);
    this.#byToken.set(token, { ...watch, number: 0 });
  }

  /** Forgets watches of a keeper but those of some boxes. */
  keepOnly(keeper: PublicKeyHex, boxes: ReadonlySet<X25519KeyHex>): void {
    for (const [box, token] of [...(this.#byKeeper.get(keeper) ?? [])]) if (!boxes.has(box)) this.#drop(keeper, box, token);
  }

  /** Forgets watches that a carrier does not pass on any more; gives those of whose news nothing comes now. */
  dropGone(carrier: PeerName, tokens: Iterable<string>): readonly OwnWatch[] {
    return [...tokens].flatMap((token) => {
      const held = this.#byToken.get(token);
      if (held?.carrier !== carrier) return [];
      this.#drop(held.keeper, held.box, token);
      return [held];
    });
  }

  /** Likewise all those of a keeper that go through a carrier. */
  dropThrough(keeper: PublicKeyHex, carrier: PeerName): void {
    for (const [box, token] of [...(this.#byKeeper.get(keeper) ?? [])])
      if (this.#byToken.get(token)?.carrier === carrier) this.#drop(keeper, box, token);
  }

  /** News of a keeper, about the box that the token stands for; undefined for what is not, or came before. */
  open({ token, sealed }: News, carrier: PeerName): OwnNews | undefined {
    const held = this.#byToken.get(token);
    if (held?.carrier !== carrier) return undefined;
    const message = held.exchange.open("news", sealed);
    const news = message && tryDecode(carriedNewsCodec, message);
    if (news === undefined || news.number <= held.number) return undefined;
    held.number = news.number;
    const { request } = news;
    const isOfBox =
      (request.type === "news" && request.boxes.every((box) => box === held.box)) ||
      (request.type === "typing" && request.isNews && request.to === held.box);
    return isOfBox ? { keeper: held.keeper, request } : undefined;
  }

  #drop(keeper: PublicKeyHex, box: X25519KeyHex, token: string): void {
    this.#byToken.delete(token);
    const boxes = this.#byKeeper.get(keeper);
    boxes?.delete(box);
    if (boxes?.size === 0) this.#byKeeper.delete(keeper);
  }
}
