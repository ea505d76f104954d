// A client whose types an independent generator made of docs/openapi.json (openapi-typescript, openapi-fetch), against a real server: each
// read compiles against the document, and what comes back fits the document's schemas by an independent validator (ajv).
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import createClient, { type Client } from "openapi-fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { publicCardNumber } from "#shared/protocol/pairs/public-card.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, utf8 } from "#shared/util/bytes.ts";
import { DocumentValidator } from "#test/support/api/document-validator.ts";
import type { components, paths } from "#test/support/api/openapi-types.ts";
import { CONTRACTS_GENESIS, callNative, deployEmpty } from "#test/support/chain/contract-calls.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, deviceKey, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";
import { publicCardOf } from "#test/support/worlds/public-card-of.ts";

const text = readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8");
const types = readFileSync(new URL("../../../support/api/openapi-types.ts", import.meta.url), "utf8");
interface Operation {
  readonly responses: Readonly<Record<number, { readonly content: { readonly "application/json": { readonly schema: object } } }>>;
}
const document = JSON.parse(text) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
};
const TOKENS = nativeContractId("tokens");
const CHANNEL = "ab".repeat(16);
const inbox = deviceKey(70);
const transfer = (): Transaction => signed(alice, { type: "TRANSFER", to: bob.pub, amount: 3, payload: { memo: "hi" } });

let world: ApiWorld;
let client: Client<paths>;
/** In a block, and waiting for one. */
let ids: { readonly paid: string; readonly waiting: string; readonly hash: string };

beforeAll(async () => {
  const build = { tag: "v0", commit: "abc", date: "2026-01-01", dirty: "false" };
  const latest = { tag: "v1", commit: "", url: "", published_at: "" };
  world = await createApiWorld({
    genesis: CONTRACTS_GENESIS,
    services: { checkForUpdate: () => ({ current: build, latest, update_available: true, checked_at: "2026-01-01T00:00:00Z" }) },
  });
  const { mempool } = world.services;
  const [paid, waiting] = [transfer(), transfer()];
  const channel = { channel_id: CHANNEL, expires_at: START_MS / 1000 + 3_600 };
  const txs = [
    paid,
    signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(72), nickname: "Bob" } }),
    signed(bob, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(73), device_name: "desk" } }),
    signed(bob, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(74), fee_per_msg_ut: 5, multiaddr: "/ip4/192.0.2.1" } }),
    signed(alice, { type: "ADD_VALIDATOR", payload: { pub_key: alice.pub } }),
    signed(alice, { type: "CONTACT_REQUEST", to: bob.pub, amount: 5_000, payload: { intro: "It is me" } }),
    signed(alice, { type: "OPEN_PAY_CHAN", to: bob.pub, amount: 5, payload: channel }),
    callNative(alice, "username_registry", "register", { args: ["alice"], amountUt: 10_000 }),
    callNative(alice, "tokens", "issue", { args: ["tea", "Tea", "TEA", 0, 9] }),
    callNative(alice, "nfts", "mint", { args: ["cup", "A cup", ""] }),
    deployEmpty(alice),
  ];
  for (const tx of txs) await mempool.submit(tx, world.clock.nowMs());
  world.commit();
  await mempool.submit(waiting, world.clock.nowMs());
  const sender = boxKeyPair(new Uint8Array(32).fill(71));
  const nonce = new Uint8Array(24);
  await world.relay.broadcast(
    sealEnvelope({ plaintext: utf8("x"), recipientPub: inbox, sender, senderMasterPub: alice.pub, nonce, sentAt: 9 }),
  );
  const { height, timeMs } = world.executor.tip();
  const ofBob = { chainId: world.services.node.chainId, device: deviceKey(73), master: bob.seed };
  await world.services.cards.publish(deviceKey(73), publicCardOf({ ...ofBob, number: publicCardNumber(timeMs), height }));
  const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
  client = createClient<paths>({ baseUrl: `http://127.0.0.1:${port}` });
  const [newest] = await world.services.explorer.listBlocks({ limit: 1 });
  ids = { paid: paid.id, waiting: waiting.id, hash: newest?.hash ?? "" };
});
afterAll(() => world[Symbol.asyncDispose]());

interface Result {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

const inPath = <T>(path: T): { readonly params: { readonly path: T } } => ({ params: { path } });
const inQuery = <T>(query: T): { readonly params: { readonly query: T } } => ({ params: { query } });

/** A call of every GET path with a body in JSON; some twice, where answers differ. */
const READS: readonly (readonly [path: keyof paths, call: () => Promise<Result>])[] = [
  ["/api/netstats", (): Promise<Result> => client.GET("/api/netstats")],
  ["/api/charts", (): Promise<Result> => client.GET("/api/charts", inQuery({ resolution: "day", limit: 2 }))],
  ["/api/blocks", (): Promise<Result> => client.GET("/api/blocks", inQuery({ limit: 2 }))],
  ["/api/block/{index}", (): Promise<Result> => client.GET("/api/block/{index}", inPath({ index: 1 }))],
  ["/api/block/hash/{hash}", (): Promise<Result> => client.GET("/api/block/hash/{hash}", inPath({ hash: ids.hash }))],
  ["/api/txs/recent", (): Promise<Result> => client.GET("/api/txs/recent")],
  ["/api/tx/{txid}", (): Promise<Result> => client.GET("/api/tx/{txid}", inPath({ txid: ids.paid }))],
  ["/api/tx/{txid}", (): Promise<Result> => client.GET("/api/tx/{txid}", inPath({ txid: ids.waiting }))],
  [
    "/api/address/{addr}",
    (): Promise<Result> => client.GET("/api/address/{addr}", { params: { path: { addr: alice.pub }, query: { limit: 5 } } }),
  ],
  ["/api/identity/{pubkey}", (): Promise<Result> => client.GET("/api/identity/{pubkey}", inPath({ pubkey: bob.pub }))],
  ["/api/devices/{master_pub}", (): Promise<Result> => client.GET("/api/devices/{master_pub}", inPath({ master_pub: bob.pub }))],
  [
    "/v2/chain/accounts/{account_id}/transactions",
    (): Promise<Result> =>
      client.GET("/v2/chain/accounts/{account_id}/transactions", {
        params: { path: { account_id: alice.pub }, query: { order: "asc", limit: 3 } },
      }),
  ],
  ["/v2/chain/transactions/{tx_id}", (): Promise<Result> => client.GET("/v2/chain/transactions/{tx_id}", inPath({ tx_id: ids.paid }))],
  ["/v2/chain/transactions/{tx_id}", (): Promise<Result> => client.GET("/v2/chain/transactions/{tx_id}", inPath({ tx_id: ids.waiting }))],
  [
    "/relay/cards/{device}",
    (): Promise<Result> =>
      client.GET("/relay/cards/{device}", { params: { path: { device: deviceKey(73) }, query: { master_pub: bob.pub } } }),
  ],
  ["/relay/box", (): Promise<Result> => client.GET("/relay/box", inQuery({ pub: inbox }))],
  ["/relay/inbox", (): Promise<Result> => client.GET("/relay/inbox", inQuery({ pub: inbox }))],
  ["/relay/inbox/count", (): Promise<Result> => client.GET("/relay/inbox/count", inQuery({ pub: inbox }))],
  ["/relay/contacts", (): Promise<Result> => client.GET("/relay/contacts", inQuery({ pub: bob.pub }))],
  ["/relay/contacts/sent", (): Promise<Result> => client.GET("/relay/contacts/sent", inQuery({ pub: alice.pub }))],
  ["/api/contracts", (): Promise<Result> => client.GET("/api/contracts")],
  ["/api/contracts", (): Promise<Result> => client.GET("/api/contracts", inQuery({ limit: 1 }))],
  ["/api/contracts/{contractID}", (): Promise<Result> => client.GET("/api/contracts/{contractID}", inPath({ contractID: TOKENS }))],
  [
    "/api/contracts/{contractID}/state/{key}",
    (): Promise<Result> => client.GET("/api/contracts/{contractID}/state/{key}", inPath({ contractID: TOKENS, key: "t:tea:supply" })),
  ],
  [
    "/api/contracts/{contractID}/logs",
    (): Promise<Result> => client.GET("/api/contracts/{contractID}/logs", inPath({ contractID: TOKENS })),
  ],
  ["/api/well-known-contracts", (): Promise<Result> => client.GET("/api/well-known-contracts")],
  ["/api/tokens", (): Promise<Result> => client.GET("/api/tokens")],
  ["/api/tokens/{id}", (): Promise<Result> => client.GET("/api/tokens/{id}", inPath({ id: "tea" }))],
  [
    "/api/tokens/{id}/balance/{pubkey}",
    (): Promise<Result> => client.GET("/api/tokens/{id}/balance/{pubkey}", inPath({ id: "tea", pubkey: alice.pub })),
  ],
  ["/api/nfts", (): Promise<Result> => client.GET("/api/nfts")],
  ["/api/nfts/{id}", (): Promise<Result> => client.GET("/api/nfts/{id}", inPath({ id: "cup" }))],
  ["/api/tokens/owner/{pubkey}", (): Promise<Result> => client.GET("/api/tokens/owner/{pubkey}", inPath({ pubkey: alice.pub }))],
  ["/api/nfts/owner/{pubkey}", (): Promise<Result> => client.GET("/api/nfts/owner/{pubkey}", inPath({ pubkey: alice.pub }))],
  ["/api/channels", (): Promise<Result> => client.GET("/api/channels", inQuery({ account: bob.pub }))],
  ["/api/channels/{channel_id}", (): Promise<Result> => client.GET("/api/channels/{channel_id}", inPath({ channel_id: CHANNEL }))],
  ["/api/node/{pubkey}", (): Promise<Result> => client.GET("/api/node/{pubkey}", inPath({ pubkey: validator.pub }))],
  ["/api/node/history", (): Promise<Result> => client.GET("/api/node/history")],
  ["/api/relays", (): Promise<Result> => client.GET("/api/relays")],
  ["/api/params", (): Promise<Result> => client.GET("/api/params")],
  ["/api/validators", (): Promise<Result> => client.GET("/api/validators")],
  ["/api/validators/proposals", (): Promise<Result> => client.GET("/api/validators/proposals")],
  ["/api/proofs/account/{pubkey}", (): Promise<Result> => client.GET("/api/proofs/account/{pubkey}", inPath({ pubkey: alice.pub }))],
  ["/api/proofs/identity/{pubkey}", (): Promise<Result> => client.GET("/api/proofs/identity/{pubkey}", inPath({ pubkey: bob.pub }))],
  [
    "/api/proofs/contract/{contractID}/state/{key}",
    (): Promise<Result> => client.GET("/api/proofs/contract/{contractID}/state/{key}", inPath({ contractID: TOKENS, key: "t:tea:supply" })),
  ],
  ["/api/proofs/tx/{txid}", (): Promise<Result> => client.GET("/api/proofs/tx/{txid}", inPath({ txid: ids.paid }))],
  ["/api/proofs/block/{index}", (): Promise<Result> => client.GET("/api/proofs/block/{index}", inPath({ index: 1 }))],
  ["/api/network-info", (): Promise<Result> => client.GET("/api/network-info")],
  ["/api/genesis", (): Promise<Result> => client.GET("/api/genesis")],
  ["/api/well-known-version", (): Promise<Result> => client.GET("/api/well-known-version")],
  ["/api/peers", (): Promise<Result> => client.GET("/api/peers")],
  ["/api/update-check", (): Promise<Result> => client.GET("/api/update-check")],
  ["/api/status", (): Promise<Result> => client.GET("/api/status")],
  ["/api/search", (): Promise<Result> => client.GET("/api/search", inQuery({ q: "tea", limit: 3 }))],
];
/** Paths whose responses are no JSON, or need a secret of the node. */
const OTHERS = ["/metrics", "/api/events", "/api/ws", "/relay/feed", "/relay/feed/inbox", "/api/chain/feed"];

const documented = new DocumentValidator(document);

function problemOf(path: string, status: number, value: unknown): string | undefined {
  const schema = document.paths[path]?.get?.responses[status]?.content["application/json"].schema;
  return schema === undefined ? `the document has no response ${status} of ${path}` : documented.problemOf(schema, value);
}

describe("types that a generator makes of the document", () => {
  it("are those of the document: npm run openapi -- --client makes them again", () => {
    expect(types.slice(0, types.indexOf("\n"))).toContain(createHash("sha256").update(text).digest("hex"));
  });
});

describe("a client of those types", () => {
  it.each(READS)("reads %s, and the response fits the document", async (path, call) => {
    const { data, error, response } = await call();
    expect([response.status, error]).toEqual([200, undefined]);
    expect(problemOf(path, 200, data)).toBeUndefined();
  });

  it("reads every path that the document has", () => {
    const expected = Object.keys(document.paths).filter((path) => "get" in (document.paths[path] ?? {}) && !OTHERS.includes(path));
    expect([...new Set(READS.map(([path]) => path as string))].sort()).toEqual(expected.sort());
  });

  it("tells what waits for a block from what is in one", async () => {
    const read = async (txid: string): Promise<components["schemas"]["KnownTransaction"] | undefined> =>
      (await client.GET("/api/tx/{txid}", inPath({ txid }))).data;
    const [paid, waiting] = [await read(ids.paid), await read(ids.waiting)];
    expect(paid !== undefined && "block_index" in paid ? paid.block_index : undefined).toBe(1);
    expect(waiting !== undefined && !("block_index" in waiting) ? waiting.status : undefined).toBe("pending");
  });

  it("submits, drafts, calls and sends what the document describes, and is refused in its words", async () => {
    const submitted = await client.POST("/api/tx", { body: { ...transfer() } });
    expect(submitted.data).toMatchObject({ status: "accepted" });
    const draft = await client.POST("/v2/chain/transactions/draft", { body: { from: alice.pub, to: bob.pub, amount_ut: 1 } });
    expect(draft.data?.tx).toMatchObject({ from: alice.pub, fee: 1_000 });
    const call = { method: "transfer", args_json: JSON.stringify(["tea", bob.pub, 1]), from: alice.pub };
    const trial = await client.POST("/api/contracts/{contractID}/estimate", { ...inPath({ contractID: TOKENS }), body: call });
    expect(trial.data).toMatchObject({ status: "ok" });
    const sent = await client.POST("/relay/send", { body: { recipient_pub: inbox, msg_b64: toBase64(utf8("hi")) } });
    expect(sent.data).toMatchObject({ status: "sent" });
    const { error, response } = await client.GET("/api/tx/{txid}", inPath({ txid: "none" }));
    expect(response.status).toBe(404);
    expect(problemOf("/api/tx/{txid}", 404, error)).toBeUndefined();
  });

  it("would notice a response of another shape", () => {
    expect(problemOf("/api/validators", 200, { count: 1, validators: [{ pub_key: "ab" }] })).toContain("address");
    expect(problemOf("/api/validators", 200, { count: -1, validators: [] })).toContain(">= 0");
  });
});
