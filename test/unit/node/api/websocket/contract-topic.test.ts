// The topic of a contract: every call of it and its deployment, with what a successful call logged.
import { describe, expect, it } from "vitest";
import { deployedContractId, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { openTestSocket } from "#test/support/api/test-socket.ts";
import { CONTRACTS_GENESIS, callNative, deployEmpty } from "#test/support/chain/contract-calls.ts";
import { createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob } from "#test/support/worlds/ledger-world.ts";

const NFTS = nativeContractId("nfts");

describe("the topic of a contract", () => {
  it("tells calls with their logs, failed ones without, and nothing of other contracts", async () => {
    await using world = await createApiWorld({ genesis: CONTRACTS_GENESIS });
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const socket = await openTestSocket(`ws://127.0.0.1:${port}/api/ws`);
    const [mint, late] = [alice, bob].map((minter) => callNative(minter, "nfts", "mint", { args: ["cup", "A cup", ""] }));
    const other = callNative(alice, "tokens", "issue", { args: ["tea", "Tea", "TEA", 0, 9] });
    const shop = deployEmpty(bob);
    const deployed = `contract:${deployedContractId(bob.pub, shop.id)}`;
    for (const topic of [`contract:${NFTS.toUpperCase()}`, deployed, "txs"]) {
      socket.send({ type: "subscribe", topic });
      await socket.next({ type: "subscribed", topic });
    }
    for (const tx of [mint, late, other, shop]) await world.services.mempool.submit(tx, world.clock.nowMs());
    world.commit();
    const topic = `contract:${NFTS.toUpperCase()}`;
    expect(await socket.next({ type: "tx", topic, status: "ok" })).toMatchObject({ id: mint?.id, logs: [`mint cup ${alice.pub}`] });
    expect(await socket.next({ type: "tx", topic, status: "failed" })).toMatchObject({ id: late?.id, logs: [] });
    expect(await socket.next({ type: "tx", topic: deployed })).toMatchObject({ id: shop.id, tx_type: "DEPLOY_CONTRACT", logs: [] });
    expect(await socket.next({ type: "tx", topic: "txs", id: mint?.id })).not.toHaveProperty("logs");
    socket.send({ type: "ping" });
    await socket.next({ type: "pong" });
    expect(socket.frames.filter((frame) => "topic" in frame && frame.type === "tx" && frame.topic === topic)).toHaveLength(2);
    const detail = await world.server.app.inject(`/api/tx/${late?.id}`);
    expect(detail.json()).toMatchObject({ status: "failed", error: expect.stringContaining("It said: the id is taken") });
    socket.close();
  });
});
