// The pool: what it admits, in which order it offers it, and what it gives up.
import { describe, expect, it } from "vitest";
import { executeBlock } from "#node/ledger/execute.ts";
import { writeKeeper } from "#node/ledger/records/keeper-records.ts";
import { Mempool, type MempoolOptions } from "#node/mempool/mempool.ts";
import { MEMPOOL_LIMITS } from "#node/mempool/mempool-limits.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { SUSPENSION_VERSION } from "#shared/protocol/primitives/limits.ts";
import { firstParams, type NetworkParams } from "#shared/protocol/primitives/params.ts";
import { signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { encodePayload } from "#shared/protocol/transactions/payload.ts";
import { signBytes } from "#shared/protocol/transactions/sign-bytes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { decodeTransaction, encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { transactionId, ZERO_SALT } from "#shared/protocol/transactions/transaction-id.ts";
import { toBase64, utf8 } from "#shared/util/bytes.ts";
import { callOf, digestLie, doubleVote, genesisWith } from "#test/support/chain/ledger-payloads.ts";
import {
  type Actor,
  actor,
  alice,
  blockContext,
  bob,
  CHAIN_ID,
  carol,
  deviceKey,
  GENESIS,
  genesisState,
  START_MS,
  signed,
  TEST_VM,
} from "#test/support/worlds/ledger-world.ts";

const NOW = START_MS + 1_000;

class World {
  readonly state: OverlayStateView;
  readonly seen = new Set<string>();
  readonly pool: Mempool;
  height = 0;
  timeMs = START_MS;
  readonly #params: NetworkParams;

  constructor(options: Partial<MempoolOptions> = {}, rich: readonly Actor[] = [], genesis: Genesis = GENESIS) {
    const accounts = [...genesis.accounts, ...rich.map(({ pub }) => ({ pub_key: pub, balance_ut: 10_000_000 }))];
    this.state = genesisState({ ...genesis, accounts });
    this.#params = firstParams(genesis.params);
    const chain = {
      chainId: CHAIN_ID,
      params: this.#params,
      state: this.state,
      tip: (): { readonly height: number; readonly timeMs: number } => ({ height: this.height, timeMs: this.timeMs }),
      hasSeenId: (id: string): boolean => this.seen.has(id),
      vm: TEST_VM,
    };
    this.pool = new Mempool(chain, { verify: verifyZip215, ...options });
  }

  /** Commits a block of the given transactions and tells the pool. */
  commit(transactions: readonly Transaction[], timeMs = this.timeMs + 1_000): void {
    this.height += 1;
    this.timeMs = timeMs;
    const context = blockContext({ params: this.#params, height: this.height, timeMs, hasSeenId: (id) => this.seen.has(id) });
    const result = executeBlock(this.state, transactions, context);
    if (!result.isValid) throw new Error(result.message);
    for (const tx of transactions) this.seen.add(tx.id);
    this.pool.removeCommitted({ block: { transactions }, receipts: result.receipts }, timeMs);
  }

  /** Code of the refusal of a submission. */
  async refusal(raw: unknown, nowMs = NOW): Promise<string> {
    const size = this.pool.size;
    const error: unknown = await this.pool.submit(raw, nowMs).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof CodedError)) throw new Error("It was accepted");
    expect(this.pool.size).toBe(size);
    return `${error.code} ${error.status} ${error.message}`;
  }
}

const pay = (from: Actor, amount: number, fee = 1_000, to: Actor = carol): Transaction =>
  signed(from, { type: "TRANSFER", to: to.pub, amount, fee, payload: {} });
const link = (n: number): Transaction =>
  signed(alice, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(n), device_name: "desk" } });
const ids = (txs: readonly Transaction[]): readonly string[] => txs.map((tx) => tx.id);

describe("admission", () => {
  it("accepts a transaction once", async () => {
    const { pool } = new World();
    const tx = pay(alice, 5);
    expect(await pool.submit(tx, NOW)).toEqual({ id: tx.id, status: "accepted" });
    expect(pool.get(tx.id)).toEqual(tx);
    expect(pool.isKnown(tx.id)).toBe(true);
    expect(pool.bytes).toBe(encodeTransaction(tx).length);
  });

  it("takes the very object that another node's bytes became, after the same checks", async () => {
    const { pool } = new World();
    const tx = decodeTransaction(encodeTransaction(pay(alice, 1)));
    await pool.receive(tx, NOW);
    expect(pool.get(tx.id)).toBe(tx);
    await expect(pool.receive(tx, NOW)).rejects.toMatchObject({ code: "TX_DUPLICATE" });
    await expect(pool.receive({ ...tx, id: "b" }, NOW)).rejects.toMatchObject({ code: "TX_SIGNATURE" });
    await expect(pool.receive(pay(alice, 1, 0), NOW)).rejects.toMatchObject({ code: "TX_FEE_TOO_LOW" });
    await expect(pool.receive(pay(alice, 10_000_000), NOW)).rejects.toMatchObject({ code: "TX_INSUFFICIENT_BALANCE" });
    expect(pool.size).toBe(1);
  });

  it("accepts a pending and a committed transaction again, and takes in neither", async () => {
    const world = new World();
    const [pending, committed] = [pay(alice, 5), pay(alice, 6)];
    await world.pool.submit(pending, NOW);
    world.commit([committed]);
    for (const tx of [pending, committed]) {
      expect(await world.pool.submit(tx, NOW)).toEqual({ id: tx.id, status: "accepted" });
      expect(await world.refusal({ ...tx, signature: pay(alice, 5).signature })).toContain("TX_SIGNATURE");
      expect(await world.refusal({ ...tx, amount: 7 })).toContain("TX_ID_MISMATCH");
      await expect(world.pool.receive(tx, NOW)).rejects.toMatchObject({ code: "TX_DUPLICATE", message: expect.stringContaining(tx.id) });
    }
    expect(ids(world.pool.all())).toEqual([pending.id]);
  });

  it("refuses another transaction under an id that is known", async () => {
    const world = new World();
    const ofId = (id: string, amount: number): Transaction => signTransaction({ ...pay(alice, amount), id }, alice.seed);
    await world.pool.submit(ofId("mine", 5), NOW);
    expect(await world.pool.submit(ofId("mine", 5), NOW)).toEqual({ id: "mine", status: "accepted" });
    expect(await world.refusal(ofId("mine", 6))).toContain("TX_DUPLICATE");
    world.commit([ofId("past", 5)]);
    expect(await world.refusal(ofId("past", 6))).toContain("TX_DUPLICATE");
  });

  it("reads a report without a fee only when a validator sends it, and blames no peer for one that came too late", async () => {
    const [honest, offender] = [actor(11), actor(12)];
    const world = new World({}, [], genesisWith([honest, offender]));
    const report = (from: Actor, payload: string): Transaction => ({
      ...signed(from, { type: "SLASH", fee: 0, payload: {} as never }),
      payload,
    });
    const [unreadable, evidence] = ["AAAA", encodePayload<"SLASH">({ evidence: doubleVote(offender, 1) })];
    await expect(world.pool.receive(report(honest, unreadable), NOW)).rejects.toMatchObject({ code: "TX_MALFORMED" });
    await expect(world.pool.receive(report(bob, unreadable), NOW)).rejects.toMatchObject({ code: "TX_REJECTED" });
    await expect(world.pool.receive(report(bob, evidence), NOW)).rejects.toMatchObject({ code: "TX_REJECTED" });
    const free = (round: number): Transaction =>
      signed(honest, { type: "SLASH", fee: 0, payload: { evidence: doubleVote(offender, 1, round) } });
    world.commit([free(0)]);
    await expect(world.pool.receive(free(1), NOW + 1_000)).rejects.toMatchObject({ code: "TX_REJECTED" });
  });

  it("takes only one of two copies that are verified at the same time", async () => {
    const { pool } = new World({ verify: async (...input) => verifyZip215(...input) });
    const tx = pay(alice, 5);
    const results = await Promise.allSettled([pool.submit(tx, NOW), pool.submit(tx, NOW)]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(pool.size).toBe(1);
  });

  it("takes in nothing that a block took in while its signature was checked", async () => {
    const checks: PromiseWithResolvers<boolean>[] = [];
    const world = new World({
      verify: () => {
        const check = Promise.withResolvers<boolean>();
        checks.push(check);
        return check.promise;
      },
    });
    const [committed, other] = [pay(alice, 1), pay(alice, 2)];
    const submissions = Promise.allSettled([world.pool.submit(committed, NOW), world.pool.submit(other, NOW)]);
    world.commit([committed]);
    for (const { resolve } of checks) resolve(true);
    expect(await submissions).toMatchObject([{ value: { id: committed.id } }, { value: { id: other.id } }]);
    expect(ids(world.pool.candidates(NOW))).toEqual([other.id]);
  });

  it("gives a transaction without id the one of its content, and knows it when it comes again", async () => {
    const world = new World();
    const { id: _id, signature: _signature, ...fields } = pay(alice, 5);
    const signature = toBase64(signEd25519(signBytes({ ...fields, id: "" }), alice.seed));
    const id = transactionId(CHAIN_ID, ZERO_SALT, { ...fields, id: "" });
    expect(await world.pool.submit({ ...fields, signature }, NOW)).toEqual({ id, status: "accepted" });
    expect(await world.pool.submit({ ...fields, signature }, NOW)).toEqual({ id, status: "accepted" });
    expect(world.pool.size).toBe(1);
  });

  it("drops a memo that is not the signed one, and says so", async () => {
    const { pool } = new World();
    const withMemo = (text: string): Transaction => signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: { memo: text } });
    const unsigned = await pool.submit({ ...pay(alice, 1), memo: "hello" }, NOW);
    expect(unsigned.warning).toContain("memo");
    expect((await pool.submit({ ...withMemo("a"), memo: "b" }, NOW)).warning).toContain("memo");
    expect(await pool.submit({ ...withMemo("a"), memo: "a" }, NOW)).not.toHaveProperty("warning");
    expect(await pool.submit({ ...pay(alice, 2), memo: "" }, NOW)).not.toHaveProperty("warning");
    expect(pool.get(unsigned.id)).not.toHaveProperty("memo");
  });

  it.each<[string, unknown, string]>([
    ["no object", [], "TX_MALFORMED 400"],
    ["an unknown type", { ...pay(alice, 1), type: "BLOCK_REWARD" }, "TX_MALFORMED 400 type"],
    ["the id of a reward", { ...pay(alice, 1), id: "reward-1" }, "TX_MALFORMED 400 id"],
    ["an id with a quote", { ...pay(alice, 1), id: 'a"b' }, "TX_MALFORMED 400 id"],
    ["a fractional amount", { ...pay(alice, 1), amount: 1.5 }, "TX_MALFORMED 400 amount"],
    ["a negative amount", { ...pay(alice, 1), amount: -1 }, "TX_MALFORMED 400 amount"],
    ["minus zero", { ...pay(alice, 1), amount: -0 }, "TX_MALFORMED 400 amount"],
    ["an amount above the largest", { ...pay(alice, 1), amount: 2 ** 53 }, "TX_MALFORMED 400 amount"],
    ["an amount as text", { ...pay(alice, 1), amount: "1" }, "TX_MALFORMED 400 amount"],
    ["no signature", { ...pay(alice, 1), signature: undefined }, "TX_SIGNATURE 400 signature"],
    ["another's signature", { ...pay(alice, 1), signature: pay(bob, 1).signature }, "TX_SIGNATURE 400 The signature"],
    ["no timestamp", { ...pay(alice, 1), timestamp: undefined }, "TX_TIMESTAMP 400 timestamp"],
    ["a timestamp with offset", { ...pay(alice, 1), timestamp: "2026-01-01T00:00:00+00:00" }, "TX_TIMESTAMP 400 timestamp"],
    ["a low fee", pay(alice, 1, 999), "TX_FEE_TOO_LOW 400"],
    ["more than the balance", pay(alice, 10_000_000), "TX_INSUFFICIENT_BALANCE 400"],
    ["a fee beyond every balance", pay(carol, 1), "TX_INSUFFICIENT_BALANCE 400"],
    ["what would fail", signed(alice, { type: "ACCEPT_CONTACT", to: bob.pub, payload: {} }), "TX_REJECTED 400 There is no contact request"],
  ])("refuses %s", async (_name, raw, words) => {
    expect(await new World().refusal(raw)).toContain(words);
  });

  it("holds timestamps to one hour of the clock, and of the tip when the clock is behind it", async () => {
    const world = new World();
    expect(await world.refusal(pay(alice, 1), START_MS + 3_600_000)).toContain("TX_TIMESTAMP 400 The timestamp");
    const early = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {}, nowMs: START_MS + 3_601_000 });
    expect(await world.refusal(early, START_MS)).toContain("TX_TIMESTAMP");
    expect((await world.pool.submit(early, START_MS + 1_000)).status).toBe("accepted");
    world.timeMs = START_MS + 3_600_000;
    expect(await world.refusal(pay(alice, 1), START_MS)).toContain("TX_TIMESTAMP");
    world.timeMs = START_MS + 3_599_000;
    expect((await world.pool.submit(pay(alice, 1), START_MS)).status).toBe("accepted");
  });

  it("counts what the sender's pending transactions will spend", async () => {
    const world = new World();
    await world.pool.submit(pay(alice, 6_000_000), NOW);
    expect(await world.refusal(pay(alice, 3_998_001))).toContain("TX_INSUFFICIENT_BALANCE");
    await world.pool.submit(pay(alice, 3_998_000), NOW);
  });

  it("refuses early what a pending transaction of the sender makes impossible", async () => {
    const world = new World();
    const request = (): Transaction => signed(alice, { type: "CONTACT_REQUEST", to: bob.pub, amount: 5_000, payload: {} });
    await world.pool.submit(link(1), NOW);
    expect(await world.refusal(link(1))).toContain("TX_REJECTED");
    await world.pool.submit(request(), NOW);
    expect(await world.refusal(request())).toContain("TX_REJECTED");
    await world.pool.submit(signed(alice, { type: "UNLINK_DEVICE", payload: { x25519_pub_key: deviceKey(1) } }), NOW);
    await world.pool.submit(link(1), NOW);
  });
});

describe("order", () => {
  it("offers the best fee first, each sender's in order of arrival", async () => {
    const { pool } = new World();
    const [a1, a2, b1, b2] = [pay(alice, 1, 1_000), pay(alice, 2, 9_000), pay(bob, 3, 5_000), pay(bob, 4, 5_000)] as const;
    for (const tx of [a1, a2, b1, b2]) await pool.submit(tx, NOW);
    expect(ids(pool.candidates(NOW))).toEqual(ids([b1, b2, a1, a2]));
  });

  it("offers nothing that is outside the window of the block's time", async () => {
    const { pool } = new World();
    await pool.submit(pay(alice, 1), NOW);
    expect(pool.hasPending(NOW, true)).toBe(true);
    expect(pool.hasPending(START_MS + 3_600_000, true)).toBe(false);
    expect(pool.candidates(START_MS + 3_600_000)).toEqual([]);
    expect(pool.candidates(START_MS - 3_601_000)).toEqual([]);
  });
});

describe("after a block", () => {
  it("forgets committed transactions and keeps the others", async () => {
    const world = new World();
    const [first, second] = [pay(alice, 1), pay(alice, 2)];
    await world.pool.submit(first, NOW);
    await world.pool.submit(second, NOW);
    world.commit([first]);
    expect(ids(world.pool.candidates(NOW))).toEqual([second.id]);
    world.commit([second]);
    expect([world.pool.size, world.pool.bytes, world.pool.hasPending(NOW, true)]).toEqual([0, 0, false]);
  });

  it("drops what a touched sender can no longer pay or do", async () => {
    const world = new World();
    const [cheap, dear] = [pay(alice, 10), pay(alice, 9_000_000)];
    const asked = signed(bob, { type: "CONTACT_REQUEST", to: alice.pub, amount: 5_000, payload: {} });
    for (const tx of [dear, cheap, asked]) await world.pool.submit(tx, NOW);
    world.commit([pay(alice, 5_000_000), signed(alice, { type: "BLOCK_CONTACT", to: bob.pub, payload: {} })]);
    expect(ids(world.pool.candidates(NOW))).toEqual([cheap.id]);
  });

  it("drops what a sender can no longer do because of a transaction that only touches it", async () => {
    const world = new World();
    const inAnHour = Math.floor(START_MS / 1_000) + 3_600;
    const escrow = (from: Actor, ...call: Parameters<typeof callOf>): Transaction => signed(from, callOf(...call));
    world.commit([
      pay(alice, 100_000),
      escrow(alice, "escrow", "open", ["deal", bob.pub, carol.pub, inAnHour], { amount: 5_000 }),
      escrow(alice, "escrow", "dispute", ["deal"]),
    ]);
    const pending = escrow(alice, "escrow", "release", ["deal"]);
    await world.pool.submit(pending, NOW);
    const resolved = escrow(carol, "escrow", "resolve", ["deal", false]);
    expect([resolved.from, resolved.to]).not.toContain(alice.pub);
    world.commit([resolved]);
    expect(world.pool.get(pending.id)).toBeUndefined();
  });

  it("lets a sender spend what a block brought", async () => {
    const world = new World();
    await world.pool.submit(pay(alice, 9_000_000), NOW);
    expect(await world.refusal(pay(alice, 2_000_000))).toContain("TX_INSUFFICIENT_BALANCE");
    world.commit([pay(bob, 3_000_000, 1_000, alice)]);
    await world.pool.submit(pay(alice, 2_000_000), NOW);
    expect(world.pool.size).toBe(2);
  });

  it("counts what is left of a touched sender's transactions after a block", async () => {
    const world = new World();
    const [first, second] = [pay(alice, 1_000_000), pay(alice, 5_000_000)];
    for (const tx of [first, second]) await world.pool.submit(tx, NOW);
    world.commit([first]);
    expect(ids(world.pool.candidates(world.timeMs))).toEqual([second.id]);
    expect(await world.refusal(pay(alice, 4_000_000))).toContain("TX_INSUFFICIENT_BALANCE");
    await world.pool.submit(pay(alice, 3_990_000), NOW);
  });

  it("drops what expired", async () => {
    const world = new World();
    await world.pool.submit(pay(alice, 1), NOW);
    world.commit([], START_MS + 3_600_000);
    expect(world.pool.size).toBe(0);
  });

  it("gives a sender back what a removed transaction would have spent", async () => {
    const world = new World();
    const large = pay(alice, 9_000_000);
    await world.pool.submit(large, NOW);
    await world.pool.submit(pay(alice, 1), NOW);
    expect(await world.refusal(pay(alice, 9_000_001))).toContain("TX_INSUFFICIENT_BALANCE");
    world.pool.remove([large.id]);
    await world.pool.submit(pay(alice, 9_000_001), NOW);
  });

  it("removes what a block builder could not use", async () => {
    const { pool } = new World();
    const tx = pay(alice, 1);
    await pool.submit(tx, NOW);
    pool.remove([tx.id, "unknown"]);
    expect([pool.size, pool.bytes]).toEqual([0, 0]);
  });
});

/** A deployment with the smallest fee of its size, of a module that no engine takes. */
function deploymentOf(from: Actor, bytes: number): Transaction {
  const code = new Uint8Array(bytes);
  code.set([0x00, 0x61, 0x73, 0x6d, 0x01]);
  const abi_json = '{"contract":"x","version":"1","methods":[]}';
  return signed(from, { type: "DEPLOY_CONTRACT", payload: { wasm_b64: toBase64(code), abi_json, gas_limit: 60_000_000 } });
}

describe("limits", () => {
  it("has room for many transactions of one sender, to a limit", async () => {
    const world = new World({ limits: { ...MEMPOOL_LIMITS, perSender: 3 } });
    for (let amount = 1; amount <= 3; amount += 1) await world.pool.submit(pay(alice, amount), NOW);
    expect(await world.refusal(pay(alice, 4))).toContain("SENDER_LIMIT 400");
    await world.pool.submit(pay(bob, 4), NOW);
    expect(MEMPOOL_LIMITS).toEqual({
      transactions: 5_000,
      bytes: 33_554_432,
      perSender: 512,
      perSenderBytes: 8_388_608,
      largeBytes: 2_097_152,
      largeRaise: 1.25,
      trialGas: 2_000_000,
    });
  });

  it("takes of one sender no more than its share of the bytes, but for a single transaction", async () => {
    const [first, second] = [pay(alice, 1), pay(alice, 2)];
    const perSenderBytes = encodeTransaction(first).length + encodeTransaction(second).length - 1;
    const world = new World({ limits: { ...MEMPOOL_LIMITS, perSenderBytes } });
    await world.pool.submit(first, NOW);
    expect(await world.refusal(second)).toContain("SENDER_LIMIT 400");
    await world.pool.submit(pay(bob, 1), NOW);
    const single = new World({ limits: { ...MEMPOOL_LIMITS, perSenderBytes: 1 } });
    await single.pool.submit(first, NOW);
  });

  it("gives up no payments for large deployments that pay the least, and none for those that reserve much gas", async () => {
    const dave = actor(4);
    const deployment = deploymentOf(dave, 100_000);
    const world = new World({ limits: { ...MEMPOOL_LIMITS, bytes: encodeTransaction(deployment).length + 1_000 } }, [dave]);
    const payments = [pay(alice, 1), pay(alice, 2), pay(bob, 1), pay(bob, 2)];
    for (const tx of payments) await world.pool.submit(tx, NOW);
    expect(deployment.fee).toBeGreaterThan(100_000);
    expect(await world.refusal(deployment)).toContain("MEMPOOL_FULL 503");
    const full = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 4 } }, [dave]);
    for (const tx of payments) await full.pool.submit(tx, NOW);
    expect(await full.refusal(deploymentOf(dave, 40_000))).toContain("MEMPOOL_FULL 503");
    expect(ids(full.pool.all())).toEqual(ids(payments));
  });

  it("wants more for a payload beyond 4,096 bytes, and tells a sender without money before it checks a signature", async () => {
    let checks = 0;
    const verify = (...input: Parameters<typeof verifyZip215>): boolean => {
      checks += 1;
      return verifyZip215(...input);
    };
    const world = new World({ verify });
    const poor = actor(77);
    expect(await world.refusal(pay(poor, 1))).toContain("TX_INSUFFICIENT_BALANCE 400");
    expect(await world.refusal({ ...deploymentOf(alice, 10_000), fee: 1_000, id: "low" })).toContain("TX_FEE_TOO_LOW 400");
    await world.pool.submit(pay(alice, 9_990_000), NOW);
    const before = checks;
    expect(await world.refusal(pay(alice, 1, 9_001))).toContain("TX_INSUFFICIENT_BALANCE 400");
    expect({ before, checks }).toEqual({ before: 1, checks: 1 });
  });

  it("gives up the lowest fee, newest first, for a better one", async () => {
    const dave = actor(4);
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 3 } }, [dave]);
    const [low, lowLater, high] = [pay(alice, 1, 1_000), pay(alice, 2, 1_000), pay(bob, 3, 5_000)];
    for (const tx of [low, lowLater, high]) await world.pool.submit(tx, NOW);
    expect(await world.refusal(pay(dave, 4, 1_000))).toContain("MEMPOOL_FULL 503");
    const better = pay(dave, 5, 2_000);
    await world.pool.submit(better, NOW);
    expect(ids(world.pool.candidates(NOW))).toEqual(ids([high, better, low]));
  });

  it("gives up any fee for the first report of each validator, which is before all in a block", async () => {
    const [honest, offender] = [actor(11), actor(12)];
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 2 } }, [], genesisWith([honest, offender]));
    const [dear, dearer] = [pay(alice, 1, 50_000), pay(alice, 2, 60_000)];
    for (const tx of [dear, dearer]) await world.pool.submit(tx, NOW);
    const report = (from: Actor, fee: number, round = 0): Transaction =>
      signed(from, { type: "SLASH", fee, payload: { evidence: doubleVote(offender, 1, round) } });
    const free = report(honest, 0);
    await world.pool.submit(free, NOW);
    expect(ids(world.pool.candidates(NOW))).toEqual(ids([free, dear]));
    // Another report of the same validator is worth its fee, so that reports cannot fill the pool.
    expect(await world.refusal(report(bob, 1_000, 1))).toContain("MEMPOOL_FULL");
    await world.pool.submit(pay(bob, 3, 70_000), NOW);
    expect(world.pool.get(free.id)).toBeDefined();
    world.commit([free]);
    await world.pool.submit(dear, NOW + 1_000);
    expect(await world.refusal(report(bob, 1_000, 1), NOW + 1_000)).toContain("MEMPOOL_FULL");
  });

  it("gives up any fee for a validator's vote about a relay that lied, one at a time, and for no one else's", async () => {
    const genesis = genesisWith([actor(11), actor(12)]);
    const version6 = { ...genesis, params: { ...genesis.params, version: SUSPENSION_VERSION } };
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 2 } }, [], version6);
    const liars = [actor(21), actor(22)];
    for (const { pub } of liars) writeKeeper(world.state, pub, { bondUt: 1, withdrawnUt: 0, availableAt: 0, standing: undefined });
    const [dear, dearer] = [pay(alice, 1, 50_000), pay(alice, 2, 60_000)];
    for (const tx of [dear, dearer]) await world.pool.submit(tx, NOW);
    const vote = (from: Actor, fee: number, n = 0): Transaction =>
      signed(from, { type: "SUSPEND_RELAY", fee, payload: { evidence: digestLie(liars[n] ?? from, NOW) } });
    expect(await world.refusal(vote(bob, 1_000))).toContain("MEMPOOL_FULL");
    const free = vote(actor(11), 0);
    await world.pool.submit(free, NOW);
    expect(ids(world.pool.candidates(NOW))).toEqual(ids([free, dear]));
    // Another vote of the same validator is worth its fee until the first one is in a block, so that votes cannot fill the pool.
    expect(await world.refusal(vote(actor(11), 0, 1))).toContain("MEMPOOL_FULL");
    world.commit([free]);
    await world.pool.submit(dearer, NOW + 1_000);
    await world.pool.submit(vote(actor(11), 0, 1), NOW + 1_000);
  });

  it("gives up the last of a sender's transactions first, so that none loses what it depends on", async () => {
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 2 } });
    const first = link(1);
    const unlink = signed(alice, { type: "UNLINK_DEVICE", fee: 9_000, payload: { x25519_pub_key: deviceKey(1) } });
    await world.pool.submit(first, NOW);
    await world.pool.submit(unlink, NOW);
    const better = pay(bob, 1, 5_000);
    await world.pool.submit(better, NOW);
    expect(ids(world.pool.candidates(NOW))).toEqual(ids([better, first]));
  });

  it("gives up nothing for dear transactions behind a cheap one of their sender", async () => {
    const dave = actor(4);
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 4 } }, [dave]);
    const honest = [pay(bob, 1, 2_000), pay(bob, 2, 2_000), pay(alice, 1, 2_000)];
    await world.pool.submit(pay(dave, 1, 1_000), NOW);
    for (const tx of honest) await world.pool.submit(tx, NOW);
    // Each of them would be gone for nothing with the first one, if it could be displaced with them in the pool.
    for (let n = 2; n <= 6; n += 1) expect(await world.refusal(pay(dave, n, 90_000))).toContain("MEMPOOL_FULL");
    expect(ids(world.pool.candidates(NOW)).slice(0, 3)).toEqual(ids(honest));
  });

  it.each(["in a block", "removed"])("values what is behind a transaction by itself once that one is %s", async (how) => {
    const dave = actor(4);
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 2 } }, [dave]);
    const [first, second] = [pay(dave, 1, 1_000), pay(dave, 2, 9_000)];
    for (const tx of [first, second]) await world.pool.submit(tx, NOW);
    if (how === "removed") world.pool.remove([first.id]);
    else world.commit([first]);
    await world.pool.submit(pay(bob, 1, 2_000), NOW);
    const better = pay(alice, 1, 3_000);
    await world.pool.submit(better, NOW);
    expect(ids(world.pool.candidates(NOW))).toEqual(ids([second, better]));
  });

  it("checks no signature of what a full pool would not take", async () => {
    let checks = 0;
    const verify = (...input: Parameters<typeof verifyZip215>): boolean => {
      checks += 1;
      return verifyZip215(...input);
    };
    const world = new World({ verify, limits: { ...MEMPOOL_LIMITS, transactions: 1 } });
    await world.pool.submit(pay(alice, 1, 2_000), NOW);
    expect(await world.refusal(pay(bob, 1, 2_000))).toContain("MEMPOOL_FULL");
    expect(checks).toBe(1);
  });

  it("gives up what a validator sent earlier for its report", async () => {
    const [honest, offender] = [actor(11), actor(12)];
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 1 } }, [honest], genesisWith([honest, offender]));
    await world.pool.submit(pay(honest, 1, 90_000), NOW);
    const report = signed(honest, { type: "SLASH", fee: 0, payload: { evidence: doubleVote(offender, 1, 0) } });
    await world.pool.submit(report, NOW);
    expect(ids(world.pool.all())).toEqual([report.id]);
  });

  it("offers a validator's report before what it sent earlier", async () => {
    const [honest, offender] = [actor(11), actor(12)];
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 3 } }, [honest], genesisWith([honest, offender]));
    const [cheap, dear] = [pay(honest, 1, 1_000), pay(alice, 1, 50_000)];
    const report = signed(honest, { type: "SLASH", fee: 0, payload: { evidence: doubleVote(offender, 1, 0) } });
    for (const tx of [cheap, dear, report]) await world.pool.submit(tx, NOW);
    expect(ids(world.pool.candidates(NOW))).toEqual(ids([report, dear, cheap]));
  });

  it("displaces no transaction of the same sender", async () => {
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 1 } });
    await world.pool.submit(pay(alice, 1), NOW);
    expect(await world.refusal(pay(alice, 2, 9_000))).toContain("MEMPOOL_FULL");
  });

  it("counts bytes, and one that cannot fit displaces no other", async () => {
    const small = pay(alice, 1);
    const large = signed(bob, { type: "TRANSFER", to: carol.pub, amount: 1, fee: 50_000, payload: { memo: "x".repeat(256) } });
    const world = new World({ limits: { ...MEMPOOL_LIMITS, bytes: encodeTransaction(small).length + 10 } });
    await world.pool.submit(small, NOW);
    expect(await world.refusal(large)).toContain("MEMPOOL_FULL");
    expect(world.pool.size).toBe(1);
  });

  it("makes room by forgetting expired transactions first", async () => {
    const world = new World({ limits: { ...MEMPOOL_LIMITS, transactions: 1 } });
    await world.pool.submit(pay(alice, 1, 9_000), NOW);
    const later = START_MS + 3_600_000;
    const tx = signed(bob, { type: "TRANSFER", to: carol.pub, amount: 1, payload: {}, nowMs: later });
    await world.pool.submit(tx, later);
    expect(ids(world.pool.candidates(later))).toEqual([tx.id]);
  });

  it("refuses a payload above the cap of its type", async () => {
    const payload = toBase64(utf8(`{"memo":"x"${" ".repeat(5_000)}}`));
    expect(await new World().refusal({ ...pay(alice, 1), id: "", payload })).toContain("payload");
  });
});
