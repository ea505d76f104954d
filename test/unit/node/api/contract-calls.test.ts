// Views and estimates over HTTP: what they answer is what a transaction would do, and nothing of it stays.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Output } from "#shared/api/api.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { type ContractId, deployedContractId, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { br, buildModule, type Code, loop, W } from "#test/support/vm/wasm-builder.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, carol, signed } from "#test/support/worlds/ledger-world.ts";

const vector = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../../../vectors/contracts/${name}`, import.meta.url)));
const UNTIL = "4000000000";

let world: ApiWorld;
let client: NodeClient;
let vault: ContractId;
let looper: ContractId;

async function block(...transactions: readonly Transaction[]): Promise<void> {
  for (const tx of transactions) await client.submitTransaction({ body: tx });
  world.commit();
}

function deploy(code: Uint8Array, abiJson: string): Transaction {
  return signed(bob, { type: "DEPLOY_CONTRACT", payload: { wasm_b64: toBase64(code), abi_json: abiJson, gas_limit: 2_000_000 } });
}

beforeAll(async () => {
  world = await createApiWorld({ genesis: CONTRACTS_GENESIS });
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  const first = deploy(vector("vault.wasm"), vector("vault.abi.json").toString("utf8"));
  const endless = buildModule({ functions: [{ export: "run", code: loop(W.void, br(0)) }] });
  const second = deploy(endless, '{"contract":"looper","version":"1","methods":[{"name":"run","args":[],"view":true}]}');
  await block(first, second);
  [vault, looper] = [deployedContractId(bob.pub, first.id), deployedContractId(bob.pub, second.id)];
  const payload = { contract_id: vault, method: "lock", args_json: `[${UNTIL}]`, gas_limit: 1_000_000 };
  await block(signed(alice, { type: "CALL_CONTRACT", amount: 70, payload }));
});
afterAll(() => world[Symbol.asyncDispose]());

describe("a view", () => {
  it("returns what the method does for the caller", async () => {
    const mine = await client.callView({ contractID: vault.toUpperCase(), body: { method: "locked", from: alice.pub } });
    expect(mine).toMatchObject({ contract_id: vault, status: "ok", code: "", reason: "", logs: [], result_text: "70" });
    expect((await client.callView({ contractID: vault, body: { method: "locked", args_json: "[]" } })).result_text).toBe("0");
  });

  it("says bytes that are no text as base64", async () => {
    const response = await client.callView({ contractID: vault, body: { method: "fingerprint", from: alice.pub } });
    expect(response.result_text).toBeNull();
    expect(Buffer.from(response.result_b64, "base64")).toHaveLength(32);
  });

  it.each([
    ["that would change something", "unlock", "[]", "CONTRACT_ABORTED"],
    ["of no method", "open", "[]", "CONTRACT_METHOD_UNKNOWN"],
    ["with the wrong arguments", "locked", "[1]", "CONTRACT_ARGUMENTS"],
  ])("%s fails and says why", async (_name, method, args_json, code) => {
    const response = await client.callView({ contractID: vault, body: { method, args_json, from: alice.pub } });
    expect(response).toMatchObject({ status: "failed", code, reason: expect.stringMatching(/\w/), result_b64: "" });
  });

  it("ends with the gas, which is free", async () => {
    const body = { method: "run", gas_limit: 99_000_000 };
    expect(await client.callView({ contractID: looper, body })).toMatchObject({
      code: "CONTRACT_OUT_OF_GAS",
      reason: expect.stringMatching(
        /^The call needs more than the 10000000 gas with which it was tried out, or never ends\. Cause: the gas ran out, in \w+ \(offset 0x[0-9a-f]+\)\.$/,
      ),
      gas_used: 10_000_000,
    });
    expect(await client.callView({ contractID: looper, body: { method: "run", gas_limit: 50_000 } })).toMatchObject({ gas_used: 50_000 });
  });

  it.each([
    ["x", { method: "locked" }, 404],
    ["0".repeat(16), { method: "locked" }, 404],
    ["vault", { method: "locked", args_json: "[1.5]" }, 400],
    ["vault", { method: "locked", from: "nope" }, 400],
    ["vault", { args_json: "[]" }, 400],
    ["vault", { method: "locked", gas_limit: 0 }, 400],
  ])("of %s with %j is a %3$i", async (id, payload, status) => {
    const url = `/api/contracts/${id === "vault" ? vault : id}/call`;
    expect((await world.server.app.inject({ method: "POST", url, payload })).statusCode).toBe(status);
  });
});

describe("an estimate", () => {
  it("is what the transaction then uses, and leaves no trace", async () => {
    const body = { method: "lock", args_json: `[${UNTIL}]`, from: carol.pub, amount_ut: 5 };
    expect(await client.estimateCall({ contractID: vault, body })).toMatchObject({
      status: "failed",
      code: "INSUFFICIENT_BALANCE",
      gas_used: 0,
    });
    const before = await client.getContract({ contractID: vault });
    const estimate = await client.estimateCall({ contractID: vault, body: { ...body, from: bob.pub } });
    expect(estimate).toMatchObject({ status: "ok", logs: ["lock 5"] });
    expect(await client.getContract({ contractID: vault })).toEqual(before);
    const payload = { contract_id: vault, method: "lock", args_json: `[${UNTIL}]`, gas_limit: estimate.gas_limit };
    const tx = signed(bob, { type: "CALL_CONTRACT", amount: 5, payload });
    await block(tx);
    expect(await client.getTransaction({ txid: tx.id })).toMatchObject({
      status: "ok",
      gas_used: estimate.gas_used,
    });
    expect([estimate.gas_limit, estimate.gas_price_ut]).toEqual([
      Math.ceil(estimate.gas_used * 1.25),
      Math.ceil(estimate.gas_used / 1_000),
    ]);
  });

  it("works for native contracts, and says what they refuse", async () => {
    const contractID = nativeContractId("tokens");
    const issue = { method: "issue", args_json: '["tea","Tea","TEA",2,10]', from: alice.pub };
    expect(await client.estimateCall({ contractID, body: issue })).toMatchObject({
      status: "ok",
      logs: [expect.stringContaining("issue tea")],
    });
    expect(await client.estimateCall({ contractID, body: { ...issue, method: "burn", args_json: '["tea",1]' } })).toMatchObject({
      code: "CONTRACT_ABORTED",
      reason: expect.stringMatching(/\w/),
    });
  });
});

describe("an estimate of a deployment", () => {
  const estimate = (code: Uint8Array, abi_json?: string, init_args_json?: string): Promise<Output<"estimateDeployment">> =>
    client.estimateDeployment({
      body: {
        from: bob.pub,
        wasm_b64: toBase64(code),
        ...(abi_json === undefined ? {} : { abi_json }),
        ...(init_args_json === undefined ? {} : { init_args_json }),
      },
    });
  const counter = '{"contract":"counter","version":"1","methods":[{"name":"run","args":[]},{"name":"init","args":[]}]}';
  const withInit = (code: Code = []): Uint8Array =>
    buildModule({
      functions: [
        { export: "run", code: [] },
        { export: "init", code },
      ],
    });

  it("is what the transaction then uses, and leaves no trace", async () => {
    const before = (await client.listContracts({})).count;
    const found = await estimate(withInit(), counter, "[]");
    expect(found).toMatchObject({ status: "ok", code: "", functions: ["run", "init"] });
    expect((await client.listContracts({})).count).toBe(before);
    const payload = { wasm_b64: toBase64(withInit()), abi_json: counter, init_args_json: "[]", gas_limit: found.gas_limit };
    const tx = signed(bob, { type: "DEPLOY_CONTRACT", payload });
    await block(tx);
    expect(await client.getTransaction({ txid: tx.id })).toMatchObject({ status: "ok", gas_used: found.gas_used });
    expect(found.gas_price_ut).toBe(Math.ceil(found.gas_used / 1_000));
  });

  it("looks at a module without an interface", async () => {
    expect(await estimate(withInit())).toMatchObject({ status: "ok", functions: ["run", "init"] });
  });

  it("says with which function a module breaks a rule", async () => {
    const code = buildModule({ functions: [{ export: "scale", code: [0x43, 0, 0, 0x80, 0x3f, 0x1a] }] });
    expect(await estimate(code)).toMatchObject({ status: "failed", code: "CONTRACT_MODULE_INVALID", functions: [] });
    expect((await estimate(code)).reason).toMatch(/floats.*in scale .*instruction 0x43/);
  });

  it("says what else would be refused", async () => {
    const missing = counter.replace('"run"', '"walk"');
    expect(await estimate(withInit(), missing, "[]")).toMatchObject({
      code: "CONTRACT_ABI_MISMATCH",
      reason: expect.stringContaining("walk"),
    });
    expect(await estimate(withInit(), counter, "[1]")).toMatchObject({ code: "CONTRACT_ARGUMENTS" });
    expect(await estimate(withInit(), undefined, "[1]")).toMatchObject({ code: "CONTRACT_ARGUMENTS" });
    expect(await estimate(withInit(loop(W.void, br(0))), counter, "[]")).toMatchObject({ code: "CONTRACT_OUT_OF_GAS" });
  });

  it.each([
    ["no base64", { wasm_b64: "?" }],
    ["no ABI", { wasm_b64: toBase64(withInit()), abi_json: "{}" }],
    ["no list of arguments", { wasm_b64: toBase64(withInit()), init_args_json: "{}" }],
    ["no sender", { from: "nope", wasm_b64: toBase64(withInit()) }],
  ])("of %s is a 400", async (_what, fields) => {
    const payload = { from: bob.pub, ...fields };
    expect((await world.server.app.inject({ method: "POST", url: "/api/deployments/estimate", payload })).statusCode).toBe(400);
  });
});
