// Spending rules as the users of the keyring see them.
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { DraftContext } from "#shared/protocol/transactions/build-transaction.ts";
import type { Intent, IntentSummary } from "../intents.ts";
import type { SpendingRules } from "./spending-rules.ts";

/** Something to hold to the rules. */
export interface JudgeRequest {
  readonly intent: Intent;
  /** Smallest fee of the network, µT. */
  readonly leastFeeUt?: AmountUt | undefined;
  /** Time of the newest block, unix ms: without one no time passes for the rules. */
  readonly blockMs?: number | undefined;
}

/** The chat that a payment was made in. */
export interface WaitingChat {
  /** Key of the request that it answers, or null. */
  readonly request: string | null;
  /** Id of the own payment for the request that the person saw before, or null. */
  readonly after: string | null;
  /** Words for the other person alone; may be "". */
  readonly note: string;
}

/** Something to hold until its time. */
export interface HoldRequest extends JudgeRequest {
  readonly chainId: string;
  /** Where the intent gives lasting power and the host has no window of its own. */
  readonly password?: string | undefined;
  /** For a payment of a chat, whose receipt goes there once it is signed. */
  readonly chat?: WaitingChat | undefined;
}

/** What is no longer to wait. */
export interface CancelHeldRequest {
  readonly id: string;
  /** It is known what became of it, so it is forgotten although it was signed. */
  readonly isOver?: boolean | undefined;
}

/** Something that may be signed now, with what it is signed with every time. */
export interface HeldIntent {
  readonly intent: Intent;
  readonly context: DraftContext;
}

/** A payment that waits. */
export interface WaitingPayment {
  /** 16 hex characters. */
  readonly id: string;
  readonly chainId: string;
  readonly summary: IntentSummary;
  /** 0: it can be signed. */
  readonly leftMs: number;
  /** It was signed, so it may have reached a node: signing it again gives the same transaction. */
  readonly isSigned: boolean;
  readonly chat: WaitingChat | null;
}

/** Rules and what they leave. */
export interface SpendingView {
  readonly rules: SpendingRules;
  /** Looser rules that hold in so long. */
  readonly loosened: { readonly rules: SpendingRules; readonly leftMs: number } | null;
  /** What counts of the last 24 hours. */
  readonly spentUt: AmountUt;
  /** Null without a daily limit. */
  readonly leftUt: AmountUt | null;
  readonly waiting: readonly WaitingPayment[];
}

/** New rules; the password where one of them is looser. */
export interface SetRulesRequest {
  readonly rules: SpendingRules;
  readonly blockMs?: number | undefined;
  readonly password?: string;
}
