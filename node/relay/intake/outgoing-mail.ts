// Where mail of this node's clients goes besides its own mailbox, once its chain has keepers.

import type { PeerName } from "#node/network/peer-network.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { KeptEnvelope } from "#shared/protocol/mail/mail-messages.ts";
import type { DayLedger } from "../mail-source.ts";
import type { TypingNotice } from "../typing-exchange.ts";
import type { MailForGateways } from "./mail-elsewhere.ts";

/** Ways that mail of clients takes. */
export interface MailWays {
  readonly gossip: boolean;
  readonly keepers: boolean;
}

/** Mail on its way to keepers. Counts of what happened are since the start. */
export interface QueueFigures {
  readonly queued: number;
  readonly queuedBytes: number;
  /** So many keepers have signed for these that they are delivered. */
  readonly handedOver: number;
  /** Given up after their time without enough receipts. */
  readonly expired: number;
  /** For which the queue had no room, or from which it took it for those of others. */
  readonly refused: number;
}

/** What became of requests that go through carriers, since the start. */
export interface CarryFigures {
  /** Requests that this node carried for others, by what came of them, and their bytes with those of the answers. */
  readonly carried: Readonly<Record<"answered" | "busy" | "unreachable" | "unknown", number>>;
  readonly bytes: number;
  /** Watches that it passes on for others now. */
  readonly watches: number;
  /** What this node asked of carriers, each by itself. */
  readonly asked: Readonly<Record<"answered" | "failed", number>>;
}

/** What keepers do for each other and for others, since the start. */
export interface ExchangeFigures extends CarryFigures {
  /** Digests that this node signed, took of others, and refused for a signature that was false. */
  readonly digests: Readonly<Record<"signed" | "taken" | "false", number>>;
  /** Keepers that dropped what they had signed for to this node, and whose receipts do not count here now. */
  readonly doubted: number;
}

/** A node that has no part in any of it. */
export const NO_EXCHANGE: ExchangeFigures = {
  carried: { answered: 0, busy: 0, unreachable: 0, unknown: 0 },
  bytes: 0,
  watches: 0,
  asked: { answered: 0, failed: 0 },
  digests: { signed: 0, taken: 0, false: 0 },
  doubted: 0,
};

/** Who hands an envelope in, and what it counts as. */
export interface HandedIn {
  readonly source: MailSource;
  /** True for mail that its open box admits. */
  readonly isOpen: boolean;
  readonly ledgers: readonly DayLedger[];
}

/** The way to keepers. */
export interface OutgoingMail {
  readonly figures: QueueFigures;
  readonly exchange: ExchangeFigures;
  readonly ways: MailWays;
  /** Resolves once the envelope is durable on its way. @throws CodedError MAILBOX_FULL, RELAY_FULL or RATE_LIMITED */
  put(item: KeptEnvelope, by: HandedIn): Promise<void>;
  /** Asks the keepers of a box how its owner opened it. Never rejects. */
  learnOpening(box: X25519KeyHex): Promise<void>;
  /** Those of mailboxes that this node keeps, or that are read here. `from` asks, and waits where many do. */
  own(boxes: readonly X25519KeyHex[], from: PeerName): Promise<ReadonlySet<X25519KeyHex>>;
  /** Tells who reads a mailbox elsewhere that someone types. */
  sendTyping(notice: TypingNotice): void;
  /** Others read here now, or listen to what arrives. */
  onReaders(): void;
  /** Undefined while this node's mailbox has all mail that there is. */
  readonly elsewhere: MailForGateways | undefined;
}

/** Without keepers everything goes by gossip. */
export const GOSSIP_ALONE: MailWays = { gossip: true, keepers: false };
