// Contracts that requests run, in a process of their own: the same answers, and a node that goes on when that process dies.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiServer } from "#node/api/server.ts";
import { type ContractProcess, createContractProcess } from "#node/composition/reads/contract-process.ts";
import type { ContractReaderStart } from "#node/composition/reads/contract-reader.ts";
import { type Reader, startReadProcess } from "#node/composition/reads/reader.ts";
import { Mempool } from "#node/mempool/mempool.ts";
import { createLog } from "#node/observability/log.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { FAILURE_CODES } from "#shared/protocol/transactions/failure-codes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { br, buildModule, call, data, i32c, loop, W } from "#test/support/vm/wasm-builder.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, signed, TEST_VM } from "#test/support/worlds/ledger-world.ts";

const ENTRY = new URL("../../../../../node/composition/reads/contract-reader.ts", import.meta.url);
const CODE = buildModule({
  imports: [
    { name: "revert", params: [W.i32, W.i32] },
    { name: "ret", params: [W.i32, W.i32] },
  ],
  functions: [
    { export: "say", code: [i32c(0), i32c(5), call(1)] },
    { export: "refuse", code: [i32c(0), i32c(5), call(0)] },
    { export: "spin", code: loop(W.void, br(0)) },
  ],
  data: [data(0, "never")],
});
const MODULE = toHex(sha256(CODE));
const ABI = JSON.stringify({
  contract: "worker",
  version: "1",
  methods: ["say", "refuse", "spin"].map((name) => ({ name, args: [], view: true })),
});
const DIED = "The engine of this node failed at the contract";

let world: ApiWorld;
let contractId: string;
let process: ContractProcess;
/** Processes that were started, and with what. */
let started: { readonly start: ContractReaderStart; readonly reader: Reader }[];
let logged: string[];

beforeAll(async () => {
  world = await createApiWorld();
  const deployment = signed(alice, { type: "DEPLOY_CONTRACT", payload: { wasm_b64: toBase64(CODE), abi_json: ABI, gas_limit: 5_000_000 } });
  contractId = deployedContractId(alice.pub, deployment.id);
  await world.services.mempool.submit(deployment, world.clock.nowMs());
  world.commit();
});

afterAll(() => world[Symbol.asyncDispose]());

beforeEach(() => {
  started = [];
  logged = [];
  process = createContractProcess({
    directory: world.directory,
    network: networkOf(world),
    clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
    log: createLog("json", { write: (line) => logged.push(line) }),
    start: (start) => {
      const reader = startReadProcess(ENTRY, start);
      started.push({ start, reader });
      return reader;
    },
  });
});

afterEach(() => process.stop());

function missing(): never {
  throw new TypeError("The world has a genesis");
}

function networkOf({ services }: ApiWorld): ContractReaderStart["network"] {
  const { chain_id: chainId, params } = services.node.genesis;
  return { chainId, params };
}

const view = (method: string): Promise<unknown> =>
  process.read("callView", { contractID: contractId, body: { method } }).then(
    ({ text }) => JSON.parse(text),
    (error: unknown) => error,
  );
const callOf = (method: string, gas_limit = 1_000_000): Transaction =>
  signed(alice, { type: "CALL_CONTRACT", payload: { contract_id: contractId, method, gas_limit }, nowMs: world.clock.nowMs() });

/** Does work, and ends the process while that runs the module; again when the module was faster. */
async function endedInside<T>(work: () => Promise<T>, isEnded: (outcome: T) => boolean): Promise<T> {
  const mark = join(world.directory, "running-requests");
  for (;;) {
    let outcome: { readonly value: T } | undefined;
    const done = work().then((value) => {
      outcome = { value };
    });
    while (outcome === undefined) {
      if (isMarked(mark)) started.at(-1)?.reader.kill?.("SIGSEGV");
      await setImmediate();
    }
    await done;
    if (isEnded(outcome.value)) return outcome.value;
  }
}

function isMarked(file: string): boolean {
  try {
    return readFileSync(file, "latin1").startsWith(`*${MODULE}`);
  } catch {
    return false;
  }
}

describe("contracts in a process of their own", () => {
  it("answer as they do in the node", async () => {
    await using beside = await createApiServer({ listenHost: "127.0.0.1" }, { ...world.services, heavyReads: process }).then((server) => ({
      app: server.app,
      [Symbol.asyncDispose]: () => server.close(),
    }));
    for (const operation of ["call", "estimate"])
      for (const method of ["say", "refuse", "spin", "other"]) {
        const request = { method: "POST", url: `/api/contracts/${contractId}/${operation}`, payload: { method } } as const;
        const [here, there] = [await world.server.app.inject(request), await beside.app.inject(request)];
        expect([there.statusCode, there.json()]).toEqual([here.statusCode, here.json()]);
      }
    expect(started).toHaveLength(1);
  });

  it("try out what is submitted, so that the pool runs no module", async () => {
    const modules: string[] = [];
    const pool = new Mempool(
      {
        ...networkOf(world),
        state: world.executor.state,
        tip: () => world.executor.tip(),
        hasSeenId: () => false,
        vm: { ...TEST_VM, run: (...parameters) => void modules.push(parameters[0].hash), inspect: () => missing() },
      },
      { verify: verifyZip215, tryModule: (tx, nowMs) => process.problemOf(tx, nowMs) },
    );
    const outcome = (tx: Transaction): Promise<string> =>
      pool.submit(tx, world.clock.nowMs()).then(
        ({ status }) => status,
        (error: Error) => error.message,
      );
    expect(await outcome(callOf("refuse"))).toBe("The contract refused: never");
    expect(await outcome(callOf("spin"))).toBe(FAILURE_CODES.CONTRACT_OUT_OF_GAS);
    expect(await outcome(callOf("other"))).toBe(FAILURE_CODES.CONTRACT_METHOD_UNKNOWN);
    const broken = { wasm_b64: toBase64(CODE.slice(0, -1)), abi_json: ABI, gas_limit: 5_000_000 };
    expect(await outcome(signed(bob, { type: "DEPLOY_CONTRACT", payload: broken, nowMs: world.clock.nowMs() }))).toBe(
      FAILURE_CODES.CONTRACT_MODULE_INVALID,
    );
    expect(await outcome(callOf("say"))).toBe("accepted");
    // What follows a call is not known elsewhere: it pays in its block.
    expect(await outcome(callOf("refuse"))).toBe("accepted");
    expect([pool.size, modules]).toEqual([2, []]);
  });

  it("take no node along when their process dies: the request is refused, and the module interpreted from then on", async () => {
    const error = await endedInside(
      () => view("spin"),
      (outcome) => outcome instanceof Error,
    );
    expect(error).toMatchObject({ code: "UNAVAILABLE", status: 503, message: expect.stringContaining(DIED) });
    expect(await view("say")).toMatchObject({ status: "ok", result_text: "never" });
    expect(started.at(-1)?.start.marked).toEqual([MODULE]);
    expect([process.modules, process.faults]).toEqual([1, 0]);
    expect(logged.join("")).toContain("its module is interpreted there from now on");
  });

  it("refuse a transaction at whose trial their process died, and only that one", async () => {
    const spinning: Transaction[] = [];
    const problem = await endedInside(
      () => {
        const tx = callOf("spin", 2_000_000);
        spinning.push(tx);
        return process.problemOf(tx, world.clock.nowMs());
      },
      (found) => found?.message.startsWith(DIED) === true,
    );
    expect(problem?.code).toBe("TX_REJECTED");
    expect(spinning.map(({ id }) => process.isRefused(id))).toEqual(spinning.map((_, index) => index === spinning.length - 1));
    expect(await process.problemOf(callOf("refuse"), world.clock.nowMs())).toMatchObject({ message: "The contract refused: never" });
  });

  it("come back when their process dies at rest, and end with the node", async () => {
    expect(await view("say")).toMatchObject({ status: "ok" });
    started[0]?.reader.kill?.("SIGKILL");
    await expect.poll(async () => await view("say"), { timeout: 20_000 }).toMatchObject({ status: "ok" });
    expect([started.length, process.modules]).toEqual([2, 0]);
    await process.stop();
    expect(await view("say")).toMatchObject({ code: "UNAVAILABLE" });
  });
});
