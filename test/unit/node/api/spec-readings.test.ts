// Where two readers of the specification may expect different things: what a node does, as docs/api.md says it.
import { createHash } from "node:crypto";
import type { LightMyRequestResponse } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { createOpenApiDocument } from "#shared/api/openapi.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { fromUtf8, toBase64, utf8 } from "#shared/util/bytes.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, carol, deviceKey, signed } from "#test/support/worlds/ledger-world.ts";

const PRICE_UT = 10_000;
const FEE_UT = 1_000;
/** Price of the gas limit of a call that names none. */
const RESERVED_UT = 1_000;
let world: ApiWorld;
let client: NodeClient;

beforeEach(async () => {
  const accounts = [alice, bob].map(({ pub }) => ({ pub_key: pub, balance_ut: 1_000_000 }));
  world = await createApiWorld({ genesis: { ...CONTRACTS_GENESIS, accounts } });
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
});
afterEach(() => world[Symbol.asyncDispose]());

const submit = (body: object): Promise<LightMyRequestResponse> =>
  world.server.app.inject({ method: "POST", url: "/api/tx", payload: body });
const errorOf = (response: LightMyRequestResponse): string => response.json<{ readonly error: string }>().error;
const transfer = (over: object = {}): Transaction => signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {}, ...over });

/** Signed by Alice over canonical bytes in which some text is another one. */
function signedOver(tx: Transaction, from: string, to: string): Transaction {
  const text = fromUtf8(signedBytes(tx));
  return { ...tx, signature: toBase64(signEd25519(utf8(text.replaceAll(from, to)), alice.seed)) };
}

describe("a submitted transaction", () => {
  it("may name keys in upper case, and is signed with them in lower case, as blocks hold them", async () => {
    const tx = transfer();
    const shouted = alice.pub.toUpperCase();
    const refused = await submit({ ...signedOver(tx, alice.pub, shouted), from: shouted });
    expect([refused.statusCode, errorOf(refused)]).toEqual([400, expect.stringContaining("signature")]);
    const accepted = await submit({ ...tx, from: shouted, to: bob.pub.toUpperCase() });
    expect(accepted.json()).toEqual({ status: "accepted", id: tx.id });
  });

  it("loses a memo outside of the payload, with a warning, and keeps the one that is signed", async () => {
    const tx = transfer({ payload: { memo: "signed" } });
    const answer = await submit({ ...tx, memo: "added on the way" });
    expect(answer.json()).toEqual({ status: "accepted", id: tx.id, warning: expect.stringContaining("was dropped") });
    world.commit();
    expect((await client.getChainTransaction({ tx_id: tx.id })).tx.memo).toBe("signed");
  });

  it("may have nulls for what it leaves out, and fields that the node does not know", async () => {
    const tx = transfer();
    expect((await submit({ ...tx, memo: null, colour: "red" })).json()).toEqual({ status: "accepted", id: tx.id });
    const bare = signed(alice, { type: "HEARTBEAT", payload: {} });
    expect((await submit({ ...bare, to: null, amount: null, memo: null })).statusCode).toBe(200);
  });

  it("moves at least 1 µT when it is a TRANSFER, and the document says so", async () => {
    for (const amount of [0, undefined]) {
      const response = await submit({ ...transfer({ amount: 0 }), amount });
      expect([response.statusCode, errorOf(response)]).toEqual([400, expect.stringMatching(/amount|transfer/i)]);
    }
    const document = JSON.stringify(createOpenApiDocument());
    expect(document).toContain("µT; at least 1 for a TRANSFER");
  });

  it("is accepted again with its id by a node that has it, waiting or in a block", async () => {
    const tx = transfer();
    for (let n = 0; n < 2; n += 1) expect((await submit(tx)).json()).toEqual({ status: "accepted", id: tx.id });
    world.commit();
    expect((await submit(tx)).json()).toMatchObject({ id: tx.id });
    expect((await client.getAddress({ addr: bob.pub })).balance_ut).toBe(1_000_005);
  });
});

describe("the registration of a username", () => {
  it("needs price, fee and the price of the gas limit, and takes the gas that it used alone", async () => {
    const funds = PRICE_UT + FEE_UT + RESERVED_UT;
    const fund = (amount: number): Transaction => signed(alice, { type: "TRANSFER", to: carol.pub, amount, payload: {} });
    const register = callNative(carol, "username_registry", "register", { args: ["carol"], amountUt: PRICE_UT });
    await client.submitTransaction({ body: fund(funds - 1) });
    world.commit();
    expect((await submit(register)).statusCode).toBe(400);
    await client.submitTransaction({ body: fund(1) });
    world.commit();
    expect((await submit(register)).statusCode).toBe(200);
    world.commit();
    const { status, gas_fee_ut: gas = 0 } = (await client.getTransaction({ txid: register.id })) as {
      readonly status: string;
      readonly gas_fee_ut?: number;
    };
    expect(status).toBe("ok");
    expect(gas).toBeGreaterThan(0);
    expect(gas).toBeLessThan(RESERVED_UT);
    expect((await client.getAddress({ addr: carol.pub })).balance_ut).toBe(RESERVED_UT - gas);
  });
});

describe("DELETE /relay/inbox", () => {
  it("answers deleted for an envelope of another key, and takes nothing out of any mailbox", async () => {
    const [recipientPub, otherPub] = [deviceKey(70), deviceKey(71)];
    const sender = boxKeyPair(new Uint8Array(createHash("sha256").update("sender").digest()));
    const nonce = new Uint8Array(24).fill(1);
    const envelope = sealEnvelope({ plaintext: utf8("x"), recipientPub, sender, senderMasterPub: "", nonce, sentAt: 1 });
    await world.relay.broadcast(envelope);
    expect(await client.deleteEnvelope({ envID: envelope.id, pub: otherPub })).toEqual({ id: envelope.id, status: "deleted" });
    expect(await client.countInbox({ pub: recipientPub })).toEqual({ pub: recipientPub, count: 1 });
    await client.deleteEnvelope({ envID: envelope.id, pub: recipientPub });
    expect(await client.countInbox({ pub: recipientPub })).toEqual({ pub: recipientPub, count: 0 });
  });
});
