// Evidence from the engine to the punishment: kept on disk, reported once, by one of those who found it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Evidence } from "#node/consensus/effects.ts";
import { equivocationOf, offenceName } from "#node/duties/equivocation.ts";
import {
  EVIDENCE_AGE_BLOCKS,
  EVIDENCE_AGE_MS,
  EvidencePool,
  MAX_EVIDENCE_BYTES,
  MAX_EVIDENCE_PER_VALIDATOR,
} from "#node/duties/evidence-pool.ts";
import { reportEvidence, TURN_MS } from "#node/duties/evidence-reporter.ts";
import { readNodeCounters } from "#node/ledger/records/node-records.ts";
import { readAccount, readValidators } from "#node/ledger/records/records.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { sortValidators } from "#shared/protocol/chain/validators.ts";
import { proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { MAX_LINKED_HEADERS } from "#shared/protocol/primitives/limits.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import type { Equivocation, Misconduct } from "#shared/protocol/transactions/payload.ts";
import { headerContradiction, linkedHeaders, testHeader } from "#test/support/chain/header-votes.ts";
import { doubleProposal, doubleVote, genesisWith } from "#test/support/chain/ledger-payloads.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { DutyWorld } from "#test/support/worlds/duty-world.ts";
import { type Actor, actor, alice, CHAIN_ID, START_MS } from "#test/support/worlds/ledger-world.ts";

const four = [11, 12, 13, 14].map(actor).sort((a, b) => (a.pub < b.pub ? -1 : 1));
const [v1, v2, v3, v4] = four as [Actor, Actor, Actor, Actor];
const HASHES = ["ab".repeat(32), "cd".repeat(32)] as const;

let folder: TemporaryFolder;
let world: DutyWorld;
let path: string;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  path = join(folder.path, "evidence.json");
  world = new DutyWorld(genesisWith(four));
});
afterEach(() => folder.remove());

const openPool = (): EvidencePool => new EvidencePool(path, world.context(alice).log);

function start(node: Actor, pool: EvidencePool): () => void {
  const pending = (): readonly (typeof world.submitted)[number][] => [...world.pending.values()];
  return reportEvidence({ ...world.context(node), pool, timers: world.time, tipHeight: () => world.height, pending });
}

const isMember = ({ pub }: Actor): boolean => readValidators(world.state).some(({ publicKey }) => publicKey === pub);
const reporters = (): readonly string[] => world.submitted.map(({ from }) => from);

describe("evidence as the chain takes it", () => {
  const set = sortValidators(four.map(({ pub }) => ({ publicKey: pub, bondUt: 1 })));
  const vote = (blockHash: string | null): Extract<Evidence, { type: "vote" }>["first"] => {
    const fields = { type: "precommit", height: 1, round: 2, blockHash } as const;
    return { ...fields, validatorIndex: 0, signature: signEd25519(voteSignBytes(CHAIN_ID, fields), v1.seed) };
  };
  const proposal = (blockHash: string, validRound: number): Extract<Evidence, { type: "proposal" }>["first"] => {
    const fields = { height: 1, round: 3, validRound, blockHash };
    return { ...fields, validatorIndex: 0, signature: signEd25519(proposalSignBytes(CHAIN_ID, fields), v1.seed) };
  };

  it.each<[string, Evidence]>([
    ["votes", { type: "vote", first: vote(HASHES[0]), second: vote(null) }],
    ["proposals", { type: "proposal", first: proposal(HASHES[0], -1), second: proposal(HASHES[1], 1) }],
  ])("is a SLASH that passes every check, from two %s", async (_name, evidence) => {
    const found = equivocationOf(evidence, set);
    expect(found?.validator_pub).toBe(v1.pub);
    const pool = openPool();
    start(v2, pool);
    world.height = 1;
    pool.add(found as Equivocation, START_MS);
    await world.pass(3 * TURN_MS);
    expect(world.commit()).toMatchObject([{ isOk: true }]);
    expect(isMember(v1)).toBe(false);
  });

  it("is none when both name the same block, or the validator is unknown", () => {
    const [first, second] = [proposal(HASHES[0], -1), proposal(HASHES[0], 1)];
    expect(equivocationOf({ type: "proposal", first, second }, set)).toBeUndefined();
    expect(equivocationOf({ type: "vote", first: vote(HASHES[0]), second: vote(null) }, [])).toBeUndefined();
  });
});

describe("the pool of evidence", () => {
  it("is on disk before it answers, takes an offence once and keeps it over a restart", () => {
    const pool = openPool();
    expect(pool.add(doubleVote(v1, 1), 5)).toBe(true);
    expect(pool.add(doubleVote(v1, 1), 6)).toBe(false);
    expect(pool.add(doubleVote(v1, 1, 0, "prevote"), 7)).toBe(true);
    expect(pool.add(doubleProposal(v2, 1), 8)).toBe(true);
    expect(openPool().all()).toEqual([
      { evidence: doubleVote(v1, 1), foundAtMs: 5 },
      { evidence: doubleVote(v1, 1, 0, "prevote"), foundAtMs: 7 },
      { evidence: doubleProposal(v2, 1), foundAtMs: 8 },
    ]);
  });

  it("bounds what one validator can fill it with", () => {
    const pool = openPool();
    for (let round = 0; round < MAX_EVIDENCE_PER_VALIDATOR + 5; round += 1) pool.add(doubleVote(v1, 1, round), 5);
    expect(pool.add(doubleVote(v2, 1), 5)).toBe(true);
    expect(pool.all()).toHaveLength(MAX_EVIDENCE_PER_VALIDATOR + 1);
  });

  it("stores the first evidence of each validator, and more of it within a budget of bytes", () => {
    const pool = openPool();
    const large = (offender: Actor, height: number): Misconduct =>
      headerContradiction(
        offender,
        { headers: linkedHeaders(testHeader({ height }), MAX_LINKED_HEADERS), round: 0 },
        { header: testHeader({ height, parentHash: HASHES[0] }), round: 1 },
      );
    const guilty = Array.from({ length: 5 }, (_, index) => actor(30 + index));
    const found = guilty.flatMap((offender) =>
      Array.from({ length: MAX_EVIDENCE_PER_VALIDATOR }, (_, index) => large(offender, 1 + index)),
    );
    expect(pool.addAll(found, 5)).toBe(true);
    const size = readFileSync(path).length;
    expect(size).toBeGreaterThan(MAX_EVIDENCE_BYTES / 2);
    expect(size).toBeLessThan(1.1 * MAX_EVIDENCE_BYTES);
    expect(pool.addAll(found, 6)).toBe(false);
    expect(pool.add(large(v1, 1), 6)).toBe(true);
    expect(pool.add(large(v1, 2), 6)).toBe(false);
    expect(pool.all().map(({ evidence }) => evidence.validator_pub)).toEqual(expect.arrayContaining(guilty.map(({ pub }) => pub)));
  });

  it("drops what is settled at once, and the rest only when it is old by time and by blocks", () => {
    const pool = openPool();
    pool.add(doubleVote(v1, 1), 0);
    pool.add(doubleVote(v2, 1), 0);
    pool.prune(({ validator_pub }) => validator_pub === v1.pub, 10, 10);
    expect(pool.all().map(({ evidence }) => evidence.validator_pub)).toEqual([v2.pub]);
    pool.prune(() => false, 2 + EVIDENCE_AGE_BLOCKS, EVIDENCE_AGE_MS);
    pool.prune(() => false, 1 + EVIDENCE_AGE_BLOCKS, EVIDENCE_AGE_MS + 1);
    expect(openPool().all()).toHaveLength(1);
    pool.prune(() => false, 2 + EVIDENCE_AGE_BLOCKS, EVIDENCE_AGE_MS + 1);
    expect(openPool().all()).toHaveLength(0);
  });

  it.each([
    "",
    "{",
    '{"version":2,"evidence":[]}',
    '{"version":1,"evidence":[{"proof":{},"found_at_ms":1}]}',
    '{"version":1,"evidence":[null]}',
  ])("puts a damaged file aside and continues: %s", (text) => {
    writeFileSync(path, text);
    const pool = openPool();
    expect(pool.all()).toEqual([]);
    expect(readFileSync(`${path}.damaged`, "utf8")).toBe(text);
    expect(pool.add(doubleVote(v1, 1), 5)).toBe(true);
  });

  it("continues in memory when the disk takes nothing", async () => {
    const pool = new EvidencePool(join(folder.path, "missing", "evidence.json"), world.context(alice).log);
    expect(pool.add(doubleVote(v1, 1), 5)).toBe(true);
    expect(world.lines).toHaveLength(1);
  });
});

describe("reporting", () => {
  it("is done by one of the validators, without money, and ends with the punishment", async () => {
    const pools = four.map((_, index) => new EvidencePool(join(folder.path, `${index}.json`), world.context(alice).log));
    for (const [index, node] of four.entries()) start(node, pools[index] as EvidencePool);
    world.height = 1;
    for (const pool of pools.slice(1)) pool.add(doubleVote(v1, 1), START_MS);
    await world.pass(4 * TURN_MS);
    expect(world.submitted).toMatchObject([{ type: "SLASH", fee: 0 }]);
    const [reporter] = reporters();
    expect(world.commit()).toMatchObject([{ isOk: true, feeUt: 0 }]);
    expect({ member: isMember(v1), reward: readAccount(world.state, reporter ?? "").balanceUt }).toEqual({ member: false, reward: 10_000 });
    await world.pass(120_000);
    expect({ submitted: world.submitted.length, left: pools.map((pool) => pool.all().length), timers: world.time.pending }).toEqual({
      submitted: 1,
      left: [0, 0, 0, 0],
      timers: 0,
    });
  });

  it("falls to the next one when the first does nothing", async () => {
    const positions = four.map((node, index) => ({ node, position: (index + 1) % 4 })).filter(({ node }) => node !== v1);
    const last = positions.toSorted((a, b) => b.position - a.position)[0]?.node as Actor;
    const pool = openPool();
    start(last, pool);
    pool.add(doubleVote(v1, 1), START_MS);
    await world.pass(2 * TURN_MS - 1);
    expect(world.submitted).toEqual([]);
    await world.pass(2 * TURN_MS);
    expect(reporters()).toEqual([last.pub]);
  });

  it("is not repeated after a restart, neither before the punishment nor after", async () => {
    world.height = 1;
    const stop = start(v2, openPool());
    openPool().add(doubleVote(v1, 1), START_MS);
    stop();
    const again = start(v2, openPool());
    await world.pass(4 * TURN_MS);
    again();
    start(v2, openPool());
    await world.pass(120_000);
    expect(world.submitted).toHaveLength(1);
    world.commit();
    openPool().add(doubleVote(v1, 1), START_MS);
    start(v2, openPool());
    await world.pass(120_000);
    expect({ submitted: world.submitted.length, slashed: readNodeCounters(world.state, v1.pub).slashCount }).toEqual({
      submitted: 1,
      slashed: 1,
    });
  });

  it("reports every offence, with the fee once the node can pay and the offender has left", async () => {
    world.height = 1;
    const pool = openPool();
    start(alice, pool);
    for (let round = 0; round < 20; round += 1) pool.add(doubleVote(v1, 1, round), START_MS);
    for (let block = 0; block < 10; block += 1) {
      await world.pass(31_000);
      world.commit();
    }
    expect(new Set(world.submitted.map(({ fee }) => fee))).toEqual(new Set([1_000]));
    expect({ submitted: world.submitted.length, slashed: readNodeCounters(world.state, v1.pub).slashCount, left: pool.all() }).toEqual({
      submitted: 20,
      slashed: 20,
      left: [],
    });
  });

  it("is tried again while it is refused, and says so once", async () => {
    const pool = openPool();
    start(v2, pool);
    world.refusal = new CodedError("MEMPOOL_FULL", "full");
    pool.add(doubleVote(v1, 1), START_MS);
    await world.pass(100_000);
    expect(world.submitted.length).toBeGreaterThan(2);
    expect(world.lines).toHaveLength(1);
    world.refusal = undefined;
    world.height = 1;
    await world.pass(31_000);
    expect(world.commit()).toMatchObject([{ isOk: true }]);
  });

  it("names offences apart", () => {
    const names = [
      doubleVote(v1, 1),
      doubleVote(v1, 1, 1),
      doubleVote(v1, 2),
      doubleVote(v1, 1, 0, "prevote"),
      doubleProposal(v1, 1),
      doubleVote(v4, 1),
      doubleVote(v3, 1),
    ];
    expect(new Set(names.map(offenceName)).size).toBe(names.length);
  });
});
