// Contracts that a light node runs: in a process of its own, over proven state, with the answers of a full node, and with no way to its life.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HeavyCaller } from "#node/api/heavy-operations.ts";
import { createApiServer } from "#node/api/server.ts";
import type { ContractProcess } from "#node/composition/reads/contract-process.ts";
import { lightContractReads, lightTrials } from "#node/composition/reads/light-contracts.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import { LightCalls } from "#node/light/queries/light-calls.ts";
import { LightEvents } from "#node/light/queries/light-events.ts";
import { LightPool } from "#node/light/queries/light-pool.ts";
import { createLightQueries } from "#node/light/queries/light-queries.ts";
import { createLightReader } from "#node/light/queries/light-reader.ts";
import { type ChainReaderConnection, openChainReader } from "#node/storage/chain/chain-reader.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { FAILURE_CODES } from "#shared/protocol/transactions/failure-codes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Timers } from "#shared/util/clock.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import {
  callOf,
  deployWorker,
  type WatchedProcess,
  WIDE_KEYS,
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
/** What happens after each response of a peer. */
let afterRecords: (() => void | Promise<void>) | undefined;
let askedKeys: number;
/** What is to happen when time is over. */
const running = new Set<() => void>();
const timers: Timers = {
  setTimer: (_delayMs, callback) => {
    running.add(callback);
    return () => void running.delete(callback);
  },
};
const timeIsOver = (): void => {
  for (const callback of running) callback();
};
beforeEach(async () => {
  // Nothing of the chain is in there.
  folder = await createTemporaryFolder();
  aheadMs = 0;
  watched = watchProcess(world, folder.path, { isLight: true, aheadMs: () => aheadMs });
  afterRecords = undefined;
  askedKeys = 0;
  source = createMemoryLightSource(database, world.clock);
  const { records } = source;
  source.records = async (keys): ReturnType<typeof records> => {
    askedKeys += keys.length;
    const response = await records(keys);
    await afterRecords?.();
    return response;
  };
  const { genesis } = world.services.node;
  const reader = createLightReader(source, genesis);
  const { reads } = reader;
  const calls = new LightCalls(reads, (call) => watched.process.runPass(call), timers);
  const queries = createLightQueries(reader, calls);
  const events = new LightEvents({ reads, first: firstParams(genesis.params), log: world.services.log });
  const trials = lightTrials(calls, watched.process);
  pool = new LightPool({ genesis, reads, events, trials, checks: { verify: createNativeVerifier() }, log: world.services.log });
  const heavyReads = lightContractReads({ reads, contracts: queries.contracts, process: watched.process, timers });
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
    let isAnswered = false;
    const waiting = view("say").finally(() => {
      isAnswered = true;
    });
    // Whenever the process is asked, its time is over soon after.
    const passes = (): boolean => {
      aheadMs += 60_000;
      return isAnswered;
    };
    await pollUntil(passes, { what: "the request to be refused" });
    expect(await waiting).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining("more large requests than it can answer") },
    });
    await expect.poll(() => view("say"), { timeout: 20_000 }).toMatchObject({ status: 200 });
    expect(watched.started).toHaveLength(2);
  });

  it("see one state, also when blocks come between all that they read", async () => {
    let blocks = 0;
    afterRecords = async (): Promise<void> => {
      blocks += 1;
      if (blocks > 12) return;
      await world.services.mempool.submit(callOf(world, contractId, "bump"), world.clock.nowMs());
      world.commit();
    };
    const answers = await Promise.all([view("pair"), view("pair")]);
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([200, expect.objectContaining({ status: "ok" })]);
      const [one, two] = Buffer.from((body as { readonly result_b64: string }).result_b64, "base64");
      expect(two).toBe(one);
    }
    afterRecords = undefined;
    expect(await view("pair")).toEqual(await ask(world.server, `/api/contracts/${contractId}/call`, { method: "pair" }));
    expect(blocks).toBeGreaterThan(5);
  });

  it("are refused where they read other records in each pass, and keep no other caller waiting", async () => {
    expect(await ask(world.server, `/api/contracts/${contractId}/call`, { method: "wide" })).toMatchObject({ body: { status: "ok" } });
    const [wide, other] = await Promise.all([view("wide"), view("say")]);
    expect(wide).toMatchObject({ status: 502, body: { error: expect.stringContaining("more of the chain than a light node fetches") } });
    expect(other).toMatchObject({ status: 200, body: { result_text: "never" } });
    expect(askedKeys).toBeGreaterThan(WIDE_KEYS);
    expect(askedKeys).toBeLessThan(LIGHT_LIMITS.searchGas / LIGHT_LIMITS.provenRecordGas);
    expect(await view("say")).toMatchObject({ status: 200 });
  });

  it("are answered, or refused at once, whenever their process is killed", async () => {
    for (let phase = 1; phase <= 4; phase += 1) {
      let responses = 0;
      afterRecords = (): void => {
        responses += 1;
        if (responses === phase) watched.started.at(-1)?.reader.kill?.("SIGKILL");
      };
      // A block, so that nothing is known of the state.
      world.commit();
      const { status } = await view("follow");
      expect([200, 503]).toContain(status);
      expect(responses).toBeGreaterThanOrEqual(phase);
      afterRecords = undefined;
      await expect.poll(() => view("follow"), { timeout: 20_000 }).toMatchObject({ status: 200, body: { result_text: "bcd" } });
    }
    // Nothing ran when it died.
    expect(watched.process.modules).toBe(0);
  });

  it("are given up when peers answer too slowly", async () => {
    const slow = { status: 502, body: { error: expect.stringContaining("answer too slowly") } };
    let responses = 0;
    afterRecords = (): void => {
      if (running.size === 0) return;
      responses += 1;
      if (responses === 2) timeIsOver();
    };
    expect(await view("follow")).toMatchObject(slow);
    expect(responses).toBe(2);
    world.commit();
    // And when one does not come at all.
    afterRecords = (): Promise<void> | undefined => {
      if (running.size === 0) return undefined;
      timeIsOver();
      return new Promise(() => undefined);
    };
    expect(await view("follow")).toMatchObject(slow);
    expect(await submitted(callOf(world, contractId, "refuse"))).toBe("accepted");
    expect([source.submitted.length, running.size]).toEqual([1, 0]);
    afterRecords = undefined;
    expect(await view("follow")).toMatchObject({ status: 200 });
  });

  it("end with the connection of their caller, which is listened to once", async () => {
    const { genesis } = world.services.node;
    const { reads } = createLightReader(source, genesis);
    const { contracts } = createLightQueries(createLightReader(source, genesis), new LightCalls(reads, (call) => run(call), timers));
    let [passes, listeners] = [0, 0];
    let hangUp = (): void => undefined;
    const run: ContractProcess["runPass"] = (call, caller) => {
      passes += 1;
      caller?.onHangUp(() => undefined);
      return watched.process.runPass(call, caller);
    };
    const heavyReads = lightContractReads({ reads, contracts, process: { ...watched.process, runPass: run }, timers });
    const caller: HeavyCaller = {
      address: "192.0.2.1",
      onHangUp: (listener) => {
        listeners += 1;
        hangUp = listener;
      },
    };
    const read = (): Promise<unknown> => heavyReads.read("callView", { contractID: contractId, body: { method: "follow" } }, caller);
    await read();
    expect(passes).toBeGreaterThan(3);
    expect(listeners).toBe(1);
    world.commit();
    passes = 0;
    afterRecords = (): void => {
      if (passes === 2) hangUp();
    };
    await expect(read()).rejects.toMatchObject({ code: "UNAVAILABLE", message: "The client hung up" });
    expect(passes).toBe(2);
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
