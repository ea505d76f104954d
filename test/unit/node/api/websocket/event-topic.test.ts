// Topics of a contract's events: all of them, those of a name, those with a value in an indexed field.
import { beforeAll, describe, expect, it } from "vitest";
import type { BuiltContract } from "#node/contracts/check-module.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { openTestSocket } from "#test/support/api/test-socket.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { buildSource } from "#test/support/vm/source-contract.ts";
import { createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, signed } from "#test/support/worlds/ledger-world.ts";

const SOURCE = `
import { demand, emit, log } from "parley";
export const NAME = "till";
@event class Paid { @indexed to: string; @indexed amount: u64; note: string; }
@event class Closed { at: u64; }
export function pay(to: string, amount: u64): void { log("pays"); emit(new Paid(to, amount, "n")); }
export function close(at: u64): void { emit(new Closed(at)); demand(at > 0, "no time"); }
`;

let built: BuiltContract;
beforeAll(async () => {
  built = await buildSource(SOURCE);
}, 60_000);

const GAS = 20_000_000;

describe("topics of events", () => {
  it("bring the events of successful calls to those who wait for them", async () => {
    await using world = await createApiWorld({ genesis: CONTRACTS_GENESIS });
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const socket = await openTestSocket(`ws://127.0.0.1:${port}/api/ws`);
    const payload = { wasm_b64: toBase64(built.code), abi_json: built.abiJson, gas_limit: GAS };
    const deployment = signed(alice, { type: "DEPLOY_CONTRACT", payload });
    await world.services.mempool.submit(deployment, world.clock.nowMs());
    world.commit();
    const id = deployedContractId(alice.pub, deployment.id);
    const topics = {
      all: `event:${id.toUpperCase()}`,
      closed: `event:${id}/Closed`,
      toBob: `event:${id}/Paid/to=bob/s=1`,
      five: `event:${id}/Paid/amount=5`,
      six: `event:${id}/Paid/amount=6`,
      other: `event:${"0".repeat(16)}`,
    };
    for (const topic of Object.values(topics)) {
      socket.send({ type: "subscribe", topic });
      await socket.next({ type: "subscribed", topic });
    }
    const call = (method: string, args: readonly unknown[]): ReturnType<typeof signed> =>
      signed(alice, { type: "CALL_CONTRACT", payload: { contract_id: id, method, args_json: JSON.stringify(args), gas_limit: GAS } });
    const [paid, failed, closed] = [call("pay", ["bob/s=1", 5]), call("close", [0]), call("close", [7])];
    for (const tx of [paid, failed, closed]) await world.services.mempool.submit(tx, world.clock.nowMs());
    world.commit();
    const message = '{"event":"Paid","index":{"to":"bob/s=1","amount":"5"},"data":{"note":"n"}}';
    const event = { contract_id: id, tx_id: paid.id, position: "2.0.1", event: "Paid", index: { to: "bob/s=1", amount: "5" }, message };
    for (const topic of [topics.all, topics.toBob, topics.five]) expect(await socket.next({ type: "event", topic })).toMatchObject(event);
    expect(await socket.next({ type: "event", topic: topics.closed })).toMatchObject({ tx_id: closed.id, event: "Closed", index: {} });
    socket.send({ type: "ping" });
    await socket.next({ type: "pong" });
    const counts = Object.values(topics).map(
      (topic) => socket.frames.filter((frame) => frame.type === "event" && frame.topic === topic).length,
    );
    expect(counts).toEqual([2, 1, 1, 1, 0, 0]);
    socket.close();
  });

  it.each([
    "",
    "0123456789abcde",
    "0123456789abcdef/",
    "0123456789abcdef/a b",
    "0123456789abcdef/Paid/",
    "0123456789abcdef/Paid/to",
    "0123456789abcdef/Paid/9=1",
  ])("are not event:%s", async (key) => {
    await using world = await createApiWorld();
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const socket = await openTestSocket(`ws://127.0.0.1:${port}/api/ws`);
    socket.send({ type: "subscribe", topic: `event:${key}` });
    expect(await socket.next({ type: "error" })).toMatchObject({ error: expect.stringContaining("event: takes <id>") });
    socket.close();
  });
});
