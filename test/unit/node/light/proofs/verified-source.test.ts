// What a light node reads through peers: true responses, though peers lie, are silent, busy or behind; and nothing is believed unproven.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemTimers } from "#node/config/system-clock.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import type { ProvenBody, StateKey } from "#node/light/light-source.ts";
import { PeerResponses } from "#node/light/peers/peer-responses.ts";
import { createBodyCache } from "#node/light/proofs/body-cache.ts";
import { HistoryProofs } from "#node/light/proofs/history-proofs.ts";
import { UNVERIFIED_READ } from "#node/light/wire/light-requests.ts";
import type { LightResponse } from "#node/light/wire/light-responses.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { actor, alice, bob, signed } from "#test/support/worlds/ledger-world.ts";
import { createLightServerWorld, type LightServerWorld } from "#test/support/worlds/light-server-world.ts";
import { type Bend, type PlayedLight, playLight } from "#test/support/worlds/played-light-peers.ts";
import { bending, type LieSources, liesAbout } from "../lies.ts";

const PER_BLOCK = 5;
const BLOCKS = 4;

/** Histories rest on no further header. */
const unusedChain = { chain: undefined as never, log: { warn: (): void => undefined } };

let full: LightServerWorld;
let payments: Transaction[];

const accountKey = (publicKey: string): StateKey => ({ namespace: "account", key: fromHex(publicKey) });
const pay = (amount: number, to = bob.pub): Transaction => signed(alice, { type: "TRANSFER", to, amount, payload: {} });

async function commit(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const tx = pay(payments.length + 1);
    payments.push(tx);
    await full.world.services.mempool.submit(tx, full.world.clock.nowMs());
  }
  full.world.commit();
}

beforeAll(async () => {
  full = await createLightServerWorld();
  payments = [];
  for (let n = 0; n < BLOCKS; n += 1) await commit(PER_BLOCK);
});
afterAll(() => full[Symbol.asyncDispose]());

/** A light node with one honest peer behind those of the test, which are asked first. */
function lightWith(bends: Readonly<Record<string, Bend>>): PlayedLight {
  const light = playLight(full);
  for (const [name, bend] of Object.entries(bends)) light.join(name, bend, { height: 1_000 });
  light.join("honest");
  light.follow(full.reader.blocks.tipHeight() ?? 0);
  return light;
}

const account = (publicKey: string): ReturnType<typeof readAccount> => readAccount(full.reader.state, publicKey);
const allIds = (): readonly string[] => full.reader.explorer.historyIds(alice.pub, 1, account(alice.pub).historyCount).toReversed();
const first = (): Transaction => payments[0] as Transaction;

const reads = {
  records: async (light: PlayedLight): Promise<void> => {
    const { at, values } = await light.source.records([accountKey(bob.pub), accountKey(actor(77).pub)]);
    expect(values.map((value) => value && toHex(value))).toEqual([
      toHex(full.reader.state.get("account", fromHex(bob.pub)) ?? new Uint8Array()),
      undefined,
    ]);
    expect(at.header.height).toBe(full.reader.blocks.tipHeight());
  },
  body: async (light: PlayedLight): Promise<void> => {
    const body = await light.source.body(2);
    expect(body?.block.transactions).toEqual(payments.slice(PER_BLOCK, 2 * PER_BLOCK));
    expect(body?.receipts.map(({ txId, isOk }) => [txId, isOk])).toEqual(body?.block.transactions.map(({ id }) => [id, true]));
  },
  transaction: async (light: PlayedLight): Promise<void> => {
    const found = await light.source.transaction(first().id);
    expect(found).toMatchObject({ transaction: first(), position: 0, receipt: { txId: first().id }, at: { header: { height: 1 } } });
  },
  history: async (light: PlayedLight): Promise<void> => {
    const { count, entryIds } = await light.source.history(alice.pub, { limit: 6, offset: 3 });
    expect([count, entryIds]).toEqual([account(alice.pub).historyCount, allIds().slice(3, 9)]);
  },
};

describe("a light node with an honest peer", () => {
  it.each(Object.entries(reads))("reads %s, proven", async (_, read) => {
    const light = lightWith({});
    await read(light);
    expect(light.reports).toEqual([]);
  });

  it("reads whole histories of every kind of block, genesis included", async () => {
    const light = lightWith({});
    for (const height of [0, 1, BLOCKS]) expect((await light.source.body(height))?.block.header.height).toBe(height);
    expect(await light.source.body(1_000)).toBeUndefined();
    expect(await light.source.blockAt(1_000)).toBeUndefined();
    const everything = await light.source.history(alice.pub, { limit: 1_000, offset: 0 });
    expect(everything.entryIds).toEqual(allIds());
    expect((await light.source.history(alice.pub, { limit: 5, offset: 1_000 })).entryIds).toEqual([]);
    expect(await light.source.history(actor(78).pub, { limit: 5, offset: 0 })).toMatchObject({ count: 0, entryIds: [] });
    expect(light.reports).toEqual([]);
  });

  it("follows the newest block that a response rests on", async () => {
    const light = lightWith({});
    light.follow(1);
    const tips: number[] = [];
    const stop = light.source.onTip(({ header }) => tips.push(header.height));
    await reads.records(light);
    stop();
    expect([light.source.tip().header.height, tips]).toEqual([BLOCKS, [BLOCKS]]);
  });
});

describe("a peer that lies", () => {
  let seen: LightResponse = { kind: "unknown" };
  const facts: LieSources = {
    otherBlock: () => full.reader.blocks.encodedBlock(3) ?? new Uint8Array(),
    otherAmount: () => encodeTransaction({ ...first(), amount: 999 }),
    otherTransaction: () => seen,
  };
  beforeAll(async () => {
    const light = lightWith({
      spy: (response): LightResponse => {
        seen = response;
        return response;
      },
    });
    await light.source.transaction(payments[1]?.id ?? "");
  });

  it.each(liesAbout(facts))("about %s, with %s, is found out and another one asked", async (kind, _, bend) => {
    const light = lightWith({ liar: bend });
    await reads[kind](light);
    expect(light.reports).toEqual(["liar lie"]);
    expect(light.peers.peers().map(({ name }) => name)).toEqual(["honest", "liar"]);
  });

  it.each(liesAbout(facts))("alone, about %s, with %s, is not believed", async (kind, _, bend) => {
    const light = playLight(full);
    light.join("liar", bend);
    light.follow(BLOCKS);
    await expect(reads[kind](light)).rejects.toSatisfy((error) => isCodedError(error, "UPSTREAM_FAILED"));
  });

  it("about the newest block pays for that", async () => {
    const bend = bending("records", (response) => ({
      ...response,
      at: { ...response.at, header: { ...response.at.header, stateRoot: "11".repeat(32) } },
    }));
    const light = lightWith({ liar: bend });
    await reads.records(light);
    light.follow(1);
    await reads.records(lightWith({ liar: bend }));
    expect(light.reports).toEqual(["liar invalid"]);
  });

  it("about a block of the past pays for that", async () => {
    const bend = bending("transaction", (response) => ({
      ...response,
      at: { ...response.at, header: { ...response.at.header, txRoot: "11".repeat(32) } },
    }));
    const light = lightWith({ liar: bend });
    await reads.transaction(light);
    expect(light.reports).toEqual(["liar invalid"]);
  });
});

describe("a peer that is no help", () => {
  it.each([
    ["nonsense", (): Uint8Array => Uint8Array.of(1, 2), ["bad malformed"]],
    ["a response to another request", (): LightResponse => ({ kind: UNVERIFIED_READ, json: "{}" }), ["bad malformed"]],
    ["that it has nothing", (): LightResponse => ({ kind: "unknown" }), []],
    ["that it is starting", (): LightResponse => ({ kind: "error", code: "UNAVAILABLE", message: "starting" }), []],
  ] as const)("with %s gives way to another one", async (_, bend, reports) => {
    for (const read of Object.values(reads)) {
      const light = lightWith({ bad: bend });
      await read(light);
      expect(light.reports.slice(0, 1)).toEqual(reports);
    }
  });

  it("whose state is old gives way, and a block or two behind is not old", async () => {
    const old = await recordsResponse();
    await commit(PER_BLOCK);
    const light = lightWith({ slow: bending("records", () => old) });
    const behind = await light.source.records([accountKey(bob.pub), accountKey(actor(77).pub)]);
    expect([behind.at.header.height, light.asked]).toEqual([(full.reader.blocks.tipHeight() ?? 0) - 1, ["slow records"]]);
    for (let n = 0; n < LIGHT_LIMITS.lagBlocks; n += 1) await commit(1);
    light.follow(full.reader.blocks.tipHeight() ?? 0);
    await reads.records(light);
    expect(light.asked).toEqual(["slow records", "slow records", "honest records"]);
    expect(light.reports).toEqual([]);
  });

  it("that is busy for a moment is asked again", async () => {
    let times = 0;
    const light = playLight(full);
    light.join("busy", (response) => {
      times += 1;
      return times < 3 ? { kind: "error", code: "BUSY", message: "later" } : response;
    });
    light.follow(full.reader.blocks.tipHeight() ?? 0);
    await reads.body(light);
    expect(times).toBe(3);
  });

  it("leaves nothing to say when there is no other one", async () => {
    const light = playLight(full);
    light.join("light", undefined, { height: 9, firstHeight: 10 });
    expect(light.peers.peers()).toEqual([]);
    await expect(light.source.records([accountKey(bob.pub)])).rejects.toSatisfy((error) => isCodedError(error, "UPSTREAM_FAILED"));
    await expect(light.source.submit(pay(1))).rejects.toSatisfy((error) => isCodedError(error, "UPSTREAM_FAILED"));
  });
});

/** The response about records as of now. */
async function recordsResponse(
  keys = [accountKey(bob.pub), accountKey(actor(77).pub)],
): Promise<Extract<LightResponse, { readonly kind: "records" }>> {
  let seen: LightResponse | undefined;
  const light = lightWith({
    spy: (response) => {
      seen = response;
      return response;
    },
  });
  await light.source.records(keys);
  if (seen?.kind !== "records") throw new Error("Records were expected");
  return seen;
}

describe("records", () => {
  const keys = (count: number, from = 0): StateKey[] => Array.from({ length: count }, (_, n) => accountKey(actor(1_000 + from + n).pub));

  it("of one turn are asked for together, each key once", async () => {
    const light = lightWith({});
    const calls = [[alice.pub, bob.pub], [bob.pub], [bob.pub, alice.pub, bob.pub]].map((all) => light.source.records(all.map(accountKey)));
    const [both, one, three] = await Promise.all(calls);
    expect(light.asked).toEqual(["honest records"]);
    expect([both?.values[1], three?.values[0], three?.values[2]]).toEqual([one?.values[0], one?.values[0], one?.values[0]]);
    expect((await light.source.records([])).values).toEqual([]);
    expect(light.asked).toHaveLength(1);
  });

  it("that do not fit into one request are of one state all the same", async () => {
    const { keysPerRequest } = LIGHT_LIMITS;
    const light = lightWith({});
    const [many, few] = await Promise.all([light.source.records(keys(2 * keysPerRequest + 1)), light.source.records(keys(keysPerRequest))]);
    expect([many.values.length, few.values.length, light.asked.length]).toEqual([2 * keysPerRequest + 1, keysPerRequest, 4]);

    // The state changes between the first two parts, and no more.
    const all = keys(keysPerRequest + 1);
    const old = await recordsResponse(all.slice(0, keysPerRequest));
    await commit(1);
    let parts = 0;
    const moving = playLight(full);
    moving.join("moving", (response) => {
      parts += 1;
      return parts === 1 ? old : response;
    });
    moving.follow(full.reader.blocks.tipHeight() ?? 0);
    expect((await moving.source.records(all)).at.header.height).toBe(old.at.header.height + 1);
    expect([parts, moving.reports]).toEqual([4, []]);
  });

  it("whose response is too large are asked for in smaller parts", async () => {
    const light = lightWith({
      large: (response, request) =>
        request.kind === "records" && request.keys.length > 2 ? { kind: "error", code: "PAYLOAD_TOO_LARGE", message: "less" } : response,
    });
    const { values } = await light.source.records([alice.pub, bob.pub, actor(1).pub, actor(2).pub, actor(3).pub].map(accountKey));
    expect(values.map((value) => value !== undefined).slice(0, 2)).toEqual([true, true]);
    expect(light.reports).toEqual([]);
  });

  it("with keys that no node would take are refused here", async () => {
    const light = lightWith({});
    const key = new Uint8Array(LIGHT_LIMITS.keyBytes + 1);
    await expect(light.source.records([{ namespace: "contract_state", key }])).rejects.toThrow();
    await expect(light.source.readUnverified("search", { q: "x".repeat(LIGHT_LIMITS.inputBytes) })).rejects.toThrow();
    expect([light.asked, light.reports]).toEqual([[], []]);
  });
});

describe("bodies", () => {
  it("are fetched once for all who ask", async () => {
    const light = lightWith({});
    const [one, two] = await Promise.all([light.source.body(2), light.source.body(2)]);
    expect(two).toBe(one);
    expect(await light.source.body(2)).toBe(one);
    expect(light.asked).toEqual(["honest body"]);
  });

  it("are kept up to a number of bytes, the ones used last", async () => {
    const light = lightWith({});
    const bodies = await Promise.all([1, 2, 3].map((height) => light.source.body(height)));
    const [a, b, c] = bodies as ProvenBody[];
    if (a === undefined || b === undefined || c === undefined) throw new Error("three bodies were expected");
    const cache = createBodyCache(10_000);
    cache.set(1, a);
    cache.set(2, b);
    expect(cache.get(1)).toBe(a);
    cache.set(3, c);
    expect([cache.get(1), cache.get(2), cache.get(3)]).toEqual([a, undefined, c]);
    cache.set(3, c);
    expect(cache.get(1)).toBe(a);
    const small = createBodyCache(100);
    small.set(1, a);
    expect(small.get(1)).toBeUndefined();
  });
});

describe("transactions that no peer knows", () => {
  it("are unknown when two peers say so, or the only one", async () => {
    const unknown: Bend = (response) => (response.kind === "transaction" ? { kind: "unknown" } : response);
    expect(await lightWith({}).source.transaction("tx-none")).toBeUndefined();
    const hidden = lightWith({ one: unknown, two: unknown });
    expect(await hidden.source.transaction(first().id)).toBeUndefined();
    expect(hidden.asked).toEqual(["one transaction", "two transaction"]);
    const light = lightWith({ one: unknown });
    await reads.transaction(light);
    expect(light.asked).toEqual(["one transaction", "honest transaction"]);
    expect(await light.source.transaction("x".repeat(1_000))).toBeUndefined();
    expect(light.asked).toHaveLength(2);
  });
});

describe("pages of a history", () => {
  it("continue from what was proven before", async () => {
    const light = lightWith({});
    const ids = allIds();
    for (let offset = 0; offset < ids.length; offset += 7) {
      const { entryIds } = await light.source.history(alice.pub, { limit: 7, offset });
      expect(entryIds).toEqual(ids.slice(offset, offset + 7));
    }
    expect(light.asked.filter((asked) => asked === "honest history")).toHaveLength(Math.ceil(ids.length / 7));
  });

  it("that lie deep are proven by several requests, each of which continues where the one before ended", async () => {
    const light = lightWith({});
    const responses = new PeerResponses({ ...unusedChain, peers: light.peers, hash: nativeSha256, timers: systemTimers });
    const proofs = new HistoryProofs({
      responses,
      hash: nativeSha256,
      records: (keys) => light.source.records(keys),
      limits: { ...LIGHT_LIMITS, entriesPerRequest: 3, responsesPerPage: 2 },
    });
    const ids = allIds();
    const oldest = { limit: 4, offset: ids.length - 4 };
    const left: number[] = [];
    for (let above = ids.length - 4 - 6; above > 0; above -= 6) {
      left.push(above);
      await expect(proofs.page(alice.pub, oldest)).rejects.toSatisfy(
        (error) => isCodedError(error, "BUSY") && error.message.includes(`${above} entries above it`),
      );
    }
    expect(left.length).toBeGreaterThan(1);
    expect(await proofs.page(alice.pub, oldest)).toMatchObject({ count: ids.length, entryIds: ids.slice(-4) });
    expect(light.asked.filter((asked) => asked === "honest history")).toHaveLength(Math.ceil((ids.length - 4) / 3) + 2);
    expect(light.reports).toEqual([]);
  });
});

describe("what is unverified", () => {
  // The last two are a disk that gives no bytes, and one that gives others.
  it.each(["INTERNAL", "STORAGE_FAILED", "STORAGE_CORRUPT"] as const)(
    "is the peer's response, its refusal included, and another one's at %s",
    async (code) => {
      const light = lightWith({ bad: () => ({ kind: "error", code, message: "oh" }) });
      expect(await light.source.readUnverified("getNetstats", {})).toMatchObject({ height: full.reader.blocks.tipHeight() });
      await expect(light.source.readUnverified("getNft", { id: "none" })).rejects.toSatisfy((error) => isCodedError(error, "NOT_FOUND"));
      expect(light.asked).toEqual(["bad", "honest", "honest"].map((name) => `${name} ${UNVERIFIED_READ}`));
    },
  );

  it("is what was written, with integers of any size, or the peer's failure", async () => {
    const exact = lightWith({ exact: () => ({ kind: UNVERIFIED_READ, json: '{"supply":18446744073709551615}' }) });
    expect(await exact.source.readUnverified("getToken", { id: "x" })).toEqual({ supply: 18_446_744_073_709_551_615n });
    const broken = lightWith({ broken: () => ({ kind: UNVERIFIED_READ, json: "{" }) });
    await expect(broken.source.readUnverified("getNetstats", {})).rejects.toSatisfy((error) => isCodedError(error, "UPSTREAM_FAILED"));
  });
});

describe("handing in a transaction", () => {
  const saying =
    (response: LightResponse): Bend =>
    (honest, request): LightResponse =>
      request.kind === "submit" ? response : honest;
  const refusing = (code: "TX_DUPLICATE" | "TX_REJECTED" | "BUSY"): Bend => saying({ kind: "error", code, message: code });

  it("goes to two peers, and resolves when one has taken it in", async () => {
    const light = lightWith({ first: saying({ kind: "accepted", warning: "mind" }), second: refusing("TX_DUPLICATE") });
    expect(await light.source.submit(pay(1_001))).toEqual({ warning: "mind" });
    await pollUntil(() => light.asked.length === 2);
    const slow = lightWith({ never: () => new Promise<never>(() => undefined) });
    expect(await slow.source.submit(pay(1_002))).toEqual({});
  });

  it.each([
    ["refused by all", { a: refusing("TX_REJECTED"), b: refusing("TX_REJECTED"), c: refusing("TX_REJECTED") }, "TX_REJECTED"],
    ["refused by some and known to others", { a: refusing("TX_DUPLICATE"), b: refusing("TX_REJECTED") }, "TX_REJECTED"],
    ["known to all", { a: refusing("TX_DUPLICATE"), b: refusing("TX_DUPLICATE") }, "TX_DUPLICATE"],
    ["received by no peer", { a: refusing("BUSY"), b: saying({ kind: "unknown" }) }, "BUSY"],
    ["received by one whose response was lost, and known to another", { a: refusing("BUSY"), b: refusing("TX_DUPLICATE") }, "taken"],
    [
      "refused by two and taken by a third",
      { a: refusing("TX_REJECTED"), b: refusing("BUSY"), c: saying({ kind: "accepted", warning: null }) },
      "taken",
    ],
  ] as const)("%s", async (_, bends, outcome) => {
    const light = playLight(full);
    for (const [name, bend] of Object.entries(bends)) light.join(name, bend);
    const submitted = light.source.submit(pay(2_000));
    if (outcome === "taken") expect(await submitted).toEqual({});
    else await expect(submitted).rejects.toSatisfy((error) => isCodedError(error, outcome));
  });
});
