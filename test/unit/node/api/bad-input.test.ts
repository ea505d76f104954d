// What the interface refuses: always a JSON object with one text, always the documented status, nothing half-applied.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, deviceKey, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const JSON_TYPE = { "content-type": "application/json" };
const PUB = deviceKey(60);

let world: ApiWorld;

beforeAll(async () => {
  world = await createApiWorld({
    api: { limits: { bodyBytes: 20_000 } },
    services: { faucet: { give: () => ({ status: "accepted", id: "gift" }) } },
  });
});
afterAll(() => world[Symbol.asyncDispose]());

/** Makes a good body bad; an undefined field is left out. */
type Patch = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly error: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

async function call(method: string, url: string, body?: unknown, headers: Record<string, string> = JSON_TYPE): Promise<Answer> {
  const response = await world.server.app.inject({
    method: method as "GET",
    url,
    ...(body === undefined ? {} : { headers, payload: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  expect([url, response.headers["content-type"]]).toEqual([url, "application/json; charset=utf-8"]);
  const answer = response.json() as Record<string, unknown>;
  if (response.statusCode !== 200) {
    expect(Object.keys(answer)).toEqual(["error"]);
    expect(typeof answer.error === "string" && answer.error.length > 0).toBe(true);
  }
  return { status: response.statusCode, error: answer.error, headers: response.headers };
}

describe("parameters", () => {
  it.each([
    ["/api/blocks?limit=0", "limit"],
    ["/api/blocks?limit=-1", "limit"],
    ["/api/blocks?limit=ten", "limit"],
    ["/api/blocks?limit=", "limit"],
    ["/api/blocks?limit=1.5", "limit"],
    ["/api/blocks?limit=1e1", "limit"],
    ["/api/blocks?limit=0x10", "limit"],
    ["/api/blocks?limit=%205", "limit"],
    ["/api/blocks?limit=1&limit=2", "limit"],
    ["/api/txs/recent?limit=0", "limit"],
    ["/api/block/abc", "index"],
    ["/api/block/-1", "index"],
    ["/api/block/1.0", "index"],
    [`/api/address/${alice.pub}?limit=0`, "limit"],
    [`/api/address/${alice.pub}?offset=-1`, "offset"],
    [`/relay/inbox?pub=${PUB}&limit=0`, "limit"],
    [`/relay/inbox?pub=${PUB}&since=yesterday`, "since"],
    [`/relay/inbox?pub=${PUB}&since=-1`, "since"],
    ["/relay/inbox", "pub"],
    ["/relay/inbox?pub=", "pub"],
    ["/relay/inbox?pub=abcd", "pub"],
    [`/relay/inbox?pub=${PUB}00`, "pub"],
    [`/relay/inbox?pub=${PUB.slice(0, 63)}g`, "pub"],
    [`/relay/inbox?pub=${PUB}&pub=${PUB}`, "pub"],
    ["/relay/inbox/count", "pub"],
    ["/relay/contacts", "pub"],
    ["/relay/contacts?pub=nope", "nope"],
    ["/relay/contacts/sent?pub=pl1qqq", "pl1qqq"],
  ])("%s is a 400 that names %s", async (url, field) => {
    const { status, error } = await call("GET", url);
    expect(status).toBe(400);
    expect(error).toContain(field);
  });

  it.each(["/api/blocks?limit=100000", "/api/blocks?limit=99999999999999999999", "/api/txs/recent?limit=101"])(
    "%s is cut to the maximum",
    async (url) => expect((await world.server.app.inject(url)).statusCode).toBe(200),
  );

  it.each([
    "/api/block/2",
    "/api/block/18446744073709551615",
    "/api/tx/unknown",
    `/api/tx/${"x".repeat(128)}`,
    "/api/address/nope",
    `/api/address/${alice.pub}0`,
    "/api/address/pl1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
    "/api/identity/nope",
    "/api/devices/nope",
    "/api/nothing",
    "/relay",
    "/v2/chain/nothing",
  ])("%s is a 404", async (url) => expect((await call("GET", url)).status).toBe(404));

  it("a parameter of absurd length is a 414", async () => {
    expect((await call("GET", `/api/tx/${"x".repeat(5_000)}`)).status).toBe(414);
  });

  it("a path that is no URL is a 400", async () => expect((await call("GET", "/api/tx/%zz")).status).toBe(400));

  it.each([
    ["POST", "/api/netstats", "GET"],
    ["GET", "/api/dev/faucet", "POST"],
    ["PUT", "/api/tx", "POST"],
    ["DELETE", "/relay/inbox", "GET"],
  ])("%s %s is a 405 that allows %s", async (method, url, allowed) => {
    const { status, headers } = await call(method, url);
    expect(status).toBe(405);
    expect(headers.allow).toBe(allowed);
  });
});

describe("bodies", () => {
  const endpoints = ["/api/tx", "/relay/broadcast", "/relay/send", "/api/dev/faucet"];

  it.each(endpoints.flatMap((url) => ["", "{", "nonsense", "[]", "null", "5", '"text"', "{'a':1}"].map((body) => [url, body] as const)))(
    "%s refuses %j",
    async (url, body) => expect((await call("POST", url, body)).status).toBe(400),
  );

  it.each(endpoints)("%s reads JSON whatever its type says, and nothing of a page of another site", async (url) => {
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"];
    const { status, error } = await call("POST", url, "{}");
    for (const type of types) {
      expect(await call("POST", url, "{}", { "content-type": type })).toMatchObject({ status, error });
      for (const foreign of [{ origin: "https://evil.example" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }])
        expect((await call("POST", url, "{}", { "content-type": type, ...foreign })).status).toBe(403);
    }
  });

  it.each(endpoints)("%s refuses a body over the cap", async (url) => {
    expect((await call("POST", url, JSON.stringify({ type: "x".repeat(20_001) }))).status).toBe(413);
  });

  it("survives names that mean something to JavaScript", async () => {
    const { status } = await call("POST", "/api/tx", '{"__proto__":{"type":"TRANSFER"},"constructor":{"prototype":{}}}');
    expect(status).toBe(400);
  });
});

describe("transactions", () => {
  const tx = (): Record<string, unknown> => ({ ...signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} }) });

  const BAD_TRANSACTIONS: readonly (readonly [string, Patch, RegExp])[] = [
    ["without type", { type: undefined }, /type/],
    ["of an unknown type", { type: "GIVE_ME" }, /type/],
    ["of a system type", { type: "BLOCK_REWARD" }, /type/],
    ["with a short from", { from: "ab" }, /from/],
    ["with a numeric from", { from: 5 }, /from/],
    ["with a text amount", { amount: "1" }, /amount/],
    ["with a negative amount", { amount: -1 }, /amount/],
    ["with a broken amount", { amount: 1.5 }, /amount/],
    ["with another amount than signed", { amount: 2 }, /id|signature/],
    ["without signature", { signature: undefined }, /signature/],
    ["with a short signature", { signature: "AAAA" }, /signature/],
    ["with base64 of another alphabet", { signature: "-_".repeat(44) }, /signature/],
    ["with a signature of no key", { signature: Buffer.alloc(64, 1).toString("base64") }, /signature/],
    ["without timestamp", { timestamp: undefined }, /timestamp/],
    ["with a timestamp of another form", { timestamp: "2026-01-01T00:00:00.000Z" }, /timestamp/],
    ["with payload that is not base64", { payload: "{}" }, /payload/],
    ["with an id of forbidden characters", { id: "a b" }, /id/],
    ["with a huge id", { id: "a".repeat(10_000) }, /id/],
  ];

  it.each(BAD_TRANSACTIONS)("%s are refused", async (_name, patch, words) => {
    const { status, error } = await call("POST", "/api/tx", { ...tx(), ...patch });
    expect(status).toBe(400);
    expect(error).toMatch(words);
    expect(world.services.mempool.size).toBe(0);
  });

  it.each([
    ["pay more than there is", { amount: 90_000_000 }, /balance|pay/],
    ["are two hours old", { amount: 1, nowMs: START_MS - 7_200_000 }, /timestamp/],
  ])("that %s are refused", async (_name, draft, words) => {
    const { status, error } = await call("POST", "/api/tx", signed(alice, { type: "TRANSFER", to: bob.pub, payload: {}, ...draft }));
    expect(status).toBe(400);
    expect(error).toMatch(words);
  });

  it("with an integer that JavaScript cannot hold are refused, not rounded", async () => {
    const text = JSON.stringify({ ...tx(), amount: 0 }).replace('"amount":0', '"amount":9007199254740993');
    const { status, error } = await call("POST", "/api/tx", text);
    expect(status).toBe(400);
    expect(error).toContain("amount");
  });

  it("are taken once", async () => {
    const once = tx();
    expect((await call("POST", "/api/tx", once)).status).toBe(200);
    expect((await call("POST", "/api/tx", once)).status).toBe(200);
    expect(world.services.mempool.size).toBe(1);
    world.commit();
    expect((await call("POST", "/api/tx", once)).status).toBe(200);
    expect(world.services.mempool.size).toBe(0);
  });
});

describe("envelopes", () => {
  const envelope = (): Record<string, unknown> => ({
    ...sealEnvelope({
      plaintext: utf8("hello"),
      recipientPub: PUB,
      sender: boxKeyPair(new Uint8Array(32).fill(61)),
      senderMasterPub: "",
      nonce: new Uint8Array(24),
      sentAt: 1,
    }),
  });

  const BAD_ENVELOPES: readonly (readonly [string, Patch, string])[] = [
    ["without id", { id: undefined }, "id"],
    ["with an empty id", { id: "" }, "id"],
    ["with a short recipient", { recipient_pub: "ab" }, "recipient_pub"],
    ["without sender", { sender_pub: undefined }, "sender_pub"],
    ["with a nonce of 23 bytes", { nonce: Buffer.alloc(23).toString("base64") }, "nonce"],
    ["with a nonce that is not base64", { nonce: "*".repeat(32) }, "nonce"],
    ["with base64 without padding", { ciphertext: `${Buffer.alloc(17).toString("base64").replace(/=/g, "")}` }, "ciphertext"],
    ["with an empty ciphertext", { ciphertext: "" }, "ciphertext"],
    ["with a negative fee", { fee_ut: -1 }, "fee_ut"],
    ["with a fee that is not signed", { fee_ut: 1 }, "fee_sig"],
    ["with a fee of no one", { fee_ut: 1, fee_sig: Buffer.alloc(64).toString("base64") }, "sender_ed25519_pub"],
    ["with a forged fee", { fee_ut: 1, fee_sig: Buffer.alloc(64).toString("base64"), sender_ed25519_pub: alice.pub }, "fee_sig"],
    ["sent at a text", { sent_at: "now" }, "sent_at"],
  ];

  it.each(BAD_ENVELOPES)("that are %s are refused", async (_name, patch, field) => {
    const { status, error } = await call("POST", "/relay/broadcast", { envelope: { ...envelope(), ...patch } });
    expect(status).toBe(400);
    expect(error).toContain(field);
    expect(world.relay.count(PUB)).toBe(0);
  });

  it.each([{}, { envelope: null }, { envelope: "text" }, { envelope: [] }])("are objects, unlike in %j", async (body) => {
    const { status, error } = await call("POST", "/relay/broadcast", body);
    expect(status).toBe(400);
    expect(error).toContain("envelope");
  });

  it("of absurd times are still listed", async () => {
    const sent: Record<string, unknown> = { ...envelope(), sent_at: Number.MAX_SAFE_INTEGER };
    expect((await call("POST", "/relay/broadcast", { envelope: sent })).status).toBe(200);
    const inbox = (await world.server.app.inject(`/relay/inbox?pub=${PUB}`)).json() as { readonly items: readonly unknown[] };
    expect(inbox.items).toMatchObject([{ sent_at: Number.MAX_SAFE_INTEGER, sent_at_human: "9999-12-31T23:59:59Z" }]);
    await world.server.app.inject({ method: "DELETE", url: `/relay/inbox/${String(sent.id)}?pub=${PUB}` });
  });

  it.each([
    [{ recipient_pub: PUB }, "msg_b64"],
    [{ msg_b64: "aGk=" }, "recipient_pub"],
    [{ recipient_pub: "no", msg_b64: "aGk=" }, "recipient_pub"],
    [{ recipient_pub: "0".repeat(64), msg_b64: "aGk=" }, "X25519"],
    [{ recipient_pub: PUB, msg_b64: "hello!" }, "msg_b64"],
    [{ recipient_pub: PUB, msg_b64: 5 }, "msg_b64"],
  ])("cannot be sealed from %j", async (body, words) => {
    const { status, error } = await call("POST", "/relay/send", body);
    expect(status).toBe(400);
    expect(error).toContain(words);
  });

  it("cannot be deleted without the mailbox's key", async () => {
    expect((await call("DELETE", "/relay/inbox/some-id")).status).toBe(400);
    expect((await call("DELETE", "/relay/inbox/some-id?pub=short")).status).toBe(400);
  });
});

describe("the faucet", () => {
  it.each([
    [{ to: alice.pub }, "amount_ut"],
    [{ amount_ut: 5 }, "to"],
    [{ to: "nope", amount_ut: 5 }, "nope"],
    [{ to: alice.pub, amount_ut: 0 }, "amount_ut"],
    [{ to: alice.pub, amount_ut: "5" }, "amount_ut"],
    [{ to: alice.pub, amount_ut: 1.5 }, "amount_ut"],
    [{ to: alice.pub, amount_ut: 1_000_000_001 }, "amount_ut"],
  ])("refuses %j", async (body, words) => {
    const { status, error } = await call("POST", "/api/dev/faucet", body);
    expect(status).toBe(400);
    expect(error).toContain(words);
  });

  it("does not exist on other networks", async () => {
    await using other = await createApiWorld();
    const response = await other.server.app.inject({ method: "POST", url: "/api/dev/faucet", payload: { to: alice.pub, amount_ut: 5 } });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ error: expect.stringContaining("faucet") });
  });
});

describe("the update check", () => {
  it("is a 503 without a source and a 502 when the source fails", async () => {
    expect(await call("GET", "/api/update-check")).toMatchObject({ status: 503, error: expect.stringContaining("SVC_UPDATE_URL") });
    await using failing = await createApiWorld({
      services: { checkForUpdate: () => Promise.reject(new CodedError("UPSTREAM_FAILED", "The update source answered 404")) },
    });
    const response = await failing.server.app.inject("/api/update-check");
    expect([response.statusCode, response.json()]).toEqual([502, { error: "The update source answered 404" }]);
  });
});

describe("failures inside", () => {
  it.each<[string, Error, number, RegExp]>([
    ["an unexpected error", new Error("secret path /home/me"), 500, /^The node failed/],
    ["a broken disk", new CodedError("STORAGE_FULL", "/home/me is full"), 500, /^The node failed/],
    ["a full pool", new CodedError("MEMPOOL_FULL", "The pool is full"), 503, /^The pool is full$/],
  ])("%s is answered with %s and reported in the log only", async (_name, failure, status, words) => {
    await using broken = await createApiWorld({
      services: {
        mempool: {
          size: 0,
          get: () => undefined,
          submit: (): never => {
            throw failure;
          },
        },
      },
    });
    const tx = { type: "TRANSFER", from: alice.pub };
    const response = await broken.server.app.inject({ method: "POST", url: "/api/tx?token=hidden", payload: tx });
    expect(response.statusCode).toBe(status);
    expect((response.json() as { readonly error: string }).error).toMatch(words);
    const log = broken.logLines.join("");
    expect(log.includes("/home/me")).toBe(status === 500);
    expect(log).not.toContain("hidden");
  });
});
