// Proofs count once, within bounds, and a flood of some makes those of others worth no less.
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { UsedProofs } from "#node/api/security/used-proofs.ts";
import { MAILBOX_DATABASE } from "#node/storage/mailbox/mailbox-schema.ts";
import { UsedProofRepository } from "#node/storage/mailbox/used-proof-repository.ts";
import type { ParsedInboxProof } from "#shared/api/inbox-proof.ts";

const NOW = 1_800_000_000;

function proof(n: number, unixSeconds = NOW): ParsedInboxProof {
  return { unixSeconds, nonce: undefined, mac: n.toString(16).padStart(13, "0").padEnd(64, "0") };
}

describe("used proofs", () => {
  it("count once each, also when they come from another address", () => {
    const used = new UsedProofs({ usedProofs: 10, usedProofsPerAddress: 10 });
    expect([used.take(proof(1), { address: "a", nowSeconds: NOW }), used.take(proof(2), { address: "a", nowSeconds: NOW })]).toEqual([
      true,
      true,
    ]);
    expect([used.take(proof(1), { address: "a", nowSeconds: NOW + 300 }), used.take(proof(2), { address: "b", nowSeconds: NOW })]).toEqual([
      false,
      false,
    ]);
  });

  it("have a share for each address, which comes back with time", () => {
    const used = new UsedProofs({ usedProofs: 10, usedProofsPerAddress: 2 });
    for (const n of [1, 2]) expect(used.take(proof(n), { address: "a", nowSeconds: NOW })).toBe(true);
    expect(() => used.take(proof(3), { address: "a", nowSeconds: NOW })).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
    expect(used.take(proof(3), { address: "b", nowSeconds: NOW })).toBe(true);
    expect(() => used.take(proof(4, NOW + 300), { address: "a", nowSeconds: NOW + 300 })).toThrow();
    expect(used.take(proof(4, NOW + 301), { address: "a", nowSeconds: NOW + 301 })).toBe(true);
  });

  it("of the addresses that showed most are forgotten when there are too many, and no others", () => {
    const used = new UsedProofs({ usedProofs: 16, usedProofsPerAddress: 10 });
    expect(used.take(proof(100), { address: "honest", nowSeconds: NOW })).toBe(true);
    // Proofs of later times, from several addresses.
    for (let n = 0; n < 200; n += 1) {
      const address = `flood ${n % 5}`;
      expect(used.take(proof(n + 200, NOW + 300), { address, nowSeconds: NOW })).toBe(true);
    }
    expect(used.take(proof(100), { address: "another", nowSeconds: NOW })).toBe(false);
    expect(used.take(proof(101), { address: "honest", nowSeconds: NOW })).toBe(true);
    expect(used.take(proof(101), { address: "honest", nowSeconds: NOW })).toBe(false);
  });

  it("that changed something are known after a restart, those that only read are not", () => {
    const database = new Database(":memory:");
    database.exec(MAILBOX_DATABASE.initialSchema);
    for (const { up } of MAILBOX_DATABASE.migrations) up(database);
    const store = new UsedProofRepository(database, 16);
    const limits = { usedProofs: 32, usedProofsPerAddress: 32 };
    const before = new UsedProofs(limits, store, NOW);
    expect(before.take(proof(1), { address: "a", nowSeconds: NOW, isLasting: true })).toBe(true);
    expect(before.take(proof(2), { address: "a", nowSeconds: NOW })).toBe(true);
    // Made by a clock that is ahead: it is in its time long after the restart.
    expect(before.take(proof(3, NOW + 300), { address: "a", nowSeconds: NOW, isLasting: true })).toBe(true);
    const after = new UsedProofs(limits, store, NOW + 10);
    const again = (n: number, unixSeconds: number, nowSeconds: number): boolean =>
      after.take(proof(n, unixSeconds), { address: "b", nowSeconds, isLasting: true });
    expect([again(1, NOW, NOW + 10), again(2, NOW, NOW + 10), again(3, NOW + 300, NOW + 590)]).toEqual([false, true, false]);
    // What is written down is bounded, and goes with its time.
    for (let n = 100; n < 130; n += 1) again(n, NOW + 700, NOW + 700);
    expect(store.since(0).length).toBeLessThanOrEqual(16);
    again(200, NOW + 2_000, NOW + 2_000);
    expect(store.since(0)).toHaveLength(1);
  });
});
