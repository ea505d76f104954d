// Every endpoint of the table answers with its own schema, over a real chain.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { boxKeyPair, type Envelope, openEnvelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { type ApiWorld, createApiWorld, RELAY_SECRET } from "#test/support/worlds/api-world.ts";
import { alice, bob, carol, deviceKey, GENESIS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const recipientKeys = boxKeyPair(new Uint8Array(32).fill(40));
const recipientPub = toHex(recipientKeys.publicKey);
const senderKeys = boxKeyPair(new Uint8Array(32).fill(41));
const HELLO = { plaintext: utf8("hello"), senderMasterPub: alice.pub, nonce: new Uint8Array(24).fill(1), sentAt: 1_000 };

let world: ApiWorld;
let client: NodeClient;
let transferId: string;

beforeAll(async () => {
  const gifts: { readonly to: string; readonly amountUt: number }[] = [];
  world = await createApiWorld({
    services: {
      checkForUpdate: () => ({
        current: { tag: "v0", commit: "abc", date: "2026-01-01", dirty: "false" },
        latest: { tag: "v1", commit: "", url: "", published_at: "" },
        update_available: true,
        checked_at: "2026-01-01T00:00:00.000Z",
        source: "https://releases.example/latest",
      }),
      faucet: {
        give: (to, amountUt) => {
          gifts.push({ to, amountUt });
          return { status: "accepted", id: `gift-${gifts.length}` };
        },
      },
    },
  });
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  const transfer = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1_500_000, payload: { memo: "rent" } });
  transferId = transfer.id;
  await client.submitTransaction({ body: transfer });
  await client.submitTransaction({
    body: signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(50), nickname: "Bob" } }),
  });
  await client.submitTransaction({
    body: signed(bob, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(51), device_name: "desk" } }),
  });
  await client.submitTransaction({
    body: signed(alice, { type: "CONTACT_REQUEST", to: bob.pub, amount: 5_000, payload: { intro: "It is me" } }),
  });
  world.commit();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("responses", () => {
  it("gives network statistics", async () => {
    const stats = await client.getNetstats({});
    expect(stats).toMatchObject({ height: 1, total_txs: 4, total_transfers: 1, total_relay_proofs: 0, validator_count: 1 });
    expect(stats.total_supply_ut).toBe(21_050_000);
  });

  it("lists blocks newest first, below a height when asked", async () => {
    expect((await client.listBlocks({})).map(({ index }) => index)).toEqual([1, 0]);
    expect((await client.listBlocks({ limit: 1 })).map(({ index }) => index)).toEqual([1]);
    expect((await client.listBlocks({ before: 1 })).map(({ index }) => index)).toEqual([0]);
  });

  it("shows a block with its transactions", async () => {
    const block = await client.getBlock({ index: 1 });
    const [genesis] = await client.listBlocks({ before: 1 });
    expect(block).toMatchObject({
      index: 1,
      tx_count: 4,
      total_fees_ut: 4_000,
      validator: formatAddress(validator.pub),
      prev_hash: genesis?.hash,
    });
    expect(block.transactions).toContainEqual({
      id: transferId,
      type: "TRANSFER",
      from: alice.pub,
      to: bob.pub,
      amount_ut: 1_500_000,
      fee_ut: 1_000,
      gas_fee_ut: 0,
      status: "ok",
    });
  });

  it("lists recent transactions with addresses and exact amounts", async () => {
    const entry = (await client.listRecentTransactions({})).find(({ id }) => id === transferId);
    expect(entry).toMatchObject({
      from_addr: formatAddress(alice.pub),
      to_addr: formatAddress(bob.pub),
      amount: "1.5 T",
      fee: "0.001 T",
      block_index: 1,
      status: "ok",
    });
  });

  it("shows a transaction with its payload and signature", async () => {
    const tx = await client.getTransaction({ txid: transferId });
    expect(tx.payload).toEqual({ memo: "rent" });
    expect(tx.payload_hex).toBe(Buffer.from('{"memo":"rent"}').toString("hex"));
    expect(tx.signature_hex).toMatch(/^[0-9a-f]{128}$/);
  });

  it.each([
    ["hex", alice.pub],
    ["upper-case hex", alice.pub.toUpperCase()],
    ["address", formatAddress(alice.pub)],
  ])("shows an account by %s", async (_form, addr) => {
    const account = await client.getAddress({ addr, limit: 1 });
    expect(account).toMatchObject({
      pub_key: alice.pub,
      address: formatAddress(alice.pub),
      balance_ut: 8_493_000,
      balance: "8.493 T",
      tx_count: 2,
      offset: 0,
      limit: 1,
      has_more: true,
      next_offset: 1,
    });
    const rest = await client.getAddress({ addr, limit: 5, offset: account.next_offset });
    expect(rest).toMatchObject({ has_more: false, next_offset: 2 });
    expect(new Set([...account.transactions, ...rest.transactions].map(({ id }) => id)).size).toBe(2);
  });

  it("gives every unused key an empty account and an unregistered identity", async () => {
    expect(await client.getAddress({ addr: carol.pub })).toMatchObject({ balance_ut: 0, balance: "0 T", tx_count: 0, has_more: false });
    expect(await client.getIdentity({ pubkey: formatAddress(carol.pub) })).toMatchObject({
      pub_key: carol.pub,
      registered: false,
      x25519_pub: "",
      device_count: 0,
    });
    expect(await client.listDevices({ master_pub: carol.pub })).toEqual({ master_pub: carol.pub, count: 0, devices: [] });
  });

  it("shows an identity and its devices", async () => {
    expect(await client.getIdentity({ pubkey: bob.pub })).toMatchObject({
      nickname: "Bob",
      registered: true,
      x25519_pub: deviceKey(50),
      device_count: 1,
    });
    const { devices } = await client.listDevices({ master_pub: formatAddress(bob.pub) });
    expect(devices).toMatchObject([{ x25519_pub_key: deviceKey(51), device_name: "desk" }]);
  });

  it("shows many identities at once, in the order in which they were asked for, in whatever form", async () => {
    const accounts = [carol.pub, formatAddress(bob.pub), bob.pub.toUpperCase()];
    const { count, identities } = await client.listIdentities({ body: { accounts } });
    expect(count).toBe(3);
    const one = await client.getIdentity({ pubkey: bob.pub });
    expect(identities).toEqual([await client.getIdentity({ pubkey: carol.pub }), one, one]);
    const refused = [[], ["nope"], Array.from({ length: 501 }, () => bob.pub)];
    for (const list of refused)
      await expect(client.listIdentities({ body: { accounts: list } })).rejects.toMatchObject({ httpStatus: 400 });
  });

  it("lists devices of many people at once, in the order in which they were asked for, in whatever form", async () => {
    const accounts = [carol.pub, formatAddress(bob.pub), bob.pub.toUpperCase()];
    const bobs = await client.listDevices({ master_pub: bob.pub });
    const lists = [{ master_pub: carol.pub, count: 0, devices: [] }, bobs, bobs];
    expect(await client.listDevicesOfMany({ body: { accounts } })).toEqual({ count: 3, lists });
    for (const list of [[], ["nope"], Array.from({ length: 101 }, () => bob.pub)])
      await expect(client.listDevicesOfMany({ body: { accounts: list } })).rejects.toMatchObject({ httpStatus: 400 });
  });

  it("lists contact requests on both sides", async () => {
    const received = await client.listContacts({ pub: bob.pub });
    expect(received).toMatchObject({
      pub: bob.pub,
      count: 1,
      contacts: [
        { requester_pub: alice.pub, requester_addr: formatAddress(alice.pub), status: "pending", intro: "It is me", fee_ut: 5_000 },
      ],
    });
    expect((await client.listSentContacts({ pub: formatAddress(alice.pub) })).contacts).toMatchObject([{ recipient_pub: bob.pub }]);
  });

  it("lists validators and describes the network", async () => {
    expect(await client.listValidators({})).toEqual({
      count: 1,
      validators: [{ pub_key: validator.pub, address: formatAddress(validator.pub) }],
    });
    expect(await client.getNetworkInfo({})).toMatchObject({ chain_id: GENESIS.chain_id, height: 1, development: true, contracts: {} });
    expect(await client.getVersion({})).toMatchObject({ protocol_version: 1 });
  });

  it("lists peers and compares this build with the latest release", async () => {
    expect(await client.listPeers({})).toEqual({ count: 1, peers: [{ id: "peer-1", version: "0.1.0" }] });
    expect(await client.checkForUpdate({})).toMatchObject({ update_available: true, latest: { tag: "v1" } });
  });

  it("says how the node does", async () => {
    world.clock.advance(5_000);
    expect(await client.getStatus({})).toMatchObject({
      mode: "validator",
      sync: { state: "live", height: 1 },
      peers: 1,
      pending_txs: 0,
      relay_pub: toHex(boxKeyPair(RELAY_SECRET).publicKey),
      uptime_seconds: 5,
      inbox_auth_required: true,
    });
  });

  it("keeps an envelope until it is deleted, and deleting twice is no error", async () => {
    const envelope = sealEnvelope({ ...HELLO, recipientPub, sender: senderKeys });
    expect(await client.broadcastEnvelope({ body: { envelope } })).toEqual({ id: envelope.id, status: "broadcast" });
    expect(await client.countInbox({ pub: recipientPub.toUpperCase() })).toEqual({ pub: recipientPub, count: 1 });
    const { items } = await client.listInbox({ pub: recipientPub });
    expect(items).toMatchObject([{ id: envelope.id, sender_ed25519_pub: alice.pub, sent_at_human: "1970-01-01T00:16:40Z" }]);
    for (const _ of [1, 2])
      expect(await client.deleteEnvelope({ envID: envelope.id, pub: recipientPub })).toEqual({ id: envelope.id, status: "deleted" });
    expect((await client.countInbox({ pub: recipientPub })).count).toBe(0);
  });

  it("stores envelopes of one request, each as if it came alone", async () => {
    const envelope = sealEnvelope({ ...HELLO, recipientPub, sender: senderKeys });
    const broken = { ...envelope, nonce: "AAAA" };
    const { results } = await client.broadcastEnvelopes({ body: { envelopes: [{ envelope: broken }, { envelope, admit: null }] } });
    expect(results).toEqual([
      { status: "refused", code: 400, error: expect.stringContaining("nonce") },
      { status: "broadcast", id: envelope.id },
    ]);
    await client.deleteEnvelope({ envID: envelope.id, pub: recipientPub });
    for (const count of [0, 65]) {
      const envelopes = Array.from({ length: count }, () => ({ envelope }));
      await expect(client.broadcastEnvelopes({ body: { envelopes } })).rejects.toMatchObject({ httpStatus: 400 });
    }
  });

  it("seals with the node's own key for clients that cannot", async () => {
    const sent = await client.sendMessage({ body: { recipient_pub: recipientPub, msg_b64: toBase64(utf8("plain")) } });
    expect(sent).toMatchObject({ recipient_pub: recipientPub, status: "sent" });
    const item = (await client.listInbox({ pub: recipientPub })).items.find(({ id }) => id === sent.id);
    expect(item?.sender_pub).toBe(toHex(boxKeyPair(RELAY_SECRET).publicKey));
    expect(item && openEnvelope(item, recipientKeys.secretKey)).toEqual(utf8("plain"));
    await client.deleteEnvelope({ envID: sent.id, pub: recipientPub });
  });

  it("sends envelopes at a time, for programs of this machine alone, and takes back those that wait", async () => {
    const nowS = Math.floor(world.clock.nowMs() / 1_000);
    const held = (n: number): Envelope =>
      sealEnvelope({ ...HELLO, recipientPub, sender: senderKeys, nonce: new Uint8Array(24).fill(200 + n) });
    const [later, due] = ["0e".repeat(32), "0f".repeat(32)];
    const { relay_pub: relayPub } = await client.getStatus({});
    expect(await client.holdMail({ body: { name: later, not_before: nowS + 60, envelopes: [held(1)] } })).toEqual({
      ...{ name: later, relay_pub: relayPub, status: "held" },
    });
    await client.holdMail({ body: { name: due, not_before: nowS, envelopes: [held(2), held(3)] } });
    await pollUntil(async () => (await client.countInbox({ pub: recipientPub })).count === 2, { what: "the envelopes" });
    expect((await client.listInbox({ pub: recipientPub })).items.map(({ id }) => id)).toEqual([held(2).id, held(3).id]);
    const statuses = [due, later, later].map(async (name) => (await client.withdrawMail({ body: { name } })).status);
    expect(await Promise.all(statuses)).toEqual(["left", "withdrawn", "unknown"]);
    for (const { id } of [held(2), held(3)]) await client.deleteEnvelope({ envID: id, pub: recipientPub });
    const request = { method: "POST", headers: { "content-type": "application/json" } } as const;
    const remote = await world.server.app.inject({
      ...{ ...request, url: "/relay/held/withdraw", payload: { name: due }, remoteAddress: "203.0.113.1" },
    });
    expect(remote.statusCode).toBe(403);
    for (const body of [
      { name: "0F".repeat(32), not_before: nowS, envelopes: [held(1)] },
      { name: due, not_before: nowS, envelopes: [] },
      { name: later, not_before: nowS + 40 * 86_400, envelopes: [held(1)] },
      { name: later, not_before: nowS, envelopes: [{ ...held(1), ciphertext: "?" }] },
    ])
      await expect(client.holdMail({ body })).rejects.toMatchObject({ status: 400 });
  });

  it("takes an id that JSON has to escape", async () => {
    const envelope = sealEnvelope({ ...HELLO, recipientPub, sender: senderKeys });
    const odd = { ...envelope, id: `a "quoted\\ id/%~` };
    await client.broadcastEnvelope({ body: { envelope: odd } });
    expect((await client.listInbox({ pub: recipientPub })).items.map(({ id }) => id)).toEqual([odd.id]);
    await client.deleteEnvelope({ envID: odd.id, pub: recipientPub });
    expect((await client.countInbox({ pub: recipientPub })).count).toBe(0);
  });

  it("pages a mailbox by position and filters it by the time of arrival", async () => {
    const ids: string[] = [];
    const arrivals: number[] = [];
    for (const sentAt of [3_000, 1_000, 2_000]) {
      world.clock.advance(1_000);
      arrivals.push(Math.floor(world.clock.nowMs() / 1_000));
      const nonce = new Uint8Array(24).fill(sentAt / 1_000 + 10);
      const envelope = sealEnvelope({ plaintext: utf8("x"), recipientPub, sender: senderKeys, senderMasterPub: "", nonce, sentAt });
      ids.push((await client.broadcastEnvelope({ body: { envelope } })).id);
    }
    const first = await client.listInbox({ pub: recipientPub, limit: 2 });
    expect(first.has_more).toBe(true);
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await client.listInbox({ pub: recipientPub, after: first.items.at(-1)?.seq ?? 0 });
    expect(rest).toMatchObject({ has_more: false, count: 1 });
    const since = async (second: number): Promise<readonly string[]> =>
      (await client.listInbox({ pub: recipientPub, since: second })).items.map(({ id }) => id);
    expect(await since(arrivals[0] ?? 0)).toEqual(ids.slice(1));
    expect(await since(arrivals[2] ?? 0)).toEqual([]);
    expect((await client.listInbox({ pub: "0".repeat(64) })).items).toEqual([]);
  });

  it("gives tokens on a development network", async () => {
    expect(await client.requestFaucet({ body: { to: formatAddress(carol.pub), amount_ut: 1_000_000 } })).toEqual({
      status: "accepted",
      id: "gift-1",
    });
  });
});
