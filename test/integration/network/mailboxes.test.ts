// Mailboxes of real node processes: what is handed to one arrives at all, also at one that was away.
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNetworkFolders } from "#node/config/files/network-folders.ts";
import { systemRandom } from "#node/config/system-clock.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { ownClient, ownSecret } from "#test/support/nodes/own-client.ts";
import { findNetworkPorts } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";
import { sampleEnvelope } from "#test/support/nodes/test-network.ts";

interface KeyLine {
  readonly x25519_pub: string;
}

async function inboxOf(node: RunningNode, pub: string): Promise<readonly string[]> {
  const { items } = await ownClient(node).listInbox({ pub });
  return items.map(({ id }) => id);
}

async function send(node: RunningNode, envelope: Envelope): Promise<void> {
  await node.client.broadcastEnvelope({ body: { envelope } });
}

/** A client's connection that writes down what it is pushed. */
async function watch(
  node: RunningNode,
  ...topics: readonly string[]
): Promise<Disposable & { readonly pushes: unknown[]; send(frame: object): void }> {
  const socket = new WebSocket(`ws://127.0.0.1:${node.port}/api/ws?token=${ownSecret(node.dataDir)}`);
  const frames: { readonly type: string }[] = [];
  socket.addEventListener("message", ({ data }) => frames.push(JSON.parse(String(data)) as { readonly type: string }));
  await once(socket, "open");
  for (const topic of topics) socket.send(JSON.stringify({ type: "subscribe", topic }));
  await pollUntil(() => frames.filter(({ type }) => type === "subscribed").length === topics.length);
  return {
    get pushes(): unknown[] {
      return frames.filter(({ type }) => type === "inbox" || type === "typing");
    },
    send: (frame) => socket.send(JSON.stringify(frame)),
    [Symbol.dispose]: () => socket.close(),
  };
}

describe("a deletion that its owner signed", () => {
  it("empties the mailbox at the sender's node too, and at one that was away", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "network");
    const basePort = await findNetworkPorts(2);
    createNetworkFolders({ path, validators: 1, nodes: 1, basePort, nowMs: Date.now(), random: systemRandom, peerName: peerNameOf });
    const start = (index: number): Promise<RunningNode> =>
      startNode({ dataDir: join(path, `node-${index}`), port: basePort + index, args: [] });
    const meets = (node: RunningNode): Promise<boolean> =>
      node.client.listPeers({}).then(({ peers }) => peers.some(({ version }) => version !== ""));
    await using sending = await start(0);
    const reading = await start(1);
    await pollUntil(async () => (await meets(sending)) && (await meets(reading)), { timeoutMs: 60_000, what: "two nodes to meet" });
    const { chain_id: chainId } = await sending.client.getStatus({});
    const [{ index: height } = { index: 0 }] = await sending.client.listBlocks({ limit: 1 });
    const owner = mailboxOwner(chainId, 5);
    const [read, cleared, kept] = [owner.envelope(1), owner.envelope(2), owner.envelope(3)];
    for (const envelope of [read, cleared, kept]) await send(sending, envelope);
    await pollUntil(async () => (await inboxOf(reading, owner.pub)).length === 3);
    const remove = async (node: RunningNode, ids: readonly string[]): Promise<number> => {
      const { mailbox: pub, ids: signed, ...proof } = owner.deletion(ids, height);
      return (await node.client.deleteEnvelopes({ body: { pub, ids: [...signed], ...proof } })).count;
    };
    expect(await remove(reading, [read.id])).toBe(1);
    await pollUntil(async () => (await inboxOf(sending, owner.pub)).length === 2, { what: "the deletion to travel" });
    expect(await inboxOf(sending, owner.pub)).toEqual([cleared.id, kept.id]);

    await reading.kill();
    expect(await remove(sending, [cleared.id])).toBe(1);
    await using again = await start(1);
    await pollUntil(async () => (await inboxOf(again, owner.pub)).length === 1, { timeoutMs: 60_000, what: "what was deleted meanwhile" });
    expect(await inboxOf(again, owner.pub)).toEqual([kept.id]);

    // The command line signs too, with the key of its file.
    const env = { PARLEY_KEY_PASSWORD: "one two three" };
    const key = join(folder.path, "key.json");
    const { x25519_pub: own } = JSON.parse((await runParley(["keygen", "--out", key, "--json"], { env })).stdout) as KeyLine;
    await send(sending, owner.envelope(4, own));
    await pollUntil(async () => (await inboxOf(again, own)).length === 1, { what: "the message at the other node" });
    const printed = await runParley(["inbox", "--key", key, "--delete", "--json", "--node", again.baseUrl], { env });
    expect(printed).toMatchObject({ code: 0 });
    expect(JSON.parse(printed.stdout)).toMatchObject({ count: 1, deleted: true });
    await pollUntil(async () => (await inboxOf(sending, own)).length === 0, { what: "the deletion of the command line to travel" });
  });
});

describe("mailboxes of three nodes", WHOLE_ONLY, () => {
  it("hold the same, also at a node that was away and at one that came later", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "network");
    const basePort = await findNetworkPorts(3);
    createNetworkFolders({ path, validators: 1, nodes: 2, basePort, nowMs: Date.now(), random: systemRandom, peerName: peerNameOf });
    const start = (index: number): Promise<RunningNode> =>
      startNode({ dataDir: join(path, `node-${index}`), port: basePort + index, args: [] });
    const meets = (node: RunningNode): Promise<boolean> =>
      node.client.listPeers({}).then(({ peers }) => peers.some(({ version }) => version !== ""));
    await using first = await start(0);
    const second = await start(1);
    await pollUntil(async () => (await meets(first)) && (await meets(second)), { timeoutMs: 60_000, what: "two nodes to meet" });
    const pub = sampleEnvelope(0).recipient_pub;
    const [early, deleted, late] = [sampleEnvelope(1), sampleEnvelope(2), sampleEnvelope(3)];

    using reader = await watch(second, `inbox:${pub}`, `typing:${pub}`);
    using writer = await watch(first);
    await send(first, early);
    await send(first, deleted);
    await pollUntil(() => reader.pushes.length === 2);
    writer.send({ type: "typing", to: pub, from: early.sender_pub });
    await pollUntil(() => reader.pushes.length === 3);
    expect(reader.pushes).toMatchObject([{ id: early.id }, { id: deleted.id }, { type: "typing", to: pub, from: early.sender_pub }]);
    expect(await inboxOf(second, pub)).toEqual([early.id, deleted.id]);
    await ownClient(second).deleteEnvelope({ envID: deleted.id, pub });

    await second.kill();
    await send(first, late);
    await using again = await start(1);
    await pollUntil(async () => (await inboxOf(again, pub)).includes(late.id), { timeoutMs: 60_000, what: "what was missed" });
    expect(await inboxOf(again, pub)).toEqual([early.id, late.id]);

    await using newcomer = await start(2);
    await pollUntil(async () => (await inboxOf(newcomer, pub)).length === 3, { timeoutMs: 60_000, what: "what came before the node" });
    expect([...(await inboxOf(newcomer, pub))].sort()).toEqual([early.id, deleted.id, late.id].sort());
  });
});
