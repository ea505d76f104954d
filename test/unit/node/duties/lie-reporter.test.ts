// A keeper that signed two digests: who found it shows it, validators vote by themselves, it loses its place within an hour, the others keep
// theirs, and it returns after its time.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownTransaction } from "#node/duties/duty-context.ts";
import { LiePool, MAX_LIARS } from "#node/duties/lie-pool.ts";
import { reportLies, SHOWING_SPREAD_MS, type SuspensionVoter } from "#node/duties/lie-reporter.ts";
import { beginEpoch, readDirectory, readDirectoryHeads } from "#node/ledger/records/directory-epochs.ts";
import { writeKeeper } from "#node/ledger/records/keeper-records.ts";
import { readNodeCounters, writeNodeCounters, writeRelay } from "#node/ledger/records/node-records.ts";
import { readSuspension } from "#node/ledger/records/suspension-records.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { contradictionOf, digestVersion, signDigest } from "#shared/protocol/keepers/kept-digest.ts";
import { DIGEST_VERSION_S, LIE_LIFETIME_S, SUSPENSION_S, SUSPENSION_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { genesisWith } from "#test/support/chain/ledger-payloads.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { DutyWorld } from "#test/support/worlds/duty-world.ts";
import { type Actor, actor, alice, bob, CHAIN_ID, deviceKey } from "#test/support/worlds/ledger-world.ts";

const HOUR_MS = 3_600_000;
const four = [11, 12, 13, 14].map(actor);
const [v1] = four as [Actor];
const RELAYS = [21, 22, 23, 24].map(actor);
const [liar] = RELAYS as [Actor];

let folder: TemporaryFolder;
let world: DutyWorld;
const listeners = new Set<(transactions: readonly Transaction[]) => void>();
let version = SUSPENSION_VERSION;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  version = SUSPENSION_VERSION;
  listeners.clear();
  const genesis = genesisWith(four);
  world = new DutyWorld({ ...genesis, params: { ...genesis.params, version } });
  for (const [n, { pub }] of RELAYS.entries()) {
    writeRelay(world.state, { publicKey: pub, x25519Pub: deviceKey(n), feePerMessageUt: 0, multiaddr: `/ip4/81.2.${n}.1/tcp/1` });
    const standing = { is: "in", salt: `0${n}`.repeat(32) } as const;
    writeKeeper(world.state, pub, { bondUt: 50_000, withdrawnUt: 0, availableAt: 0, standing });
  }
});
afterEach(() => folder.remove());

const openPool = (name = "lies.json"): LiePool => new LiePool(join(folder.path, name), world.context(alice).log);

function start(
  node: Actor,
  lies = openPool(`${node.pub}.json`),
  voter?: SuspensionVoter,
): { readonly lies: LiePool; readonly stop: () => void } {
  const stop = reportLies({
    ...world.context(node),
    lies,
    voter,
    timers: world.time,
    chainNow: () => ({ timeMs: world.clock.nowMs(), version }),
    onTransactions: (listener) => {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
  });
  return { lies, stop };
}

/** A lie that was signed so many versions ago. */
function lieOf(relay = liar, ago = 0): DigestContradiction {
  const place = { slot: 7, version: digestVersion(world.clock.nowMs() / 1_000) - ago, fingerprint: "ab".repeat(32) };
  const key = { publicKey: relay.pub, secret: relay.seed };
  const [one, other] = [1, 2].map((count) => signDigest(CHAIN_ID, { ...place, count }, key));
  const evidence = one && other && contradictionOf(one, other);
  if (evidence === undefined) throw new Error("Both digests are the same");
  return evidence;
}

/** Commits what is pending; nodes see its transactions first. */
function commit(): readonly string[] {
  const transactions = [...world.pending.values()];
  const codes = world.commit().map(({ code }) => code);
  for (const listener of [...listeners]) listener(transactions);
  return codes;
}

/** Has a block show evidence, at the cost of another one than the nodes of the test. */
function show(evidence: DigestContradiction): readonly string[] {
  const tx = ownTransaction(world.context(bob), { type: "SUSPEND_RELAY", fee: 1_000, payload: { evidence } });
  world.pending.set(tx.id, tx);
  return commit();
}

const untilS = (): number => readSuspension(world.state, liar.pub, Math.floor(world.clock.nowMs() / 1_000)).untilS;
const senders = (): readonly string[] => world.submitted.map(({ from }) => from);

describe("a lie that a node found", () => {
  it("is voted for by validators at once, for no fee where they have no money, and once", async () => {
    const { lies } = start(v1);
    lies.add(lieOf(), world.clock.nowMs());
    expect(world.submitted).toMatchObject([{ type: "SUSPEND_RELAY", from: v1.pub, fee: 0 }]);
    await world.pass(60_000);
    expect(world.submitted).toHaveLength(1);
    expect(commit()).toEqual([""]);
    expect(lies.size).toBe(0);
    await world.pass(60_000);
    expect(world.submitted).toHaveLength(1);
    expect(world.time.pending).toBe(0);
  });

  it("is shown by one of those who are no validators, at the cost of a fee, and brings all validators to vote", async () => {
    const nodes = [...four, alice, bob].map((node) => start(node));
    const evidence = lieOf();
    for (const { lies } of nodes.slice(4)) lies.add(evidence, world.clock.nowMs());
    expect(world.submitted).toEqual([]);
    await world.pass(SHOWING_SPREAD_MS);
    expect(world.submitted.length).toBeGreaterThan(0);
    expect(world.submitted.every(({ fee, from }) => fee > 0 && [alice.pub, bob.pub].includes(from))).toBe(true);
    commit();
    expect(senders().slice(-4).toSorted()).toEqual(four.map(({ pub }) => pub).toSorted());
    expect(commit().filter((code) => code === "")).toHaveLength(3);
    expect(untilS()).toBeGreaterThan(0);
    expect(nodes.map(({ lies }) => lies.size)).toEqual(nodes.map(() => 0));
    await world.pass(600_000);
    expect(world.pending.size).toBe(0);
    for (const { stop } of nodes) stop();
    expect([listeners.size, world.listeners, world.time.pending]).toEqual([0, 0, 0]);
  });

  it("counts for no validator before it is in a block", async () => {
    start(v1);
    const { lies } = start(alice);
    lies.add(lieOf(), world.clock.nowMs());
    await world.pass(SHOWING_SPREAD_MS);
    expect(senders()).toEqual([alice.pub]);
    await world.pass(SHOWING_SPREAD_MS);
    expect(senders()).toEqual([alice.pub]);
  });

  it("waits for the version of the rules, and is forgotten when it is too old", async () => {
    version = SUSPENSION_VERSION - 1;
    const { lies } = start(v1);
    lies.add(lieOf(), world.clock.nowMs());
    await world.pass(LIE_LIFETIME_S * 500);
    expect([world.submitted.length, lies.size]).toEqual([0, 1]);
    await world.pass(LIE_LIFETIME_S * 500 + 60_000);
    expect([world.submitted.length, lies.size]).toEqual([0, 0]);
  });

  it("is tried again where the node refuses it", async () => {
    world.refusal = new CodedError("MEMPOOL_FULL", "full");
    const { lies } = start(v1);
    lies.add(lieOf(), world.clock.nowMs());
    await world.pass(1_000);
    commit();
    expect(world.submitted).toHaveLength(1);
    world.refusal = undefined;
    await world.pass(31_000);
    await world.pass(31_000);
    expect(world.pending.size).toBe(1);
  });
});

describe("a validator whose key is in a signer", () => {
  /** The first validator, of which the node of `alice` has no key. */
  class Signer implements SuspensionVoter {
    readonly publicKey = v1.pub;
    canVote = true;
    isThere = true;
    asked = 0;

    async vote(evidence: DigestContradiction): Promise<Transaction | undefined> {
      this.asked += 1;
      await Promise.resolve();
      return this.isThere ? ownTransaction(world.context(v1), { type: "SUSPEND_RELAY", fee: 0, payload: { evidence } }) : undefined;
    }
  }

  /** Lets time pass, and a signature after it. */
  const pass = async (durationMs: number): Promise<void> => {
    await world.pass(durationMs);
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
  };

  it("votes through it, once, for what its node found and for what a block shows, without a fee", async () => {
    const [signer, ...others] = [new Signer(), lieOf(), lieOf(RELAYS[1])] as const;
    const { lies } = start(alice, openPool(), signer);
    lies.add(others[0], world.clock.nowMs());
    await pass(0);
    expect(world.submitted).toMatchObject([{ type: "SUSPEND_RELAY", from: v1.pub, fee: 0 }]);
    await pass(60_000);
    expect([signer.asked, world.submitted.length]).toEqual([1, 1]);
    show(others[1]);
    await pass(0);
    expect([commit(), lies.size]).toEqual([[""], 0]);
    await pass(60_000);
    expect([signer.asked, world.time.pending]).toEqual([2, 0]);
  });

  it("asks again while the signer is away, one at a time, and no more once it is over", async () => {
    const signer = new Signer();
    signer.isThere = false;
    const { lies } = start(alice, openPool(), signer);
    lies.add(lieOf(), world.clock.nowMs());
    await pass(0);
    await pass(31_000);
    expect([signer.asked, world.submitted.length, lies.size]).toEqual([2, 0, 1]);
    signer.isThere = true;
    await pass(31_000);
    expect(senders()).toEqual([v1.pub]);
  });

  it("shows what it found like any other node where the signer is of an earlier version", async () => {
    const signer = new Signer();
    signer.canVote = false;
    const { lies } = start(alice, openPool(), signer);
    lies.add(lieOf(), world.clock.nowMs());
    await pass(SHOWING_SPREAD_MS);
    expect([signer.asked, senders(), world.submitted[0]?.fee]).toEqual([0, [alice.pub], 1_000]);
  });
});

describe("a liar that shows evidence against itself", () => {
  const LIFETIME = LIE_LIFETIME_S / DIGEST_VERSION_S;

  it("keeps out nothing with what it will have signed next year", async () => {
    const { lies } = start(v1);
    expect(show(lieOf(liar, -52_560))).toEqual(["RELAY_LIE_UNPROVEN"]);
    expect([lies.size, world.submitted.length]).toEqual([0, 0]);
    expect(lies.add(lieOf(), world.clock.nowMs())).toBe(true);
    expect(senders()).toEqual([v1.pub]);
    await world.pass(0);
  });

  it("keeps no node from showing what it found by what is nearly too old", async () => {
    const validator = start(v1);
    const { lies } = start(alice);
    expect(show(lieOf(liar, LIFETIME - 1))).toEqual([""]);
    expect(validator.lies.all()[0]?.evidence.version).toBe(lieOf(liar, LIFETIME - 1).version);
    const evidence = lieOf();
    lies.add(evidence, world.clock.nowMs());
    expect(validator.lies.add(evidence, 5)).toBe(true);
    expect(validator.lies.all()[0]).toMatchObject({ evidence });
    expect(validator.lies.all()[0]?.foundAtMs).not.toBe(5);
    await world.pass(SHOWING_SPREAD_MS);
    expect(senders()).toEqual([v1.pub, alice.pub]);
  });

  it("costs no one a fee for each lie: what was shown is shown again hours later", async () => {
    const { lies } = start(alice);
    expect(show(lieOf())).toEqual([""]);
    for (let hours = 0; hours < 5; hours += 1) {
      await world.pass(HOUR_MS);
      lies.add(lieOf(), world.clock.nowMs());
      await world.pass(2 * SHOWING_SPREAD_MS);
    }
    expect([lies.size, world.submitted.length]).toEqual([0, 0]);
    await world.pass(HOUR_MS);
    lies.add(lieOf(), world.clock.nowMs());
    await world.pass(2 * SHOWING_SPREAD_MS);
    expect(senders()).toEqual([alice.pub]);
  });
});

it("is voted for once while the node still checks the vote", () => {
  world.refusal = new CodedError("MEMPOOL_FULL", "full");
  const { lies } = start(v1);
  for (const relay of RELAYS) lies.add(lieOf(relay), world.clock.nowMs());
  expect(world.submitted).toHaveLength(RELAYS.length);
});

it("is shown at once where the clock was set back since it was found", () => {
  const lies = openPool();
  lies.add(lieOf(), world.clock.nowMs() + HOUR_MS);
  start(alice, lies);
  expect(senders()).toEqual([alice.pub]);
});

describe("the file of lies", () => {
  it("holds one of each relay over restarts, and no more than its room", () => {
    const lies = openPool();
    const evidence = lieOf();
    expect([lies.add(evidence, 5), lies.add(lieOf(), 6)]).toEqual([true, false]);
    expect(openPool().all()).toEqual([{ evidence, foundAtMs: 5 }]);
    for (let n = 1; n < MAX_LIARS; n += 1) lies.add({ ...evidence, relay_pub: n.toString(16).padStart(64, "0") }, 7);
    expect([lies.size, lies.add({ ...evidence, relay_pub: "ff".repeat(32) }, 8)]).toEqual([MAX_LIARS, false]);
    lies.remove([liar.pub]);
    expect(openPool().size).toBe(MAX_LIARS - 1);
  });

  it("is set aside where it holds anything else", () => {
    const path = join(folder.path, "lies.json");
    const same = { ...lieOf(), second: lieOf().first };
    writeFileSync(path, JSON.stringify({ version: 1, lies: [{ evidence: same, found_at_ms: 1 }] }));
    expect(openPool().size).toBe(0);
    expect(readFileSync(`${path}.damaged`, "utf8")).toContain(liar.pub);
  });
});

it("costs a keeper its place within an hour, and no other one; it returns after its time", async () => {
  const nodes = four.map((node) => start(node));
  const hour = async (): Promise<readonly string[]> => {
    const parentTimeMs = world.clock.nowMs();
    await world.pass(HOUR_MS);
    commit();
    for (const { pub } of RELAYS) {
      const counters = readNodeCounters(world.state, pub);
      writeNodeCounters(world.state, pub, {
        ...counters,
        heartbeats: counters.heartbeats + 6,
        lastHeartbeatAt: world.clock.nowMs() / 1_000,
      });
    }
    const params = { version, validator_bond_ut: 1_000_000 };
    beginEpoch(world.state, { timeMs: world.clock.nowMs(), parentTimeMs, parentHash: "cd".repeat(32), params });
    const epoch = readDirectoryHeads(world.state)[0]?.epoch ?? 0;
    return (readDirectory(world.state, epoch)?.keepers ?? []).map(({ key }) => key);
  };
  const all = RELAYS.map(({ pub }) => pub).toSorted();
  const others = all.filter((key) => key !== liar.pub);
  expect(await hour()).toEqual(all);
  nodes[0]?.lies.add(lieOf(), world.clock.nowMs());
  commit();
  commit();
  expect(untilS()).toBe(world.clock.nowMs() / 1_000 + SUSPENSION_S);
  const endS = untilS();
  while (world.clock.nowMs() / 1_000 + 3_600 < endS) expect(await hour()).toEqual(others);
  let hours = 0;
  for (let keepers = await hour(); keepers.length < all.length; keepers = await hour()) hours += 1;
  expect(hours).toBeGreaterThanOrEqual(24);
  expect(hours).toBeLessThanOrEqual(26);
});
