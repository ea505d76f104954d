import { describe, expect, it } from "vitest";
import { textKey } from "#node/storage/explorer/text-key.ts";

describe("textKey", () => {
  it("is the same whole number for the same id on every machine", () => {
    expect(textKey("reward-1")).toBe(0x356f50816193);
    expect(textKey("")).toBe(0xe3b0c44298fc);
  });

  it("spreads ids that differ little", () => {
    const keys = new Set(Array.from({ length: 50_000 }, (_, n) => textKey(`tx1${n}`)));
    expect(keys.size).toBe(50_000);
    expect([...keys].every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true);
  });
});
