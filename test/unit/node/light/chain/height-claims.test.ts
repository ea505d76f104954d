import { expect, it } from "vitest";
import { HeightClaims, STALL_MS } from "#node/light/chain/height-claims.ts";

it("a claim that only grows wins no time", () => {
  let nowMs = 0;
  const claims = new HeightClaims({ nowMs: () => 0, monotonicMs: () => nowMs });
  const look = (height: number): unknown => claims.compare([{ name: "liar", height, isProven: false }], 5);
  expect(look(100)).toEqual({ target: 100, isBehind: true, isUnproven: false });
  nowMs += STALL_MS - 1;
  expect(look(101)).toEqual({ target: 101, isBehind: true, isUnproven: false });
  nowMs += 1;
  expect(look(102)).toEqual({ target: 5, isBehind: false, isUnproven: true });
});

it("claims of fresh names count only while no peer has proven anything", () => {
  const claims = new HeightClaims({ nowMs: () => 0, monotonicMs: () => 0 });
  const fresh = Array.from({ length: 9 }, (_, n) => ({ name: `fresh ${n}`, height: 1_000 + n, isProven: false }));
  expect(claims.compare(fresh, 5)).toMatchObject({ target: 1_008, isBehind: true });
  const proven = { name: "proven", height: 5, isProven: true };
  expect(claims.compare([...fresh, proven], 5)).toEqual({ target: 5, isBehind: false, isUnproven: false });
  expect(claims.compare([...fresh, { ...proven, height: 90 }], 5)).toMatchObject({ target: 90, isBehind: true });
});
