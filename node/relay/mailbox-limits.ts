// Limits of the mailbox. All can be set by the composition root; docs/limits.md lists them.
import { boxesOfDisk } from "#node/storage/mailbox/opened-box-repository.ts";

/** What a mailbox holds at most and for how long. */
export interface MailboxLimits {
  /** Envelopes that wait for one recipient key without postage. */
  readonly recipientEnvelopes: number;
  /** Bytes of these, as {@link envelopeBytes} counts. */
  readonly recipientBytes: number;
  /** Envelopes with postage beside these. */
  readonly postageEnvelopes: number;
  /** Bytes that the clients of one network (/24, /48) hand in a day. */
  readonly sourceDayBytes: number;
  /** An envelope above so many bytes is large: a part of a file, hardly anything that people write. */
  readonly largeEnvelopeBytes: number;
  /** Of the bytes of a day those of large envelopes: files leave room for what people write. */
  readonly sourceDayLargeBytes: number;
  /** Envelopes of an open box, and bytes of these: more are refused. */
  readonly boxEnvelopes: number;
  readonly boxBytes: number;
  /** Boxes that are open at once of one network or node, and of all. */
  readonly sourceBoxes: number;
  readonly relayBoxes: number;
  /** Boxes that are open at once through one carrier. */
  readonly carriedBoxes: number;
  /** Bytes of all envelopes. */
  readonly totalBytes: number;
  /** Part of all bytes, percent, that envelopes in open boxes may take. */
  readonly openPercent: number;
  /** Part of all bytes, percent, that envelopes may take which other nodes sent for recipients that do not read here; of open boxes, those of other nodes. */
  readonly foreignPercent: number;
  /** Part of the boxes of other nodes, percent, that may be open through carriers: one source can come through all of them. */
  readonly carriedPercent: number;
  /** An envelope is removed this long after its arrival, ms. */
  readonly retentionMs: number;
  /** What an owner deleted is remembered for this much longer, ms: other nodes took the envelope in later. */
  readonly tombstoneMs: number;
  /** Time between two removals of what is too old, ms. */
  readonly pruneIntervalMs: number;
  /** Envelopes that one SQLite transaction takes. */
  readonly batchEnvelopes: number;
  /** Envelopes that wait for their turn; more are refused. */
  readonly waitingEnvelopes: number;
}

export const MAILBOX_LIMITS: MailboxLimits = {
  recipientEnvelopes: 2_000,
  recipientBytes: 64 * 1_048_576,
  postageEnvelopes: 100,
  sourceDayBytes: 64_000_000,
  largeEnvelopeBytes: 100_000,
  sourceDayLargeBytes: 48_000_000,
  boxEnvelopes: 2_000,
  boxBytes: 64 * 1_048_576,
  sourceBoxes: 8_192,
  relayBoxes: 1_048_576,
  carriedBoxes: 4_096,
  totalBytes: 4 * 1_073_741_824,
  openPercent: 50,
  foreignPercent: 75,
  carriedPercent: 50,
  retentionMs: 30 * 86_400_000,
  tombstoneMs: 2 * 86_400_000,
  pruneIntervalMs: 3_600_000,
  batchEnvelopes: 512,
  waitingEnvelopes: 8_192,
};

/** The limits of a node that gives its mail so many bytes. */
export function mailboxLimits(totalBytes: number = MAILBOX_LIMITS.totalBytes): MailboxLimits {
  return { ...MAILBOX_LIMITS, totalBytes, relayBoxes: boxesOfDisk(totalBytes) };
}
