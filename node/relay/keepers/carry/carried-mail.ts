// Mail of this node's clients through carriers, so that keepers do not learn which node has which boxes. Where no carrier is to be had, or
// many read here, keepers are asked directly.
import { peerNameOf } from "#node/network/peer-name.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import { isResponseTo } from "#node/network/traffic/mail-requests.ts";
import { carriedRequestCodec } from "#node/network/wire/carry-codec.ts";
import { mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import type { Log } from "#node/observability/log.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { CarryOutcome, CarryRequest } from "#shared/protocol/mail/carry-messages.ts";
import type { MailRequest, MailResponse, MailTarget } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";
import { BoxScopes } from "./box-scopes.ts";
import { CarrierCircle } from "./carrier-circle.ts";
import { CARRY_LIMITS, type CarryLimits } from "./carry-limits.ts";
import { type CarriedExchange, sealRequest } from "./carry-seal.ts";
import { OwnWatches } from "./own-watches.ts";
import { askParts, type CarriedMailRequest, isCarried, type RequestPart } from "./split-request.ts";

type Ask = (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;

export interface CarriedMailDependencies {
  readonly chainId: string;
  readonly ownKey: PublicKeyHex;
  /** The node's own secret, by which it chooses its carriers, 32 bytes. */
  readonly secret: () => Uint8Array;
  readonly ranks: Pick<KeeperRanks, "directory" | "epoch" | "find" | "isKeeper">;
  /** False where the operator does not want carriers. */
  readonly isWanted: boolean;
  /** Counts who reads here, up to this many. */
  readonly countReaders: (most: number) => number;
  /** Asks a keeper by itself. @throws CodedError UPSTREAM_FAILED */
  readonly askDirectly: Ask;
  /** Asks a carrier. @throws CodedError UPSTREAM_FAILED */
  readonly send: (target: MailTarget, request: CarryRequest, signal: AbortSignal) => Promise<CarryOutcome>;
  readonly isConnected: (peer: PeerName) => boolean;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly limits?: CarryLimits;
}

interface Sealed {
  readonly keeper: Keeper;
  readonly part: RequestPart;
  readonly exchange: CarriedExchange;
  readonly sealed: Uint8Array;
  readonly token: string | null;
}

/** What a carrier brought: a response, or word of what is wrong with the keeper or with itself. */
type Brought =
  | { readonly is: "response"; readonly response: MailResponse }
  | { readonly is: "nothing" | "unreachable" | "unknown" | "busy" };

/** A carrier that brought no response. */
interface Tried {
  readonly carrier: Keeper;
  readonly is: Brought["is"];
}

const TOKEN_BYTES = 16;

/** Asks keepers as {@link CarriedMailDependencies.askDirectly} does. */
export class CarriedMail {
  readonly #dependencies: CarriedMailDependencies;
  readonly #limits: CarryLimits;
  readonly #watches = new OwnWatches();
  readonly #circle: CarrierCircle;
  readonly #scopes: BoxScopes;
  /** When it was looked last whether those through which a keeper is watched are connected, ms. */
  readonly #lookedAtMs = new Map<PublicKeyHex, number>();
  #readers = { count: 0, atMs: Number.NEGATIVE_INFINITY };

  constructor(dependencies: CarriedMailDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? CARRY_LIMITS;
    const { ranks, ownKey, secret, clock } = dependencies;
    this.#scopes = new BoxScopes(this.#limits.watched);
    this.#circle = new CarrierCircle({ ranks, ownKey, secret, clock, limits: this.#limits });
  }

  /** True where requests go through carriers. */
  get isOn(): boolean {
    const { isWanted, ranks, countReaders, clock } = this.#dependencies;
    const members = ranks.directory?.keepers.length ?? 0;
    if (!isWanted || members < this.#limits.leastMembers) return false;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#readers.atMs >= this.#limits.countMs) this.#readers = { count: countReaders(this.#limits.readers), atMs: nowMs };
    return this.#readers.count < this.#limits.readers;
  }

  /** Boxes that are watched through carriers, each counted by its keepers. */
  get watched(): number {
    return this.#watches.size;
  }

  /** @throws CodedError UPSTREAM_FAILED */
  readonly ask: Ask = async (keeper, request, signal) => {
    const { ranks, ownKey, askDirectly } = this.#dependencies;
    const found = keeper === ownKey ? undefined : ranks.find(keeper);
    if (found === undefined || !isCarried(request) || !this.isOn || !this.#circle.canCarryTo(found)) {
      if (request.type === "watch" && !request.isMore) this.#watches.keepOnly(keeper, new Set());
      return await askDirectly(keeper, request, signal);
    }
    return await this.#askThrough(found, request, signal);
  };

  /** True while news of a keeper come: its connection is open, or those of all carriers through which it is watched. */
  isConnected(keeper: PublicKeyHex): boolean {
    const { isConnected, clock } = this.#dependencies;
    if (!this.#watches.has(keeper)) {
      this.#lookedAtMs.delete(keeper);
      return isConnected(peerNameOf(keeper));
    }
    const nowMs = clock.monotonicMs();
    if (nowMs - (this.#lookedAtMs.get(keeper) ?? Number.NEGATIVE_INFINITY) < this.#limits.lookMs) return true;
    this.#lookedAtMs.set(keeper, nowMs);
    const gone = [...this.#watches.carriersOf(keeper)].filter((carrier) => !isConnected(carrier));
    for (const carrier of gone) this.#watches.dropThrough(keeper, carrier);
    return gone.length === 0;
  }

  /** News of a keeper that came by a carrier: what the keeper said; undefined for what none said to this node. */
  openNews(news: Extract<CarryRequest, { readonly type: "news" }>, from: PeerName): ReturnType<OwnWatches["open"]> {
    return this.#watches.open(news, from);
  }

  /** True for a token of this node, whatever came under it. */
  isOwnToken(token: string, carrier: PeerName): boolean {
    return this.#watches.isOf(token, carrier);
  }

  /** A carrier lost its way to keepers: gives those of which something is to be watched again. */
  onGone(tokens: readonly string[], from: PeerName): ReadonlySet<PublicKeyHex> {
    return new Set(this.#watches.dropGone(from, tokens).map(({ keeper }) => keeper));
  }

  async #askThrough(keeper: Keeper, request: CarriedMailRequest, signal: AbortSignal): Promise<MailResponse> {
    const isWatch = request.type === "watch";
    if (isWatch && !request.isMore) this.#watches.keepOnly(keeper.key, new Set(request.boxes));
    const boxes = isWatch ? request.boxes.filter((box) => !this.#isFresh(keeper.key, box)) : [];
    if (isWatch && boxes.length === 0) return { type: "done" };
    if (isWatch && this.#watches.size + boxes.length > this.#limits.watched)
      throw new CodedError("UPSTREAM_FAILED", "Too many boxes are watched through carriers");
    const asked = isWatch ? { ...request, boxes } : request;
    const response = await askParts(asked, (part) => this.#askPart(keeper, this.#scopes.asAsked(keeper.key, part), signal), this.#limits);
    if (isResponseTo(request, response)) return response;
    throw new CodedError("UPSTREAM_FAILED", `The keeper ${keeper.key} responds to something else`);
  }

  /** What is watched through a carrier that is connected need not be renewed for a while. */
  #isFresh(keeper: PublicKeyHex, box: string): boolean {
    const { clock, isConnected } = this.#dependencies;
    const watch = this.#watches.find(keeper, box);
    return watch !== undefined && clock.monotonicMs() - watch.sinceMs < this.#limits.renewMs && isConnected(watch.carrier);
  }

  /** One carrier after the other, a few of them. */
  async #askPart(keeper: Keeper, part: RequestPart, signal: AbortSignal): Promise<MailResponse> {
    const carriers = this.#circle.inOrder(keeper, part.box);
    const tried: Tried[] = [];
    for (const carrier of carriers.slice(0, this.#limits.tries)) {
      if (signal.aborted) break;
      const brought = await this.#askOne(carrier, this.#seal(keeper, part), signal);
      if (brought.is === "response") {
        this.#judge(carrier, tried);
        return brought.response;
      }
      tried.push({ carrier, is: brought.is });
      if (brought.is === "nothing" && !signal.aborted) this.#circle.noteFailed(carrier.key);
    }
    // All that were asked say so, and they are several where there are several.
    const isAgreed = tried.length > 0 && tried.length >= Math.min(this.#limits.tries, carriers.length);
    if (isAgreed && tried.every(({ is }) => is === "unknown")) return await this.#askOlder(keeper, part, signal);
    throw new CodedError("UPSTREAM_FAILED", `No carrier brought a response of the keeper ${keeper.key}`);
  }

  /** A carrier has reached the keeper: those before that said otherwise did not do what they should. */
  #judge({ key }: Keeper, tried: readonly Tried[]): void {
    this.#circle.noteWorked(key);
    for (const { carrier, is } of tried) if (is === "unreachable" || is === "unknown") this.#circle.noteFailed(carrier.key);
  }

  async #askOlder({ key }: Keeper, { request }: RequestPart, signal: AbortSignal): Promise<MailResponse> {
    const { askDirectly, log } = this.#dependencies;
    log.info({ keeper: key }, "A keeper takes no mail through carriers: it is asked directly for an hour");
    this.#circle.noteUnsupported(key);
    return await askDirectly(key, request, signal);
  }

  /** Sealed for each carrier by itself, so that two of them cannot know that they carry the same. */
  #seal(keeper: Keeper, part: RequestPart): Sealed {
    const { chainId, ranks, random } = this.#dependencies;
    const token = part.request.type === "watch" ? toHex(random(TOKEN_BYTES)) : null;
    const message = encode(carriedRequestCodec, { epoch: ranks.epoch, token, request: part.request });
    const { key, x25519 } = keeper;
    return { keeper, part, token, ...sealRequest({ chainId, key, x25519 }, message, random) };
  }

  async #askOne(carrier: Keeper, { keeper, part, exchange, sealed, token }: Sealed, signal: AbortSignal): Promise<Brought> {
    const { send, clock, log } = this.#dependencies;
    const { key, multiaddr } = carrier;
    const ending = AbortSignal.any([signal, AbortSignal.timeout(this.#limits.tryMs)]);
    let outcome: CarryOutcome;
    try {
      outcome = await send({ key, multiaddr }, { type: "pass", keeper: keeper.key, token, sealed }, ending);
    } catch (error) {
      log.debug({ err: error, carrier: key }, "A carrier did not respond");
      return { is: "nothing" };
    }
    if (outcome.type === "unsupported") this.#circle.noteUnable(key);
    if (outcome.type === "refused") return { is: outcome.why };
    if (outcome.type !== "sealed") return { is: "nothing" };
    const message = exchange.open("answer", outcome.sealed);
    const response = message && tryDecode(mailResponseCodec, message);
    // What does not open the carrier may have altered, or the keeper have made so: it says nothing against one of them to others.
    if (response === undefined || !isResponseTo(part.request, response)) return { is: "nothing" };
    this.#scopes.note(keeper.key, part.box, response);
    if (token !== null && response.type === "done")
      this.#watches.set(token, { keeper: keeper.key, box: part.box, carrier: peerNameOf(key), exchange, sinceMs: clock.monotonicMs() });
    return { is: "response", response };
  }
}
