import { describe, expect, it } from "vitest";
import { decode, encode } from "#shared/codec/codec.ts";
import { lightBlockCodec } from "#shared/protocol/chain/light-block.ts";
import { verifyLightBlock } from "#shared/protocol/light/verify-light-block.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { LIGHT_RULES } from "#test/support/worlds/light-world.ts";

interface LightVectors {
  readonly chainId: string;
  readonly cases: readonly {
    readonly name: string;
    readonly nowMs: number;
    readonly trusted: string;
    readonly trustedHash: string;
    readonly offered: string;
    readonly offeredHash: string;
    readonly outcome: string;
  }[];
}

const { chainId, cases } = readVectors<LightVectors>("light.json");

describe("the rules of light nodes agree with a second implementation", () => {
  it.each(cases)("$name: $outcome", ({ nowMs, trusted, trustedHash, offered, offeredHash, outcome }) => {
    const verdict = verifyLightBlock(
      { ...decode(lightBlockCodec, fromHex(trusted)), hash: trustedHash },
      decode(lightBlockCodec, fromHex(offered)),
      nowMs,
      { ...LIGHT_RULES, chainId },
    );
    expect(verdict.outcome).toBe(outcome);
    if (verdict.outcome === "verified") expect(verdict.block.hash).toBe(offeredHash);
    for (const bytes of [trusted, offered]) expect(toHex(encode(lightBlockCodec, decode(lightBlockCodec, fromHex(bytes))))).toBe(bytes);
  });

  it("in every outcome", () => {
    const outcomes = new Set(cases.map(({ outcome }) => outcome));
    expect(outcomes).toEqual(new Set(["verified", "tooFarApart", "invalid", "expired", "early", "contradiction"]));
  });
});
