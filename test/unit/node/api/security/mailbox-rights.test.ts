// An owner's rights over a mailbox: by a proof of its key or the secret of the node's owner, never by an address.
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { InjectOptions } from "fastify";
import { describe, expect, it } from "vitest";
import { MAILBOX_FILE } from "#node/storage/mailbox/mailbox-repository.ts";
import { boxKeyPair, sealEnvelope, x25519 } from "#shared/protocol/mail/envelope.ts";
import { formatInboxProof } from "#shared/protocol/mail/inbox-proof.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { mailStores } from "#test/support/postgres/mail-stores.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";

const OTHER_MACHINE = "203.0.113.7";
const owner = boxKeyPair(new Uint8Array(32).fill(70));
const pub = toHex(owner.publicKey);

async function stored(world: ApiWorld, n = 1): Promise<string> {
  const envelope = sealEnvelope({
    plaintext: utf8("hi"),
    recipientPub: pub,
    sender: boxKeyPair(new Uint8Array(32).fill(71)),
    senderMasterPub: "",
    nonce: new Uint8Array(24).fill(n),
    sentAt: 1,
  });
  return (await world.mail.broadcast(envelope)).id;
}

interface ProofChoice {
  readonly method?: string;
  readonly ageSeconds?: number;
  readonly nonce?: number;
  readonly secretKey?: Uint8Array;
}

function proof(
  world: ApiWorld,
  path: string,
  { method = "DELETE", ageSeconds = 0, nonce, secretKey = owner.secretKey }: ProofChoice = {},
): string {
  const shared = x25519(secretKey, fromHex(world.mail.publicKey)) ?? new Uint8Array(32);
  const unixSeconds = Math.floor(world.clock.nowMs() / 1000) - ageSeconds;
  return formatInboxProof(shared, {
    method,
    path,
    unixSeconds,
    ...(nonce === undefined ? {} : { nonce: nonce.toString(16).padStart(32, "0") }),
  });
}

async function call(world: ApiWorld, options: InjectOptions, value?: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { ...options.headers, ...(value === undefined ? {} : { "x-inbox-proof": value }) };
  const response = await world.server.app.inject({ ...options, headers });
  return { status: response.statusCode, body: response.json() };
}

function deletion(id: string, options: InjectOptions = {}): InjectOptions {
  return { method: "DELETE", url: `/relay/inbox/${id}?pub=${pub}`, ...options };
}

/** Ids that a caller sees, and how many the node counts for it. */
async function seen(world: ApiWorld, options: { readonly proves?: boolean; readonly secret?: string } = {}): Promise<readonly unknown[]> {
  const headers = options.secret === undefined ? {} : { authorization: `Bearer ${options.secret}` };
  const value = (path: string): string | undefined =>
    options.proves === true ? proof(world, path, { method: "GET", nonce: Math.floor(Math.random() * 1e12) }) : undefined;
  const list = await call(world, { url: `/relay/inbox?pub=${pub}`, headers }, value("/relay/inbox"));
  const count = await call(world, { url: `/relay/inbox/count?pub=${pub}`, headers }, value("/relay/inbox/count"));
  const { items } = list.body as { readonly items: readonly { readonly id: string }[] };
  return [items.map(({ id }) => id), (count.body as { readonly count: number }).count];
}

const STORES = mailStores();

describe.each(STORES)("deleting from another machine, with mailboxes in %s", (_name, mail) => {
  it("needs the proof, for this request, of now, of the owner", async () => {
    await using world = await createApiWorld({ mail });
    const id = await stored(world);
    const path = `/relay/inbox/${id}`;
    const attempt = async (value?: string): Promise<number> =>
      (await call(world, deletion(id, { remoteAddress: OTHER_MACHINE }), value)).status;
    const bad = [
      undefined,
      "",
      "nonsense",
      `${Math.floor(world.clock.nowMs() / 1000)}.${"0".repeat(64)}`,
      proof(world, path, { secretKey: new Uint8Array(32).fill(72) }),
      proof(world, "/relay/inbox/other"),
      proof(world, path, { method: "GET" }),
      proof(world, path, { ageSeconds: 301 }),
      proof(world, path, { ageSeconds: -301 }),
    ];
    for (const value of bad) expect([value, await attempt(value)]).toEqual([value, 403]);
    expect(await world.mail.count(pub)).toBe(1);
    expect(await attempt(proof(world, path, { ageSeconds: 299 }))).toBe(200);
    expect(await world.mail.count(pub)).toBe(0);
  });

  it("deletes what the path names, whatever the query says", async () => {
    await using world = await createApiWorld({ mail });
    const [one, other] = [await stored(world, 1), await stored(world, 2)];
    const queries = [`pub=${pub}&envID=${other}`, `envID=${other}&pub=${pub}`, `pub=${pub}&envID=${other}&body=x`];
    for (const [nonce, query] of queries.entries()) {
      const options: InjectOptions = { method: "DELETE", url: `/relay/inbox/${one}?${query}`, remoteAddress: OTHER_MACHINE };
      expect((await call(world, options, proof(world, `/relay/inbox/${one}`, { nonce }))).body).toMatchObject({ id: one });
    }
    expect(await seen(world)).toEqual([[other], 1]);
  });

  it("is proven once: a request that was seen cannot be repeated", async () => {
    await using world = await createApiWorld({ mail });
    const id = await stored(world);
    const path = `/relay/inbox/${id}`;
    const attempt = async (value: string): Promise<number> =>
      (await call(world, deletion(id, { remoteAddress: OTHER_MACHINE }), value)).status;
    for (const value of [proof(world, path), proof(world, path, { nonce: 1 })]) {
      expect(await attempt(value)).toBe(200);
      await stored(world);
      world.clock.advance(1_000);
      for (const again of [value, value.toUpperCase()]) expect(await attempt(again)).toBe(403);
      expect(await world.mail.count(pub)).toBe(1);
    }
    expect(await attempt(proof(world, path, { nonce: 2 }))).toBe(200);
  });

  it("takes a path as a client writes it, its signs escaped or not", async () => {
    await using world = await createApiWorld({ mail });
    const id = "a:b";
    for (const [nonce, path] of [`/relay/inbox/${id}`, `/relay/inbox/${encodeURIComponent(id)}`].entries()) {
      const options: InjectOptions = { method: "DELETE", url: `${path}?pub=${pub}`, remoteAddress: OTHER_MACHINE };
      expect((await call(world, options, proof(world, path, { nonce }))).status).toBe(200);
    }
  });
});

describe.each(STORES)("a request without a proof that looks local, with mailboxes in %s", (_name, mail) => {
  it("deletes for callers without a proof; who proves the key still has the envelope", async () => {
    await using world = await createApiWorld({ mail, api: { localSecret: "secret" } });
    const [one, other] = [await stored(world, 1), await stored(world, 2)];
    expect(await call(world, deletion(one))).toEqual({ status: 200, body: { id: one, status: "deleted" } });
    expect(await call(world, deletion(one))).toMatchObject({ status: 200 });
    expect(await call(world, deletion("never-there"))).toMatchObject({ status: 200 });
    expect(await seen(world)).toEqual([[other], 1]);
    expect(await seen(world, { proves: true })).toEqual([[one, other], 2]);
    expect(await seen(world, { secret: "secret" })).toEqual([[one, other], 2]);
  });

  it("does not keep a sender from sending it again, nor the owner from deleting it", async () => {
    await using world = await createApiWorld({ mail });
    const id = await stored(world);
    await call(world, deletion(id));
    await stored(world);
    expect(await seen(world)).toEqual([[id], 1]);
    await call(world, deletion(id));
    expect((await call(world, deletion(id), proof(world, `/relay/inbox/${id}`))).status).toBe(200);
    expect(await seen(world, { proves: true })).toEqual([[], 0]);
  });

  it("is refused where it shows that it is none", async () => {
    await using world = await createApiWorld({ mail, api: { allowedHosts: ["node.example"], trustedProxies: ["127.0.0.2"] } });
    const id = await stored(world);
    const traces: readonly InjectOptions[] = [
      { headers: { "x-forwarded-for": "1.2.3.4" } },
      { headers: { forwarded: "for=1.2.3.4" } },
      { headers: { via: "1.1 proxy" } },
      { headers: { "x-real-ip": "1.2.3.4" } },
      { headers: { "x-forwarded-proto": "https" } },
      { headers: { "cf-connecting-ip": "1.2.3.4" } },
      { headers: { host: "node.example" } },
      { headers: { host: "node.example:8080" } },
      { remoteAddress: "127.0.0.2" },
    ];
    for (const trace of traces) expect([trace, (await call(world, deletion(id, trace))).status]).toEqual([trace, 403]);
    expect(await seen(world)).toEqual([[id], 1]);
  });

  it("is none when it came to another port, or over HTTP/1.0", async () => {
    await using world = await createApiWorld({ mail });
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const id = await stored(world);
    const attempt = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { host: "127.0.0.1", port, method: "DELETE", path: `/relay/inbox/${id}?pub=${pub}`, headers: { host } };
        const sent = httpRequest(options, (response) => {
          response.resume();
          response.once("end", () => resolve(response.statusCode));
        });
        sent.once("error", reject).end();
      });
    expect(await attempt(`127.0.0.1:${port + 1}`)).toBe(403);
    expect(await attempt("localhost")).toBe(403);
    expect(await attempt(`localhost:${port}`)).toBe(200);
  });
});

describe("a request without a proof that looks local", () => {
  it("has no right where no caller is a program of this machine, as at a gateway", async () => {
    await using world = await createApiWorld({ api: { hasLocalPrograms: false } });
    const id = await stored(world);
    expect((await call(world, deletion(id))).status).toBe(403);
    expect((await call(world, deletion(id), proof(world, `/relay/inbox/${id}`))).status).toBe(200);
  });

  it("writes nothing with a list, however often it is requested", async () => {
    await using world = await createApiWorld();
    await stored(world);
    const other = new Database(join(world.directory, MAILBOX_FILE), { readonly: true });
    // Another number after every commit of another connection.
    const version = (): unknown => other.pragma("data_version", { simple: true });
    const before = version();
    for (let i = 0; i < 30; i += 1) {
      await call(world, { url: `/relay/inbox?pub=${i.toString(16).padStart(64, "0")}` });
      await call(world, { url: `/relay/inbox?pub=${pub}`, remoteAddress: OTHER_MACHINE }, "nonsense");
      await call(world, deletion(`never-there-${i}`));
    }
    expect(version()).toBe(before);
    await seen(world, { proves: true });
    expect(version()).not.toBe(before);
    other.close();
  });
});

describe("a node whose mailboxes are open", () => {
  it("requires no proof", async () => {
    await using world = await createApiWorld({ api: { inboxAuth: "open" } });
    const id = await stored(world);
    expect((await call(world, deletion(id, { remoteAddress: OTHER_MACHINE }))).status).toBe(200);
    expect(await world.mail.count(pub)).toBe(0);
  });
});

describe("the status", () => {
  it("tells a caller whether it needs a proof for an owner's rights", async () => {
    const needed = async (world: ApiWorld, options: InjectOptions): Promise<unknown> =>
      ((await call(world, { url: "/api/status", ...options })).body as { readonly inbox_auth_required: boolean }).inbox_auth_required;
    await using world = await createApiWorld({ api: { localSecret: "secret" } });
    expect(await needed(world, {})).toBe(true);
    expect(await needed(world, { remoteAddress: OTHER_MACHINE })).toBe(true);
    expect(await needed(world, { headers: { authorization: "Bearer secret" } })).toBe(false);
    await using open = await createApiWorld({ api: { inboxAuth: "open" } });
    expect(await needed(open, { remoteAddress: OTHER_MACHINE })).toBe(false);
  });
});
