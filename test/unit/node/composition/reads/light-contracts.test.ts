// Contracts that a light node runs: in a process of its own, over proven state, with the answers of a full node, and with no way to its life.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiServer } from "#node/api/server.ts";
import { lightContractReads, lightTrials } from "#node/composition/reads/light-contracts.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { LightCalls } from "#node/light/queries/light-calls.ts";
import { LightEvents } from "#node/light/queries/light-events.ts";
import { LightPool } from "#node/light/queries/light-pool.ts";
import { createLightQueries } from "#node/light/queries/light-queries.ts";
import { createLightReader } from "#node/light/queries/light-reader.ts";
import { type ChainReaderConnection, openChainReader } from "#node/storage/chain/chain-reader.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { FAILURE_CODES } from "#shared/protocol/transactions/failure-codes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import {
  callOf,
  deployWorker,
  type WatchedProcess,
  WORKER,
  WORKER_MODULE,
  watchProcess,
} from "#test/support/worlds/contract-process-world.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";
import { createMemoryLightSource, type MemoryLightSource } from "#test/support/worlds/memory-light-source.ts";

const DIED = "The engine of this node failed at the contract";

let world: ApiWorld;
let database: ChainReaderConnection;
let contractId: ContractId;
beforeAll(async () => {
  world = await createApiWorld();
  contractId = await deployWorker(world);
  database = openChainReader(world.directory);
});
afterAll(async () => {
  database.close();
  await world[Symbol.asyncDispose]();
});

let folder: TemporaryFolder;
let source: MemoryLightSource;
let watched: WatchedProcess;
let pool: LightPool;
let server: Awaited<ReturnType<typeof createApiServer>>;
let aheadMs: number;
beforeEach(async () => {
  // Nothing of the chain is in there.
  folder = await createTemporaryFolder();
  aheadMs = 0;
  watched = watchProcess(world, folder.path, { isLight: true, aheadMs: () => aheadMs });
  source = createMemoryLightSource(database, world.clock);
  const { genesis } = world.services.node;
  const reader = createLightReader(source, genesis);
  const { reads } = reader;
  const calls = new LightCalls(reads, (call) => watched.process.runPass(call));
  const queries = createLightQueries(reader, calls);
  const events = new LightEvents({ reads, subsidyUt: 0, log: world.services.log });
  const trials = lightTrials(calls, watched.process);
  pool = new LightPool({ genesis, reads, events, trials, checks: { verify: createNativeVerifier() }, log: world.services.log });
  const heavyReads = lightContractReads(reads, queries.contracts, watched.process);
  server = await createApiServer({ listenHost: "127.0.0.1" }, { ...world.services, ...queries, mempool: pool, heavyReads });
});
afterEach(async () => {
  await server.close();
  pool.stop();
  await watched.process.stop();
  await folder.remove();
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask({ app }: typeof server, url: string, payload: object): Promise<Answer> {
  const response = await app.inject({ method: "POST", url, payload });
  return { status: response.statusCode, body: response.json() };
}

/** Long after the one before: none is refused for the gas that others used. */
function view(method: string): Promise<Answer> {
  world.clock.advance(10_000);
  return ask(server, `/api/contracts/${contractId}/call`, { method });
}
const submitted = (tx: Transaction): Promise<string> =>
  pool.submit(tx, world.clock.nowMs()).then(
    ({ status }) => status,
    (error: Error) => error.message,
  );

describe("contracts of a light node", () => {
  it("answer as they do on a full node, from what is proven", async () => {
    for (const operation of ["call", "estimate"])
      for (const method of ["say", "refuse", "follow", "other"]) {
        const url = `/api/contracts/${contractId}/${operation}`;
        expect([method, await ask(server, url, { method })]).toEqual([method, await ask(world.server, url, { method })]);
      }
    const estimate = { from: alice.pub, wasm_b64: WORKER.wasm_b64, abi_json: WORKER.abi_json };
    expect(await ask(server, "/api/contracts/estimate", estimate)).toEqual(await ask(world.server, "/api/contracts/estimate", estimate));
    expect(await view("follow")).toMatchObject({ status: 200, body: { status: "ok", result_text: "bcd" } });
    expect(watched.started).toHaveLength(1);
  });

  it("are cut off where they never end", async () => {
    expect(await view("spin")).toMatchObject({ status: 200, body: { status: "failed", code: "CONTRACT_OUT_OF_GAS" } });
    expect(watched.started).toHaveLength(1);
  });

  it("say so when they need an order of keys, which has no proof", async () => {
    expect(await ask(world.server, `/api/contracts/${contractId}/call`, { method: "walk" })).toMatchObject({ body: { result_text: "a" } });
    expect(await view("walk")).toMatchObject({ status: 502, body: { error: expect.stringContaining("only a full node can do") } });
  });

  it("end their process and not the node: the request is refused, the module interpreted, and the next request answered", async () => {
    expect(await view("say")).toMatchObject({ body: { result_text: "never" } });
    watched.started.at(-1)?.reader.kill?.("SIGKILL");
    await expect.poll(() => view("say"), { timeout: 20_000 }).toMatchObject({ status: 200, body: { result_text: "never" } });
    expect([watched.started.length, watched.process.modules]).toEqual([2, 0]);
    const refused = await watched.endedInside(
      () => view("spin"),
      ({ status }) => status !== 200,
    );
    expect(refused).toMatchObject({ status: 503, body: { error: expect.stringContaining(DIED) } });
    expect(await view("follow")).toMatchObject({ status: 200, body: { result_text: "bcd" } });
    expect(watched.started.at(-1)?.start.marked).toEqual([WORKER_MODULE]);
  });

  it("are ended with their process when that hangs", async () => {
    expect(await view("say")).toMatchObject({ status: 200 });
    watched.started.at(-1)?.reader.kill?.("SIGSTOP");
    const waiting = view("say");
    aheadMs = 60_000;
    expect(await waiting).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining("more large requests than it can answer") },
    });
    await expect.poll(() => view("say"), { timeout: 20_000 }).toMatchObject({ status: 200 });
    expect(watched.started).toHaveLength(2);
  });

  it("are tried out there before they are handed in, unless calls of the sender come first", async () => {
    expect(await submitted(callOf(world, contractId, "refuse"))).toBe("The contract refused: never");
    expect(await submitted(callOf(world, contractId, "spin"))).toBe(FAILURE_CODES.CONTRACT_OUT_OF_GAS);
    expect(await submitted(callOf(world, contractId, "follow"))).toBe("accepted");
    expect(await submitted(callOf(world, contractId, "refuse"))).toBe("accepted");
    expect(source.submitted).toHaveLength(2);
  });

  it("are handed in untried where only a full node can try them", async () => {
    expect(await submitted(callOf(world, contractId, "walk"))).toBe("accepted");
    expect(source.submitted).toHaveLength(1);
  });

  it("refuse a transaction at whose trial their process died", async () => {
    const spinning: Transaction[] = [];
    const message = await watched.endedInside(
      () => {
        const tx = callOf(world, contractId, "spin", 2_000_000);
        spinning.push(tx);
        return submitted(tx);
      },
      (outcome) => outcome.startsWith(DIED),
    );
    expect(message).toContain(DIED);
    const last = spinning.at(-1);
    expect(last !== undefined && (await submitted(last))).toContain("is known already");
    expect(source.submitted).toEqual([]);
    expect(await submitted(callOf(world, contractId, "refuse"))).toBe("The contract refused: never");
  });
});
