// Contracts that requests run, in a process of their own: the same answers, and a node that goes on when that process dies.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import host from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiServer } from "#node/api/server.ts";
import type { ContractProcess } from "#node/composition/reads/contract-process.ts";
import { Mempool } from "#node/mempool/mempool.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { FAILURE_CODES } from "#shared/protocol/transactions/failure-codes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import {
  callOf,
  deployWorker,
  networkOf,
  type WatchedProcess,
  WORKER,
  WORKER_MODULE,
  watchProcess,
} from "#test/support/worlds/contract-process-world.ts";
import { bob, signed, TEST_VM } from "#test/support/worlds/ledger-world.ts";

const DIED = "The engine of this node failed at the contract";

let world: ApiWorld;
let contractId: ContractId;
let watched: WatchedProcess;
let process: ContractProcess;

beforeAll(async () => {
  world = await createApiWorld();
  contractId = await deployWorker(world);
});

afterAll(() => world[Symbol.asyncDispose]());

beforeEach(() => {
  watched = watchProcess(world, world.directory);
  process = watched.process;
});

afterEach(() => process.stop());

function missing(): never {
  throw new TypeError("The world has a genesis");
}

const view = (method: string): Promise<unknown> =>
  process.read("callView", { contractID: contractId, body: { method } }).then(
    ({ text }) => JSON.parse(text),
    (error: unknown) => error,
  );
const call = (method: string, gasLimit?: number): Transaction => callOf(world, contractId, method, gasLimit);

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
    expect(watched.started).toHaveLength(1);
  });

  it("try out what is submitted, so that the pool runs no module", async () => {
    const modules: string[] = [];
    const pool = new Mempool(
      {
        ...networkOf(world),
        params: world.executor.params,
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
    expect(await outcome(call("refuse"))).toBe("The contract refused: never");
    expect(await outcome(call("spin"))).toBe(FAILURE_CODES.CONTRACT_OUT_OF_GAS);
    expect(await outcome(call("other"))).toBe(FAILURE_CODES.CONTRACT_METHOD_UNKNOWN);
    const broken = { ...WORKER, wasm_b64: toBase64(fromBase64(WORKER.wasm_b64).slice(0, -1)) };
    expect(await outcome(signed(bob, { type: "DEPLOY_CONTRACT", payload: broken, nowMs: world.clock.nowMs() }))).toBe(
      FAILURE_CODES.CONTRACT_MODULE_INVALID,
    );
    expect(await outcome(call("say"))).toBe("accepted");
    // What follows a call is not known elsewhere: it pays in its block.
    expect(await outcome(call("refuse"))).toBe("accepted");
    expect([pool.size, modules]).toEqual([2, []]);
  });

  it("take no node along when their process dies: the request is refused, and the module interpreted from then on", async () => {
    const error = await watched.endedInside(
      () => view("spin"),
      (outcome) => outcome instanceof Error,
    );
    expect(error).toMatchObject({ code: "UNAVAILABLE", status: 503, message: expect.stringContaining(DIED) });
    expect(await view("say")).toMatchObject({ status: "ok", result_text: "never" });
    expect(watched.started.at(-1)?.start.marked).toEqual([WORKER_MODULE]);
    expect([process.modules, process.faults]).toEqual([1, 0]);
    expect(watched.logged.join("")).toContain("its module is interpreted there from now on");
  });

  it("refuse a transaction at whose trial their process died, and only that one", async () => {
    const spinning: Transaction[] = [];
    const problem = await watched.endedInside(
      () => {
        const tx = call("spin", 2_000_000);
        spinning.push(tx);
        return process.problemOf(tx, world.clock.nowMs());
      },
      (found) => found?.message.startsWith(DIED) === true,
    );
    expect(problem?.code).toBe("TX_REJECTED");
    expect(spinning.map(({ id }) => process.isRefused(id))).toEqual(spinning.map((_, index) => index === spinning.length - 1));
    expect(await process.problemOf(call("refuse"), world.clock.nowMs())).toMatchObject({ message: "The contract refused: never" });
  });

  it("come back when their process dies at rest, and end with the node", async () => {
    expect(await view("say")).toMatchObject({ status: "ok" });
    watched.started[0]?.reader.kill?.("SIGKILL");
    await expect.poll(async () => await view("say"), { timeout: 20_000 }).toMatchObject({ status: "ok" });
    expect([watched.started.length, process.modules]).toEqual([2, 0]);
    await process.stop();
    expect(await view("say")).toMatchObject({ code: "UNAVAILABLE" });
  });

  it("come back when their process dies and what it ran cannot be read", async () => {
    expect(await view("say")).toMatchObject({ status: "ok" });
    const mark = join(world.directory, "running-requests");
    rmSync(mark);
    mkdirSync(mark);
    watched.started[0]?.reader.kill?.("SIGKILL");
    await expect.poll(() => watched.logged.join(""), { timeout: 20_000 }).toContain("could not be read, or not cleared");
    rmSync(mark, { recursive: true });
    await expect.poll(() => view("say"), { timeout: 20_000 }).toMatchObject({ status: "ok" });
  });

  it.skipIf(host.platform === "win32")("are refused where the system starts no process, and run when it does again", () => {
    const script = fileURLToPath(new URL("process-without-files.ts", import.meta.url));
    const { stdout, stderr } = spawnSync("/bin/sh", ["-c", 'ulimit -n 64 && exec "$0" "$@"', host.execPath, script, world.directory], {
      encoding: "utf8",
    });
    expect([stderr, stdout]).toEqual(["", "UNAVAILABLE UNAVAILABLE answered\n"]);
  });
});
