// A third of a large set is silent: what it costs, in virtual time, before and after it is known.
import { describe, expect, it } from "vitest";
import { DEFAULT_TIMEOUTS } from "#node/engine/voting/default-timeouts.ts";
import { ProposerSchedule } from "#shared/protocol/chain/proposers.ts";
import { CoreNetwork, type DecidedHeight } from "#test/support/chain/core-network.ts";
import { quickValidators } from "#test/support/chain/memory-chain.ts";

const SIZE = 31;
const HEIGHTS = 24;
const HASH = "5a".repeat(32);
const SILENT: ReadonlySet<number> = new Set(Array.from({ length: 10 }, (_, at) => 1 + at));

function network(): CoreNetwork {
  return new CoreNetwork({ size: SIZE, silent: SILENT, latencyMs: 200, timeouts: DEFAULT_TIMEOUTS });
}

/** Heights in the order that the chain gives. */
function decideAll(): readonly DecidedHeight[] {
  const { validators } = quickValidators(SIZE);
  const [schedule, cores] = [new ProposerSchedule(), network()];
  return Array.from({ length: HEIGHTS }, (_, at) => {
    const height = at + 1;
    const decided = cores.decide(height, schedule.order(height, HASH, validators));
    schedule.decided({ height, validatorsHash: HASH, proposer: validators[decided.proposer]?.publicKey ?? "" }, validators);
    return decided;
  });
}

describe("ten of thirty-one validators that never propose or vote", () => {
  it("cost a height a minute when they stand in a row", () => {
    const order = Array.from({ length: SIZE }, (_, round) => (1 + round) % SIZE);
    const { durationMs, round } = network().decide(1, order);
    expect(round).toBe(SILENT.size);
    expect(durationMs).toBeGreaterThan(60_000);
  });

  it("cost few rounds in the order of the chain, and hardly any once they are known", () => {
    const heights = decideAll();
    const durations = heights.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
    expect(durations[HEIGHTS >> 1]).toBeLessThanOrEqual(600);
    expect(durations.at(-1)).toBeLessThan(30_000);
    const late = heights.slice(HEIGHTS >> 1).filter(({ round }) => round > 0);
    expect(late.length).toBeLessThan(4);
  });
});
