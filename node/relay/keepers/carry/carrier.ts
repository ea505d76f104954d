// A node as a carrier: it passes sealed requests on to keepers and their answers back, and news of what was asked for in them. It learns
// who asks which keeper, when, and how much; nothing of the content, and no box.
import { SharedRate } from "#node/network/flow/shared-rate.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import type { CarryOutcome, CarryRefusal, CarryRequest, CarryResponse } from "#shared/protocol/mail/carry-messages.ts";
import type { MailTarget } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import { CARRY_LIMITS, type CarryLimits } from "./carry-limits.ts";
import { DayShares } from "./day-shares.ts";

export interface CarrierDependencies {
  readonly ownKey: PublicKeyHex;
  /** A member of the directory; others are not asked for anyone. */
  readonly find: (keeper: PublicKeyHex) => MailTarget | undefined;
  /** @throws CodedError UPSTREAM_FAILED */
  readonly send: (target: MailTarget, request: CarryRequest, signal: AbortSignal) => Promise<CarryOutcome>;
  /** Sends to a node that is connected. @throws CodedError UPSTREAM_FAILED */
  readonly sendBack: (peer: PeerName, request: CarryRequest, signal: AbortSignal) => Promise<CarryOutcome>;
  /** As whom the work of a peer counts. */
  readonly partyOf: (peer: PeerName) => string;
  /** Of which network of nodes its work of a day is. */
  readonly networkOf: (peer: PeerName) => string;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly limits?: CarryLimits;
}

/** Who asked for news of a keeper. */
interface Token {
  readonly asker: PeerName;
  /** As whom the asker counts. */
  readonly party: string;
  readonly keeper: PeerName;
  readonly untilMs: number;
  /** The keeper, or the way to the asker, failed: the asker is told at the next look. */
  isLost: boolean;
}

type Pass = Extract<CarryRequest, { readonly type: "pass" }>;
type News = Extract<CarryRequest, { readonly type: "news" }>;

/** Carries, within what one peer and all may ask. Nothing here rejects. */
export class Carrier {
  readonly #dependencies: CarrierDependencies;
  readonly #limits: CarryLimits;
  readonly #requests: SharedRate;
  readonly #bytes: SharedRate;
  readonly #newsRate: SharedRate;
  readonly #days: DayShares;
  readonly #passing = new Map<string, number>();
  /** By keeper and token: keepers choose none, and none can name that of another. */
  readonly #tokens = new Map<string, Token>();
  /** By party, and by party and keeper. */
  readonly #tokenCounts = new Map<string, number>();
  /** Not connected at the last look: one that has just come has not said who it is. */
  #missed: ReadonlySet<PeerName> = new Set();
  /** What came of requests since the start, and the bytes of all. */
  readonly outcomes = { answered: 0, busy: 0, unreachable: 0, unknown: 0 };
  bytes = 0;
  #underWay = 0;
  #newsUnderWay = 0;

  constructor(dependencies: CarrierDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? CARRY_LIMITS;
    const nowMs = dependencies.clock.monotonicMs();
    this.#days = new DayShares(this.#limits.dayBytes, this.#limits.dayNetworks);
    this.#requests = new SharedRate(NETWORK_LIMITS.carryPassing, nowMs);
    this.#bytes = new SharedRate(NETWORK_LIMITS.carryBytes, nowMs);
    this.#newsRate = new SharedRate(NETWORK_LIMITS.typingNews, nowMs);
  }

  /** Watches that are passed on. */
  get tokens(): number {
    return this.#tokens.size;
  }

  /** Asks a keeper for a peer. */
  async pass(request: Pass, from: PeerName): Promise<CarryResponse> {
    const response = await this.#pass(request, from);
    this.outcomes[response.type === "refused" ? response.why : "answered"] += 1;
    this.bytes += request.sealed.length + (response.type === "sealed" ? response.sealed.length : 0);
    return response;
  }

  async #pass({ keeper, token, sealed }: Pass, from: PeerName): Promise<CarryResponse> {
    const { ownKey, find, partyOf, networkOf, clock } = this.#dependencies;
    const target = keeper === ownKey ? undefined : find(keeper);
    if (target === undefined) return refused("unreachable");
    const [party, nowMs] = [partyOf(from), clock.monotonicMs()];
    const passing = this.#passing.get(party) ?? 0;
    const isTooMuch = passing >= this.#limits.passingByNode || this.#underWay >= this.#limits.passing;
    if (isTooMuch || !this.#requests.take(party, nowMs) || !this.#bytes.take(party, nowMs, sealed.length)) return refused("busy");
    // At keepers it counts as this node's, whoever asks for it.
    if (!this.#days.take(networkOf(from), nowMs, sealed.length)) return refused("busy");
    // Before anything is waited for: news may be faster than the answer.
    if (token !== null && !this.#note(token, { asker: from, party, keeper: peerNameOf(keeper) }, nowMs)) return refused("busy");
    this.#passing.set(party, passing + 1);
    this.#underWay += 1;
    try {
      const response = await this.#ask(target, sealed, party);
      if (response.type !== "sealed" && token !== null) this.#forget(nameOf(peerNameOf(keeper), token));
      return response;
    } finally {
      this.#underWay -= 1;
      const left = (this.#passing.get(party) ?? 1) - 1;
      if (left > 0) this.#passing.set(party, left);
      else this.#passing.delete(party);
    }
  }

  /** Passes on news of a keeper; false for a token that no one asked that keeper for. */
  async news(news: News, from: PeerName): Promise<boolean> {
    const { sendBack, clock } = this.#dependencies;
    const token = this.#tokens.get(nameOf(from, news.token));
    if (token === undefined) return false;
    const isTooMuch = this.#newsUnderWay >= this.#limits.newsAtOnce || !this.#newsRate.take(from, clock.monotonicMs());
    if (isTooMuch) token.isLost = true;
    if (token.isLost) return true;
    this.#newsUnderWay += 1;
    try {
      const { type } = await sendBack(token.asker, news, AbortSignal.timeout(this.#limits.newsMs));
      if (type !== "done") token.isLost = true;
    } catch {
      token.isLost = true;
    } finally {
      this.#newsUnderWay -= 1;
    }
    return true;
  }

  /** Forgets watches of nodes that were not connected at two looks in a row, and tells the others of such keepers. */
  keep(isConnected: (peer: PeerName) => boolean): void {
    const { sendBack, clock } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const peers = new Set<PeerName>();
    for (const { asker, keeper } of this.#tokens.values()) peers.add(asker).add(keeper);
    const missing = new Set([...peers].filter((peer) => !isConnected(peer)));
    const connected = new Set([...peers].filter((peer) => !missing.has(peer) || !this.#missed.has(peer)));
    this.#missed = missing;
    const gone = new Map<PeerName, string[]>();
    for (const [name, { asker, keeper, untilMs, isLost }] of this.#tokens) {
      const isThere = connected.has(keeper) && connected.has(asker);
      if (isThere && !isLost && untilMs > nowMs) continue;
      this.#forget(name);
      if (!connected.has(asker)) continue;
      const tokens = gone.get(asker) ?? [];
      gone.set(asker, tokens);
      tokens.push(name.split(" ")[1] ?? "");
    }
    for (const [asker, tokens] of gone)
      for (let at = 0; at < tokens.length; at += NETWORK_LIMITS.carryItems.goneTokens) {
        const some = tokens.slice(at, at + NETWORK_LIMITS.carryItems.goneTokens);
        // Who does not hear of it lists again in a while.
        sendBack(asker, { type: "gone", tokens: some }, AbortSignal.timeout(this.#limits.newsMs)).catch(() => undefined);
      }
  }

  async #ask(target: MailTarget, sealed: Uint8Array, party: string): Promise<CarryResponse> {
    const { send, clock } = this.#dependencies;
    try {
      const outcome = await send(target, { type: "open", sealed }, AbortSignal.timeout(this.#limits.passMs));
      if (outcome.type === "unsupported") return refused("unknown");
      if (outcome.type !== "sealed") return outcome.type === "refused" ? outcome : refused("unreachable");
      // It came already. What is beyond the rate is owed: else answers that are thrown away would cost who asks for them nothing.
      this.#bytes.spend(party, clock.monotonicMs(), outcome.sealed.length);
      return outcome;
    } catch {
      return refused("unreachable");
    }
  }

  /** False where there is no room for one more of the asker: at one keeper few, as that counts them as this carrier's. */
  #note(token: string, { asker, party, keeper }: Pick<Token, "asker" | "party" | "keeper">, nowMs: number): boolean {
    const name = nameOf(keeper, token);
    const known = this.#tokens.get(name);
    // A token is 128 random bits of another asker: who names it has seen it somewhere, and gets nothing.
    if (known !== undefined && known.asker !== asker) return false;
    if (known !== undefined) this.#forget(name);
    const [count, atKeeper] = [party, nameOf(keeper, party)].map((counted) => this.#tokenCounts.get(counted) ?? 0) as [number, number];
    const { tokensByNode, tokensAtKeeper, tokens } = this.#limits;
    if (count >= tokensByNode || atKeeper >= tokensAtKeeper || this.#tokens.size >= tokens) return false;
    this.#tokenCounts.set(party, count + 1).set(nameOf(keeper, party), atKeeper + 1);
    this.#tokens.set(name, { asker, party, keeper, untilMs: nowMs + this.#limits.watchMs, isLost: false });
    return true;
  }

  #forget(name: string): void {
    const token = this.#tokens.get(name);
    if (token === undefined) return;
    this.#tokens.delete(name);
    for (const counted of [token.party, nameOf(token.keeper, token.party)]) {
      const left = (this.#tokenCounts.get(counted) ?? 1) - 1;
      if (left > 0) this.#tokenCounts.set(counted, left);
      else this.#tokenCounts.delete(counted);
    }
  }
}

function nameOf(keeper: PeerName, token: string): string {
  return `${keeper} ${token}`;
}

function refused(why: CarryRefusal): CarryResponse {
  return { type: "refused", why };
}
