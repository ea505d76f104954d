// What blocks beside the chain prove: against whom, against whom not, and in a form that the ledger takes.
import { describe, expect, it } from "vitest";
import { type DecidedChain, misconductOf } from "#node/duties/false-blocks.ts";
import { readPayload } from "#node/ledger/transactions/payload-fields.ts";
import { slash } from "#node/ledger/transactions/validators/slash.ts";
import type { BlockHeader } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import { MAX_LINKED_HEADERS } from "#shared/protocol/primitives/limits.ts";
import { encodePayload, type Misconduct, type PayloadOf } from "#shared/protocol/transactions/payload.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { base64Length } from "#shared/util/bytes.ts";
import { alice, signed } from "#test/support/worlds/ledger-world.ts";
import {
  blockOf,
  LIGHT_CHAIN_ID,
  LIGHT_RULES,
  lightBlockOn,
  lightChain,
  lightCommit,
  lightHeader,
  lightSet,
  lightSigner,
  untrusted,
} from "#test/support/worlds/light-world.ts";

const SEVEN = [1, 2, 3, 4, 5, 6, 7];
const FIVE = [1, 2, 3, 4, 5];
const OTHER = "ff".repeat(32);

/** A chain of seven validators; the commits of its blocks hold the votes of some of them. */
function chainSignedBy(signing: readonly (readonly number[])[]): readonly TrustedBlock[] {
  const blocks = lightChain([SEVEN]);
  for (const names of signing) {
    const parent = blocks.at(-1);
    assertInvariant(parent !== undefined, "A chain begins with genesis");
    blocks.push(lightBlockOn(parent, SEVEN, SEVEN, { signing: names }));
  }
  return blocks;
}

/** `late` are those whose precommits came after the commit of each block, and stand in the next one. */
function decided(blocks: readonly TrustedBlock[], late: readonly number[] = [], reads: number[] = []): DecidedChain {
  return {
    chainId: LIGHT_CHAIN_ID,
    tipHeight: () => blocks.length - 1,
    header: (height) => blocks[height]?.header,
    commit: (height) => blocks[height]?.commit ?? undefined,
    carriedCommit: (height): Commit | undefined => {
      reads.push(height);
      const { header } = blocks[height] ?? {};
      return header === undefined || blocks[height + 1] === undefined ? undefined : lightCommit(header, SEVEN, [...FIVE, ...late].sort());
    },
    validatorsAt: (height): ValidatorSet => blocks[height]?.validators ?? [],
    verify: LIGHT_RULES.verify,
    hash: LIGHT_RULES.hash,
  };
}

/** A block of a height with other fields than the own one, signed by some in a round; `set` are those it names as its validators. */
function falseBlock(
  own: TrustedBlock,
  fields: Partial<BlockHeader>,
  { signing, round = 3, set = SEVEN }: { readonly signing: readonly number[]; readonly round?: number; readonly set?: readonly number[] },
): LightBlock {
  const validators = lightSet(set);
  const header = lightHeader({ ...own.header, validatorsHash: validatorsHash(validators), ...fields });
  return { header, commit: lightCommit(header, set, signing, round), validators };
}

const keyOf = (index: number): string => lightSigner(index).publicKey;

/** Numbers of those accused; each accusation passes every check of the ledger that needs no state. */
function accused(block: LightBlock, blocks: readonly TrustedBlock[]): readonly (readonly [number, Misconduct["step"]])[] {
  return misconductOf(block, decided(blocks))
    .map((evidence): readonly [number, Misconduct["step"]] => {
      expect(readPayload<PayloadOf<"SLASH">>({ evidence }, slash.fields)).toEqual({ isOk: true, payload: { evidence } });
      const inputs = slash.signatures?.(signed(alice, { type: "HEARTBEAT", payload: {} }), { evidence }, LIGHT_CHAIN_ID) ?? [];
      expect(inputs.map(({ signature, message, publicKey }) => LIGHT_RULES.verify(signature, message, publicKey))).toEqual([true, true]);
      return [SEVEN.find((index) => keyOf(index) === evidence.validator_pub) ?? 0, evidence.step];
    })
    .sort();
}

describe("a block beside the chain", () => {
  const five = FIVE;
  const chain = chainSignedBy([five, five, five, five]);
  const own = blockOf(chain, 2);

  it("of another round proves those guilty who signed another state of the same transactions", () => {
    const block = falseBlock(own, { stateRoot: OTHER }, { signing: [3, 4, 5, 6, 7] });
    expect(accused(block, chain)).toEqual([3, 4, 5].map((index) => [index, "header"]));
  });

  it("of an earlier round does as well", () => {
    const late = [...chain.slice(0, 2), lightBlockOn(blockOf(chain, 1), SEVEN, SEVEN, { signing: five, round: 4 })];
    const block = falseBlock(blockOf(late, 2), { parentHash: OTHER }, { signing: [3, 4, 6], round: 1 });
    expect(accused(block, late)).toEqual([3, 4].map((index) => [index, "header"]));
  });

  it("of the same round proves two votes of that round", () => {
    const block = falseBlock(own, { timeMs: own.header.timeMs + 1, stateRoot: OTHER }, { signing: [4, 5, 6], round: 0 });
    expect(accused(block, chain)).toEqual([4, 5].map((index) => [index, "precommit"]));
  });

  it("of another set, signed by a third of the trusted one, proves all of the third guilty", () => {
    const block = falseBlock(own, { parentHash: OTHER }, { signing: [1, 2, 3, 90, 91], set: [1, 2, 3, 90, 91] });
    expect(accused(block, chain)).toEqual([1, 2, 3].map((index) => [index, "header"]));
  });

  it("proves the guilt of those whose votes only later commits hold", () => {
    const later = chainSignedBy([five, five, five, five, [3, 4, 5, 6, 7]]);
    const block = falseBlock(own, { parentHash: OTHER }, { signing: [6, 7] });
    expect(accused(block, later)).toEqual([6, 7].map((index) => [index, "header"]));
    const [evidence] = misconductOf(block, decided(later));
    expect(evidence?.step === "header" && evidence.first.headers.length).toBe(4);
  });

  it("proves the guilt of those whose precommits always come late, once their votes for it are verified", () => {
    const block = falseBlock(own, { parentHash: OTHER }, { signing: [5, 6, 7] });
    const found = misconductOf(block, decided(chain, [6]));
    expect(found.map(({ validator_pub, height }) => [validator_pub, height])).toEqual([5, 6].map((index) => [keyOf(index), 2]));
    const signers = lightSet([5, 6, 7]).map(({ publicKey }) => publicKey);
    const { commit } = block;
    assertInvariant(commit !== null, "The block has a commit");
    const signatures = commit.signatures.with(signers.indexOf(keyOf(7)), new Uint8Array(64));
    const forged = { ...block, commit: { ...commit, signatures } };
    const reads: number[] = [];
    expect(misconductOf(forged, decided(chain, [6], reads))).toHaveLength(1);
    const strangers = falseBlock(own, { parentHash: OTHER }, { signing: [90, 91, 92], set: [90, 91, 92] });
    expect(misconductOf(strangers, decided(chain, [6], reads))).toEqual([]);
    expect(reads).toEqual([]);
  });

  it("that might have been decided as well proves nothing: honest locks move", () => {
    expect(accused(falseBlock(own, { timeMs: own.header.timeMs + 1 }, { signing: SEVEN }), chain)).toEqual([]);
    expect(accused(falseBlock(own, { txRoot: OTHER, stateRoot: OTHER }, { signing: SEVEN }), chain)).toEqual([]);
    expect(accused(falseBlock(own, { lastCommitHash: OTHER }, { signing: SEVEN }), chain)).toEqual([]);
  });

  it("proves nothing against those who never voted beside it", () => {
    expect(accused(falseBlock(own, { parentHash: OTHER }, { signing: [6, 7] }), chain)).toEqual([]);
    expect(accused(falseBlock(own, { parentHash: OTHER }, { signing: [90], set: [90] }), chain)).toEqual([]);
  });

  it.each<[string, (block: LightBlock) => LightBlock]>([
    ["is the own one", (): LightBlock => untrusted(own)],
    ["is block 0", (): LightBlock => untrusted(blockOf(lightChain([[1, 2]]), 0))],
    ["lies above the tip", (block): LightBlock => withHeader(block, { height: 5 })],
    ["is of another chain", (block): LightBlock => withHeader(block, { chainId: "other-1" })],
    ["has no commit", (block): LightBlock => ({ ...block, commit: null })],
    ["has the commit of another", (block): LightBlock => ({ ...block, commit: own.commit })],
    [
      "has forged signatures",
      ({ commit, ...block }): LightBlock => ({ ...block, commit: commit && { ...commit, signatures: own.commit?.signatures ?? [] } }),
    ],
    [
      "has too many signatures",
      ({ commit, ...block }): LightBlock => ({
        ...block,
        commit: commit && { ...commit, signatures: Array.from({ length: 8 }, () => new Uint8Array(64)) },
      }),
    ],
    [
      "names 101 validators",
      (block): LightBlock => ({ ...block, validators: Array.from({ length: 101 }, (_, n) => ({ publicKey: keyOf(n), bondUt: 1 })) }),
    ],
  ])("proves nothing when it %s", (_, change) => {
    const block = falseBlock(own, { parentHash: OTHER }, { signing: [1, 2, 3, 4, 5] });
    expect(misconductOf(change(block), decided(chain))).toEqual([]);
  });

  it("has evidence within the payload's limits at 64 headers, and none beyond", () => {
    const silent = Array.from({ length: MAX_LINKED_HEADERS - 1 }, () => five);
    const block = (blocks: readonly TrustedBlock[]): LightBlock => falseBlock(blockOf(blocks, 1), { parentHash: OTHER }, { signing: [6] });
    const within = chainSignedBy([...silent, [3, 4, 5, 6, 7]]);
    const [evidence] = misconductOf(block(within), decided(within));
    expect(evidence !== undefined && base64Length(encodePayload<"SLASH">({ evidence }))).toBeLessThan(65_536);
    const beyond = chainSignedBy([...silent, five, [3, 4, 5, 6, 7]]);
    expect(misconductOf(block(beyond), decided(beyond))).toEqual([]);
  });
});

/** Signed again by those who signed it. */
function withHeader({ header, validators }: LightBlock, fields: Partial<BlockHeader>): LightBlock {
  const changed = { ...header, ...fields };
  return { header: changed, commit: lightCommit(changed, SEVEN, [1, 2, 3, 4, 5], 3), validators };
}
