// Evidence of votes for contradicting headers: what it proves, what it never proves, and what it costs the validator.
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { readNodeCounters } from "#node/ledger/records/node-records.ts";
import { readSupply, readValidators } from "#node/ledger/records/records.ts";
import { readUnbonding } from "#node/ledger/records/validator-records.ts";
import { headerEvidenceField, headerEvidenceSignatures } from "#node/ledger/transactions/validators/header-evidence.ts";
import { type BlockHeader, headerHash } from "#shared/protocol/chain/header.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { LARGE_PAYLOAD_BYTES, MAX_LINKED_HEADERS } from "#shared/protocol/primitives/limits.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { encodePayload, type Misconduct } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { base64Length, toHex, utf8 } from "#shared/util/bytes.ts";
import { type HeaderVote, headerContradiction, linkedHeaders, testHeader } from "#test/support/chain/header-votes.ts";
import { doubleVote, genesisWith, LedgerWorld } from "#test/support/chain/ledger-payloads.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { type Actor, actor, alice, carol } from "#test/support/worlds/ledger-world.ts";

interface Vectors {
  readonly chainId: string;
  readonly cases: readonly {
    readonly name: string;
    readonly evidence: Misconduct;
    readonly isProof: boolean;
    readonly isSigned: boolean;
  }[];
}

const { chainId, cases } = readVectors<Vectors>("contradictions.json");
const OTHER = "22".repeat(32);
const BOND = 1_000_000;
const four: readonly Actor[] = [11, 12, 13, 14].map(actor);
const [v1, v2] = four as readonly [Actor, Actor, Actor, Actor];

const isProof = (evidence: unknown): boolean => headerEvidenceField.read(evidence) !== undefined;

describe("evidence about headers, as a second implementation judges it", () => {
  it.each(cases.map((vector) => [vector.name, vector] as const))("%s", (_, { evidence, isProof: expected, isSigned }) => {
    const read = headerEvidenceField.read(evidence);
    expect(read).toEqual(expected ? evidence : undefined);
    if (read === undefined) return;
    const signatures = headerEvidenceSignatures(read, chainId);
    expect(signatures.every(({ signature, message, publicKey }) => verifyZip215(signature, message, publicKey))).toBe(isSigned);
  });
});

/** Choices of a proposer; what a block gives follows from them and from its parent. */
const choiceArbitrary = fc.record({ timeMs: fc.nat(3), tx: fc.nat(3), proposer: fc.nat(2), commit: fc.nat(2) });
type Choice = (typeof choiceArbitrary extends fc.Arbitrary<infer C> ? C : never) & object;

const digest = (...parts: readonly (string | number)[]): string => toHex(sha256(utf8(parts.join("/"))));

/** The valid block of some choices on a parent, or on the given beginning. */
function validHeader(parent: BlockHeader | number, { timeMs, tx, proposer, commit }: Choice): BlockHeader {
  const below = typeof parent === "number" ? digest("beginning") : headerHash(parent);
  const height = typeof parent === "number" ? parent : parent.height + 1;
  const work = digest(below, timeMs, tx, proposer);
  return testHeader({
    height,
    timeMs,
    parentHash: below,
    lastCommitHash: digest("commit", commit),
    txRoot: digest("tx", tx),
    txCount: tx,
    proposer: digest("proposer", proposer),
    validatorsHash: digest("set", height),
    stateRoot: digest("state", work),
    receiptsRoot: digest("receipts", work),
    nextValidatorsHash: digest("set", height + 1),
  });
}

/** A height as an honest validator lives it: proposals of rounds that it precommits, and which of them is decided in the end. */
const heightArbitrary = fc.record({ votes: fc.array(choiceArbitrary, { minLength: 1, maxLength: 3 }), decided: fc.nat() });

/** Decided headers from the highest down, and all votes. */
function livedBy(heights: readonly { readonly votes: readonly Choice[]; readonly decided: number }[]): {
  readonly decided: readonly BlockHeader[];
  readonly votes: readonly HeaderVote[];
} {
  const decided: BlockHeader[] = [];
  const votes: HeaderVote[] = [];
  for (const height of heights) {
    const valid = height.votes.map((choice) => validHeader(decided[0] ?? 1, choice));
    votes.push(...valid.map((header, round) => ({ header, round })));
    const next = valid[height.decided % valid.length];
    if (next !== undefined) decided.unshift(next);
  }
  return { decided, votes };
}

/** All that a reporter can make of two votes: the first one's header and the decided ones below it, down to the second one's height. */
function evidenceOf(first: HeaderVote, second: HeaderVote, decided: readonly BlockHeader[]): Misconduct {
  const between = decided.filter(({ height }) => height < first.header.height && height >= second.header.height);
  return headerContradiction(v1, { headers: [first.header, ...between], round: first.round }, second);
}

describe("a validator that follows the rules", () => {
  it("is never proven guilty, whatever it votes for in however many rounds", () => {
    fc.assert(
      fc.property(fc.array(heightArbitrary, { minLength: 1, maxLength: 4 }), (heights) => {
        const { decided, votes } = livedBy(heights);
        for (const first of votes) for (const second of votes) expect(isProof(evidenceOf(first, second, decided))).toBe(false);
      }),
      { seed: 18, numRuns: 40 },
    );
  });

  it("is proven guilty of one vote for what its own chain excludes", () => {
    const given: readonly (keyof BlockHeader)[] = ["parentHash", "validatorsHash", "paramsHash"];
    const outcome: readonly (keyof BlockHeader)[] = ["stateRoot", "receiptsRoot", "nextValidatorsHash"];
    const property = fc.property(
      fc.array(heightArbitrary, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.constantFrom(...given, ...outcome),
      (heights, at, field) => {
        const { decided } = livedBy(heights);
        const own = decided[at % decided.length];
        const [top] = decided;
        if (own === undefined || top === undefined) throw new Error("A chain has blocks");
        const second = { header: { ...own, [field]: OTHER }, round: 9 };
        expect(isProof(evidenceOf({ header: top, round: 0 }, second, decided))).toBe(true);
      },
    );
    fc.assert(property, { seed: 19, numRuns: 60 });
  });
});

describe("a SLASH with such evidence", () => {
  let world: LedgerWorld;
  const slash = (evidence: Misconduct, reporter: Actor = carol): Receipt =>
    world.run(reporter, { type: "SLASH", fee: 60_000, payload: { evidence } });
  const isMember = ({ pub }: Actor): boolean => readValidators(world.state).some(({ publicKey }) => publicKey === pub);
  beforeEach(() => {
    world = new LedgerWorld(genesisWith(four, BOND));
    world.run(alice, { type: "TRANSFER", to: carol.pub, amount: 500_000, payload: {} });
    for (let height = 0; height < 12; height += 1) world.pass(1);
  });

  /** A false header below the validator's own vote of a height. */
  const evidenceAt = (height: number, voted = height, round = 1): Misconduct =>
    headerContradiction(
      v1,
      { headers: linkedHeaders(testHeader({ height }), voted - height + 1), round: 0 },
      { header: testHeader({ height, parentHash: OTHER }), round },
    );

  it("takes a tenth of the bond and the seat", () => {
    const supply = readSupply(world.state);
    expect(slash(evidenceAt(3, 5))).toMatchObject({ isOk: true, touched: [v1.pub] });
    expect(isMember(v1)).toBe(false);
    expect(readUnbonding(world.state, v1.pub)?.amountUt).toBe(BOND - 100_000);
    expect(readSupply(world.state)).toBe(supply - 90_000);
    expect(readNodeCounters(world.state, v1.pub).slashCount).toBe(1);
  });

  it("counts once a height, whatever the rounds, and together with two votes of the round", () => {
    expect(slash(evidenceAt(3, 5, 4)).isOk).toBe(true);
    expect(slash(evidenceAt(3, 4, 4)).code).toBe("OFFENCE_PUNISHED");
    expect(slash(evidenceAt(3, 5, 6)).code).toBe("OFFENCE_PUNISHED");
    expect(slash(doubleVote(v1, 3, 4)).code).toBe("OFFENCE_PUNISHED");
    expect(slash(doubleVote(v1, 3, 5)).isOk).toBe(true);
    expect(slash(doubleVote(v1, 2, 7)).isOk).toBe(true);
    expect(slash(evidenceAt(2, 3, 7)).code).toBe("OFFENCE_PUNISHED");
    expect(slash(evidenceAt(4, 5)).isOk).toBe(true);
  });

  it("holds for the height of the vote at which the key was in the set", () => {
    expect(slash(evidenceAt(3, world.height + 2)).code).toBe("OFFENCE_UNPROVEN");
    expect(
      slash(
        headerContradiction(
          carol,
          { headers: [testHeader({ height: 3 })], round: 0 },
          { header: testHeader({ height: 3, parentHash: OTHER }), round: 1 },
        ),
        alice,
      ).code,
    ).toBe("OFFENCE_UNPROVEN");
  });

  it("of the largest size has room in its payload", () => {
    const evidence = headerContradiction(
      v1,
      { headers: linkedHeaders(testHeader({ height: 2 ** 42, chainId: "c".repeat(50) }), MAX_LINKED_HEADERS), round: 2 ** 50 },
      { header: testHeader({ height: 2 ** 42, parentHash: OTHER }), round: 2 ** 50 },
    );
    expect(base64Length(encodePayload<"SLASH">({ evidence }))).toBeLessThan(LARGE_PAYLOAD_BYTES);
  });

  it("is free for a validator of the set", () => {
    expect(world.run(v2, { type: "SLASH", fee: 0, payload: { evidence: evidenceAt(3, 9) } }).isOk).toBe(true);
  });

  it("of another validator's votes, or changed in any part, is refused", () => {
    const evidence = evidenceAt(3, 4) as Extract<Misconduct, { readonly step: "header" }>;
    const problem = (changed: unknown): string | undefined =>
      world.problemOf(carol, { type: "SLASH", fee: 60_000, payload: { evidence: changed as Misconduct } })?.code;
    expect(problem(evidence)).toBeUndefined();
    expect(problem({ ...evidence, validator_pub: v2.pub })).toBe("TX_SIGNATURE");
    expect(problem({ ...evidence, round: 2 })).toBe("TX_SIGNATURE");
    expect(problem({ ...evidence, first: { ...evidence.first, round: 1 } })).toBe("TX_SIGNATURE");
    expect(problem({ ...evidence, first: { ...evidence.first, signature: evidence.second.signature } })).toBe("TX_SIGNATURE");
    expect(problem({ ...evidence, height: 4 })).toBe("TX_MALFORMED");
    expect(problem({ ...evidence, note: 1 })).toBe("TX_MALFORMED");
    expect(problem({ ...evidence, first: { ...evidence.first, headers: [] } })).toBe("TX_MALFORMED");
    expect(problem({ ...evidence, second: { ...evidence.second, header: "AAAA" } })).toBe("TX_MALFORMED");
  });
});
