// What comes of envelopes that other nodes sent.
import type { ValidationResult } from "#node/network/peer-network.ts";

/** What comes of several envelopes of one message: one that no honest node forwards is enough, and so is one that is worth forwarding. */
export function together(results: readonly ValidationResult[]): ValidationResult {
  if (results.includes("reject")) return "reject";
  return results.includes("accept") ? "accept" : "ignore";
}
