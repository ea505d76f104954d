import { expect, it } from "vitest";
import { HeightClaims, STALL_MS } from "#node/light/chain/height-claims.ts";

it("a claim that only grows wins no time", () => {
  let nowMs = 0;
  const claims = new HeightClaims({ nowMs: () => 0, monotonicMs: () => nowMs });
  const look = (height: number): unknown => claims.compare([{ name: "liar", height }], 5);
  expect(look(100)).toEqual({ target: 100, isBehind: true, isUnproven: false });
  nowMs += STALL_MS - 1;
  expect(look(101)).toEqual({ target: 101, isBehind: true, isUnproven: false });
  nowMs += 1;
  expect(look(102)).toEqual({ target: 5, isBehind: false, isUnproven: true });
});
