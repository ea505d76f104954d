import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "#shared/codec/codec.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { type LightBlock, lightBlockCodec, type TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { validatorsHash } from "#shared/protocol/chain/validators.ts";
import { CLOCK_DRIFT_MS, checkBlockOfHash, TRUSTING_PERIOD_MS, verifyLightBlock } from "#shared/protocol/light/verify-light-block.ts";
import { KNOWN_VERSIONS } from "#shared/protocol/primitives/limits.ts";
import { createRandom } from "#test/support/host/random.ts";
import { extent } from "#test/support/host/test-extent.ts";
import {
  BEGIN_MS,
  blockOf,
  constantSets,
  LIGHT_RULES,
  lightBlockOn,
  lightChain,
  lightCommit,
  lightGenesis,
  lightHeader,
  lightSet,
  untrusted,
} from "#test/support/worlds/light-world.ts";

const NOW_MS = BEGIN_MS + 100_000;
const FOUR = [1, 2, 3, 4];
const GENESIS = lightGenesis(FOUR);
const FIRST = lightBlockOn(GENESIS, FOUR, FOUR);

const outcome = (trusted: TrustedBlock, offered: LightBlock, nowMs = NOW_MS): string =>
  verifyLightBlock(trusted, offered, nowMs, LIGHT_RULES).outcome;

/** A block at height 10, signed by `signing` of its own set. */
function far(
  indexes: readonly number[],
  signing: readonly number[] = indexes,
  fields: Parameters<typeof lightBlockOn>[3] = {},
): TrustedBlock {
  return lightBlockOn(GENESIS, indexes, indexes, {
    signing,
    ...fields,
    fields: { height: 10, timeMs: BEGIN_MS + 10_000, ...fields.fields },
  });
}

describe("the next block", () => {
  it("is verified when more than two thirds of the named set signed it", () => {
    const block = lightBlockOn(GENESIS, FOUR, [5, 6, 7], { signing: [1, 2, 3], round: 3 });
    expect(verifyLightBlock(GENESIS, untrusted(block), NOW_MS, LIGHT_RULES)).toEqual({ outcome: "verified", block });
  });

  it("needs no signer that is known: the trusted block names its set", () => {
    const genesis = lightGenesis(FOUR, [5, 6]);
    expect(outcome(genesis, lightBlockOn(genesis, [5, 6], [5, 6]))).toBe("verified");
  });

  it("is refused when two thirds signed it, no more", () => {
    const genesis = lightGenesis([1, 2, 3]);
    expect(outcome(genesis, lightBlockOn(genesis, [1, 2, 3], [1, 2, 3], { signing: [1, 2] }))).toBe("invalid");
  });

  it("is refused when another set signed it, however many of that", () => {
    expect(outcome(GENESIS, lightBlockOn(GENESIS, [5, 6, 7], FOUR))).toBe("invalid");
  });

  it("contradicts the trusted block when the known set signed it on another parent, in another set or at an earlier time", () => {
    const reasonOf = (block: TrustedBlock): string => {
      const verdict = verifyLightBlock(FIRST, block, NOW_MS, LIGHT_RULES);
      return verdict.outcome === "contradiction" ? verdict.reason : verdict.outcome;
    };
    expect(reasonOf(lightBlockOn(FIRST, FOUR, FOUR, { fields: { parentHash: "11".repeat(32) } }))).toContain("parent is another block");
    expect(reasonOf(lightBlockOn(FIRST, [1, 2, 3], FOUR))).toContain("validators are not those that its parent names");
    expect(reasonOf(lightBlockOn(FIRST, FOUR, FOUR, { fields: { timeMs: FIRST.header.timeMs } }))).toContain("time is not after");
  });
});

describe("a block further on", () => {
  it("is verified when more than a third of the trusted and more than two thirds of its own set signed it", () => {
    expect(outcome(GENESIS, far([1, 2, 10, 11, 12], [1, 2, 10, 11]))).toBe("verified");
  });

  it("is too far away when a third of the trusted set signed it, no more", () => {
    const genesis = lightGenesis([1, 2, 3]);
    expect(outcome(genesis, far([1, 10, 11]))).toBe("tooFarApart");
    expect(outcome(GENESIS, far([1, 2, 10, 11, 12], [1, 10, 11, 12]))).toBe("tooFarApart");
  });

  it("is refused when its own set has no quorum, though the trusted one has", () => {
    expect(outcome(GENESIS, far([1, 2, 10, 11, 12, 13], [1, 2, 10, 11]))).toBe("invalid");
  });

  it("is refused when one of its signatures is wrong, though there are enough without", () => {
    const block = far(FOUR);
    const [first = new Uint8Array(64), ...rest] = block.commit?.signatures ?? [];
    const signatures = [Uint8Array.from(first, (byte, at) => (at === 3 ? byte ^ 1 : byte)), ...rest];
    expect(block.commit).not.toBeNull();
    if (block.commit !== null) expect(outcome(GENESIS, { ...block, commit: { ...block.commit, signatures } })).toBe("invalid");
  });

  it("contradicts a trusted one below it that is later", () => {
    expect(outcome(GENESIS, far(FOUR, FOUR, { fields: { timeMs: BEGIN_MS } }))).toBe("contradiction");
  });
});

describe("time", () => {
  it("lets trust end with the period", () => {
    expect(outcome(GENESIS, FIRST, BEGIN_MS + TRUSTING_PERIOD_MS - 1)).toBe("verified");
    expect(outcome(GENESIS, FIRST, BEGIN_MS + TRUSTING_PERIOD_MS)).toBe("expired");
  });

  it("may be a little ahead of the own clock", () => {
    const { timeMs } = FIRST.header;
    expect(outcome(GENESIS, FIRST, timeMs - CLOCK_DRIFT_MS)).toBe("verified");
    expect(outcome(GENESIS, FIRST, timeMs - CLOCK_DRIFT_MS - 1)).toBe("early");
  });
});

describe("a block of a later version", () => {
  const version = Math.max(...KNOWN_VERSIONS) + 1;
  const later = (signing: readonly number[] = FOUR): LightBlock => lightBlockOn(GENESIS, FOUR, FOUR, { signing, fields: { version } });

  it("says that the program lacks it when the validators signed it, and nothing else when they did not", () => {
    expect(verifyLightBlock(GENESIS, later(), NOW_MS, LIGHT_RULES)).toEqual({ outcome: "missingVersion", version, height: 1 });
    expect(outcome(GENESIS, later([1, 2]))).toBe("invalid");
    const rules = { ...LIGHT_RULES, knownVersions: [...KNOWN_VERSIONS, version] };
    expect(verifyLightBlock(GENESIS, later(), NOW_MS, rules).outcome).toBe("verified");
    const { header, commit, validators } = lightBlockOn(GENESIS, FOUR, FOUR, { fields: { version } });
    const known = checkBlockOfHash({ header, commit, validators }, headerHash(header), LIGHT_RULES);
    expect(known).toEqual({ reason: `version ${version} of headers is unknown` });
  });
});

describe("a block whose parts do not belong together", () => {
  const refuse = (change: (block: TrustedBlock) => LightBlock, reason: string): void => {
    const verdict = verifyLightBlock(GENESIS, change(FIRST), NOW_MS, LIGHT_RULES);
    expect(verdict.outcome === "invalid" ? verdict.reason : verdict.outcome).toContain(reason);
  };
  const signed = (fields: Parameters<typeof lightHeader>[0]): LightBlock => {
    const header = lightHeader({ ...FIRST.header, ...fields });
    return { header, commit: lightCommit(header, FOUR), validators: FIRST.validators };
  };

  it("is refused with the reason", () => {
    refuse((block) => ({ ...block, commit: null }), "no validator signed");
    refuse((block) => ({ ...block, validators: lightSet([1, 2, 3]) }), "not those of the header");
    refuse((block) => ({ ...block, validators: [] }), "not in order");
    refuse((block) => ({ ...block, header: { ...block.header, stateRoot: "11".repeat(32) } }), "one of another block");
    refuse(({ commit, ...block }) => ({ ...block, commit: commit === null ? null : { ...commit, height: 2 } }), "one of another block");
    refuse(() => signed({ height: 0 }), "not above");
    refuse(() => signed({ height: 1, version: 1 }), "version 1");
    refuse(() => signed({ height: 1, chainId: "other-1" }), "another chain");
  });

  it("is refused when a validator is there twice or in a second spelling, so that none has two votes", () => {
    const [one, ...others] = lightSet(FOUR);
    if (one === undefined) throw new Error("a validator was expected");
    const shouted = { ...one, publicKey: one.publicKey.toUpperCase() };
    for (const validators of [
      [one, one, ...others],
      [shouted, one, ...others],
      [...others, one],
      [{ ...one, bondUt: 0.5 }, ...others],
    ]) {
      refuse((block) => ({ ...block, validators }), "not in order");
    }
  });
});

describe("a block known by its hash", () => {
  it("needs the hash and its commit", () => {
    expect(checkBlockOfHash(untrusted(FIRST), FIRST.hash, LIGHT_RULES)).toEqual(FIRST);
    expect(checkBlockOfHash(untrusted(FIRST), GENESIS.hash, LIGHT_RULES)).toMatchObject({
      reason: expect.stringContaining("another block"),
    });
    const few = lightBlockOn(GENESIS, FOUR, FOUR, { signing: [1, 2] });
    expect(checkBlockOfHash(few, few.hash, LIGHT_RULES)).toMatchObject({ reason: expect.stringContaining("commit") });
  });
});

describe("any history of validators", () => {
  const indexes = fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 7 });

  /** By the votes alone, counted in another way. */
  const expected = (sets: readonly (readonly number[])[], from: number, height: number): string => {
    const [old = [], now = []] = [sets[from], sets[height]];
    const known = old.filter((index) => now.includes(index)).length;
    return height === from + 1 || known * 3 > old.length ? "verified" : "tooFarApart";
  };

  it("is verified block by block; a skip is decided by the votes alone", () => {
    fc.assert(
      fc.property(fc.array(indexes, { minLength: 3, maxLength: 6 }), (sets) => {
        const chain = lightChain(sets);
        for (let height = 1; height < sets.length; height += 1)
          for (let from = 0; from < height; from += 1)
            expect(outcome(blockOf(chain, from), untrusted(blockOf(chain, height)))).toBe(expected(sets, from, height));
      }),
      { seed: 2, numRuns: extent(20, 60) },
    );
  });

  it("cannot be forged by a third of the trusted set, whatever set they invent and all who help them", () => {
    fc.assert(
      fc.property(indexes, indexes, fc.nat(1_000), fc.integer({ min: 1, max: 20 }), (old, helpers, seed, height) => {
        const random = createRandom(seed);
        const traitors = old.toSorted(() => random.next() - 0.5).slice(0, Math.floor(old.length / 3));
        const strangers = helpers.map((index) => index + 100);
        const everybody = [...traitors, ...strangers, ...old.filter((index) => !traitors.includes(index) && random.chance(0.5))];
        const genesis = lightGenesis(old);
        const validators = lightSet(everybody);
        const header = lightHeader({
          height,
          parentHash: genesis.hash,
          validatorsHash: validatorsHash(validators),
          nextValidatorsHash: validatorsHash(validators),
        });
        const forged = { header, validators, commit: lightCommit(header, everybody, [...traitors, ...strangers]) };
        expect(["invalid", "tooFarApart"]).toContain(outcome(genesis, forged));
      }),
      { seed: 3, numRuns: extent(50, 150) },
    );
  });
});

describe("a byte that was altered", () => {
  it("anywhere in a block makes it another one, by both rules", () => {
    const skip = blockOf(lightChain(constantSets(FOUR, 3)), 3);
    const random = createRandom(4);
    for (const [block, step] of [
      [FIRST, 1],
      [skip, 5],
    ] as const) {
      const bytes = encode(lightBlockCodec, block);
      expect(outcome(GENESIS, decode(lightBlockCodec, bytes))).toBe("verified");
      for (let at = 0; at < bytes.length; at += step) {
        const altered = Uint8Array.from(bytes);
        altered[at] = (altered[at] ?? 0) ^ random.between(1, 255);
        expect(outcomeOfBytes(altered), `byte ${at}`).not.toBe("verified");
      }
    }
  });

  const outcomeOfBytes = (bytes: Uint8Array): string => {
    try {
      return outcome(GENESIS, decode(lightBlockCodec, bytes));
    } catch {
      return "unreadable";
    }
  };
});

describe("the hash of a verified block", () => {
  it("is the one that is computed, not one that was served", () => {
    const verdict = verifyLightBlock(GENESIS, { ...untrusted(FIRST), ...{ hash: "11".repeat(32) } }, NOW_MS, LIGHT_RULES);
    expect(verdict).toMatchObject({ outcome: "verified", block: { hash: headerHash(FIRST.header) } });
  });
});
