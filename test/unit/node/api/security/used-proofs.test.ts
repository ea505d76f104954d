// Proofs count once, within bounds, and a flood of some makes those of others worth no less.
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
  });

  it("have a share for each address, which comes back with time", () => {
    const used = new UsedProofs({ usedProofs: 10, usedProofsPerAddress: 2 });
    for (const n of [1, 2]) expect(used.take(proof(n), "a", NOW)).toBe(true);
    expect(() => used.take(proof(3), "a", NOW)).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
    expect(used.take(proof(3), "b", NOW)).toBe(true);
    expect(() => used.take(proof(4, NOW + 300), "a", NOW + 300)).toThrow();
    expect(used.take(proof(4, NOW + 301), "a", NOW + 301)).toBe(true);
  });

  it("of the addresses that showed most are forgotten when there are too many, and no others", () => {
    const used = new UsedProofs({ usedProofs: 16, usedProofsPerAddress: 10 });
    expect(used.take(proof(100), "honest", NOW)).toBe(true);
    // Proofs of later times, from several addresses.
    for (let n = 0; n < 200; n += 1) {
      const address = `flood ${n % 5}`;
      expect(used.take(proof(n + 200, NOW + 300), address, NOW)).toBe(true);
    }
    expect(used.take(proof(100), "another", NOW)).toBe(false);
    expect(used.take(proof(101), "honest", NOW)).toBe(true);
    expect(used.take(proof(101), "honest", NOW)).toBe(false);
  });
});
