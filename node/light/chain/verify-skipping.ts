// From a trusted block to a higher one: in one step where enough of the known validators signed, else by blocks in between.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { type LightRules, type VerificationResult, verifyLightBlock } from "#shared/protocol/light/verify-light-block.ts";

/** Blocks that are requested in one run; the next run continues where this one ended. */
export const MOST_STEPS = 256;

export interface SkippingDependencies {
  readonly rules: LightRules;
  readonly nowMs: number;
  /** A block of the peer that proposed the goal; undefined when it serves none. */
  ask(height: Height): Promise<LightBlock | undefined>;
  /** Called with each block on the way, and of the goal. */
  onVerified(block: TrustedBlock): void;
}

/** How a walk ended; `unproven` when a block in between is not to be had, or the way is too long for one walk. */
export type SkippingEnd = Exclude<VerificationResult, { readonly outcome: "tooFarApart" }> | { readonly outcome: "unproven" };

/** A walk: the highest block that it verified, at first the one from which it began, and its end. */
export interface SkippingResult {
  readonly reached: TrustedBlock;
  readonly end: SkippingEnd;
}

/** Verifies `goal`, of which nothing is known, from a trusted block below it. */
export async function verifySkipping(start: TrustedBlock, goal: LightBlock, dependencies: SkippingDependencies): Promise<SkippingResult> {
  let reached = start;
  const waiting: LightBlock[] = [];
  let next = goal;
  for (let steps = 0; ; ) {
    const result = verifyLightBlock(reached, next, dependencies.nowMs, dependencies.rules);
    if (result.outcome === "verified") {
      reached = result.block;
      dependencies.onVerified(reached);
      const above = waiting.pop();
      if (above === undefined) return { reached, end: result };
      next = above;
      continue;
    }
    if (result.outcome !== "tooFarApart") return { reached, end: result };
    const height = middle(reached.header.height, next.header.height);
    steps += 1;
    const between = steps > MOST_STEPS ? undefined : await dependencies.ask(height);
    if (between === undefined) return { reached, end: { outcome: "unproven" } };
    if (between.header.height !== height) return { reached, end: { outcome: "invalid", reason: "another height than the one asked for" } };
    waiting.push(next);
    next = between;
  }
}

/** Heights are safe integers, so their sum may not be one. */
function middle(low: Height, high: Height): Height {
  return low + Math.floor((high - low) / 2);
}
