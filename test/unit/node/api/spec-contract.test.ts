// The tables of the public contract, line by line: each endpoint with each documented status and the types of its fields.
// Written down here a second time, on purpose: the node's own schemas could be wrong together with what they check.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import {
  BUILD,
  blockSummary,
  chainTransaction,
  contactInfo,
  contract,
  inboxItem,
  nothing,
  stateValue,
  submitted,
  transactionEntry,
  updateCheck,
  validators,
  wellKnown,
} from "#test/support/api/public-shapes.ts";
import * as a from "#test/support/api/response-shape.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { mailStores } from "#test/support/postgres/mail-stores.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, deviceKey, signed, validator } from "#test/support/worlds/ledger-world.ts";

const PUB = deviceKey(70);
const TOKENS = nativeContractId("tokens");
const REGISTRY = nativeContractId("username_registry");
let world: ApiWorld;
let transferId: string;

const transfer = (): Transaction => signed(alice, { type: "TRANSFER", to: bob.pub, amount: 3, payload: { memo: "hi" } });
const envelope = (nonce: number): object =>
  sealEnvelope({
    plaintext: utf8("x"),
    recipientPub: PUB,
    sender: boxKeyPair(new Uint8Array(32).fill(71)),
    senderMasterPub: "",
    nonce: new Uint8Array(24).fill(nonce),
    sentAt: 1_000,
  });

describe.each(mailStores())("the contract, with mailboxes in %s", (_name, mail) => {
  beforeAll(async () => {
    world = await createApiWorld({ mail, genesis: CONTRACTS_GENESIS });
    const paid = transfer();
    transferId = paid.id;
    const txs = [
      paid,
      signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(72), nickname: "Bob" } }),
      signed(bob, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(73), device_name: "desk" } }),
      signed(bob, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(74), fee_per_msg_ut: 5 } }),
      signed(alice, { type: "CONTACT_REQUEST", to: bob.pub, amount: 5_000, payload: { intro: "It is me" } }),
      callNative(alice, "username_registry", "register", { args: ["alice"], amountUt: 10_000 }),
      callNative(alice, "tokens", "issue", { args: ["tea", "Tea", "TEA", 0, 9] }),
      callNative(alice, "nfts", "mint", { args: ["cup", "A cup", ""] }),
    ];
    for (const tx of txs) await world.services.mempool.submit(tx, world.clock.nowMs());
    world.commit();
    await world.mail.broadcast(envelope(1));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  interface Request {
    readonly method: "GET" | "POST" | "PUT" | "DELETE";
    readonly url: string;
    readonly payload?: object;
  }

  async function ask(server: ApiWorld["server"], { method, url, payload }: Request): Promise<{ status: number; body: unknown }> {
    const response = await server.app.inject({ method, url, ...(payload === undefined ? {} : { payload }) });
    return { status: response.statusCode, body: response.json() };
  }

  describe("every read", () => {
    it.each<[string, a.Shape]>([
      [
        "/api/netstats",
        a.obj({
          height: a.uint,
          total_txs: a.uint,
          total_transfers: a.uint,
          total_relay_proofs: a.uint,
          avg_block_time_ms: a.num,
          tps: a.num,
          total_supply_ut: a.uint,
          validator_count: a.uint,
        }),
      ],
      ["/api/blocks", a.listOf(a.obj(blockSummary))],
      [
        "/api/block/1",
        a.obj({
          ...blockSummary,
          prev_hash: a.hexKey,
          validator_addr: a.str,
          transactions: a.listOf(a.obj({ id: a.str, type: a.str, from: a.hexKey, to: a.hexKeyOrEmpty, amount_ut: a.uint, fee_ut: a.uint })),
        }),
      ],
      ["/api/txs/recent", a.listOf(a.obj(transactionEntry))],
      [
        "/api/tx/:transfer",
        a.obj({
          ...transactionEntry,
          block_time: a.dateTime,
          payload: a.obj({ memo: a.str }),
          payload_hex: a.hex,
          signature_hex: a.hex,
          gas_used: a.optional(a.uint),
        }),
      ],
      [
        `/api/address/${alice.pub}`,
        a.obj({
          address: a.address,
          pub_key: a.hexKey,
          balance_ut: a.uint,
          balance: a.amountText,
          tx_count: a.uint,
          offset: a.uint,
          limit: a.uint,
          has_more: a.bool,
          next_offset: a.uint,
          transactions: a.listOf(a.obj(transactionEntry)),
        }),
      ],
      [
        `/api/node/${formatAddress(validator.pub)}`,
        a.obj({
          pub_key: a.hexKey,
          address: a.address,
          node_balance_ut: a.uint,
          node_balance: a.amountText,
          wallet_binding_address: a.addressOrEmpty,
          wallet_binding_balance_ut: a.uint,
          reputation_score: a.int,
          reputation_rank: a.oneOf("Observer", "Active", "Trusted", "Validator"),
          blocks_produced: a.uint,
          relay_proofs: a.uint,
          slash_count: a.uint,
          heartbeats: a.uint,
          recent_window_blocks: a.uint,
          recent_blocks_produced: a.uint,
          recent_rewards_ut: a.uint,
          recent_rewards: a.amountText,
        }),
      ],
      [
        "/api/relays",
        a.listOf(
          a.obj({
            pub_key: a.hexKey,
            address: a.address,
            relay: a.obj({ x25519_pub_key: a.hexKey, fee_per_msg_ut: a.uint, multiaddr: a.optional(a.str) }),
            last_heartbeat: a.optional(a.uint),
          }),
        ),
      ],
      ["/api/validators", a.obj({ count: a.uint, ...validators })],
      [
        `/api/identity/${formatAddress(bob.pub)}`,
        a.obj({
          pub_key: a.hexKey,
          address: a.address,
          x25519_pub: a.hexKeyOrEmpty,
          nickname: a.str,
          registered: a.bool,
          device_count: a.optional(a.uint),
        }),
      ],
      [
        `/api/devices/${bob.pub}`,
        a.obj({
          master_pub: a.hexKey,
          count: a.uint,
          devices: a.listOf(a.obj({ x25519_pub_key: a.hexKey, device_name: a.str, added_at: a.uint })),
        }),
      ],
      [
        `/v2/chain/accounts/${alice.pub}/transactions?order=asc&limit=3&after_block=0&before_block=9`,
        a.obj({
          account_id: a.str,
          account_addr: a.address,
          count: a.uint,
          order: a.oneOf("asc", "desc"),
          limit_applied: a.uint,
          transactions: a.listOf(a.obj(chainTransaction)),
        }),
      ],
      [
        "/v2/chain/transactions/:transfer",
        a.obj({ tx: a.obj(chainTransaction), payload: a.obj({ memo: a.str }), payload_hex: a.hex, signature_hex: a.hex }),
      ],
      [`/relay/inbox?pub=${PUB}`, a.obj({ pub: a.hexKey, count: a.uint, has_more: a.bool, items: a.listOf(inboxItem) })],
      [`/relay/inbox/count?pub=${PUB}`, a.obj({ pub: a.hexKey, count: a.uint })],
      [`/relay/contacts?pub=${bob.pub}`, a.obj({ pub: a.hexKey, count: a.uint, has_more: a.bool, contacts: a.listOf(contactInfo) })],
      [
        "/api/network-info",
        a.obj({
          chain_id: a.str,
          genesis_hash: a.hexKey,
          peers: a.listOf(a.obj({ id: a.str, version: a.str })),
          ...validators,
          contracts: wellKnown,
        }),
      ],
      [
        "/api/well-known-version",
        a.obj({
          node_version: a.str,
          protocol_version: a.uint,
          features: a.listOf(a.str),
          chain_id: a.optional(a.str),
          build: a.obj(BUILD),
        }),
      ],
      ["/api/well-known-contracts", a.obj({ count: a.uint, contracts: wellKnown })],
      ["/api/peers", a.obj({ peers: a.listOf(a.obj({ id: a.str, version: a.str })) })],
      [
        "/api/contracts",
        a.obj({
          count: a.uint,
          contracts: a.listOf(a.obj({ ...contract, abi: a.obj({ contract: a.str, version: a.str, methods: a.listOf(a.obj({})) }) })),
        }),
      ],
      [`/api/contracts/${TOKENS}`, a.obj({ ...contract, abi_json: a.str })],
      [`/api/contracts/${REGISTRY}/state/name:alice`, stateValue(nothing)],
      [`/api/contracts/${TOKENS}/state/t:tea:supply`, stateValue(a.uint)],
      [`/api/contracts/${TOKENS}/state/none`, stateValue(nothing)],
      [
        `/api/contracts/${TOKENS}/logs`,
        a.obj({
          contract_id: a.contractId,
          count: a.uint,
          logs: a.listOf(a.obj({ tx_id: a.str, block_index: a.uint, timestamp: a.uint, message: a.str })),
        }),
      ],
      ["/api/tokens", a.obj({ count: a.uint, tokens: a.listOf(a.obj({ token_id: a.str })) })],
      ["/api/tokens/tea", a.obj({ token_id: a.str })],
      [`/api/tokens/tea/balance/${alice.pub}`, a.obj({ token_id: a.str, pub_key: a.hexKey, address: a.address, balance: a.uint })],
      ["/api/nfts", a.obj({ count: a.uint, nfts: a.listOf(a.obj({})) })],
      ["/api/nfts/cup", a.obj({})],
      [`/api/nfts/owner/${alice.pub}`, a.obj({ count: a.uint, nfts: a.listOf(a.obj({})) })],
      ["/swagger/openapi.json", a.obj({ openapi: a.str, info: a.obj({ title: a.oneOf("Node API"), version: a.oneOf("0.4.0") }) })],
    ])("GET %s has its fields", async (path, shape) => {
      const { status, body } = await ask(world.server, { method: "GET", url: path.replace(":transfer", transferId) });
      expect([status, shape(body)]).toEqual([200, undefined]);
    });
  });

  describe("every write", () => {
    it.each<[string, () => Request, a.Shape]>([
      ["/api/tx", (): Request => ({ method: "POST", url: "/api/tx", payload: transfer() }), submitted],
      ["/v2 submit", (): Request => ({ method: "POST", url: "/v2/chain/transactions", payload: { tx: transfer() } }), submitted],
      [
        "/v2 submit of text",
        (): Request => ({ method: "POST", url: "/v2/chain/transactions", payload: { signed_tx: JSON.stringify(transfer()) } }),
        submitted,
      ],
      [
        "draft",
        (): Request => ({ method: "POST", url: "/v2/chain/transactions/draft", payload: { from: alice.pub, to: bob.pub, amount_ut: 1 } }),
        a.obj({
          tx: a.obj({ id: a.str, type: a.oneOf("TRANSFER") }),
          sign_bytes_hex: a.hex,
          sign_bytes_base64: a.b64,
          note: a.optional(a.str),
        }),
      ],
      [
        "/relay/send",
        (): Request => ({ method: "POST", url: "/relay/send", payload: { recipient_pub: PUB, msg_b64: toBase64(utf8("hi")) } }),
        a.obj({ id: a.str, recipient_pub: a.hexKey, status: a.oneOf("sent") }),
      ],
      [
        "/relay/broadcast",
        (): Request => ({ method: "POST", url: "/relay/broadcast", payload: { envelope: envelope(2) } }),
        a.obj({ id: a.str, status: a.oneOf("broadcast") }),
      ],
      [
        "DELETE /relay/inbox",
        (): Request => ({ method: "DELETE", url: `/relay/inbox/${toHex(new Uint8Array(16))}?pub=${PUB}` }),
        a.obj({ id: a.str, status: a.oneOf("deleted") }),
      ],
    ])("%s is answered with its fields", async (_name, request, shape) => {
      const { status, body } = await ask(world.server, request());
      expect([status, shape(body)]).toEqual([200, undefined]);
    });
  });

  describe("every documented refusal", () => {
    it.each<[number, Request]>([
      [404, { method: "GET", url: "/api/block/900" }],
      [404, { method: "GET", url: "/api/tx/none" }],
      [404, { method: "GET", url: "/api/address/none" }],
      [404, { method: "GET", url: "/api/node/none" }],
      [404, { method: "GET", url: "/api/identity/none" }],
      [404, { method: "GET", url: "/v2/chain/accounts/none/transactions" }],
      [400, { method: "GET", url: `/v2/chain/accounts/${alice.pub}/transactions?limit=0` }],
      [400, { method: "GET", url: `/v2/chain/accounts/${alice.pub}/transactions?order=up` }],
      [404, { method: "GET", url: "/v2/chain/transactions/none" }],
      [400, { method: "POST", url: "/api/tx", payload: {} }],
      [400, { method: "POST", url: "/v2/chain/transactions", payload: {} }],
      [400, { method: "POST", url: "/v2/chain/transactions/draft", payload: {} }],
      [400, { method: "POST", url: "/relay/send", payload: {} }],
      [400, { method: "POST", url: "/relay/broadcast", payload: {} }],
      [400, { method: "PUT", url: `/relay/cards/${PUB}`, payload: {} }],
      [400, { method: "PUT", url: `/relay/cards/${PUB}`, payload: { card: "no base64" } }],
      [400, { method: "PUT", url: `/relay/cards/${PUB}`, payload: { card: "A".repeat(2_052) } }],
      [403, { method: "PUT", url: `/relay/cards/${PUB}`, payload: { card: "AAAA" } }],
      [400, { method: "GET", url: `/relay/cards/some?master_pub=${PUB}` }],
      [400, { method: "GET", url: `/relay/cards/${PUB}` }],
      [400, { method: "GET", url: `/relay/cards/${PUB}?master_pub=some` }],
      [404, { method: "GET", url: `/relay/cards/${PUB}?master_pub=${PUB}` }],
      [400, { method: "GET", url: "/relay/inbox" }],
      [400, { method: "DELETE", url: "/relay/inbox/some" }],
      [400, { method: "GET", url: "/relay/contacts" }],
      [404, { method: "GET", url: "/api/contracts/0123456789abcdef" }],
      [404, { method: "GET", url: "/api/tokens/none" }],
      [404, { method: "GET", url: "/api/nfts/none" }],
      [503, { method: "GET", url: "/api/update-check" }],
    ])("%s %j has one text", async (expected, request) => {
      const { status, body } = await ask(world.server, request);
      expect([status, a.errorShape(body)]).toEqual([expected, undefined]);
    });

    it("a failing node answers 500 to submissions", async () => {
      const fail = (): never => {
        throw new Error("disk");
      };
      await using broken = await createApiWorld({ services: { mempool: { size: 0, get: () => undefined, submit: fail } } });
      for (const [url, payload] of [
        ["/api/tx", transfer()],
        ["/v2/chain/transactions", { tx: transfer() }],
      ] as const) {
        const { status, body } = await ask(broken.server, { method: "POST", url, payload });
        expect([status, a.errorShape(body)]).toEqual([500, undefined]);
      }
    });

    it("a relay that is switched off answers 503", async () => {
      await using off = await createApiWorld({ relay: { isEnabled: false } });
      const send = { recipient_pub: PUB, msg_b64: toBase64(utf8("hi")) };
      for (const [url, payload] of [
        ["/relay/send", send],
        ["/relay/broadcast", { envelope: envelope(3) }],
      ] as const) {
        const { status, body } = await ask(off.server, { method: "POST", url, payload });
        expect([status, a.errorShape(body)]).toEqual([503, undefined]);
      }
    });

    it("the update check answers with its fields, or 502 when its source fails", async () => {
      const { build } = world.services.node.version;
      const check = {
        current: build,
        latest: { tag: "v1", commit: "", url: "", published_at: "" },
        update_available: true,
        checked_at: "now",
      };
      await using good = await createApiWorld({ services: { checkForUpdate: () => check } });
      const response = await ask(good.server, { method: "GET", url: "/api/update-check" });
      expect([response.status, updateCheck(response.body)]).toEqual([200, undefined]);
      const failure = new CodedError("UPSTREAM_FAILED", "The update source answered 500");
      await using bad = await createApiWorld({ services: { checkForUpdate: () => Promise.reject(failure) } });
      const { status, body } = await ask(bad.server, { method: "GET", url: "/api/update-check" });
      expect([status, a.errorShape(body)]).toEqual([502, undefined]);
    });

    it("the documentation is absent when it is switched off", async () => {
      await using bare = await createApiWorld({ api: { servesSwagger: false } });
      for (const url of ["/swagger", "/swagger/openapi.json"]) expect((await bare.server.app.inject(url)).statusCode).toBe(404);
    });
  });
});
