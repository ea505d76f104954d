// What a full node answers to light ones: the chain with its proofs, reads of the interface, admission; and no more than the limits allow.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PublicReads } from "#node/api/reads/public-reads.ts";
import { historyHashAfter } from "#node/ledger/records/history.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import { HistoryHashes } from "#node/light/server/history-hashes.ts";
import { type LightRequest, lightRequestCodec, UNVERIFIED_READ } from "#node/light/wire/light-requests.ts";
import { type LightResponse, lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { api, PUBLIC_READ_OPERATIONS } from "#shared/api/api.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { decodeBlock } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import { verifyStateProof } from "#shared/protocol/chain/state-proof.ts";
import { verifyCommit } from "#shared/protocol/chain/vote.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { verifyMerkleProof } from "#shared/protocol/primitives/merkle.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { decodeTransaction, encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { actor, alice, bob, signed } from "#test/support/worlds/ledger-world.ts";
import { createLightServerWorld, type LightServerWorld } from "#test/support/worlds/light-server-world.ts";

let full: LightServerWorld;
let payments: readonly Transaction[];

const pay = (amount: number, to = bob.pub): Transaction => signed(alice, { type: "TRANSFER", to, amount, payload: {} });

async function ask(request: LightRequest, from = "peer", { server } = full): Promise<LightResponse> {
  const bytes = await server.respond(encode(lightRequestCodec, request), from);
  const response = tryDecode(lightResponseCodec, bytes ?? new Uint8Array());
  if (response === undefined) throw new Error("The answer is none");
  return response;
}

/** The response of a kind. */
async function answered<K extends LightResponse["kind"]>(
  kind: K,
  request: LightRequest,
): Promise<Extract<LightResponse, { readonly kind: K }>> {
  const response = await ask(request);
  if (response.kind !== kind) throw new Error(`${kind} was expected: ${JSON.stringify(response)}`);
  return response as Extract<LightResponse, { readonly kind: K }>;
}

beforeAll(async () => {
  full = await createLightServerWorld();
  payments = Array.from({ length: 7 }, (_, n) => pay(n + 1, n === 0 ? bob.pub : actor(100 + n).pub));
  for (const tx of payments) await full.world.services.mempool.submit(tx, full.world.clock.nowMs());
  full.world.commit();
  await full.world.services.mempool.submit(pay(50), full.world.clock.nowMs());
  full.world.commit();
});
afterAll(() => full[Symbol.asyncDispose]());

describe("the chain for light nodes", () => {
  it("is served as headers with commits and the sets that signed", async () => {
    const { blocks } = await answered("blocks", { kind: "blocks", from: 0, count: 10 });
    expect(blocks.map(({ header }) => header.height)).toEqual([0, 1, 2]);
    for (const { header, commit, validators } of blocks.slice(1)) {
      expect(commit?.blockHash).toBe(headerHash(header));
      expect(commit !== null && verifyCommit(header.chainId, validators, commit, verifyZip215)).toBe(true);
    }
    expect(blocks[0]?.commit).toBeNull();
    expect((await answered("blocks", { kind: "blocks", from: 2, count: 1 })).blocks).toEqual(blocks.slice(2));
    expect((await answered("blocks", { kind: "blocks", from: 3, count: 1 })).blocks).toEqual([]);
    // One of them, with the set or without the one that the light node has.
    const [, , newest] = blocks;
    const set = fromHex(newest?.header.validatorsHash ?? "");
    const one = { kind: "block", height: 2, knownSet: null } as const;
    expect(await answered("block", one)).toEqual({ ...newest, kind: "block" });
    expect(await answered("block", { ...one, knownSet: new Uint8Array(32) })).toEqual({ ...newest, kind: "block" });
    expect(await answered("block", { ...one, knownSet: set })).toEqual({ ...newest, kind: "block", validators: null });
    expect(await answered("unknown", { ...one, height: 3 })).toEqual({ kind: "unknown" });
    expect(await answered("header", { kind: "header", height: 2 })).toEqual({ kind: "header", header: newest?.header });
    expect(await answered("unknown", { kind: "header", height: 3 })).toEqual({ kind: "unknown" });
  });

  it("proves records, there or not, of the newest state", async () => {
    const keys = [
      { namespace: "account", key: fromHex(bob.pub) },
      { namespace: "account", key: fromHex(actor(999).pub) },
      { namespace: "account", key: fromHex(alice.pub) },
    ] as const;
    const { at, records } = await answered("records", { kind: "records", keys });
    expect(at.header.height).toBe(2);
    for (const [index, { value, proof }] of records.entries()) {
      const key = keys[index];
      expect(key !== undefined && verifyStateProof(fromHex(at.header.stateRoot), { ...key, value }, proof)).toBe(true);
    }
    expect(records.map(({ value }) => value !== undefined)).toEqual([true, false, true]);
  });

  it("is served whole, and a transaction of it with its proofs", async () => {
    const body = await answered("body", { kind: "body", height: 1 });
    const block = decodeBlock(body.block);
    expect(block.transactions.map(({ id }) => id)).toEqual(payments.map(({ id }) => id));
    const [first] = payments;
    const found = await answered("transaction", { kind: "transaction", id: first?.id ?? "" });
    expect([found.position, found.count, decodeTransaction(found.transaction.bytes)]).toEqual([0, 7, first]);
    const proof = { index: found.position, size: found.count };
    const { txRoot, receiptsRoot } = found.at.header;
    expect(verifyMerkleProof(fromHex(txRoot), found.transaction.bytes, { ...proof, siblings: found.transaction.siblings })).toBe(true);
    expect(verifyMerkleProof(fromHex(receiptsRoot), found.receipt.bytes, { ...proof, siblings: found.receipt.siblings })).toBe(true);
    expect(await ask({ kind: "body", height: 3 })).toEqual({ kind: "unknown" });
    expect(await ask({ kind: "transaction", id: "none" })).toEqual({ kind: "unknown" });
  });

  it("shows parts of a history with the hash before them", async () => {
    const { historyCount, historyHash } = readAccount(full.reader.state, alice.pub);
    const all = full.reader.explorer.historyIds(alice.pub, 1, historyCount);
    expect(all.length).toBe(historyCount);
    const { before, entryIds } = await answered("history", { kind: "history", account: alice.pub, last: historyCount, count: 3 });
    expect(entryIds).toEqual(all.slice(-3));
    expect(toHex(historyHashAfter(before, entryIds))).toBe(toHex(historyHash));
    const first = await answered("history", { kind: "history", account: alice.pub, last: 2, count: 2 });
    expect([toHex(first.before), first.entryIds]).toEqual([toHex(ZERO_HASH), all.slice(0, 2)]);
    expect(await ask({ kind: "history", account: alice.pub, last: historyCount + 1, count: 1 })).toEqual({ kind: "unknown" });
    expect(await ask({ kind: "history", account: actor(998).pub, last: 1, count: 1 })).toEqual({ kind: "unknown" });
  });
});

describe("hashes of a long history", () => {
  const { hashedEntries, markEntries, markedAccounts } = LIGHT_LIMITS;
  const idOf = (number: number): string => `tx${number}`;

  it("are found a bounded way at a time, and from the nearest mark afterwards", () => {
    let read = 0;
    const hashes = new HistoryHashes({
      historyIds: (_account, first, last): readonly string[] => {
        read += last - first + 1;
        return Array.from({ length: last - first + 1 }, (_, index) => idOf(first + index));
      },
    });
    const entries = 2 * hashedEntries + markEntries + 10;
    const ids = Array.from({ length: entries }, (_, index) => idOf(index + 1));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(() => hashes.after(alice.pub, entries)).toThrow(expect.objectContaining({ code: "BUSY" }) as Error);
      expect(read).toBe((attempt + 1) * hashedEntries);
    }
    expect(toHex(hashes.after(alice.pub, entries))).toBe(toHex(historyHashAfter(ZERO_HASH, ids)));
    read = 0;
    for (const place of [0, 1, markEntries, markEntries + 1, 3 * markEntries - 1])
      expect(toHex(hashes.after(alice.pub, place))).toBe(toHex(historyHashAfter(ZERO_HASH, ids.slice(0, place))));
    expect(read).toBeLessThan(5 * markEntries);
    for (let n = 0; n < markedAccounts; n += 1) hashes.after(String(n), 0);
    read = 0;
    hashes.after(alice.pub, markEntries);
    expect(read).toBe(markEntries);
  });
});

describe("reads that are unverified", () => {
  const readUnverified = async (operation: string, input: unknown = {}): Promise<unknown> => {
    const response = await ask({ kind: UNVERIFIED_READ, operation, input: typeof input === "string" ? input : JSON.stringify(input) });
    return response.kind === UNVERIFIED_READ ? JSON.parse(response.json) : response;
  };

  it("are those of the interface, with its limits", async () => {
    expect(await readUnverified("getNetstats")).toMatchObject({ height: 2 });
    expect(await readUnverified("listBlocks", { limit: 1 })).toHaveLength(1);
    expect(await readUnverified("listRecentTransactions", { limit: 1_000_000, unknown: 1 })).toHaveLength(8);
    expect(await readUnverified("getBlock", { index: 1 })).toMatchObject({ index: 1, tx_count: 7 });
    expect(await readUnverified("getNft", { id: "none" })).toMatchObject({ kind: "error", code: "NOT_FOUND" });
    const call = { contractID: "ab".repeat(8), body: { method: "x" } };
    expect(await readUnverified("callView", call)).toMatchObject({ kind: "error", code: "NOT_FOUND" });
  });

  it.each([
    ["listBlocks", { limit: "many" }],
    ["listBlocks", { limit: 1.5 }],
    ["listBlocks", { limit: 0 }],
    ["getBlock", {}],
    ["getBlock", { index: [1] }],
    ["callView", { contractID: "ab".repeat(8) }],
    ["callView", { contractID: "ab".repeat(8), body: { method: 1 } }],
    ["getNetstats", "[]"],
    ["getNetstats", "null"],
    ["getNetstats", "{"],
    ["getNetstats", "[".repeat(60_000)],
  ])("refuse another input: %s %j", async (operation, input) => {
    expect(await readUnverified(operation, input)).toMatchObject({ kind: "error", code: "BAD_REQUEST" });
  });

  it("are none about the node, its peers or its mailboxes, and change nothing", async () => {
    for (const operation of [
      "listInbox",
      "countInbox",
      "listPeers",
      "getStatus",
      "getNetworkInfo",
      "submitTransaction",
      "requestFaucet",
      "toString",
    ])
      expect(await readUnverified(operation)).toMatchObject({ kind: "error", code: "BAD_REQUEST" });
    for (const operation of PUBLIC_READ_OPERATIONS) {
      const { access, path } = api[operation];
      expect([operation, access, /inbox|peers|status|send|broadcast/.test(path)]).toEqual([operation, "read", false]);
    }
  });

  it("wait for the interface", async () => {
    await expect(new PublicReads().read("getNetstats", "{}")).rejects.toSatisfy((error) => isCodedError(error, "UNAVAILABLE"));
  });
});

describe("submitting", () => {
  it("goes through the same admission as everybody's", async () => {
    const tx = pay(9);
    expect(await ask({ kind: "submit", transaction: encodeTransaction(tx) })).toEqual({ kind: "accepted", warning: null });
    expect(full.world.services.mempool.size).toBe(1);
    expect(await ask({ kind: "submit", transaction: encodeTransaction(tx) })).toEqual({ kind: "accepted", warning: null });
    expect(full.world.services.mempool.size).toBe(1);
    const forged = encodeTransaction({ ...pay(10), signature: pay(11).signature });
    expect(await ask({ kind: "submit", transaction: forged })).toMatchObject({ kind: "error", code: "TX_SIGNATURE" });
    expect(await ask({ kind: "submit", transaction: Uint8Array.of(1) })).toMatchObject({ kind: "error", code: "TX_MALFORMED" });
  });

  it("is bounded for each peer", async () => {
    const codes: string[] = [];
    for (let n = 0; n <= LIGHT_LIMITS.submissionBurst; n += 1) {
      const response = await ask({ kind: "submit", transaction: Uint8Array.of(1) }, "greedy");
      codes.push(response.kind === "error" ? response.code : response.kind);
    }
    expect([codes.at(-2), codes.at(-1)]).toEqual(["TX_MALFORMED", "RATE_LIMITED"]);
    expect(await ask({ kind: "submit", transaction: Uint8Array.of(1) }, "other")).toMatchObject({ code: "TX_MALFORMED" });
    full.world.clock.advance(1_000 / LIGHT_LIMITS.submissionsPerSecond);
    expect(await ask({ kind: "submit", transaction: Uint8Array.of(1) }, "greedy")).toMatchObject({ code: "TX_MALFORMED" });
  });
});

describe("submitting of many", () => {
  it("is bounded in all, however many of them there are", async () => {
    await using world = await createLightServerWorld({}, {});
    let taken = 0;
    const { allSubmissionBurst, allSubmissionsPerSecond } = LIGHT_LIMITS;
    const send = async (n: number): Promise<boolean> => {
      const response = await ask({ kind: "submit", transaction: Uint8Array.of(1) }, `2001:db8:7:${n % 50}::/64`, world);
      return response.kind === "error" && response.code === "TX_MALFORMED";
    };
    for (let n = 0; n < 1_000; n += 1) if (await send(n)) taken += 1;
    expect(taken).toBe(allSubmissionBurst);
    world.world.clock.advance(1_000);
    for (let n = 0; n < 1_000; n += 1) if (await send(n)) taken += 1;
    expect(taken).toBe(allSubmissionBurst + allSubmissionsPerSecond);
  });
});

describe("a report of a fork", () => {
  it("hands both blocks over, says whether anybody is proven guilty, and costs what many submissions do", async () => {
    const seen: number[] = [];
    const accuse = ({ header }: LightBlock): number => {
      seen.push(header.height);
      return header.height === 2 ? 3 : 0;
    };
    await using world = await createLightServerWorld({}, { accuse });
    const { blocks } = await answered("blocks", { kind: "blocks", from: 0, count: 3 });
    const [, first, second] = blocks;
    if (first === undefined || second === undefined) throw new Error("there are two blocks");
    expect(await ask({ kind: "fork", first, second }, "light", world)).toEqual({ kind: "accepted", warning: null });
    expect(await ask({ kind: "fork", first, second: first }, "light", world)).toEqual({ kind: "unknown" });
    expect(seen).toEqual([1, 2, 1, 1]);
    const kinds: string[] = [];
    for (let n = 0; n < 4; n += 1) kinds.push((await ask({ kind: "fork", first, second }, "light", world)).kind);
    expect(kinds).toEqual(["accepted", "accepted", "error", "error"]);
    expect(seen).toHaveLength(8);
  });
});

describe("the server of light nodes", () => {
  it("takes nonsense for nonsense", async () => {
    expect(await full.server.respond(Uint8Array.of(1, 2, 3), "peer")).toBeUndefined();
  });

  it("has an end to what is under way, and tells of failures without their words", async () => {
    const waiting: ((bytes: Uint8Array) => void)[] = [];
    const read = (): Promise<Uint8Array> => new Promise((resolve) => waiting.push(resolve));
    await using slow = await createLightServerWorld({}, { read });
    const request: LightRequest = { kind: "body", height: 1 };
    const asked = Array.from({ length: LIGHT_LIMITS.requestsUnderWay }, () => slow.server.respond(encode(lightRequestCodec, request), "a"));
    expect(await ask(request, "b", slow)).toMatchObject({ kind: "error", code: "BUSY" });
    for (const resolve of waiting.splice(0)) resolve(Uint8Array.of(1));
    await Promise.all(asked);
    const large = slow.server.respond(encode(lightRequestCodec, request), "a");
    waiting.shift()?.(new Uint8Array(NETWORK_LIMITS.light.responseBytes + 1));
    expect(tryDecode(lightResponseCodec, (await large) ?? new Uint8Array())).toMatchObject({ kind: "error", code: "PAYLOAD_TOO_LARGE" });

    const fails = (error: unknown) => (): Promise<never> => Promise.reject(error);
    await using broken = await createLightServerWorld(
      {},
      { read: fails(new Error("secret path")), readPublic: fails(new CodedError("BUSY", "later")) },
    );
    expect(await ask(request, "a", broken)).toEqual({ kind: "error", code: "INTERNAL", message: "The node failed to answer" });
    expect(await ask({ kind: UNVERIFIED_READ, operation: "getBlock", input: "{}" }, "a", broken)).toMatchObject({
      code: "BUSY",
      message: "later",
    });
    expect(broken.world.logLines.join("")).toContain("secret path");
  });
});
