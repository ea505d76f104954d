import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { safetyNumber } from "#shared/keyring/devices/safety-number.ts";

const ANNA = "11".repeat(32);
const BORIS = "ab".repeat(32);
const CARLA = "ac".repeat(32);

describe("safety number", () => {
  it("is twelve groups of five digits", () => {
    const groups = safetyNumber(ANNA, BORIS);
    expect(groups).toHaveLength(12);
    for (const group of groups) expect(group).toMatch(/^\d{5}$/);
  });

  it("is the same for both, whatever the case of the hex", () => {
    expect(safetyNumber(BORIS, ANNA)).toEqual(safetyNumber(ANNA, BORIS));
    expect(safetyNumber(ANNA, BORIS.toUpperCase())).toEqual(safetyNumber(ANNA, BORIS));
  });

  it("differs for every other pair", () => {
    const numbers = [safetyNumber(ANNA, BORIS), safetyNumber(ANNA, CARLA), safetyNumber(BORIS, CARLA)].map((groups) => groups.join(""));
    expect(new Set(numbers).size).toBe(3);
  });

  it("equals a second implementation of its description", () => {
    const hash = (...parts: readonly Buffer[]): Buffer => createHash("sha256").update(Buffer.concat(parts)).digest();
    const keys = Buffer.from(ANNA + BORIS, "hex");
    let digest = hash(Buffer.from("parley-safety-number\n1\n"), keys);
    for (let round = 1; round < 5_200; round += 1) digest = hash(digest, keys);
    const bytes = Buffer.concat([hash(digest, Buffer.from([0])), hash(digest, Buffer.from([1]))]);
    const expected = Array.from({ length: 12 }, (_, index) => String(bytes.readUIntBE(index * 5, 5) % 100_000).padStart(5, "0"));
    expect(safetyNumber(ANNA, BORIS)).toEqual(expected);
  });
});
