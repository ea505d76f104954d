// Calls of modules are tried out before they enter the pool, with little gas that no fee has paid for: what that shows is refused, what it
// does not reach is admitted and pays in its block.
import { beforeEach, describe, expect, it } from "vitest";
import { executeBlock } from "#node/ledger/execute.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import { Mempool } from "#node/mempool/mempool.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { FAILURE_CODES } from "#shared/protocol/transactions/failure-codes.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { br, buildModule, call, data, get, i32c, loop, set, W } from "#test/support/vm/wasm-builder.ts";
import { alice, blockContext, bob, CHAIN_ID, GENESIS, genesisState, START_MS, signed, TEST_VM } from "#test/support/worlds/ledger-world.ts";

const NOW = START_MS + 1_000;
const worker = (count: number): Uint8Array =>
  buildModule({
    imports: [{ name: "revert", params: [W.i32, W.i32] }],
    functions: [
      { export: "work", locals: [[1, W.i32]], code: [i32c(count), set(0), loop(W.void, get(0), i32c(1), 0x6b, 0x22, 0, 0x0d, 0)] },
      { export: "refuse", code: [i32c(0), i32c(5), call(0)] },
      { export: "spin", code: loop(W.void, br(0)) },
    ],
    data: [data(0, "never")],
  });
const ABI =
  '{"contract":"worker","version":"1","methods":[{"name":"work","args":[]},{"name":"refuse","args":[]},{"name":"spin","args":[]}]}';

let state: OverlayStateView;
let pool: Mempool;
let contractId: string;

const deployment = (code: Uint8Array, gas = 5_000_000): Transaction =>
  signed(alice, { type: "DEPLOY_CONTRACT", payload: { wasm_b64: toBase64(code), abi_json: ABI, gas_limit: gas }, nowMs: NOW });
const callOf = (method: string, gas: number): Transaction =>
  signed(alice, { type: "CALL_CONTRACT", payload: { contract_id: contractId, method, gas_limit: gas }, nowMs: NOW });

function executed(transactions: readonly Transaction[]): readonly Receipt[] {
  const result = executeBlock(state, transactions, blockContext({ timeMs: NOW }));
  if (!result.isValid) throw new Error(result.message);
  return result.receipts;
}

async function outcome(tx: Transaction): Promise<string> {
  return await pool.submit(tx, NOW).then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
}

beforeEach(() => {
  state = genesisState(GENESIS);
  const deploy = deployment(worker(300_000));
  expect(executed([deploy])[0]?.code).toBe("");
  contractId = deployedContractId(alice.pub, deploy.id);
  const tip = (): { readonly height: number; readonly timeMs: number } => ({ height: 1, timeMs: START_MS });
  pool = new Mempool(
    { chainId: CHAIN_ID, params: firstParams(GENESIS.params), state, tip, hasSeenId: () => false, vm: TEST_VM },
    { verify: verifyZip215 },
  );
});

describe("a call of a module", () => {
  it("is refused in the contract's words when little gas shows that it fails", async () => {
    expect(await outcome(callOf("refuse", 1_000_000))).toBe("The contract refused: never");
    expect(await outcome(callOf("work", 500_000))).toBe(FAILURE_CODES.CONTRACT_OUT_OF_GAS);
    expect(await outcome(callOf("spin", 2_000_000))).toBe(FAILURE_CODES.CONTRACT_OUT_OF_GAS);
    expect(pool.size).toBe(0);
  });

  it("is admitted untried when it may use more, and pays in its block", async () => {
    const spin = callOf("spin", 3_000_000);
    expect(await outcome(spin)).toBe("accepted");
    expect(executed(pool.candidates(NOW))).toMatchObject([{ code: "CONTRACT_OUT_OF_GAS", gasUsed: 3_000_000, feeUt: 1_000 + 3_000 }]);
  });

  it("is admitted when it succeeds, and those behind it too once the gas for trying is spent", async () => {
    for (let index = 0; index < 4; index += 1) expect(await outcome(callOf("work", 2_500_000))).toBe("accepted");
    expect(executed(pool.candidates(NOW)).map(({ code }) => code)).toEqual(["", "", "", ""]);
  });

  it("takes what is attached from what follows when it was not tried out", async () => {
    const payload = { contract_id: contractId, method: "spin", gas_limit: 3_000_000 };
    const balance = readAccount(state, bob.pub).balanceUt;
    const attached = signed(bob, { type: "CALL_CONTRACT", payload, amount: balance - 20_000, nowMs: NOW });
    expect(await outcome(attached)).toBe("accepted");
    expect(await outcome(signed(bob, { type: "TRANSFER", to: alice.pub, amount: 30_000, payload: {}, nowMs: NOW }))).toContain("balance");
    expect(pool.size).toBe(1);
  });

  it("must be affordable whatever it does", async () => {
    const poor = signed(bob, {
      type: "CALL_CONTRACT",
      payload: { contract_id: contractId, method: "work", gas_limit: 99_000_000 },
      amount: 9_950_000,
      nowMs: NOW,
    });
    expect(await outcome(poor)).toContain("The balance covers the fee but not the amount");
  });
});

describe("a deployment", () => {
  it("of a small module is checked at once, one of a large module in its block", async () => {
    const small = buildModule({ memory: null });
    expect(await outcome(deployment(small))).toContain("The module violates a rule of the network");
    const padding = buildModule({ memory: null, extra: [{ before: 1, id: 0, content: [1, 0x61, ...new Array<number>(12_000).fill(0)] }] });
    const large = deployment(padding);
    expect(await outcome(large)).toBe("accepted");
    expect(executed([large])).toMatchObject([{ code: "CONTRACT_MODULE_INVALID", gasUsed: 100_000 + 200 * (padding.length + ABI.length) }]);
  });
});
