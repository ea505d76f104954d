// Typing notices while keepers have the mail: to one keeper of the box, which tells those who watch it. Nothing is stored, and what fails is
// not repeated: the next notice follows in a moment.
import { SharedRate } from "#node/network/flow/shared-rate.ts";
import { TypingGate } from "#node/network/flow/typing-gate.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { nodeKeyOf } from "#node/network/peer-name.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { TypingNotice } from "../../typing-exchange.ts";
import { KEEPER_LIMITS } from "../keeper-limits.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";
import type { BoxWatchers } from "./box-watchers.ts";

export interface KeeperTypingDependencies {
  readonly ranks: Pick<KeeperRanks, "keepersOf" | "find" | "epoch">;
  readonly watchers: Pick<BoxWatchers, "of">;
  /** The box, when this node is a keeper of it. */
  readonly kept: (box: X25519KeyHex, from: PeerName) => Promise<readonly X25519KeyHex[]>;
  /** Asks a keeper. @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  /** Tells a node that watches here. */
  readonly tell: (peer: PeerName, notice: TypingNotice) => Promise<unknown>;
  readonly ownName: PeerName;
  /** Someone types to a client of this node, at another one. */
  readonly onTyping: (notice: TypingNotice) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Notices under way, each counted by those who get it; more are dropped. */
export const TYPING_UNDER_WAY = 1_024;
/** Nodes that one notice is passed on to, and keepers that are asked to. */
const TOLD_NODES = 16;
const TRIED_KEEPERS = 2;

type TypingRequest = Extract<MailRequest, { readonly type: "typing" }>;

/** Sends and passes on. Nothing here rejects. */
export class KeeperTyping {
  readonly #dependencies: KeeperTypingDependencies;
  readonly #sent = new TypingGate();
  readonly #received = new TypingGate();
  readonly #rate: SharedRate;
  readonly #newsRate: SharedRate;
  #underWay = 0;
  #isClosed = false;

  constructor(dependencies: KeeperTypingDependencies) {
    this.#dependencies = dependencies;
    const nowMs = dependencies.clock.monotonicMs();
    this.#rate = new SharedRate(NETWORK_LIMITS.typing, nowMs);
    this.#newsRate = new SharedRate(NETWORK_LIMITS.typingNews, nowMs);
  }

  /** A client of this node types. */
  send(notice: TypingNotice): void {
    if (!this.#sent.pass(notice, this.#dependencies.clock.monotonicMs())) return;
    this.#start(() => this.#toKeeper(notice));
  }

  /** Another node says that someone types. */
  async respond({ to, from: sender, isNews }: TypingRequest, from: PeerName): Promise<MailResponse> {
    const { ranks, watchers, kept, tell, ownName, onTyping, clock } = this.#dependencies;
    const notice = { to, from: sender };
    const nowMs = clock.monotonicMs();
    if (isNews) {
      const key = nodeKeyOf(from);
      const isKeeper = key !== null && ranks.find(key) !== undefined;
      if (isKeeper && this.#newsRate.take(from, nowMs) && this.#received.pass(notice, nowMs)) onTyping(notice);
      return { type: "done" };
    }
    if (!this.#rate.take(from, nowMs)) return { type: "busy" };
    if ((await kept(to, from)).length === 0) return { type: "wrongKeeper", epoch: ranks.epoch };
    if (!this.#received.pass(notice, nowMs)) return { type: "done" };
    if (from !== ownName) onTyping(notice);
    for (const peer of watchers.of(to, TOLD_NODES)) if (peer !== from) this.#start(() => tell(peer, notice));
    return { type: "done" };
  }

  close(): void {
    this.#isClosed = true;
  }

  async #toKeeper({ to, from }: TypingNotice): Promise<void> {
    const { ranks, ask } = this.#dependencies;
    const keeping = ranks.keepersOf(to)?.keeping ?? [];
    for (const { key } of keeping.slice(0, TRIED_KEEPERS)) {
      if (this.#isClosed) return;
      const request: MailRequest = { type: "typing", to, from, isNews: false };
      const response = await ask(key, request, AbortSignal.timeout(KEEPER_LIMITS.answerMs)).catch(() => undefined);
      if (response?.type === "done") return;
    }
  }

  #start(work: () => Promise<unknown>): void {
    if (this.#isClosed || this.#underWay >= TYPING_UNDER_WAY) return;
    this.#underWay += 1;
    void work()
      .catch((error: unknown) => this.#dependencies.log.debug({ err: error }, "A typing notice was not passed on"))
      .finally(() => {
        this.#underWay -= 1;
      });
  }
}
