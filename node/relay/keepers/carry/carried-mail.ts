// Mail of this node's clients through carriers, so that keepers do not learn which node has which boxes. Where no carrier is to be had, or
// many read here, keepers are asked directly; never because one of them, or a carrier, says or does something.
import { LRUCache } from "lru-cache";
import { nodeKeyOf, peerNameOf } from "#node/network/peer-name.ts";
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
  readonly ranks: Pick<KeeperRanks, "directory" | "epoch" | "find" | "isKeeper" | "keepersOf">;
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
  /** What carriers brought since the start: a response, or none. */
  readonly outcomes = { answered: 0, failed: 0 };
  readonly #dependencies: CarriedMailDependencies;
  readonly #limits: CarryLimits;
  readonly #watches = new OwnWatches();
  readonly #circle: CarrierCircle;
  readonly #scopes: BoxScopes;
  /** Keepers at which boxes are watched without carriers. */
  readonly #watchedDirectly: LRUCache<PublicKeyHex, true>;
  /** When it was looked last whether those through which a keeper is watched are connected, ms. */
  readonly #lookedAtMs = new Map<PublicKeyHex, number>();
  #readers = { count: 0, atMs: Number.NEGATIVE_INFINITY };

  constructor(dependencies: CarriedMailDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? CARRY_LIMITS;
    this.#watchedDirectly = new LRUCache({ max: this.#limits.unsupported });
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
    if (keeper !== ownKey && isCarried(request) && this.isOn) {
      const found = ranks.find(keeper);
      if (found === undefined) throw new CodedError("UPSTREAM_FAILED", `The node ${keeper} is no keeper any more`);
      if (this.#circle.canCarryTo(found)) return await this.#askThrough(found, request, signal);
    }
    // Each box that is watched through a carrier is renewed by itself: a sum of all would say that they belong together.
    if (request.type === "renew" && (this.#watches.has(keeper) || this.#isToCarry(keeper))) return { type: "busy" };
    if (request.type === "watch") {
      this.#watchedDirectly.set(keeper, true);
      if (!request.isMore) this.#watches.keepOnly(keeper, new Set());
    }
    return await askDirectly(keeper, request, signal);
  };

  /** As {@link CarriedMail.ask}; directly where this node is a member itself: what members hand each other says nothing of their clients. */
  readonly askAsMember: Ask = async (keeper, request, signal) => {
    const { ranks, ownKey, askDirectly } = this.#dependencies;
    const ask = ranks.find(ownKey) === undefined ? this.ask : askDirectly;
    return await ask(keeper, request, signal);
  };

  #isToCarry(keeper: PublicKeyHex): boolean {
    const found = this.#dependencies.ranks.find(keeper);
    return found !== undefined && this.isOn && this.#circle.canCarryTo(found);
  }

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
    const dropped = this.#watches.dropGone(from, tokens);
    const [carrier, sinceMs] = [nodeKeyOf(from), this.#dependencies.clock.monotonicMs() - this.#limits.pauseMs];
    const keepers = new Set(dropped.map(({ keeper }) => keeper));
    // One that says so again and again would have this node ask again and again.
    for (const keeper of keepers)
      if (carrier !== null && dropped.some((each) => each.keeper === keeper && each.sinceMs > sinceMs))
        this.#circle.noteNoWay(carrier, keeper);
    return keepers;
  }

  async #askThrough(keeper: Keeper, request: CarriedMailRequest, signal: AbortSignal): Promise<MailResponse> {
    const isWatch = request.type === "watch";
    if (isWatch && !request.isMore) this.#watches.keepOnly(keeper.key, new Set(request.boxes));
    const boxes = isWatch ? request.boxes.filter((box) => !this.#isFresh(keeper.key, box)) : [];
    if (isWatch && boxes.length === 0) {
      this.#endDirectWatch(keeper.key);
      return { type: "done" };
    }
    if (isWatch && this.#watches.size + boxes.length > this.#limits.watched)
      throw new CodedError("UPSTREAM_FAILED", "Too many boxes are watched through carriers");
    const asked = isWatch ? { ...request, boxes } : request;
    const response = await askParts(asked, (part) => this.#askPart(keeper, this.#scopes.asAsked(keeper.key, part), signal), this.#limits);
    if (isWatch && response.type === "done") this.#endDirectWatch(keeper.key);
    if (isResponseTo(request, response)) return response;
    throw new CodedError("UPSTREAM_FAILED", `The keeper ${keeper.key} responds to something else`);
  }

  /** What the keeper was asked to tell before carriers were used would say who reads here. */
  #endDirectWatch(keeper: PublicKeyHex): void {
    const { askDirectly, isConnected } = this.#dependencies;
    // No connection is opened for that, as the keeper forgets who is away; who comes back while it remembers says so then.
    if (!isConnected(peerNameOf(keeper)) || !this.#watchedDirectly.delete(keeper)) return;
    askDirectly(keeper, { type: "watch", boxes: [], isMore: false }, AbortSignal.timeout(this.#limits.tryMs)).catch(() => undefined);
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
      this.outcomes[brought.is === "response" ? "answered" : "failed"] += 1;
      if (brought.is === "response") {
        this.#judge(carrier, keeper, tried);
        return brought.response;
      }
      tried.push({ carrier, is: brought.is });
      if (brought.is === "nothing" && !signal.aborted) this.#circle.noteFailed(carrier.key);
    }
    // Whatever they say of the keeper: the next request goes to others. To ask it directly is what a keeper, or two carriers, would lie for.
    for (const { carrier, is } of tried) if (is !== "nothing") this.#circle.noteNoWay(carrier.key, keeper.key);
    throw new CodedError("UPSTREAM_FAILED", `No carrier brought a response of the keeper ${keeper.key}`);
  }

  /** A carrier has reached the keeper: those before that said otherwise did not do what they should. */
  #judge({ key }: Keeper, keeper: Keeper, tried: readonly Tried[]): void {
    this.#circle.noteWorked(key, keeper.key);
    for (const { carrier, is } of tried) if (is === "unreachable" || is === "unknown") this.#circle.noteFailed(carrier.key);
  }

  /** Sealed for each carrier by itself, so that two of them cannot know that they carry the same. @throws CodedError UPSTREAM_FAILED */
  #seal(keeper: Keeper, part: RequestPart): Sealed {
    const { chainId, ranks, random } = this.#dependencies;
    const token = part.request.type === "watch" ? toHex(random(TOKEN_BYTES)) : null;
    const message = encode(carriedRequestCodec, { epoch: ranks.epoch, token, request: part.request });
    const { key, x25519 } = keeper;
    try {
      return { keeper, part, token, ...sealRequest({ chainId, key, x25519 }, message, random) };
    } catch (error) {
      throw new CodedError("UPSTREAM_FAILED", `Nothing can be sealed to the keeper ${key}`, { cause: error });
    }
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
    // It has no room for more watches of this carrier.
    if (token !== null && response.type === "busy") return { is: "busy" };
    this.#scopes.note(keeper.key, part.box, response);
    if (token !== null && response.type === "done")
      this.#watches.set(token, { keeper: keeper.key, box: part.box, carrier: peerNameOf(key), exchange, sinceMs: clock.monotonicMs() });
    return { is: "response", response };
  }
}
