// Lines of the journal as they are shown and served. They name keys, contracts and amounts, and no text of a message or memo.
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** What a line is about. */
export const JOURNAL_ACTIONS = ["connect", "rotate", "end", "confirm", "rest", "pay", "call", "invoice", "message"] as const;
export type JournalAction = (typeof JOURNAL_ACTIONS)[number];

/**
 * What came of it. For orders in their order: `reserved` (then signed) or `asked`; of what was asked `denied`, `lapsed` or `reserved`; of
 * what was reserved `committed`, `failed` or `expired`. `over`: refused by a limit. `late`: approved after its time. `found`: on the chain
 * and not in the journal. Of messages `reserved` when it was taken, then `done` when the messenger has it, or `failed` when it was refused.
 * `copied`: of an end, because a token was used that had been replaced: two have it.
 */
export const JOURNAL_OUTCOMES = [
  "done",
  "reserved",
  "asked",
  "denied",
  "lapsed",
  "late",
  "over",
  "committed",
  "failed",
  "expired",
  "found",
  "copied",
] as const;
export type JournalOutcome = (typeof JOURNAL_OUTCOMES)[number];

/** A line for the person or for its program. */
export interface JournalLineView {
  /** 1 for the first line of the profile. */
  readonly n: number;
  /** Hex of the hash of the line before. */
  readonly prev: string;
  /** Height of the chain then. */
  readonly height: number;
  /** Clock of the computer then, unix ms. */
  readonly atMs: number;
  /** Id of the connection. */
  readonly connection: string;
  readonly action: JournalAction;
  /** Recipient's key, `contract.method`, id of the invoice, or the conversation of a message; else empty. */
  readonly subject: string;
  readonly amountUt: AmountUt;
  readonly outcome: JournalOutcome;
  /** Hex of the first bytes of the hash of the idempotency key; empty without one. */
  readonly keyHash: string;
  /** Id of the transaction, else empty. */
  readonly txId: string;
}

/** Some lines, and whether there are more. */
export interface JournalPage {
  readonly lines: readonly JournalLineView[];
  /** Number of the oldest line that is still there; 1 while none was dropped. */
  readonly firstN: number;
  readonly hasMore: boolean;
}
