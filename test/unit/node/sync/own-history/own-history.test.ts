// The older history of own accounts of a node that joined: fetched with proofs, kept, and said to be missing where no one has it.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { transactionProof } from "#node/explorer/queries/proof-queries.ts";
import { createArchiveSource } from "#node/light/archive/archive-source.ts";
import { OwnHeaders } from "#node/light/archive/own-headers.ts";
import { createTrustedGenesis } from "#node/light/chain/trusted-genesis.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import type { LightRequest } from "#node/light/wire/light-requests.ts";
import type { LightResponse } from "#node/light/wire/light-responses.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { TransactionEntry } from "#node/storage/explorer/indexed-record.ts";
import { OwnHistory, type OwnHistoryDependencies } from "#node/sync/own-history/own-history.ts";
import { OWN_HISTORY_LIMITS } from "#node/sync/own-history/own-history-limits.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import { CLOCK_DRIFT_MS, TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { hostTimers } from "#shared/util/host.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { changeChain } from "#test/support/chain/older-chain.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type BackfillWorld, createBackfillWorld, openBackfillWorld, type PlayedPeer } from "#test/support/worlds/backfill-world.ts";
import { type Actor, actor, alice, bob, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const BEFORE = 40;
const AFTER = 6;
/** Has entries in old blocks alone. */
const rested = actor(30);
const TIMERS: Timers = { setTimer: (ms, work): CancelTimer => hostTimers.setTimer(ms > 60_000 ? ms : 1, work) };

let folder: TemporaryFolder;
let world: BackfillWorld;
let runs = 0;
const limits = { ...OWN_HISTORY_LIMITS };
const { headersBack } = LIGHT_LIMITS;
let ending: AbortController;
let history: OwnHistory;

beforeAll(async () => {
  Object.assign(OWN_HISTORY_LIMITS, { entriesAtOnce: 3, bytesPerSecond: 1e12, firstPauseMs: 1, lastPauseMs: 5 });
  folder = await createTemporaryFolder();
  const before = Array.from({ length: BEFORE }, (_, index) => {
    const mixed = mixedBlock(index + 1, createRandom(index + 1));
    return index === 10 || index === 12 ? [...mixed, payRested(index)] : mixed;
  });
  world = createBackfillWorld(join(folder.path, "made"), before);
  for (let height = BEFORE + 1; height <= BEFORE + AFTER; height += 1)
    await world.commit([...mixedBlock(height, createRandom(height)), pay(bob, height)]);
  world.close();
});
afterAll(async () => {
  Object.assign(OWN_HISTORY_LIMITS, limits);
  await folder.remove();
});
afterEach(() => {
  Object.assign(LIGHT_LIMITS, { headersBack });
  const { headersAtOnce, idsAtOnce } = limits;
  Object.assign(OWN_HISTORY_LIMITS, { headersAtOnce, idsAtOnce });
  history.stop();
  ending.abort();
  world.close();
});

/** One that is taken in at any time. */
function pay(to: Actor, amount: number): Transaction {
  const { timeMs: nowMs } = world.whole.executor.tip();
  return signed(alice, { type: "TRANSFER", to: to.pub, amount, payload: {}, fee: 1_000, nowMs });
}

function payRested(index: number): Transaction {
  return signed(alice, { type: "TRANSFER", to: rested.pub, amount: 7, payload: {}, fee: 1_000, nowMs: START_MS + 1_000 * (index + 1) });
}

function makeWorld(): void {
  runs += 1;
  const path = join(folder.path, `run-${runs}`);
  cpSync(join(folder.path, "made"), path, { recursive: true });
  world = openBackfillWorld(path);
}

/** A world whose headers begin with the state, and in which one walk goes down by six of them, one step by four. */
function makeDeepWorld(): void {
  Object.assign(LIGHT_LIMITS, { headersBack: 6 });
  Object.assign(OWN_HISTORY_LIMITS, { headersAtOnce: 4 });
  makeWorld();
  // Rows of blocks stay: who proposes next depends on them.
  changeChain(
    world.joinedPath,
    `DELETE FROM headers WHERE height < ${BEFORE}; INSERT OR REPLACE INTO meta VALUES ('first_header', '${BEFORE}')`,
  );
  expect(world.reopen().database.blocks.firstHeader()).toBe(BEFORE);
}

/** Requests to the peers of the world. */
function requesterOf(): LightRequester {
  const light = async (name: string, request: LightRequest): Promise<LightResponse> => {
    const peer = world.peers.get(name);
    if (peer === undefined) throw new CodedError("UPSTREAM_FAILED", "It is gone");
    return await peer.light(request);
  };
  const blockOf = (response: LightResponse): LightBlock | undefined =>
    response.kind === "block" ? { ...response, validators: response.validators ?? [] } : undefined;
  return {
    peers: () =>
      [...world.peers].map(([name, { status }]) => ({ name, height: status.height, firstHeight: status.firstHeight, isProven: false })),
    ask: light,
    lightBlock: async (name, height) => blockOf(await light(name, { kind: "block", height, knownSet: null })),
    header: async (name, height) => {
      const response = await light(name, { kind: "header", height });
      return response.kind === "header" ? response.header : undefined;
    },
    lightBlocks: async (name, from, count) => {
      const response = await light(name, { kind: "blocks", from, count });
      return response.kind === "blocks" ? response.blocks : [];
    },
    noteProven: () => undefined,
    report: (name, offence) => void world.offences.push(`${name} ${offence}`),
  } as LightRequester;
}

type Source = OwnHistoryDependencies["source"];

function open(
  accounts: readonly string[],
  over: Partial<OwnHistoryDependencies> = {},
  bend: (source: Source) => Partial<Source> = (): Partial<Source> => ({}),
): OwnHistory {
  ending = new AbortController();
  const { database } = world.joined();
  const peers = requesterOf();
  // Genesis is too old to be trusted by signatures: all follows from the own headers.
  const clock = { nowMs: (): number => Date.now() + 100 * TRUSTING_PERIOD_MS, monotonicMs: (): number => performance.now() };
  const say = (details: object, message: string): void => void world.said.push(`${message} ${JSON.stringify(details)}`);
  const log = { info: say, warn: say };
  const chain = new OwnHeaders({
    ...{ database, peers, signal: ending.signal, clock, timers: hostTimers },
    genesis: createTrustedGenesis(CONTRACTS_GENESIS),
    rules: {
      ...{ chainId: CONTRACTS_GENESIS.chain_id, verify: (): boolean => true, hash: nativeSha256, knownVersions: [2, 3, 4, 5, 6] },
      ...{ trustingPeriodMs: TRUSTING_PERIOD_MS, clockDriftMs: CLOCK_DRIFT_MS },
    },
    onContradiction: (): never => expect.fail("no one forked"),
  });
  const source = createArchiveSource({ chain, peers, hash: nativeSha256, timers: TIMERS, log, state: database.state });
  history = new OwnHistory({
    ...{ database, source: { ...source, ...bend(source) }, clock, timers: TIMERS, log },
    stepTo: (height, headers): ReturnType<OwnHistoryDependencies["stepTo"]> => chain.stepTo(height, headers),
    receivedBytes: (): number => 0,
    accounts: (): readonly string[] => accounts,
    first: firstParams(CONTRACTS_GENESIS.params),
    isBusy: (): boolean => false,
    hasPeers: (): boolean => world.peers.size > 0,
    requireRoom: (): void => undefined,
    ...over,
  });
  history.start();
  return history;
}

const pageOf = ({ database }: { readonly database: BackfillWorld["whole"]["database"] }, pub: string): readonly TransactionEntry[] =>
  database.explorer.historyPage(pub, 1_000, 0);

async function complete(pubs: readonly string[]): Promise<void> {
  const isDone = (): boolean => pubs.every((pub) => history.view(pub) === undefined);
  await pollUntil(isDone, { what: `older entries; ${world.said.join("\n")}; ${world.offences.join()}` });
}

const OWN = [alice.pub, rested.pub, validator.pub];

describe("own accounts of a node that joined", () => {
  it("get their older history, entry by entry as the whole chain has it, each with its proof", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    expect(pageOf(world.joined(), alice.pub).length).toBeLessThan(pageOf(world.whole, alice.pub).length);
    open(OWN);
    expect(history.view(alice.pub)).toMatchObject({ state: "running" });
    await complete(OWN);
    for (const pub of OWN) {
      expect(pageOf(world.joined(), pub)).toEqual(pageOf(world.whole, pub));
      expect(world.joined().database.explorer.hasWholeHistory(pub)).toBe(true);
      // Others do not learn whose node it is.
      expect(world.joined().database.explorer.hasWholeHistoryInBlocks(pub)).toBe(false);
    }
    for (const { id } of pageOf(world.whole, alice.pub)) {
      const proof = transactionProof(world.joined().database, id);
      expect(proof).toEqual(transactionProof(world.whole.database, id));
    }
    // Another account is as before, and what follows is numbered as everywhere.
    expect(pageOf(world.joined(), bob.pub).length).toBeLessThan(pageOf(world.whole, bob.pub).length);
    await world.commit([pay(rested, 1)]);
    for (const pub of OWN) expect(pageOf(world.joined(), pub)).toEqual(pageOf(world.whole, pub));
    expect(world.offences).toEqual([]);
  });

  it("pass the check of the folder, also once their blocks come, and after blocks are taken back", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    open(OWN);
    await complete(OWN);
    history.stop();
    const check = (): unknown => checkFolder(world.joinedPath, { isFull: true, onProgress: () => undefined }).findings;
    expect(check()).toEqual([]);
    world.joined().database.rollback(BEFORE + 1);
    world.reopen();
    for (const pub of OWN) {
      const ofWhole = pageOf(world.whole, pub).filter(({ blockHeight }) => blockHeight <= BEFORE + 1);
      expect(pageOf(world.joined(), pub)).toEqual(ofWhole);
    }
    expect(check()).toEqual([]);
    await world.joined().applyBatch(world.whole.decidedAfter(BEFORE + 1));
    for (const pub of OWN) expect(pageOf(world.joined(), pub)).toEqual(pageOf(world.whole, pub));
    expect(world.joined().database.explorer.countedFrom()).toBe(BEFORE);
    const backfill = world.open();
    backfill.start();
    await pollUntil(() => world.joined().database.blocks.firstHeight() === 0, { what: `all blocks; ${world.said.join("\n")}` });
    await backfill.stop();
    expect(world.joined().database.explorer.countedFrom()).toBe(1);
    for (const pub of OWN) {
      expect(pageOf(world.joined(), pub)).toEqual(pageOf(world.whole, pub));
      expect(world.joined().database.explorer.hasWholeHistoryInBlocks(pub)).toBe(true);
    }
    expect(check()).toEqual([]);
  });

  it("continue where a stop left them, also once headers lie too deep for a walk from the first block", async () => {
    makeWorld();
    const honest = world.honest();
    let asked = 0;
    world.peers.set("short", {
      ...honest,
      light: (request) => {
        if (request.kind === "transaction") asked += 1;
        return asked > 5 ? Promise.resolve({ kind: "unknown" }) : honest.light(request);
      },
    });
    open([alice.pub]);
    await pollUntil(() => history.view(alice.pub)?.state === "no_holder", { what: "the peer to have no more" });
    const { left = 0 } = history.view(alice.pub) ?? {};
    expect(world.joined().database.explorer.keptCount(alice.pub)).toBeGreaterThan(0);
    history.stop();
    world.reopen();
    const lowest = world.joined().database.explorer.keptFrom(alice.pub).fromHeight;
    expect(lowest).toBeLessThan(BEFORE);
    expect(world.joined().database.explorer.keptHeader(lowest)?.header.height).toBe(lowest);
    world.peers.clear();
    const requested: number[] = [];
    world.peers.set("honest", {
      ...honest,
      light: (request) => {
        if (request.kind === "blocks") requested.push(request.from);
        return honest.light(request);
      },
    });
    open([alice.pub]);
    expect(history.view(alice.pub)?.left).toBe(left);
    await complete([alice.pub]);
    // The header of the lowest entry is the ground, not the first block.
    expect(Math.max(...requested, 0)).toBeLessThan(lowest);
    expect(pageOf(world.joined(), alice.pub)).toEqual(pageOf(world.whole, alice.pub));
  });

  it("are said to be nowhere near, or to come later, and nothing is requested meanwhile", async () => {
    makeWorld();
    let isBusy = false;
    open(OWN, { isBusy: () => isBusy });
    expect(history.view(alice.pub)?.state).toBe("no_holder");
    isBusy = true;
    world.peers.set("honest", world.honest());
    expect(history.view(alice.pub)?.state).toBe("later");
    isBusy = false;
    await complete(OWN);
  });

  it("come from peers that are a block behind, which count from another newest entry", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    open([alice.pub], {}, ({ history: read }) => ({
      history: async (account, { limit, offset }): ReturnType<Source["history"]> => {
        const { count, ...page } = await read(account, { limit, offset: offset + 1 });
        return { ...page, count: count - 1 };
      },
    }));
    await complete([alice.pub]);
    expect(pageOf(world.joined(), alice.pub)).toEqual(pageOf(world.whole, alice.pub));
    expect(world.said.some((line) => line.includes("could not be fetched"))).toBe(false);
  });

  it("are said to be unproven where nothing leads to their blocks, and are tried again", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    let isFar = true;
    open([alice.pub], {}, ({ transaction }) => ({
      transaction: (id): ReturnType<Source["transaction"]> =>
        isFar ? Promise.reject(new CodedError("UNAVAILABLE", "more than 10000 blocks below")) : transaction(id),
    }));
    await pollUntil(() => history.view(alice.pub)?.state === "unproven", { what: "what nothing proves" });
    expect(history.view(alice.pub)).toMatchObject({ etaSeconds: undefined });
    isFar = false;
    await complete([alice.pub]);
  });

  it("come by steps of headers, however deep their blocks lie, and continue at the last one after a stop", async () => {
    makeDeepWorld();
    const honest = world.honest();
    const requested: number[] = [];
    let most = 3;
    world.peers.set("honest", {
      ...honest,
      light: (request) => {
        if (request.kind === "blocks") requested.push(request.from + request.count - 1);
        return request.kind === "blocks" && requested.length > most
          ? Promise.resolve({ kind: "blocks", blocks: [] })
          : honest.light(request);
      },
    });
    open([rested.pub]);
    await pollUntil(() => history.view(rested.pub)?.state === "no_holder", { what: "the peer to have no more headers" });
    history.stop();
    world.reopen();
    const reached = world.joined().database.blocks.singleHeaderFrom(0) ?? 0;
    expect(reached).toBeLessThan(world.joined().database.blocks.firstHeader());
    const newest = pageOf(world.whole, rested.pub)[0]?.blockHeight ?? 0;
    expect(reached).toBeGreaterThan(newest);
    const seen: (number | undefined)[] = [];
    [requested.length, most] = [0, Number.MAX_SAFE_INTEGER];
    open([rested.pub], {}, ({ transaction }) => ({
      transaction: (id): ReturnType<Source["transaction"]> => {
        seen.push(history.view(rested.pub)?.headersLeft);
        return transaction(id);
      },
    }));
    await complete([rested.pub]);
    expect(Math.max(...requested)).toBeLessThan(reached);
    const left = seen.filter((headers) => headers !== undefined);
    expect(left.length).toBeGreaterThan(1);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    expect(pageOf(world.joined(), rested.pub)).toEqual(pageOf(world.whole, rested.pub));
    expect(checkFolder(world.joinedPath, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
    expect(world.offences).toEqual([]);
  });

  it("are led to by steps of ids, where many newer ones lie above them", async () => {
    Object.assign(OWN_HISTORY_LIMITS, { idsAtOnce: 4 });
    makeWorld();
    for (let payments = 0; payments < 13; payments += 1) await world.commit([pay(rested, payments + 1)]);
    world.peers.set("honest", world.honest());
    const offsets: number[] = [];
    open([rested.pub], {}, ({ history: read }) => ({
      history: (account, page): ReturnType<Source["history"]> => {
        offsets.push(page.offset);
        return read(account, page);
      },
    }));
    await complete([rested.pub]);
    expect(offsets).toEqual([4, 8, 12, 13]);
    expect(pageOf(world.joined(), rested.pub)).toEqual(pageOf(world.whole, rested.pub));
  });

  it("end a turn once peers have sent enough for it, headers on the way down included", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    const pauses: number[] = [];
    const timers: Timers = {
      setTimer: (ms, work): CancelTimer => {
        pauses.push(ms);
        return hostTimers.setTimer(1, work);
      },
    };
    let [received, pages] = [0, 0];
    Object.assign(OWN_HISTORY_LIMITS, { bytesPerSecond: 1_000 });
    open([rested.pub], { timers, receivedBytes: () => received }, ({ history: read, transaction }) => ({
      history: (account, page): ReturnType<Source["history"]> => {
        pages += 1;
        return read(account, page);
      },
      transaction: (id): ReturnType<Source["transaction"]> => {
        received += OWN_HISTORY_LIMITS.turnBytes;
        return transaction(id);
      },
    }));
    await complete([rested.pub]);
    Object.assign(OWN_HISTORY_LIMITS, { bytesPerSecond: 1e12 });
    // Two entries, a turn each, and a pause by what was sent.
    expect(pages).toBe(2);
    expect(pauses.filter((ms) => ms > 900_000).length).toBeGreaterThan(0);
  });

  it("bring the sets of validators that nothing here knows", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    const { database } = world.joined();
    const { at, insertSingle } = { at: vi.fn(() => []), insertSingle: vi.fn() };
    open([rested.pub], { database: { ...database, validatorSets: { ...database.validatorSets, at, insertSingle } as never } });
    await complete([rested.pub]);
    const blocks = pageOf(world.whole, rested.pub).map(({ blockHeight }) => blockHeight);
    const sets = blocks.map((height) => [height, world.whole.database.validatorSets.at(height)]);
    expect(insertSingle.mock.calls.map(([height, set]) => [height, set])).toEqual(sets);
  });

  it("stop at their limit, and while the disk is full", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    let isFull = true;
    const requireRoom = (): void => {
      if (isFull) throw new CodedError("STORAGE_FULL", "full");
    };
    open([alice.pub], { requireRoom });
    await pollUntil(() => history.view(alice.pub)?.state === "full", { what: "the full disk" });
    expect(world.joined().database.explorer.keptCount(alice.pub)).toBe(0);
    Object.assign(OWN_HISTORY_LIMITS, { entries: 4 });
    isFull = false;
    await pollUntil(() => history.view(alice.pub)?.state === "limit", { what: "the limit" });
    expect(world.joined().database.explorer.keptCount(alice.pub)).toBeLessThan(8);
    Object.assign(OWN_HISTORY_LIMITS, { entries: limits.entries });
    await complete([alice.pub]);
  });
});

/** What a peer that lies makes of an honest response. */
const LIES: Readonly<Record<string, (response: LightResponse) => LightResponse>> = {
  "entries of another history": (response) =>
    response.kind === "history" ? { ...response, entryIds: response.entryIds.map((id) => `${id}x`) } : response,
  "an entry left out": (response) => (response.kind === "history" ? { ...response, entryIds: response.entryIds.slice(1) } : response),
  "another receipt": (response) =>
    response.kind === "transaction"
      ? { ...response, receipt: { ...response.receipt, bytes: response.receipt.bytes.with(3, 1 ^ (response.receipt.bytes[3] ?? 0)) } }
      : response,
  "a block of its own": (response) =>
    response.kind === "transaction"
      ? { ...response, at: { ...response.at, header: { ...response.at.header, timeMs: response.at.header.timeMs + 1 } } }
      : response,
};

/** Names another block for each transaction, far below. */
function claimsBlock1(honest: PlayedPeer): PlayedPeer {
  return {
    ...honest,
    light: async (request): Promise<LightResponse> => {
      const response = await honest.light(request);
      const other = response.kind === "transaction" ? await honest.light({ kind: "block", height: 1, knownSet: null }) : undefined;
      if (response.kind !== "transaction" || other?.kind !== "block") return response;
      return { ...response, at: { ...other, validators: other.validators ?? [] } };
    },
  };
}

describe("peers that lie about own history", () => {
  it("lead no further down than to the block that another peer names", async () => {
    makeDeepWorld();
    const requested: number[] = [];
    const honest = world.honest();
    const counted: PlayedPeer = {
      ...honest,
      light: (request) => {
        if (request.kind === "blocks") requested.push(request.from);
        return honest.light(request);
      },
    };
    world.peers.set("liar", claimsBlock1(counted));
    world.peers.set("honest", counted);
    open([rested.pub]);
    await complete([rested.pub]);
    expect(pageOf(world.joined(), rested.pub)).toEqual(pageOf(world.whole, rested.pub));
    const lowest = Math.min(...pageOf(world.whole, rested.pub).map(({ blockHeight }) => blockHeight));
    expect(Math.min(...requested)).toBeGreaterThanOrEqual(lowest);
  });

  it("are found at the end of the way that they led down, where no other peer is there", async () => {
    makeDeepWorld();
    world.peers.set("liar", claimsBlock1(world.honest()));
    open([rested.pub]);
    await pollUntil(() => world.offences.includes("liar lie"), { what: "the lie to be found" });
    expect(world.joined().database.explorer.keptCount(rested.pub)).toBe(0);
  });

  it.each(Object.keys(LIES))("are found, and nothing of it is kept: %s", async (name) => {
    makeWorld();
    const honest = world.honest();
    const liar: PlayedPeer = { ...honest, light: async (request) => LIES[name]?.(await honest.light(request)) ?? expect.fail() };
    world.peers.set("liar", liar);
    open([alice.pub]);
    await pollUntil(() => world.offences.length > 0, { what: "the lie to be found" });
    const held = pageOf(world.joined(), alice.pub);
    expect(held.length).toBeLessThan(pageOf(world.whole, alice.pub).length);
    expect(held).toEqual(pageOf(world.whole, alice.pub).slice(0, held.length));
    world.peers.delete("liar");
    world.peers.set("honest", honest);
    await complete([alice.pub]);
    expect(pageOf(world.joined(), alice.pub)).toEqual(pageOf(world.whole, alice.pub));
    expect(world.offences.every((offence) => offence.startsWith("liar "))).toBe(true);
  });
});
