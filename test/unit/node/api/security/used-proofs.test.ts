// Proofs count once, within bounds: what is forgotten is refused.
import { describe, expect, it } from "vitest";
import { UsedProofs } from "#node/api/security/used-proofs.ts";
import type { ParsedInboxProof } from "#shared/api/inbox-proof.ts";

const NOW = 1_800_000_000;

function proof(n: number, unixSeconds = NOW): ParsedInboxProof {
  return { unixSeconds, nonce: undefined, mac: n.toString(16).padStart(13, "0").padEnd(64, "0") };
}

describe("used proofs", () => {
  it("count once each, also when they come from another address", () => {
    const used = new UsedProofs({ usedProofs: 10, usedProofsPerAddress: 10 });
    expect([used.take(proof(1), "a", NOW), used.take(proof(2), "a", NOW)]).toEqual([true, true]);
    expect([used.take(proof(1), "a", NOW + 300), used.take(proof(2), "b", NOW)]).toEqual([false, false]);
    expect(used.take(proof(1, NOW + 1), "a", NOW)).toBe(true);
  });

  it("have a share for each address, which comes back with time", () => {
    const used = new UsedProofs({ usedProofs: 10, usedProofsPerAddress: 2 });
    for (const n of [1, 2]) expect(used.take(proof(n), "a", NOW)).toBe(true);
    expect(() => used.take(proof(3), "a", NOW)).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
    expect(used.take(proof(3), "b", NOW)).toBe(true);
    expect(() => used.take(proof(4, NOW + 300), "a", NOW + 300)).toThrow();
    expect(used.take(proof(4, NOW + 301), "a", NOW + 301)).toBe(true);
  });

  it("push out the oldest when there are too many, and those count as used from then on", () => {
    const used = new UsedProofs({ usedProofs: 3, usedProofsPerAddress: 10 });
    for (const n of [0, 1, 2]) expect(used.take(proof(n, NOW + n), "a", NOW)).toBe(true);
    expect(used.take(proof(9, NOW + 3), "a", NOW)).toBe(true);
    expect([0, 1, 2, 9].map((n) => used.take(proof(n, NOW + (n === 9 ? 3 : n)), "b", NOW))).toEqual([false, false, false, false]);
    expect(used.take(proof(5, NOW), "b", NOW)).toBe(false);
  });
});
