// What is computed for nothing has a budget of gas for each address, on this machine too.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { JsonText } from "#node/api/json/json-text.ts";
import { API_LIMITS } from "#node/api/limits.ts";
import { SIMULATION_GAS } from "#node/api/routes/contracts/contract-calls.ts";
import { BUDGETS_OF_SUBNET, TrialBudget, withTrialBudget } from "#node/api/security/trial-budget.ts";
import { MEMPOOL_LIMITS } from "#node/mempool/mempool-limits.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { LARGE_PAYLOAD_BYTES, MAX_LINKED_HEADERS, MAX_RELAY_CLAIMS, MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import { type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { openTestSocket } from "#test/support/api/test-socket.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { headerContradiction, linkedHeaders, testHeader } from "#test/support/chain/header-votes.ts";
import { br, buildModule, loop, W } from "#test/support/vm/wasm-builder.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, carol, signed } from "#test/support/worlds/ledger-world.ts";

const SECRET = "s".repeat(43);
const MODULE = buildModule({
  functions: [
    { export: "forever", code: loop(W.void, br(0)) },
    { export: "fail", code: W.unreachable },
  ],
});
const ABI = '{"contract":"looper","version":"1","methods":[{"name":"forever","args":[],"view":true},{"name":"fail","args":[]}]}';

/** A payload of 900 kB that is read before anything can be said against it. */
const JUNK = { wasm_b64: Array.from({ length: 300_000 }, () => []) as unknown as string, abi_json: "{}", gas_limit: 1 };

let world: ApiWorld;
let id: ContractId;
beforeEach(async () => {
  world = await createApiWorld({ genesis: CONTRACTS_GENESIS, api: { localSecret: SECRET } });
  const tx = signed(bob, { type: "DEPLOY_CONTRACT", payload: { wasm_b64: toBase64(MODULE), abi_json: ABI, gas_limit: 2_000_000 } });
  await world.server.app.inject({ method: "POST", url: "/api/tx", payload: tx });
  world.commit();
  id = deployedContractId(bob.pub, tx.id);
});
afterEach(() => world[Symbol.asyncDispose]());

async function status(url: string, payload: object, headers: Record<string, string> = {}): Promise<number> {
  return (await world.server.app.inject({ method: "POST", url, payload, headers })).statusCode;
}

const view = (headers?: Record<string, string>): Promise<number> => status(`/api/contracts/${id}/call`, { method: "forever" }, headers);
const estimate = (): Promise<number> => status(`/api/contracts/${id}/estimate`, { method: "forever", from: alice.pub });

/** How often something is answered before the first 429. */
async function untilRefused(work: () => Promise<number>): Promise<number> {
  for (let count = 0; count < 1_000; count += 1) if ((await work()) === 429) return count;
  throw new Error("It was never refused");
}

describe("calls that no one pays", () => {
  it("are refused when their gas has used up the budget of the address, and go on at its rate", async () => {
    const first = await untilRefused(view);
    expect(first * SIMULATION_GAS).toBeLessThanOrEqual(API_LIMITS.freeGasBurst);
    expect((first + 1) * SIMULATION_GAS).toBeGreaterThan(0.9 * API_LIMITS.freeGasBurst);
    expect(await estimate()).toBe(429);
    world.clock.advance(1_000);
    expect((await untilRefused(estimate)) * SIMULATION_GAS).toBeLessThanOrEqual(API_LIMITS.freeGasPerSecond + SIMULATION_GAS);
  });

  it("count before they are done, however many are under way at once", async () => {
    const budget = new TrialBudget(API_LIMITS, world.clock);
    const caller = { address: "192.0.2.1", isOwn: false };
    const rounds = async (mostGas: number, gas: number): Promise<number> => {
      const waiting: (() => void)[] = [];
      const work = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
      const all = Promise.allSettled(Array.from({ length: 300 }, () => budget.spend(caller, mostGas, { work, gasOf: () => gas })));
      const started = waiting.length;
      for (const end of waiting) end();
      await all;
      return started;
    };
    expect((await rounds(SIMULATION_GAS, SIMULATION_GAS)) * SIMULATION_GAS).toBeLessThanOrEqual(API_LIMITS.freeGasBurst);
    expect(await rounds(SIMULATION_GAS, 0)).toBe(0);
    world.clock.advance(60_000);
    const first = await rounds(MEMPOOL_LIMITS.trialGas, 0);
    expect(first * MEMPOOL_LIMITS.trialGas).toBeLessThanOrEqual(API_LIMITS.freeGasBurst);
    expect(first).toBeGreaterThan(30);
    // What was not used is given back, but for the request itself.
    expect(await rounds(MEMPOOL_LIMITS.trialGas, 0)).toBeGreaterThan(0.7 * first);
  });

  it("count with the gas that it takes to find out what they need, where they are repeated for that", async () => {
    const searchGas = 2 * SIMULATION_GAS;
    const budget = new TrialBudget(API_LIMITS, world.clock, searchGas);
    const context = {
      isOwn: false,
      looksLocal: false,
      isExempt: false,
      spend: (): void => undefined,
      inboxProof: undefined,
      onHangUp: (): void => undefined,
    };
    const answered = (address: string, callView: () => Promise<JsonText>): Promise<number> => {
      const handlers = withTrialBudget({ ...world.server.handlers, callView }, budget, SIMULATION_GAS);
      return untilRefused(() =>
        Promise.resolve(handlers.callView({ contractID: id, body: { method: "forever" } }, { ...context, address })).then(
          () => 200,
          ({ code }: CodedError) => (code === "RATE_LIMITED" ? 429 : 502),
        ),
      );
    };
    const answer = (gasBeside: number) => (): Promise<JsonText> =>
      Promise.resolve(new JsonText(`{"gas_used":${SIMULATION_GAS}}`, gasBeside));
    const most = API_LIMITS.freeGasBurst / SIMULATION_GAS;
    expect(await answered("192.0.2.1", answer(0))).toBeGreaterThan(0.8 * most);
    const failure = (): Promise<never> => Promise.reject(new CodedError("UPSTREAM_FAILED", "too much"));
    for (const [address, work] of [
      ["192.0.3.1", answer(searchGas)],
      ["192.0.4.1", failure],
    ] as const)
      expect(await answered(address, work)).toBeLessThanOrEqual(Math.ceil(most / 3));
  });

  it("count for an address and its subnet, over all connections", async () => {
    const from = (remoteAddress: string) => async (): Promise<number> =>
      (await world.server.app.inject({ method: "POST", url: `/api/contracts/${id}/call`, payload: { method: "forever" }, remoteAddress }))
        .statusCode;
    const perAddress = Math.ceil(API_LIMITS.freeGasBurst / SIMULATION_GAS);
    /** Answers for hosts that ask until they are refused. */
    const answered = async (hosts: readonly string[]): Promise<number> => {
      let count = 0;
      for (const host of hosts) count += await untilRefused(from(host));
      return count;
    };
    const hosts = (prefix: string, suffix: string): readonly string[] =>
      Array.from({ length: 9 }, (_, index) => `${prefix}${index + 1}${suffix}`);
    expect(await answered(hosts("2001:db8:1:1::", ""))).toBeLessThanOrEqual(perAddress);
    expect(await answered(["2001:DB8:1:0001::7"])).toBe(0);
    for (const subnet of [hosts("2001:db8:2:", "::1"), hosts("192.0.2.", "")]) {
      const all = await answered(subnet);
      expect(all).toBeLessThanOrEqual(BUDGETS_OF_SUBNET * perAddress);
      expect(all).toBeGreaterThan((BUDGETS_OF_SUBNET - 1) * perAddress);
    }
    expect(await answered(["2001:db8:3::1", "198.51.100.1"])).toBeGreaterThan(perAddress);
    world.clock.advance(1_000);
    const aSecond = API_LIMITS.freeGasPerSecond / SIMULATION_GAS + 1;
    expect(await answered(hosts("2001:db8:2:", "::1"))).toBeLessThanOrEqual(BUDGETS_OF_SUBNET * aSecond);
    // Connections of one address, one request each at the same time.
    world.clock.advance(60_000);
    const together = await Promise.all(Array.from({ length: 40 }, from("203.0.113.1")));
    expect(together.filter((code) => code === 200).length).toBeLessThanOrEqual(perAddress);
  });

  it("cost what they used, and nothing when there is nothing to compute", async () => {
    const wrong = (): Promise<number> => status(`/api/contracts/${"0".repeat(16)}/call`, { method: "forever" });
    const small = (): Promise<number> => status(`/api/contracts/${id}/call`, { method: "none" });
    for (let count = 0; count < 40; count += 1) expect([await wrong(), await small()]).toEqual([404, 200]);
    expect(await view()).toBe(200);
  });

  it("count whichever way a refused submission comes", async () => {
    const call = (): object => signed(alice, { type: "CALL_CONTRACT", payload: { contract_id: id, method: "fail" } });
    const refused = await untilRefused(() => status("/v2/chain/transactions", { signed_tx: JSON.stringify(call()) }));
    expect(refused * MEMPOOL_LIMITS.trialGas).toBeLessThanOrEqual(API_LIMITS.freeGasBurst + MEMPOOL_LIMITS.trialGas);
    expect(await status("/api/tx", call())).toBe(429);
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const socket = await openTestSocket(`ws://127.0.0.1:${port}/api/ws`);
    socket.send({ type: "submit_tx", tx: call() });
    expect(await socket.next({ type: "error" })).toMatchObject({ error: expect.stringContaining("too much gas") });
    socket.close();
  });

  it("of the node's owner are not counted, nor is what is read", async () => {
    await untilRefused(view);
    expect(await view({ authorization: `Bearer ${SECRET}` })).toBe(200);
    expect((await world.server.app.inject(`/api/contracts/${id}`)).statusCode).toBe(200);
  });

  it("count when they are submissions that their trial refuses; what is accepted does not, for it pays", async () => {
    const call = (method: string): object => signed(alice, { type: "CALL_CONTRACT", payload: { contract_id: id, method } });
    const submit = (method: string) => (): Promise<number> => status("/api/tx", call(method));
    const refused = await untilRefused(submit("fail"));
    expect(refused * MEMPOOL_LIMITS.trialGas).toBeLessThanOrEqual(API_LIMITS.freeGasBurst + MEMPOOL_LIMITS.trialGas);
    expect(refused).toBeGreaterThan(10);
    expect(await status("/api/tx", signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} }))).toBeLessThan(300);
  });

  it("count by their signatures and by what is read before them, when they are refused", async () => {
    // Evidence that leads from a vote 64 headers down, against a key that never was a validator: all of it is checked before it is refused.
    const headers = linkedHeaders(testHeader({ height: 1_000 }), MAX_LINKED_HEADERS);
    const lowest = testHeader({ height: 1_000, stateRoot: "ab".repeat(32) });
    const evidence = headerContradiction(carol, { headers, round: 0 }, { header: lowest, round: 1 });
    const claims = Array.from({ length: MAX_RELAY_CLAIMS }, (_, at) => ({
      envelope_id: `e${at}`,
      recipient_pub: bob.pub,
      sender_pub: bob.pub,
      fee_ut: 1,
      fee_sig: toBase64(new Uint8Array(64)),
    }));
    const cosigs = Array.from({ length: MAX_VALIDATORS }, () => ({
      validator_pub: bob.pub,
      signed_at: 1,
      signature: toBase64(new Uint8Array(64)),
    }));
    const fee = LARGE_PAYLOAD_BYTES;
    const forged = toBase64(new Uint8Array(64));
    const costly = [
      (): object => signed(alice, { type: "SLASH", fee, payload: { evidence } }),
      (): object => ({ ...signed(alice, { type: "SLASH", fee, payload: { evidence } }), signature: forged }),
      (): object => signed(alice, { type: "RELAY_PROOF", fee, payload: { claims } }),
      (): object => signed(alice, { type: "ADD_VALIDATOR", fee, payload: { pub_key: carol.pub, cosigs } }),
      (): object => signed(alice, { type: "DEPLOY_CONTRACT", fee: 1_000_000, payload: JUNK }),
    ];
    for (const make of costly) {
      // Each of them costs more than 5 ms, and 200 ms are free at once.
      expect(await untilRefused(() => status("/api/tx", make()))).toBeLessThan(40);
      expect(await status("/v2/chain/transactions", { tx: make() })).toBe(429);
      world.clock.advance(60_000);
    }
  });
});
