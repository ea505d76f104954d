// Files of old blocks that are missing or damaged, and nodes that have the blocks: honest ones, and some that make up others.
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LightPeer } from "#node/light/light-peers.ts";
import { LightReads } from "#node/light/server/light-reads.ts";
import { type LightResponse, lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { createLog } from "#node/observability/log.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { damagedFile } from "#node/storage/history/files/damaged-file.ts";
import type { ReadableFile } from "#node/storage/history/files/file-layer.ts";
import { repairSegment } from "#node/storage/history/sealing/repair-segment.ts";
import { type OnDamagedSegment, openHistoryFolder } from "#node/storage/history/sealing/seal-segment.ts";
import { HISTORY_FOLDER, type SealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { openFoundSegment } from "#node/storage/history/segments/found-segment.ts";
import type { SealableBlock } from "#node/storage/history/segments/segment-block.ts";
import { type NamedSegment, SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { segmentName } from "#node/storage/history/segments/segment-format.ts";
import { HistoryRepair, type HistoryRepairDependencies } from "#node/sync/history-repair.ts";
import { decode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { hostTimers } from "#shared/util/host.ts";
import { openGrownChain } from "#test/support/chain/grown-chain.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import type { TestChain } from "#test/support/chain/test-chain.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const HEIGHT = 30;
const LIMITS = { depth: 12, maxBlocks: 9, maxBytes: 1_000_000 };

type Answer = (height: number) => LightResponse;

let folder: TemporaryFolder;
let chain: TestChain;
let before: readonly unknown[];
let offences: string[];
let repair: HistoryRepair | undefined;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  chain = openGrownChain(folder.path, HEIGHT);
  before = readAll();
  await sealTestChain(chain, LIMITS);
  chain.database.inTransaction(() => chain.database.blocks.removeSealed());
  offences = [];
});

afterEach(async () => {
  await repair?.stop();
  repair = undefined;
  chain.close();
  await folder.remove();
});

function readAll({ blocks }: Pick<TestChain["database"], "blocks"> = chain.database): readonly unknown[] {
  return Array.from({ length: HEIGHT + 1 }, (_, height) => [
    blocks.get(height),
    toHex(blocks.encodedBlock(height) ?? new Uint8Array()),
    toHex(blocks.encodedReceipts(height) ?? new Uint8Array()),
    blocks.commit(height),
  ]);
}

const fileOf = (name: string): string => join(folder.path, HISTORY_FOLDER, name);

/** What a node with the whole chain answers, as it was before. */
function honest(): Answer {
  const bodies = Array.from({ length: HEIGHT + 1 }, (_, height) =>
    decode(lightResponseCodec, new LightReads(openReader()).respond({ kind: "body", height })),
  );
  return (height) => bodies[height] ?? { kind: "unknown" };
}

function openReader(): ReturnType<typeof openChainReader> {
  const reader = openChainReader(folder.path);
  readers.push(reader);
  return reader;
}
const readers: ReturnType<typeof openChainReader>[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

function start(answers: Readonly<Record<string, Answer>>): void {
  const ask = (peer: string, { height }: { readonly height: number }): Promise<LightResponse> => {
    const answer = answers[peer];
    return answer === undefined ? Promise.reject(new CodedError("UPSTREAM_FAILED", "It is gone")) : Promise.resolve(answer(height));
  };
  const peers: HistoryRepairDependencies["peers"] = {
    peers: (): readonly LightPeer[] => ["gone", ...Object.keys(answers)].map((name) => ({ name, height: HEIGHT, isProven: false })),
    ask: ask as HistoryRepairDependencies["peers"]["ask"],
    noteProven: (): void => undefined,
    report: (peer, offence): void => void offences.push(`${peer} ${offence}`),
  };
  const timers: Timers = { setTimer: (_ms, work): CancelTimer => hostTimers.setTimer(1, work) };
  repair = new HistoryRepair({ database: chain.database, peers, timers, log: createLog("json", { write: (): void => undefined }) });
  repair.start();
}

const isWhole = (): boolean => chain.database.history.damaged().length === 0;

/** Every byte of the blocks; header, index and footer are as they were. */
function damageBlocks(name: string, count: number): void {
  const bytes = readFileSync(fileOf(name));
  writeFileSync(fileOf(name), bytes.fill(0, 58, bytes.length - 50 - count * 46));
}

/** A byte in the middle of one block. */
function damageBlock(name: string, height: number): void {
  const { history } = chain.database;
  const segment = history.all().find((named) => segmentName(named) === name) as NamedSegment;
  const file = new SegmentFile(history.files, segment);
  const { offset } = file.indexed(height);
  file.close();
  const bytes = readFileSync(fileOf(name));
  bytes[offset + 100] = (bytes[offset + 100] ?? 0) ^ 1;
  writeFileSync(fileOf(name), bytes);
}

/** As a disk does at a sector that it cannot read. */
function failRead(name: string): never {
  throw damagedFile(name, 0, "the disk cannot read it");
}

function fail(reason: string): never {
  throw new Error(reason);
}

describe("a damaged file of old blocks", () => {
  it("that is missing or cut off at the start comes again from another node, block by block as it was", async () => {
    const peer = honest();
    rmSync(fileOf("0-8.seg"));
    truncateSync(fileOf("9-17.seg"), 500);
    const { history } = chain.database;
    const found: string[] = [];
    const onDamaged: OnDamagedSegment = (segment, error) => {
      history.noteDamage(segment);
      found.push(error.message.replace(/.*history\//, ""));
    };
    openHistoryFolder(history.files, history, { runs: history.runs, onDamaged });
    expect(found).toEqual([expect.stringMatching(/^0-8\.seg is damaged/), expect.stringMatching(/^9-17\.seg is damaged/)]);
    expect(() => readAll()).toThrow(/0-8\.seg is damaged at byte 0/);
    start({ empty: () => ({ kind: "unknown" }), peer });
    await pollUntil(isWhole);
    expectEqual(readAll(), before);
    openHistoryFolder(history.files, history, { runs: history.runs });
    expect(offences).toEqual([]);
  });

  it("is noticed when it is read, here and by another connection, which then reads the new file", async () => {
    const peer = honest();
    const reader = openReader();
    expectEqual(readAll(reader), before);
    damageBlocks("9-17.seg", 9);
    expect(() => reader.blocks.get(12)).toThrow(/9-17\.seg is damaged at byte/);
    expect(chain.database.history.damaged()).toEqual([]);
    try {
      reader.blocks.get(12);
    } catch (error) {
      chain.database.history.noteError(error);
    }
    expect(chain.database.history.damaged()).toMatchObject([{ first: 9, last: 17 }]);
    start({ peer });
    await pollUntil(isWhole);
    expectEqual(readAll(reader), before);
    expectEqual(readAll(), before);
    damageBlocks("0-8.seg", 9);
    const again = openChainReader(folder.path);
    readers.push(again);
    expect(() => chain.database.blocks.get(3)).toThrow(/0-8\.seg is damaged/);
    await pollUntil(() => readAll()[3] !== undefined);
    expectEqual(readAll(again), before);
  });

  it("is asked for no more than what is not whole in it", async () => {
    const peer = honest();
    damageBlock("9-17.seg", 12);
    chain.database.history.noteDamage({ first: 9 });
    const asked: number[] = [];
    const counting = (height: number): LightResponse => {
      asked.push(height);
      return peer(height);
    };
    start({ counting });
    await pollUntil(isWhole);
    expect(asked).toEqual([12]);
    expectEqual(readAll(), before);
  });

  it("is asked for what its disk does not give, be it a block or what tells where blocks are", async () => {
    const peer = honest();
    const { history } = chain.database;
    const file = new SegmentFile(history.files, history.all().find(({ first }) => first === 9) as NamedSegment);
    const bad = file.indexed(14).offset + 1;
    file.close();
    const asked: number[] = [];
    const counting = (height: number): LightResponse => {
      asked.push(height);
      return peer(height);
    };
    const { open } = history.files;
    for (const at of [bad, statSync(fileOf("9-17.seg")).size - 1]) {
      // Until another file is in its place.
      let isBad = true;
      history.files.open = (name): ReadableFile | undefined => {
        const found = open.call(history.files, name);
        if (name !== "9-17.seg" || found === undefined || !isBad) return found;
        return {
          ...found,
          read: (from, length) => (from <= at && at < from + length ? failRead(name) : found.read(from, length)),
        };
      };
      const { rename } = history.files;
      history.files.rename = (from, to): void => {
        isBad = false;
        rename.call(history.files, from, to);
      };
      history.noteDamage({ first: 9 });
      start({ counting });
      await pollUntil(isWhole);
      await repair?.stop();
      [history.files.open, history.files.rename] = [open, rename];
    }
    expect(asked).toEqual([14, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    expectEqual(readAll(), before);
  });

  it("that was written once more before the power failed, and that no table names, is named without any other node", async () => {
    const { history } = chain.database;
    const segment = history.all().find(({ first }) => first === 9) as NamedSegment;
    const source = openFoundSegment(history.files, segment) as SegmentFile;
    const files = readFileSync(fileOf("9-17.seg"));
    const unnamed = { files: history.files, replace: (): never => fail("the power failed") } as unknown as SealedHistory;
    const block = async (height: number): Promise<SealableBlock> => {
      const { hash, timeMs } = chain.database.sealedFacts(height) as NonNullable<ReturnType<typeof chain.database.sealedFacts>>;
      return { height, hash, timeMs, ...source.block(height) };
    };
    await expect(repairSegment(unnamed, segment, block)).rejects.toThrow("the power failed");
    source.close();
    expect(readFileSync(fileOf("9-17.seg")).equals(files)).toBe(false);
    const found: string[] = [];
    const onDamaged: OnDamagedSegment = (damaged, error) => {
      history.noteDamage(damaged);
      found.push(error.message);
    };
    openHistoryFolder(history.files, history, { runs: history.runs, onDamaged });
    expect(found).toEqual([expect.stringContaining("it is another file")]);
    start({});
    await pollUntil(isWhole);
    expectEqual(readAll(), before);
    openHistoryFolder(history.files, history, { runs: history.runs });
  });

  it("is not replaced by what a peer makes up, whatever it changes", async () => {
    const peer = honest();
    const bodyOf = (height: number): Extract<LightResponse, { readonly kind: "body" }> => {
      const body = peer(height);
      if (body.kind !== "body") throw new Error("No body");
      return body;
    };
    const lies: Readonly<Record<string, Answer>> = {
      other: (height) => peer(height === 20 ? 21 : height + 1),
      receipts: (height) => ({ ...bodyOf(height), receipts: bodyOf((height % 20) + 1).receipts }),
      bytes: (height) => ({ ...bodyOf(height), block: bodyOf(height).block.map((byte, at) => (at === 200 ? byte ^ 1 : byte)) }),
      longer: (height) => ({ ...bodyOf(height), block: Uint8Array.of(...bodyOf(height).block, 0) }),
      nothing: () => ({ kind: "body", block: new Uint8Array(), receipts: new Uint8Array() }),
    };
    for (const [name, lie] of Object.entries(lies)) {
      damageBlocks("9-17.seg", 9);
      chain.database.history.noteDamage({ first: 9 });
      start({ [name]: lie, peer });
      await pollUntil(isWhole);
      await repair?.stop();
      expect(readAll(), name).toEqual(before);
      expect(new Set(offences), name).toEqual(new Set([`${name} lie`]));
      offences = [];
    }
  }, 60_000);

  it("stays damaged without a node that has the blocks, and leaves nothing behind", async () => {
    rmSync(fileOf("0-8.seg"));
    chain.database.history.noteDamage({ first: 0 });
    const asked: number[] = [];
    const empty = (height: number): LightResponse => {
      asked.push(height);
      return { kind: "unknown" };
    };
    start({ empty });
    await pollUntil(() => asked.length > 3);
    await repair?.stop();
    expect(chain.database.history.damaged()).toMatchObject([{ first: 0 }]);
    const segments = chain.database.history.files.list().filter((name) => name.includes(".seg"));
    expect(segments).toEqual(["9-17.seg"]);
  });
});
