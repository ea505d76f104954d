// Every operation of docs/openapi.json, called by a client that knows nothing but that file, against a real server: a client that a
// generator makes from it works. An operation that is added to the document needs a call here.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_FIGURES, type RelayAccess } from "#node/network/calls/call-relay.ts";
import type { CallRelayFigures } from "#node/network/calls/serving/requests.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { publicCardNumber } from "#shared/protocol/pairs/public-card.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { createDocumentClient, type DocumentCall, type JsonRecord, problemIn } from "#test/support/api/document-client.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { webp } from "#test/support/host/sample-images.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, deviceKey, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";
import { publicCardOf } from "#test/support/worlds/public-card-of.ts";

const document = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8")) as JsonRecord;
const client = createDocumentClient(document);
const TOKENS = nativeContractId("tokens");
const CHANNEL = "ab".repeat(16);
const SECRET = "secret";
/** Operations that the secret of the node's start opens. */
const OWNER = new Set([
  "requestDuty",
  "readRate",
  "readPage",
  "openCallRelay",
  "readMailFeed",
  "readChainFeed",
  "nameReaders",
  "takeSigned",
  "takeOfClient",
  "readElsewhere",
  "listElsewhere",
]);
/** Name of mail for later. */
const HELD = "cd".repeat(32);
const inbox = deviceKey(70);
const envelope = sealEnvelope({
  plaintext: utf8("x"),
  recipientPub: inbox,
  sender: boxKeyPair(new Uint8Array(32).fill(71)),
  senderMasterPub: "",
  nonce: new Uint8Array(24),
  sentAt: 1_000,
});
const transfer = (): Transaction => signed(alice, { type: "TRANSFER", to: bob.pub, amount: 3, payload: { memo: "hi" } });

const callRelay = {
  issue: (): RelayAccess => ({
    urls: ["turn:203.0.113.7:3478?transport=udp"],
    username: "name",
    credential: "word",
    expiresSec: 1_800_000_000,
  }),
  figures: (): CallRelayFigures => NO_FIGURES,
};

let world: ApiWorld;
let origin: string;
let calls: Readonly<Record<string, DocumentCall>>;

beforeAll(async () => {
  const build = { tag: "v0", commit: "abc", date: "2026-01-01", dirty: "false" };
  const latest = { tag: "v1", commit: "", url: "", published_at: "" };
  world = await createApiWorld({
    genesis: CONTRACTS_GENESIS,
    api: { localSecret: SECRET },
    services: {
      duties: { request: () => Promise.resolve("duty") },
      callRelay,
      rates: { rateAt: () => Promise.resolve({ rate: 2.5, atMs: START_MS }) },
      pages: { summaryOf: () => Promise.resolve({ title: "A page", description: "", picture: undefined }) },
      faucet: { give: () => ({ status: "accepted", id: "gift" }) },
      checkForUpdate: () => ({ current: build, latest, update_available: true, checked_at: "now" }),
    },
  });
  const paid = transfer();
  const txs = [
    paid,
    signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(72), nickname: "Bob" } }),
    signed(bob, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(74), fee_per_msg_ut: 5 } }),
    signed(alice, { type: "ADD_VALIDATOR", payload: { pub_key: alice.pub } }),
    signed(alice, { type: "CONTACT_REQUEST", to: bob.pub, amount: 5_000, payload: { intro: "It is me" } }),
    signed(alice, { type: "OPEN_PAY_CHAN", to: bob.pub, amount: 5, payload: { channel_id: CHANNEL, expires_at: START_MS / 1000 + 3_600 } }),
    callNative(alice, "tokens", "issue", { args: ["tea", "Tea", "TEA", 0, 9] }),
    callNative(alice, "nfts", "mint", { args: ["cup", "A cup", ""] }),
  ];
  for (const tx of txs) await world.services.mempool.submit(tx, world.clock.nowMs());
  world.commit();
  await world.relay.broadcast(envelope);
  await world.services.cards.publish(deviceKey(72), bobsCard());
  const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
  origin = `127.0.0.1:${port}`;
  const [block] = await world.services.explorer.listBlocks({ limit: 1 });
  calls = callsOf(paid.id, block?.hash ?? "");
});
afterAll(() => world[Symbol.asyncDispose]());

function signedDeletion(): Readonly<Record<string, unknown>> {
  const { mailbox: pub, ...rest } = mailboxOwner(world.services.node.chainId, 9).deletion(["x"], world.executor.tip().height);
  return { pub, ...rest };
}

function signedOpening(): Readonly<Record<string, unknown>> {
  const height = world.executor.tip().height;
  const until = Math.floor(world.clock.nowMs() / 1000) + 86_400;
  const opening = mailboxOwner(world.services.node.chainId, 9).opening(bob.pub, { untilSec: until, height });
  return { pub: opening.mailbox, write_pub: bob.pub, read: opening.read, until, height, signature: opening.signature };
}

function bobsCard(): Uint8Array {
  const { height, timeMs } = world.executor.tip();
  const ofBob = { chainId: world.services.node.chainId, device: deviceKey(72), master: bob.seed };
  return publicCardOf({ ...ofBob, number: publicCardNumber(timeMs), height });
}

/** One valid call of each operation. */
function callsOf(txid: string, hash: string): Readonly<Record<string, DocumentCall>> {
  const call = { method: "transfer", args_json: JSON.stringify(["tea", bob.pub, 1]), from: alice.pub };
  return {
    getBlock: { parameters: { index: 1 } },
    getBlockByHash: { parameters: { hash } },
    listBlocks: { parameters: { limit: 1, before: 1 } },
    getChart: { parameters: { resolution: "day", limit: 2 } },
    listRecentTransactions: { parameters: { limit: 1 } },
    getTransaction: { parameters: { txid } },
    submitTransaction: { body: { ...transfer() } },
    getAddress: { parameters: { addr: formatAddress(alice.pub), limit: 2, offset: 1 } },
    getIdentity: { parameters: { pubkey: bob.pub } },
    listIdentities: { body: { accounts: [bob.pub, formatAddress(alice.pub)] } },
    listDevicesOfMany: { body: { accounts: [bob.pub] } },
    listDevices: { parameters: { master_pub: bob.pub } },
    getAccountFeed: { parameters: { account_id: alice.pub, order: "asc", after_block: 0, before_block: 9, limit: 5 } },
    getChainTransaction: { parameters: { tx_id: txid } },
    submitChainTransaction: { body: { signed_tx: JSON.stringify(transfer()) } },
    draftTransaction: { body: { from: alice.pub, to: bob.pub, amount_ut: 1, memo: "hi" } },
    listChannels: { parameters: { account: bob.pub } },
    getChannel: { parameters: { channel_id: CHANNEL } },
    listContracts: { parameters: { limit: 1 } },
    getContract: { parameters: { contractID: TOKENS } },
    getContractState: { parameters: { contractID: TOKENS, key: "t:tea:supply" } },
    listContractLogs: { parameters: { contractID: TOKENS } },
    callView: { parameters: { contractID: TOKENS }, body: call },
    estimateCall: { parameters: { contractID: TOKENS }, body: call },
    estimateDeployment: { body: { from: alice.pub, wasm_b64: "AGFzbQEAAAA=" } },
    getToken: { parameters: { id: "tea" } },
    getTokenBalance: { parameters: { id: "tea", pubkey: alice.pub } },
    getNft: { parameters: { id: "cup" } },
    listTokensOfOwner: { parameters: { pubkey: alice.pub } },
    listNftsOfOwner: { parameters: { pubkey: alice.pub } },
    requestDuty: { body: { duty: "approve", pub_key: bob.pub } },
    openCallRelay: { body: {} },
    readRate: { body: { url: "https://rates.example/", path: "rates.EUR" } },
    readPage: { body: { url: "https://page.example/" } },
    getNodeStats: { parameters: { pubkey: validator.pub, window: 10 } },
    proveAccount: { parameters: { pubkey: alice.pub } },
    proveIdentity: { parameters: { pubkey: bob.pub } },
    proveContractState: { parameters: { contractID: TOKENS, key: "t:tea:supply" } },
    proveTransaction: { parameters: { txid } },
    proveBlock: { parameters: { index: 1 } },
    sendMessage: { body: { recipient_pub: inbox, msg_b64: toBase64(utf8("hi")) } },
    broadcastEnvelope: { body: { envelope } },
    broadcastEnvelopes: { body: { envelopes: [{ envelope }] } },
    holdMail: { body: { name: HELD, not_before: Math.floor(world.clock.nowMs() / 1000) + 3_600, envelopes: [envelope] } },
    withdrawMail: { body: { name: HELD } },
    openBox: { body: signedOpening() },
    getBox: { parameters: { pub: inbox } },
    listBoxes: { body: { boxes: [{ pub: inbox, after: 0 }], limit: 5 } },
    putCard: { parameters: { device: deviceKey(72) }, body: { card: toBase64(bobsCard()) } },
    getCard: { parameters: { device: deviceKey(72), master_pub: bob.pub } },
    listInbox: { parameters: { pub: inbox, since: 0, after: 0, limit: 5 } },
    countInbox: { parameters: { pub: inbox } },
    deleteEnvelope: { parameters: { envID: envelope.id, pub: inbox } },
    deleteEnvelopes: { body: signedDeletion() },
    nameReaders: { body: { readers: [inbox] } },
    takeSigned: { body: { deletion: signedDeletion() } },
    takeOfClient: { body: { client: "203.0.113.1", envelope, opening: signedOpening() } },
    readElsewhere: { body: { served: [inbox], unproven: [] } },
    listElsewhere: { parameters: { pub: inbox, limit: 3 } },
    listContacts: { parameters: { pub: bob.pub } },
    listSentContacts: { parameters: { pub: alice.pub } },
    search: { parameters: { q: "tea", limit: 3 } },
    requestFaucet: { body: { to: toHex(new Uint8Array(32).fill(1)), amount_ut: 1 } },
    scrubImage: { body: webp(6), mediaType: "image/webp" },
  };
}

/** Operations whose responses are no documents. */
const STREAMS = new Set(["streamEvents", "openWebSocket"]);

describe("a client made from the document", () => {
  it.each([...client.operations.keys()].filter((operationId) => !STREAMS.has(operationId)))("calls %s", async (operationId) => {
    const operation = client.operations.get(operationId);
    const call = calls[operationId];
    const needsInput = operation?.requestBody !== undefined || operation?.parameters.some(({ required }) => required) === true;
    expect(call !== undefined || !needsInput, "a call of a new operation is missing here").toBe(true);
    const { method, path, headers, body } = client.request(operationId, call ?? {});
    const allHeaders = { ...headers, ...(OWNER.has(operationId) && { authorization: `Bearer ${SECRET}` }) };
    const response = await fetch(`http://${origin}${path}`, {
      method,
      headers: allHeaders,
      ...(body === undefined ? {} : { body: body as BodyInit }),
    });
    const text = await response.text();
    expect([response.status, text.slice(0, response.status === 200 ? 0 : 300)]).toEqual([200, ""]);
    const contentType = response.headers.get("content-type") ?? "";
    expect(client.problemOf(operationId, { status: response.status, contentType, body: text })).toBeUndefined();
  });

  it("calls nothing that the document does not have", () => {
    expect(Object.keys(calls).filter((operationId) => !client.operations.has(operationId))).toEqual([]);
  });

  it("reads the stream of events, each as the document describes it", async () => {
    const { method, path } = client.request("streamEvents", { parameters: { "Last-Event-ID": "0" } });
    const abort = new AbortController();
    const response = await fetch(`http://${origin}${path}`, { method, headers: { "Last-Event-ID": "0" }, signal: abort.signal });
    expect(response.status).toBe(200);
    expect(
      client.problemOf("streamEvents", { status: 200, contentType: response.headers.get("content-type") ?? "", body: "" }),
    ).toBeUndefined();
    const events: unknown[] = [];
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk);
      events.push(...[...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = ""]) => JSON.parse(data) as unknown));
      if (events.length > 1) break;
    }
    abort.abort();
    for (const event of events) expect(problemIn(document, { $ref: "#/components/schemas/StreamEvent" }, event)).toBeUndefined();
  });

  it("speaks over the WebSocket in the frames of the document", async () => {
    const socket = new WebSocket(`ws://${origin}${client.operations.get("openWebSocket")?.path}`);
    const frames: unknown[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.onerror = (): void => reject(new Error("The WebSocket failed"));
    socket.onmessage = ({ data }): void => {
      if (frames.push(JSON.parse(String(data))) === 3) resolve();
    };
    socket.onopen = (): void => {
      for (const frame of [{ type: "subscribe", topic: "blocks", req: 1 }, { type: "ping" }]) {
        expect(problemIn(document, { $ref: "#/components/schemas/ClientFrame" }, frame)).toBeUndefined();
        socket.send(JSON.stringify(frame));
      }
    };
    await promise;
    socket.close();
    for (const frame of frames) expect(problemIn(document, { $ref: "#/components/schemas/NodeFrame" }, frame)).toBeUndefined();
  });
});

describe("its check of responses", () => {
  const answer = (body: unknown, status = 200): string | undefined =>
    client.problemOf("listDevices", { status, contentType: "application/json", body: JSON.stringify(body) });
  const device = { x25519_pub_key: "ab", device_name: "desk", added_at: 1 };
  const list = { master_pub: "ab", count: 1, devices: [device] };

  it("finds what is wrong, however deep", () => {
    expect(answer(list)).toBeUndefined();
    expect(answer({ ...list, count: -1 })).toBe("value.count is below 0");
    expect(answer({ ...list, count: "1" })).toBe("value.count is no integer");
    expect(answer({ ...list, devices: [{ ...device, added_at: 1.5 }] })).toBe("value.devices[0].added_at is no integer");
    expect(answer({ master_pub: "ab", count: 1 })).toBe("value has no devices");
    expect(answer({ error: "no" }, 404)).toBe("the status 404 is not documented");
  });

  it("refuses calls that the document does not allow", () => {
    expect(() => client.request("getBlock", {})).toThrow("getBlock needs index");
    expect(() => client.request("getBlock", { parameters: { index: -1 } })).toThrow("below 0");
    expect(() => client.request("getBlock", { parameters: { index: 1, other: 1 } })).toThrow("does not take other");
    expect(() => client.request("submitTransaction", { body: { type: 1 } })).toThrow("the body");
    expect(() => client.request("listIdentities", { body: { accounts: [] } })).toThrow("too few");
    expect(() => client.request("listIdentities", { body: { accounts: Array.from({ length: 501 }, () => "ab") } })).toThrow("too many");
    expect(() => client.request("getNetstats", { body: {} })).toThrow("disagree about a body");
  });
});
