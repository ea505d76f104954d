// A contract for tests of the process for contracts, and that process, which a test can end at any moment.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type ContractProcess, createContractProcess } from "#node/composition/reads/contract-process.ts";
import type { ContractReaderStart } from "#node/composition/reads/contract-reader.ts";
import { type Reader, startReadProcess } from "#node/composition/reads/reader.ts";
import { createLog } from "#node/observability/log.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { add, br, brIf, buildModule, type Code, call, data, get, i32c, loop, store, W, when } from "#test/support/vm/wasm-builder.ts";
import { workerFile } from "../nodes/node-program.ts";
import type { ApiWorld } from "./api-world.ts";
import { alice, signed } from "./ledger-world.ts";

const FOUR = [W.i32, W.i32, W.i32, W.i32];
const at = (...numbers: readonly number[]): Code => numbers.map(i32c);
const SHIFT_LEFT = 0x74;
const OR = 0x72;
const NOT_EQUAL = 0x47;
const LESS = 0x48;
const NOT_LESS = 0x4e;
const LOAD_BYTE: Code = [0x2d, 0, 0];
const STORE_BYTE: Code = [0x3a, 0, 0];
const tee = (local: number): Code => [0x22, local];

/** Keys that a call of `wide` reads: others for each of three records that it finds, one after another. */
export const WIDE_KEYS = 400;
const CODE = buildModule({
  imports: [
    { name: "revert", params: [W.i32, W.i32] },
    { name: "ret", params: [W.i32, W.i32] },
    { name: "state_get", params: FOUR, results: [W.i32] },
    { name: "state_set", params: FOUR },
    { name: "state_next", params: [...FOUR, W.i32, W.i32], results: [W.i32] },
  ],
  functions: [
    { export: "say", code: [at(0, 5), call(1)] },
    { export: "refuse", code: [at(0, 5), call(0)] },
    { export: "spin", code: loop(W.void, br(0)) },
    // Three records, each of which names the next one, and what follows them.
    { export: "fill", code: [16, 17, 18].map((key) => [at(key, 1, key + 1, 1), call(3)]) },
    {
      export: "follow",
      code: [at(16, 1, 64, 1), call(2), at(64, 1, 65, 1), call(2), at(65, 1, 66, 1), call(2), W.drop, W.drop, W.drop, at(64, 3), call(1)],
    },
    // One more in two records, and both of them, the second only where the first one is there.
    {
      export: "bump",
      code: [
        [at(24, 1, 64, 1), call(2), W.drop],
        [i32c(64), i32c(64), LOAD_BYTE, i32c(1), add, STORE_BYTE],
        [24, 25].map((key) => [at(key, 1, 64, 1), call(3)]),
      ],
    },
    {
      export: "pair",
      code: [[at(24, 1, 64, 1), call(2), i32c(0), NOT_LESS], when(W.void, [at(25, 1, 65, 1), call(2), W.drop]), [at(64, 2), call(1)]],
    },
    {
      export: "wide",
      locals: [[2, W.i32]],
      code: [
        loop(
          W.void,
          [get(0), i32c(16), add, at(1, 64, 1), call(2), i32c(-1), NOT_EQUAL],
          when(W.void, [get(0), i32c(1), add, tee(0), i32c(3), LESS, brIf(1)]),
        ),
        loop(
          W.void,
          [i32c(128), get(0), i32c(16), SHIFT_LEFT, get(1), OR, store()],
          [at(128, 4, 64, 1), call(2), W.drop],
          [get(1), i32c(1), add, tee(1), i32c(WIDE_KEYS), LESS, brIf(0)],
        ),
      ],
    },
    { export: "walk", code: [at(16, 0, 16, 0, 64, 1), call(4), W.drop, at(64, 1), call(1)] },
  ],
  data: [data(0, "never"), data(16, "abcd"), data(24, "xy")],
});

/** Hash of the module. */
export const WORKER_MODULE: string = toHex(sha256(CODE));
const METHODS = ["say", "refuse", "spin", "follow", "walk", "pair", "wide"].map((name) => ({ name, args: [], view: true }));
/** The module as it is deployed. */
export const WORKER = {
  wasm_b64: toBase64(CODE),
  abi_json: JSON.stringify({
    contract: "worker",
    version: "1",
    methods: [...METHODS, { name: "fill", args: [] }, { name: "bump", args: [] }],
  }),
  gas_limit: 5_000_000,
};

/** Deploys the contract and has it write its records. */
export async function deployWorker(world: ApiWorld): Promise<ContractId> {
  const deployment = signed(alice, { type: "DEPLOY_CONTRACT", payload: WORKER });
  const contractId = deployedContractId(alice.pub, deployment.id);
  await world.services.mempool.submit(deployment, world.clock.nowMs());
  world.commit();
  await world.services.mempool.submit(callOf(world, contractId, "fill"), world.clock.nowMs());
  world.commit();
  return contractId;
}

/** A call of the contract by a transaction. */
export function callOf(world: ApiWorld, contract_id: ContractId, method: string, gas_limit = 1_000_000): Transaction {
  return signed(alice, { type: "CALL_CONTRACT", payload: { contract_id, method, gas_limit }, nowMs: world.clock.nowMs() });
}

/** A process for contracts, and what it was started for. */
export interface WatchedProcess {
  readonly process: ContractProcess;
  /** Processes that were started, and with what. */
  readonly started: readonly { readonly start: ContractReaderStart; readonly reader: Reader }[];
  readonly logged: readonly string[];
  /** Does work, and ends the process while that runs the module; again when the module was faster. */
  endedInside<T>(work: () => Promise<T>, isEnded: (outcome: T) => boolean): Promise<T>;
}

const ENTRY = workerFile("node/composition/reads/contract-reader.ts");

/** Chain and rules of a world. */
export function networkOf({ services }: ApiWorld): ContractReaderStart["network"] {
  const { chain_id: chainId, params } = services.node.genesis;
  return { chainId, params };
}

/** A process for the contracts of a world, with its marks in a folder; nothing is started yet. `aheadMs` is what its watch is ahead. */
export function watchProcess(world: ApiWorld, directory: string, { isLight = false, aheadMs = (): number => 0 } = {}): WatchedProcess {
  const started: { readonly start: ContractReaderStart; readonly reader: Reader }[] = [];
  const logged: string[] = [];
  const process = createContractProcess({
    directory,
    network: networkOf(world),
    isLight,
    clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() + aheadMs() },
    log: createLog("json", { write: (line) => logged.push(line) }),
    start: (start) => {
      const reader = startReadProcess(ENTRY, start);
      started.push({ start, reader });
      return reader;
    },
  });
  const mark = join(directory, "running-requests");
  return {
    process,
    started,
    logged,
    endedInside: async <T>(work: () => Promise<T>, isEnded: (outcome: T) => boolean): Promise<T> => {
      for (;;) {
        let outcome: { readonly value: T } | undefined;
        const done = work().then((value) => {
          outcome = { value };
        });
        while (outcome === undefined) {
          if (isMarked(mark)) started.at(-1)?.reader.kill?.("SIGKILL");
          await setImmediate();
        }
        await done;
        if (isEnded(outcome.value)) return outcome.value;
      }
    },
  };
}

function isMarked(file: string): boolean {
  // It is asked without a pause: an error for each time costs more than all else here.
  if (!existsSync(file)) return false;
  try {
    return readFileSync(file, "latin1").startsWith(`*${WORKER_MODULE}`);
  } catch {
    return false;
  }
}
