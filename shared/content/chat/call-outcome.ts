// What became of a call, as its line in the chat shows it. Apart from what is stored: loaded with the first such line. Pure.
import { type CallCause, type CallRecord, RING_MS } from "./call-content.ts";

/** What a call came to, as it is shown to either side. */
export type CallOutcome =
  | { readonly kind: "open" | "missed" | "busy" | "crossed" }
  | { readonly kind: "declined" | "no-path"; readonly cause?: CallCause }
  | { readonly kind: "spoken"; readonly seconds: number | null };

/** The outcome of a call at a moment. One without answer and end has been missed once it has rung long enough. */
export function outcomeOf({ answeredAt, end }: CallRecord = {}, startedAt: number, nowMs: number): CallOutcome {
  if (end === undefined) {
    if (answeredAt !== undefined) return { kind: "spoken", seconds: null };
    return { kind: nowMs - startedAt < RING_MS ? "open" : "missed" };
  }
  switch (end.reason) {
    case "ended":
      return answeredAt === undefined && end.seconds === 0 ? { kind: "missed" } : { kind: "spoken", seconds: end.seconds };
    case "cancelled":
    case "elsewhere":
      return { kind: "missed" };
    case "declined":
    case "no-path":
      return { kind: end.reason, ...(end.cause && { cause: end.cause }) };
    default:
      return { kind: end.reason };
  }
}
