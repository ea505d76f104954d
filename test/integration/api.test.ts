// The interface of a real node process: configuration from the environment, live pushes, an orderly end with open connections.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { openTestSocket } from "#test/support/api/test-socket.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const guest = actor(44);
const mailbox = toHex(boxKeyPair(new Uint8Array(32).fill(45)).publicKey);

let folder: TemporaryFolder;
let node: RunningNode;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  node = await startNode({
    dataDir: folder.path,
    token: "right",
    env: { SVC_API_TOKEN: "right", SVC_ALLOWED_ORIGINS: "https://wallet.example", SVC_DISABLE_SWAGGER: "true" },
  });
});
afterAll(async () => {
  await node.stop();
  await folder.remove();
});

describe("a node with a token for writes", () => {
  it("lets everyone read and only the token's holder write", async () => {
    const stranger = createNodeClient({ baseUrl: node.baseUrl, fetch: (url, init) => fetch(url, init as RequestInit) });
    expect((await stranger.getNetstats({})).height).toBeGreaterThanOrEqual(0);
    await expect(stranger.requestFaucet({ body: { to: guest.pub, amount_ut: 5 } })).rejects.toMatchObject({ httpStatus: 401 });
    await expect(stranger.submitTransaction({ body: { type: "TRANSFER", from: guest.pub } })).rejects.toMatchObject({ httpStatus: 401 });
    expect(await node.client.requestFaucet({ body: { to: guest.pub, amount_ut: 5_000_000 } })).toMatchObject({ status: "accepted" });
    await pollUntil(async () => (await stranger.getAddress({ addr: guest.pub })).balance_ut === 5_000_000);
  });

  it("keeps foreign pages out and allowed ones in", async () => {
    const from = async (origin: string): Promise<number> => (await fetch(`${node.baseUrl}/api/netstats`, { headers: { origin } })).status;
    expect([await from("https://evil.example"), await from("https://wallet.example"), await from(node.baseUrl)]).toEqual([403, 200, 200]);
    expect((await fetch(`${node.baseUrl}/swagger`)).status).toBe(404);
  });

  it("pushes blocks, payments and envelopes as they come", async () => {
    const socket = await openTestSocket(`ws://127.0.0.1:${node.port}/api/ws`);
    for (const topic of ["blocks", `account:${formatAddress(guest.pub)}`, `inbox:${mailbox}`]) {
      socket.send({ type: "subscribe", topic });
      await socket.next({ type: "subscribed", topic });
    }
    const { id } = await node.client.requestFaucet({ body: { to: guest.pub, amount_ut: 7 } });
    const payment = await socket.next({ type: "tx", id });
    expect(payment).toMatchObject({ topic: `account:${formatAddress(guest.pub)}`, amount_ut: 7, to: guest.pub });
    expect(await socket.next({ type: "block", index: payment.block })).toMatchObject({ hash: payment.block_hash });
    expect((await readCommitted(node.client, id))?.block_index).toBe(payment.block);
    const envelope = sealEnvelope({
      plaintext: utf8("hi"),
      recipientPub: mailbox,
      sender: boxKeyPair(new Uint8Array(32).fill(46)),
      senderMasterPub: guest.pub,
      nonce: new Uint8Array(24).fill(1),
      sentAt: 1,
    });
    await node.client.broadcastEnvelope({ body: { envelope } });
    expect(await socket.next({ type: "inbox", id: envelope.id })).toMatchObject({ sender_ed25519_pub: guest.pub });
    socket.close();
  });

  it("ends in order while a connection is open, and remembers its mailbox", async () => {
    const socket = await openTestSocket(`ws://127.0.0.1:${node.port}/api/ws`);
    await socket.next({ type: "hello" });
    expect(await node.stop()).toBe(0);
    expect(await socket.closed).toEqual({ code: 1001 });
    node = await startNode({ dataDir: folder.path });
    expect(await node.client.countInbox({ pub: mailbox })).toMatchObject({ count: 1 });
  });
});
