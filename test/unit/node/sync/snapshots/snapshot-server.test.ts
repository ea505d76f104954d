import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provenLeaves } from "#node/state/state-chunk.ts";
import { partsOf, ROOT_PLACE } from "#node/state/tree-place.ts";
import { makeSnapshot } from "#node/storage/snapshots/make-snapshot.ts";
import { SNAPSHOT_LIMITS } from "#node/sync/snapshots/snapshot-limits.ts";
import { SnapshotReads } from "#node/sync/snapshots/snapshot-reads.ts";
import { SnapshotServer, type SnapshotServerDependencies } from "#node/sync/snapshots/snapshot-server.ts";
import {
  type SnapshotRequest,
  type SnapshotResponse,
  snapshotRequestCodec,
  snapshotResponseCodec,
} from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { receiptsCodec } from "#shared/protocol/transactions/receipt.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { breakPages, flipRecordBit } from "../../../../support/chain/damaged-snapshot.ts";
import { openGrownChain } from "../../../../support/chain/grown-chain.ts";
import type { TestChain } from "../../../../support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../../../support/host/temporary-folder.ts";
import { CHAIN_ID, GENESIS } from "../../../../support/worlds/ledger-world.ts";

const HEIGHT = 6;

let folder: TemporaryFolder;
let chain: TestChain;
let reads: SnapshotReads;
let nowMs = 0;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  chain = openGrownChain(folder.path, HEIGHT + 2, 3);
  const identity = { chainId: CHAIN_ID, genesisHash: genesisHash(GENESIS) };
  const file = join(folder.path, `${HEIGHT}.db`);
  makeSnapshot({ directory: folder.path, identity, height: HEIGHT, file, logBytes: 1e9, reservedBytes: 0 }, () => false);
  reads = new SnapshotReads(folder.path, chain.database.blocks);
  nowMs = 0;
});

afterEach(async () => {
  reads.close();
  chain.close();
  await folder.remove();
});

function server(over: Partial<SnapshotServerDependencies> = {}): SnapshotServer {
  return new SnapshotServer({
    heights: () => [HEIGHT],
    read: (request) => Promise.resolve(reads.respond(request)),
    clock: { monotonicMs: () => nowMs },
    onDamaged: (_height, error) => expect.fail(error.message),
    log: { error: (_fields, text) => expect.fail(text) },
    ...over,
  });
}

async function ask(asked: SnapshotServer, request: SnapshotRequest, from = "peer"): Promise<SnapshotResponse> {
  const bytes = await asked.respond(encode(snapshotRequestCodec, request), from);
  return decode(snapshotResponseCodec, bytes ?? new Uint8Array());
}

const WHOLE: SnapshotRequest = { kind: "chunk", height: HEIGHT, place: ROOT_PLACE };

describe("serving snapshots", () => {
  it("gives chunks that the header of the height proves", async () => {
    const root = fromHex(chain.database.blocks.header(HEIGHT)?.stateRoot ?? "");
    const asked = server();
    let records = 0;
    for (const place of partsOf(ROOT_PLACE, 3)) {
      const chunk = await ask(asked, { kind: "chunk", height: HEIGHT, place });
      if (chunk.kind !== "chunk") throw new Error(chunk.kind);
      const leaves = provenLeaves(root, place, chunk);
      expect(leaves).toBeInstanceOf(Array);
      records += leaves.length;
    }
    const whole = await ask(asked, WHOLE);
    expect(whole).toMatchObject({ kind: "chunk", records: { length: records } });
    expect(asked.sentBytes).toBeGreaterThan(0);
  });

  it.each([
    ["a turned bit", flipRecordBit, /6\.db is not the state of block 6 at the root: it does not lead to the state root$/],
    ["broken pages", breakPages, /6\.db is not the state of block 6 at the root: /],
    ["no database", (file: string): void => writeFileSync(file, "other"), /6\.db is not the state of block 6: /],
  ] as const)("gives nothing of a file with damage, and names it: %s", async (_, damage, wanted) => {
    const file = join(folder.path, `${HEIGHT}.db`);
    damage(file);
    const found: (readonly [number, string])[] = [];
    const asked = server({ onDamaged: (height, error) => void found.push([height, error.message]) });
    expect(await ask(asked, WHOLE)).toEqual({ kind: "unknown" });
    expect(found).toEqual([[HEIGHT, expect.stringMatching(wanted)]]);
    // Nothing has it open any more.
    rmSync(file);
    expect(await ask(asked, WHOLE)).toEqual({ kind: "unknown" });
    expect(found).toHaveLength(1);
  });

  it("finds damage also in what it has proven before, and gives what is made again", async () => {
    const file = join(folder.path, `${HEIGHT}.db`);
    const sound = readFileSync(file);
    const found: number[] = [];
    const asked = server({ onDamaged: (height) => void found.push(height) });
    for (let n = 0; n < 2; n += 1) expect(await ask(asked, WHOLE)).toMatchObject({ kind: "chunk" });
    // The same file, open: SQLite reads its pages again once it has another change counter.
    flipRecordBit(file);
    const parts = partsOf(ROOT_PLACE, 2).map((place) => ask(asked, { kind: "chunk", height: HEIGHT, place }));
    expect((await Promise.all(parts)).map(({ kind }) => kind)).toContain("unknown");
    expect(found).toContain(HEIGHT);
    rmSync(file);
    writeFileSync(file, sound);
    expect(await ask(asked, WHOLE)).toMatchObject({ kind: "chunk" });
  });

  it("names its heights, and knows no others", async () => {
    expect(await ask(server(), { kind: "heights" })).toEqual({ kind: "heights", heights: [HEIGHT] });
    expect(await ask(server(), { ...WHOLE, height: HEIGHT + 1 })).toEqual({ kind: "unknown" });
    const gone = server();
    rmSync(join(folder.path, `${HEIGHT}.db`));
    expect(await ask(gone, WHOLE)).toEqual({ kind: "unknown" });
  });

  it("gives headers and receipts in order, as far as there are any", async () => {
    const headers = await ask(server(), { kind: "headers", from: 2, count: 100 });
    expect(headers).toEqual({ kind: "headers", headers: [2, 3, 4, 5, 6, 7, 8].map((height) => chain.database.blocks.header(height)) });
    const receipts = await ask(server(), { kind: "receipts", from: 1, count: 2 });
    const ids = receipts.kind === "receipts" ? receipts.blocks.map((block) => decode(receiptsCodec, block).map(({ txId }) => txId)) : [];
    expect(ids).toEqual([1, 2].map((height) => chain.database.blocks.get(height)?.block.transactions.map(({ id }) => id)));
    expect(await ask(server(), { kind: "headers", from: 99, count: 1 })).toEqual({ kind: "unknown" });
    expect(await ask(server(), { kind: "receipts", from: 99, count: 1 })).toEqual({ kind: "unknown" });
  });

  it.each(["", "80", "820165636875"])("finds nonsense: %s", async (hex) => {
    expect(await server().respond(fromHex(hex), "peer")).toBeUndefined();
  });

  it("refuses places that are none, and larger requests than there are", () => {
    const bad: readonly SnapshotRequest[] = [
      { kind: "chunk", height: HEIGHT, place: { depth: 3, prefix: Uint8Array.of(255) } },
      { kind: "chunk", height: HEIGHT, place: { depth: 300, prefix: new Uint8Array(38) } },
      { kind: "headers", from: 0, count: SNAPSHOT_LIMITS.headersPerRequest + 1 },
      { kind: "receipts", from: 0, count: 0 },
    ];
    for (const request of bad) expect(() => encode(snapshotRequestCodec, request)).toThrow();
  });

  it("is busy beyond the requests under way", async () => {
    const waiting = Promise.withResolvers<Uint8Array>();
    const asked = server({ read: () => waiting.promise });
    const first = Array.from({ length: SNAPSHOT_LIMITS.requestsUnderWay }, (_, n) => ask(asked, WHOLE, `peer ${n}`));
    expect(await ask(asked, WHOLE, "another")).toEqual({ kind: "busy" });
    waiting.resolve(encode(snapshotResponseCodec, { kind: "unknown" }));
    expect(await Promise.all(first)).toHaveLength(SNAPSHOT_LIMITS.requestsUnderWay);
    expect(await ask(asked, WHOLE, "another")).toEqual({ kind: "unknown" });
  });

  it("is busy beyond the bytes of a party, and of all", async () => {
    const large = encode(snapshotResponseCodec, { kind: "receipts", blocks: [new Uint8Array(SNAPSHOT_LIMITS.partyByteBurst)] });
    const asked = server({ read: () => Promise.resolve(large) });
    const request: SnapshotRequest = { kind: "receipts", from: 1, count: 1 };
    expect(await ask(asked, request)).toMatchObject({ kind: "receipts" });
    expect(await ask(asked, request)).toEqual({ kind: "busy" });
    for (const other of ["a", "b", "c"]) expect(await ask(asked, request, other)).toMatchObject({ kind: "receipts" });
    expect(await ask(asked, request, "d")).toEqual({ kind: "busy" });
    expect(await ask(asked, { kind: "heights" }, "d")).toMatchObject({ kind: "heights" });
    nowMs += 1_000;
    expect(await ask(asked, request, "d")).toMatchObject({ kind: "receipts" });
  });

  it("leaves room for others when one party has many requests under way", async () => {
    const waiting = Promise.withResolvers<Uint8Array>();
    const asked = server({ read: () => waiting.promise });
    const first = Array.from({ length: SNAPSHOT_LIMITS.partyRequestsUnderWay }, () => ask(asked, WHOLE, "one"));
    expect(await ask(asked, WHOLE, "one")).toEqual({ kind: "busy" });
    const other = ask(asked, WHOLE, "other");
    waiting.resolve(encode(snapshotResponseCodec, { kind: "unknown" }));
    expect(await other).toEqual({ kind: "unknown" });
    await Promise.all(first);
    expect(await ask(asked, WHOLE, "one")).toEqual({ kind: "unknown" });
  });

  it.each<[string, SnapshotRequest, number]>([
    ["receipts of blocks without any", { kind: "receipts", from: 1, count: 1_024 }, 5],
    ["headers", { kind: "headers", from: 1, count: 1_024 }, 5],
    ["places that are to be split", WHOLE, 128],
  ])("is busy beyond the work of a party: %s", async (_what, request, most) => {
    let work = 0;
    const asked = server({
      read: () => {
        work += 1;
        return Promise.resolve(encode(snapshotResponseCodec, { kind: "split", levels: 2 }));
      },
    });
    for (let n = 0; n < 1_000; n += 1) await ask(asked, request);
    expect(work).toBe(most);
    for (let second = 0; second < 10; second += 1) {
      nowMs += 1_000;
      for (let n = 0; n < 100; n += 1) await ask(asked, request);
    }
    expect(work).toBeLessThanOrEqual(most + 10 * Math.ceil(most / 2));
  });

  it("counts a full response of receipts as what it is", async () => {
    const full = encode(snapshotResponseCodec, { kind: "receipts", blocks: [new Uint8Array(SNAPSHOT_LIMITS.receiptsBytes)] });
    let sent = 0;
    const asked = server({
      read: () => {
        sent += 1;
        return Promise.resolve(full);
      },
    });
    for (let n = 0; n < 100; n += 1) await ask(asked, { kind: "receipts", from: 1, count: 1_024 });
    expect(sent).toBe(SNAPSHOT_LIMITS.partyByteBurst / SNAPSHOT_LIMITS.receiptsBytes);
  });

  it("is busy when the thread for reads is, or fails", async () => {
    const lines: string[] = [];
    const log = { error: (_fields: object, text: string): void => void lines.push(text) };
    const failing = (error: Error): SnapshotServer => server({ read: () => Promise.reject(error), log });
    expect(await ask(failing(new CodedError("BUSY", "Too much")), WHOLE)).toEqual({ kind: "busy" });
    expect(lines).toEqual([]);
    const blocks: SnapshotRequest = { kind: "receipts", from: 1, count: 1 };
    expect(await ask(failing(new CodedError("STORAGE_CORRUPT", "Damaged")), blocks)).toEqual({ kind: "unknown" });
    expect(lines).toEqual([]);
    expect(await ask(failing(new Error("broken")), WHOLE)).toEqual({ kind: "busy" });
    expect(lines).toEqual(["A request of a joining node failed"]);
  });
});
