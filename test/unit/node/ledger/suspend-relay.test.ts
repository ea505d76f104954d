// SUSPEND_RELAY: two digests that contradict each other, validators that vote about them, and what the directory makes of it.
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { carryRecord } from "#node/ledger/continue-state.ts";
import { applyTransaction } from "#node/ledger/execute.ts";
import { beginEpoch, readDirectory, readDirectoryHeads } from "#node/ledger/records/directory-epochs.ts";
import { readKeeper, writeKeeper } from "#node/ledger/records/keeper-records.ts";
import { writeNodeCounters, writeRelay } from "#node/ledger/records/node-records.ts";
import { readValidators, writeValidators } from "#node/ledger/records/records.ts";
import { endSuspensions, readSuspension, type Suspension } from "#node/ledger/records/suspension-records.ts";
import { contradictionOf, digestVersion, type SignedDigest, signDigest } from "#shared/protocol/keepers/kept-digest.ts";
import { DIGEST_VERSION_S, LIE_LIFETIME_S, SUSPENSION_S, SUSPENSION_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { entriesOf } from "#test/support/chain/held-ut.ts";
import { genesisWith, LedgerWorld, rotationOf } from "#test/support/chain/ledger-payloads.ts";
import { type Actor, actor, alice, bob, CHAIN_ID, deviceKey, dump, START_MS } from "#test/support/worlds/ledger-world.ts";

const DAY = 86_400;
const HOUR = 3_600;
const four: readonly Actor[] = [11, 12, 13, 14].map(actor);
const [v1, v2, v3, v4] = four as readonly [Actor, Actor, Actor, Actor];
const [liar, honest, next] = [21, 22, 23].map(actor) as [Actor, Actor, Actor];

let world: LedgerWorld;
beforeEach(() => {
  world = worldOf(SUSPENSION_VERSION);
});

function worldOf(version: number, validators: readonly Actor[] = four): LedgerWorld {
  const genesis = genesisWith(validators);
  const fresh = new LedgerWorld({ ...genesis, params: { ...genesis.params, version } });
  // One validator has money; the others have none.
  fresh.run(alice, { type: "TRANSFER", to: v1.pub, amount: 100_000, payload: {} });
  for (const [n, { pub }] of [liar, honest].entries()) {
    writeRelay(fresh.state, { publicKey: pub, x25519Pub: deviceKey(n), feePerMessageUt: 0, multiaddr: `/ip4/81.2.${n}.1/tcp/1` });
    const standing = { is: "in", salt: `0${n}`.repeat(32) } as const;
    writeKeeper(fresh.state, pub, { bondUt: 50_000, withdrawnUt: 0, availableAt: 0, standing });
  }
  return fresh;
}

interface Place {
  readonly version?: number;
  readonly slot?: number;
  readonly chainId?: string;
}

function digestOf(keeper: Actor, count: number, place: Place = {}): SignedDigest {
  const { version = digestVersion(world.now), slot = 7, chainId = CHAIN_ID } = place;
  return signDigest(chainId, { slot, version, count, fingerprint: "ab".repeat(32) }, { publicKey: keeper.pub, secret: keeper.seed });
}

function lieOf(keeper: Actor, version = digestVersion(world.now)): DigestContradiction {
  const evidence = contradictionOf(digestOf(keeper, 1, { version }), digestOf(keeper, 2, { version }));
  if (evidence === undefined) throw new Error("Both digests are the same");
  return evidence;
}

const vote = (sender: Actor, evidence = lieOf(liar), fee = 0): Receipt => {
  const tx = world.signed(sender, { type: "SUSPEND_RELAY", fee, payload: { evidence } });
  const outcome = applyTransaction(world.state, tx, world.context);
  if (!outcome.isIncluded) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.receipt;
};
const refusalOf = (sender: Actor, evidence = lieOf(liar)): string => {
  const outcome = applyTransaction(
    world.state,
    world.signed(sender, { type: "SUSPEND_RELAY", fee: 0, payload: { evidence } }),
    world.context,
  );
  return outcome.isIncluded ? "" : outcome.message;
};
const standingOf = (relay = liar): Suspension => readSuspension(world.state, relay.pub, world.now);
const problem = (evidence: unknown): string | undefined =>
  world.problemOf(alice, { type: "SUSPEND_RELAY", payload: { evidence: evidence as DigestContradiction } })?.code;

/** Begins an epoch with heartbeats of both relays. */
function beginHour(): readonly string[] {
  const parentTimeMs = world.timeMs;
  world.pass(HOUR);
  for (const { pub } of [liar, honest])
    writeNodeCounters(world.state, pub, { heartbeats: world.height * 6, lastHeartbeatAt: world.now, relayProofs: 0, slashCount: 0 });
  beginEpoch(world.state, { timeMs: world.timeMs, parentTimeMs, parentHash: "cd".repeat(32), params: world.context.params });
  const epoch = readDirectoryHeads(world.state)[0]?.epoch ?? 0;
  return (readDirectory(world.state, epoch)?.keepers ?? []).map(({ key }) => key);
}

describe("the evidence", () => {
  it("is two digests of one keeper, slot and version that differ, each with its signature", () => {
    const lie = lieOf(liar);
    expect(problem(lie)).toBeUndefined();
    expect(problem({ ...lie, second: lie.first })).toBe("TX_MALFORMED");
    // Ed25519 allows another signature of the same bytes by the same key; it says nothing.
    expect(problem({ ...lie, second: { ...lie.first, signature: lie.second.signature } })).toBe("TX_MALFORMED");
    expect(problem({ ...lie, second: { ...lie.second, count: 3 } })).toBe("TX_SIGNATURE");
    expect(problem({ ...lie, second: { ...lie.second, fingerprint: "cd".repeat(32) } })).toBe("TX_SIGNATURE");
    expect(problem({ ...lie, slot: 8 })).toBe("TX_SIGNATURE");
    expect(problem({ ...lie, version: lie.version + 1 })).toBe("TX_SIGNATURE");
    expect(problem({ ...lie, relay_pub: honest.pub })).toBe("TX_SIGNATURE");
    expect(problem({ ...lie, slot: 16_384 })).toBe("TX_MALFORMED");
    const [first, second] = [1, 2].map((count) => digestOf(liar, count, { version: lie.version, chainId: "another-chain" }));
    expect(first && second && problem(contradictionOf(first, second))).toBe("TX_SIGNATURE");
  });

  it("is none of digests that agree, or are of different slots, versions or keepers", () => {
    const one = digestOf(liar, 1);
    expect(contradictionOf(one, digestOf(liar, 1))).toBeUndefined();
    expect(contradictionOf(one, digestOf(liar, 2, { version: one.version + 1 }))).toBeUndefined();
    expect(contradictionOf(one, digestOf(liar, 2, { slot: 8 }))).toBeUndefined();
    expect(contradictionOf(one, digestOf(honest, 2))).toBeUndefined();
    expect(contradictionOf(one, { ...digestOf(liar, 1), fingerprint: "cd".repeat(32) })).toMatchObject({ slot: 7, relay_pub: liar.pub });
  });

  it.each([
    ["of a week ago", -LIE_LIFETIME_S / DIGEST_VERSION_S, "RELAY_LIE_UNPROVEN"],
    ["of almost a week ago", 1 - LIE_LIFETIME_S / DIGEST_VERSION_S, ""],
    ["of an hour ahead", HOUR / DIGEST_VERSION_S, ""],
    ["of later", HOUR / DIGEST_VERSION_S + 1, "RELAY_LIE_UNPROVEN"],
  ])("%s", (_name, versions, code) => {
    world.timeMs = START_MS;
    expect(vote(v1, lieOf(liar, digestVersion(world.now) + versions), 1_000).code).toBe(code);
  });

  it("counts against relays with a bond alone, one on its way back included", () => {
    expect(vote(v1, lieOf(bob), 1_000).code).toBe("RELAY_NOT_BONDED");
    writeKeeper(world.state, liar.pub, { ...readKeeper(world.state, liar.pub), bondUt: 0, withdrawnUt: 50_000, availableAt: world.now });
    expect(vote(v1).code).toBe("");
  });

  it("is in no block of networks of before", () => {
    world = worldOf(SUSPENSION_VERSION - 1);
    const before = dump(world.state);
    expect(refusalOf(v1)).toContain("begins with version 6");
    expect(dump(world.state)).toEqual(before);
  });
});

describe("votes", () => {
  it("suspend for thirty days once more than two thirds of the validators gave one", () => {
    const versions = [0, 1, 2].map((ago) => digestVersion(world.now) - ago);
    expect(vote(v1, lieOf(liar, versions[0]))).toMatchObject({ isOk: true, feeUt: 0, touched: [liar.pub] });
    expect(vote(v2, lieOf(liar, versions[1])).isOk).toBe(true);
    expect(standingOf()).toEqual({ untilS: 0, votes: [v1, v2].map(({ pub }) => ({ voter: pub, at: world.now })).toSorted(byVoter) });
    expect(vote(v3, lieOf(liar, versions[2])).isOk).toBe(true);
    expect(standingOf()).toEqual({ untilS: world.now + SUSPENSION_S, votes: [] });
    expect(vote(v1, lieOf(liar), 1_000).code).toBe("RELAY_SUSPENDED");
    expect(refusalOf(v4)).toContain("RELAY_SUSPENDED");
  });

  it("count once a validator, whatever it proves and however often its key changes", () => {
    vote(v1);
    expect(vote(v1, lieOf(liar, digestVersion(world.now) - 1), 1_000).code).toBe("SUSPENSION_VOTED");
    expect(world.run(v1, { type: "ROTATE_KEY", payload: rotationOf(v1, next) }).isOk).toBe(true);
    vote(next);
    vote(v2);
    expect(standingOf().untilS).toBe(0);
    vote(v3);
    expect(standingOf().untilS).toBeGreaterThan(0);
  });

  it("of those who left the set count no more", () => {
    vote(v1);
    vote(v2);
    const five = actor(15);
    writeValidators(world.state, [
      ...readValidators(world.state).filter(({ publicKey }) => publicKey !== v1.pub),
      { publicKey: five.pub, bondUt: 1 },
    ]);
    vote(v3);
    expect(standingOf().untilS).toBe(0);
    vote(five);
    expect(standingOf().untilS).toBeGreaterThan(0);
  });

  it("are forgotten after a week", () => {
    vote(v1);
    vote(v2);
    world.pass(LIE_LIFETIME_S);
    vote(v3);
    expect(standingOf()).toEqual({ untilS: 0, votes: [{ voter: v3.pub, at: world.now }] });
    vote(v1);
    vote(v2);
    expect(standingOf().untilS).toBeGreaterThan(0);
  });

  it("cost a validator nothing where they count, and are no one else's", () => {
    expect(world.balance(v2)).toBe(0);
    vote(v2);
    expect(refusalOf(v2)).toContain("SUSPENSION_VOTED");
    expect(refusalOf(alice)).toContain("may leave the fee out");
    const report = vote(alice, lieOf(liar), 1_000);
    expect(report).toMatchObject({ isOk: true, feeUt: 1_000, touched: [liar.pub] });
    expect(standingOf().votes.map(({ voter }) => voter)).toEqual([v2.pub]);
    expect(vote(alice, lieOf(honest), 1_000).isOk).toBe(true);
    expect(entriesOf(world.state, "suspension")).toHaveLength(1);
  });

  it("decide alone where there is one validator", () => {
    world = worldOf(SUSPENSION_VERSION, [v1]);
    vote(v1);
    expect(standingOf().untilS).toBe(world.now + SUSPENSION_S);
  });
});

describe("a suspended relay", () => {
  it("is in no directory from the next hour on, and returns by the rule of entry after its time", () => {
    expect(beginHour()).toEqual([liar.pub, honest.pub].toSorted());
    for (const voter of [v1, v2, v3]) vote(voter);
    const { untilS } = standingOf();
    while (world.now + HOUR < untilS) expect(beginHour()).toEqual([honest.pub]);
    expect(readKeeper(world.state, liar.pub).standing).toBeUndefined();
    let hours = 0;
    while (beginHour().length === 1) hours += 1;
    // The hour in which it may come, and a day of heartbeats.
    expect(hours).toBeGreaterThanOrEqual(24);
    expect(hours).toBeLessThanOrEqual(26);
    expect(readKeeper(world.state, liar.pub).standing).toMatchObject({ is: "in", salt: expect.not.stringMatching(/^(00)+$/) });
    expect(entriesOf(world.state, "suspension")).toEqual([]);
  });

  it("stays so when it fetches its bond and locks another one", () => {
    for (const voter of [v1, v2, v3]) vote(voter);
    writeKeeper(world.state, liar.pub, { bondUt: 0, withdrawnUt: 0, availableAt: 0, standing: undefined });
    for (let hour = 0; hour < 30; hour += 1) beginHour();
    writeKeeper(world.state, liar.pub, { bondUt: 50_000, withdrawnUt: 0, availableAt: 0, standing: undefined });
    for (let hour = 0; hour < 30; hour += 1) expect(beginHour()).toEqual([honest.pub]);
  });

  it("is suspended again for a new lie alone", () => {
    const old = lieOf(liar, digestVersion(world.now) + HOUR / DIGEST_VERSION_S);
    for (const voter of [v1, v2, v3]) vote(voter, old);
    world.timeMs += SUSPENSION_S * 1_000 - 1_000;
    expect(vote(v1, lieOf(liar), 1_000).code).toBe("RELAY_SUSPENDED");
    world.timeMs += 1_000;
    expect(vote(v1, old, 1_000).code).toBe("RELAY_LIE_UNPROVEN");
    for (const voter of [v1, v2, v3]) vote(voter);
    expect(standingOf().untilS).toBe(world.now + SUSPENSION_S);
  });

  it("stays so on a chain that continues this one, and votes do not", () => {
    for (const voter of [v1, v2, v3]) vote(voter);
    vote(v1, lieOf(honest));
    const { untilS } = standingOf();
    for (const entry of entriesOf(world.state, "suspension")) carryRecord(world.state, "suspension", entry);
    expect([standingOf(), standingOf(honest)]).toEqual([
      { untilS, votes: [] },
      { untilS: 0, votes: [] },
    ]);
  });
});

/** What should hold of one relay, by the documents. */
class Expected {
  #votes = new Map<string, number>();
  untilS = 0;

  get votes(): readonly (readonly [string, number])[] {
    return [...this.#votes].toSorted();
  }

  /** Code of the receipt of a transaction; `isValidator` says whether it is a vote. */
  take(voter: string, isValidator: boolean, nowS: number): string {
    if (this.untilS > nowS) return "RELAY_SUSPENDED";
    this.untilS = 0;
    this.#votes = new Map([...this.#votes].filter(([, at]) => nowS - at < LIE_LIFETIME_S));
    if (this.#votes.has(voter)) return "SUSPENSION_VOTED";
    if (!isValidator) return "";
    this.#votes.set(voter, nowS);
    if (this.#votes.size * 3 > four.length * 2) {
      this.#votes.clear();
      this.untilS = nowS + SUSPENSION_S;
    }
    return "";
  }
}

function expectStep(expected: Expected, voter: Actor, relay: Actor): void {
  const isValidator = voter !== alice;
  const balance = world.balance(voter);
  const code = expected.take(voter.pub, isValidator, world.now);
  // Validators without money are refused what would fail.
  if (isValidator && code !== "") expect(refusalOf(voter, lieOf(relay))).toContain(code);
  else expect(vote(voter, lieOf(relay), isValidator ? 0 : 1_000).code).toBe(code);
  expect(world.balance(voter)).toBe(isValidator ? balance : balance - 1_000);
  const { untilS, votes } = standingOf(relay);
  expect({ untilS, votes: votes.map(({ voter: pub, at }) => [pub, at]) }).toEqual({ untilS: expected.untilS, votes: expected.votes });
  expect(entriesOf(world.state, "suspension").length).toBeLessThanOrEqual(2);
}

it("never suspends without more than two thirds of a week's votes, and holds no more records than relays", () => {
  const step = fc.record({
    voter: fc.constantFrom(...four, alice),
    relay: fc.constantFrom(liar, honest),
    waitS: fc.constantFrom(0, 60, HOUR, 2 * DAY, 6 * DAY),
  });
  let suspensions = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      world = worldOf(SUSPENSION_VERSION);
      const expected = new Map([liar, honest].map((relay) => [relay, new Expected()]));
      for (const { voter, relay, waitS } of steps) {
        world.pass(waitS);
        if (waitS === HOUR) endSuspensions(world.state, world.now);
        const of = expected.get(relay) ?? new Expected();
        expectStep(of, voter, relay);
        if (of.untilS === world.now + SUSPENSION_S) suspensions += 1;
      }
      world.pass(SUSPENSION_S + LIE_LIFETIME_S);
      endSuspensions(world.state, world.now);
      expect(entriesOf(world.state, "suspension")).toEqual([]);
    }),
    { seed: 20261129, numRuns: 60 },
  );
  expect(suspensions).toBeGreaterThan(20);
});

function byVoter(a: { readonly voter: string }, b: { readonly voter: string }): number {
  return a.voter < b.voter ? -1 : 1;
}
