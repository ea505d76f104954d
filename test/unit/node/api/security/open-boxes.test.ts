// Open boxes over HTTP and the WebSocket: opening one, writing to it, and who reads it.
import type { InjectOptions } from "fastify";
import { describe, expect, it } from "vitest";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { type BoxOpening, MAX_OPEN_S } from "#shared/protocol/mail/box-opening.ts";
import { type Envelope, x25519 } from "#shared/protocol/mail/envelope.ts";
import { formatInboxProof } from "#shared/protocol/mail/inbox-proof.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { openTestSocket, signSocketAuth } from "#test/support/api/test-socket.ts";
import { emptyEnvelope } from "#test/support/chain/envelope-id.ts";
import { boxWriter, type MailboxOwner, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { mailStores } from "#test/support/postgres/mail-stores.ts";
import { type ApiWorld, type ApiWorldOptions, createApiWorld } from "#test/support/worlds/api-world.ts";
import { CHAIN_ID, START_MS, signed, bob as stranger } from "#test/support/worlds/ledger-world.ts";

const bob = mailboxOwner(CHAIN_ID, 7, START_MS / 1_000);
const alice = boxWriter(CHAIN_ID, 20);
const OTHER_MACHINE = "203.0.113.7";

interface Answer {
  readonly code: unknown;
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function call({ server }: ApiWorld, options: InjectOptions): Promise<Answer> {
  const response = await server.app.inject({ remoteAddress: OTHER_MACHINE, ...options });
  return { status: response.statusCode, code: response.headers["x-error-code"], body: response.json() };
}

const nowSec = ({ clock }: ApiWorld): number => Math.floor(clock.nowMs() / 1000);

function opening(
  world: ApiWorld,
  given: Partial<Pick<BoxOpening, "untilSec" | "read" | "height">> = {},
  owner: MailboxOwner = bob,
): object {
  const { mailbox, writeKey, untilSec, ...rest } = owner.opening(alice.key, { untilSec: nowSec(world) + 1_000, height: 0, ...given });
  return { pub: mailbox, write_pub: writeKey, until: untilSec, ...rest };
}

const open = (world: ApiWorld, payload: object): Promise<Answer> => call(world, { method: "POST", url: "/relay/box", payload });
const write = (world: ApiWorld, envelope: Envelope, admit?: unknown): Promise<Answer> =>
  call(world, { method: "POST", url: "/relay/broadcast", payload: { envelope, ...(admit !== undefined && { admit }) } });
const stateOf = async (world: ApiWorld, pub = bob.pub): Promise<unknown> => (await call(world, { url: `/relay/box?pub=${pub}` })).body;

function proof(world: ApiWorld, method: string, path: string): Record<string, string> {
  const shared = x25519(bob.keys.secretKey, fromHex(world.mail.publicKey)) ?? new Uint8Array(32);
  return { "x-inbox-proof": formatInboxProof(shared, { method, path, unixSeconds: nowSec(world) }) };
}

/** An envelope of 200 kB as JSON. */
const largeEnvelope = (recipientPub: string, number: number): Envelope =>
  emptyEnvelope({ recipientPub, nonce: new Uint8Array(24).fill(number), bytes: 150_000, sentAt: START_MS / 1_000 });

const STORES = mailStores();

describe.each(STORES)("POST /relay/box, with mailboxes in %s", (_name, mail) => {
  it("opens a box, says so, and takes what its write key admits and nothing else", async () => {
    await using world = await createApiWorld({ mail });
    expect(await stateOf(world)).toEqual({ pub: bob.pub, status: "none" });
    const until = nowSec(world) + 1_000;
    const state = { pub: bob.pub, status: "open", write_pub: alice.key, read: "anyone", until, height: 0 };
    for (const _ of [1, 2]) expect(await open(world, opening(world))).toEqual({ status: 200, body: state });
    expect(await stateOf(world, bob.pub.toUpperCase())).toEqual(state);
    const [first, second, third] = [bob.envelope(1), bob.envelope(2), bob.envelope(3)];
    expect(await write(world, first, alice.admit(first))).toMatchObject({ status: 200, body: { id: first.id, status: "broadcast" } });
    for (const admit of [undefined, null, boxWriter(CHAIN_ID, 21).admit(second), alice.admit(first)])
      expect(await write(world, second, admit)).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining("write key") as string },
      });
    for (const admit of ["", "nonsense", "AAAA"]) expect(await write(world, second, admit)).toMatchObject({ status: 400 });
    const elsewhere = mailboxOwner(CHAIN_ID, 9).envelope(1);
    expect(await write(world, elsewhere, alice.admit(elsewhere))).toMatchObject({ status: 404 });
    expect(await write(world, elsewhere, null)).toMatchObject({ status: 200 });
    expect(await world.mail.count(bob.pub)).toBe(1);
    world.clock.advance(1_000_000);
    expect(await stateOf(world)).toEqual({ ...state, status: "lapsed" });
    expect(await write(world, third, alice.admit(third))).toMatchObject({ status: 200 });
  });

  it("refuses what is no opening, in words", async () => {
    await using world = await createApiWorld({ mail });
    const right = opening(world);
    const wrong: readonly (readonly [number, object])[] = [
      [400, { ...right, pub: "ab" }],
      [400, { ...right, write_pub: "ab" }],
      [400, { ...right, write_pub: `01${"00".repeat(31)}` }],
      [400, { ...right, read: "everyone" }],
      [400, { ...right, until: -1 }],
      [400, { ...right, until: nowSec(world) }],
      [400, opening(world, { untilSec: nowSec(world) + MAX_OPEN_S + 1 })],
      [400, { ...right, signature: "AAAA" }],
      [400, { ...right, height: 0.5 }],
      [400, { ...right, height: 2 ** 53 }],
      [400, { ...right, until: 2 ** 53 }],
      [403, { ...right, height: 1 }],
      [403, { ...right, read: "owner" }],
      [403, { ...right, pub: mailboxOwner(CHAIN_ID, 8).pub }],
    ];
    for (const [status, payload] of wrong) {
      const answer = await open(world, payload);
      expect([payload, answer.status, typeof answer.body.error]).toEqual([payload, status, "string"]);
    }
    expect(await stateOf(world)).toEqual({ pub: bob.pub, status: "none" });
    expect(await open(world, opening(world, { untilSec: nowSec(world) + MAX_OPEN_S }))).toMatchObject({ status: 200 });
  });

  it("opens so many for one network of clients; then it is a 503 for that network", async () => {
    await using world = await createApiWorld({ mail, relay: { limits: { ...MAILBOX_LIMITS, sourceBoxes: 2 } } });
    const from = async (n: number, remoteAddress: string): Promise<unknown> => {
      const payload = opening(world, {}, mailboxOwner(CHAIN_ID, 100 + n));
      const { status, code } = await call(world, { method: "POST", url: "/relay/box", payload, remoteAddress });
      return status === 200 ? status : [status, code];
    };
    const codes: unknown[] = [];
    for (const [n, address] of ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.114.1"].entries()) codes.push(await from(n, address));
    // By the code a gateway knows that the node is there.
    expect(codes).toEqual([200, 200, [503, "RELAY_FULL"], 200]);
  });
});

const list = (world: ApiWorld, boxes: readonly object[], more: object = {}): Promise<Answer> =>
  call(world, { method: "POST", url: "/relay/boxes", payload: { boxes, ...more } });

describe.each(STORES)("POST /relay/boxes, with mailboxes in %s", (_name, mail) => {
  const owners = [7, 8, 9, 10].map((number) => mailboxOwner(CHAIN_ID, number, START_MS / 1_000));

  it("lists those with something in them, each behind its position, and says how many may be watched", async () => {
    await using world = await createApiWorld({ mail });
    const [first, second, , last] = owners as [MailboxOwner, MailboxOwner, MailboxOwner, MailboxOwner];
    await open(world, opening(world, {}, first));
    const admitted = first.envelope(1);
    await write(world, admitted, alice.admit(admitted));
    for (const number of [1, 2, 3]) await write(world, last.envelope(number));
    const all = owners.map(({ pub }) => ({ pub }));
    const { status, body } = await list(world, all, { limit: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ listed: 4, watchable: 64 });
    const boxes = body.boxes as readonly {
      readonly pub: string;
      readonly has_more: boolean;
      readonly items: readonly { id: string; seq: number }[];
    }[];
    expect(boxes.map(({ pub, has_more, items }) => [pub, has_more, items.map(({ id }) => id)])).toEqual([
      [first.pub, false, [admitted.id]],
      [last.pub, true, [last.envelope(1).id, last.envelope(2).id]],
    ]);
    const after = boxes[1]?.items[1]?.seq;
    expect((await list(world, [{ pub: last.pub, after }, { pub: second.pub }])).body).toMatchObject({
      boxes: [{ pub: last.pub, has_more: false, items: [{ id: last.envelope(3).id }] }],
      listed: 2,
    });
    expect((await list(world, [{ pub: second.pub.toUpperCase() }])).body).toEqual({ boxes: [], listed: 1, watchable: 64 });
  });

  it("ends before a response grows beyond 2 MiB, at a mailbox", async () => {
    await using world = await createApiWorld({ mail });
    const boxes = owners.map(({ pub }) => ({ pub }));
    for (const [at, owner] of owners.entries())
      for (let number = 0; number < 6; number += 1) await write(world, largeEnvelope(owner.pub, at * 10 + number));
    const found: [string, number][] = [];
    for (let from = 0; from < boxes.length; ) {
      const response = await world.server.app.inject({ method: "POST", url: "/relay/boxes", payload: { boxes: boxes.slice(from) } });
      expect(response.body.length).toBeLessThanOrEqual(2 * 1_048_576);
      const page = response.json<{ readonly boxes: readonly { pub: string; items: readonly object[] }[]; readonly listed: number }>();
      expect(page.listed).toBeGreaterThan(0);
      for (const { pub, items } of page.boxes) found.push([pub, items.length]);
      from += page.listed;
    }
    expect(found.map(([pub]) => pub)).toEqual(boxes.map(({ pub }) => pub));
    for (const [, count] of found) expect(count).toBeGreaterThan(2);
  });

  it("refuses what names no mailboxes, too many, or one that its owner alone reads", async () => {
    await using world = await createApiWorld({ mail });
    for (const boxes of [[], [{ pub: "ab" }], [{ pub: bob.pub, after: -1 }], Array.from({ length: 513 }, () => ({ pub: bob.pub }))])
      expect(await list(world, boxes)).toMatchObject({ status: 400 });
    expect(
      await list(
        world,
        Array.from({ length: 512 }, () => ({ pub: bob.pub })),
      ),
    ).toMatchObject({ status: 200, body: { listed: 512 } });
    await open(world, opening(world, { read: "owner" }));
    expect(await list(world, [{ pub: bob.pub }])).toMatchObject({ status: 403 });
  });
});

// Before any store is asked.
it("POST /relay/boxes counts as a request for each sixteen mailboxes, where requests are counted", async () => {
  await using world = await createApiWorld();
  const boxes = Array.from({ length: 512 }, () => ({ pub: bob.pub }));
  const statuses: number[] = [];
  for (let n = 0; n < 8; n += 1) statuses.push((await list(world, boxes)).status);
  // 200 requests at once: six lists of 32, and the seventh is owed.
  expect(statuses).toEqual([...Array.from({ length: 7 }, () => 200), 429]);
  const own = await world.server.app.inject({ method: "POST", url: "/relay/boxes", payload: { boxes } });
  expect(own.statusCode).toBe(200);
});

it("POST /relay/broadcast/batch counts as a request for each envelope, POST /api/devices for each sixteen people", async () => {
  await using world = await createApiWorld();
  const statuses = async (url: string, payload: object, times: number): Promise<readonly number[]> => {
    const all: number[] = [];
    for (let n = 0; n < times; n += 1)
      all.push((await call(world, { method: "POST", url, payload, remoteAddress: "198.51.100.4" })).status);
    return all;
  };
  const envelopes = Array.from({ length: 64 }, (_, n) => ({ envelope: bob.envelope(n) }));
  // 200 requests at once: three batches, the fourth is owed, and nothing of the fifth is stored.
  expect(await statuses("/relay/broadcast/batch", { envelopes: envelopes.slice(0, 60) }, 4)).toEqual([200, 200, 200, 200]);
  expect(await statuses("/relay/broadcast/batch", { envelopes }, 1)).toEqual([429]);
  expect(await world.mail.count(bob.pub)).toBe(60);
  const accounts = Array.from({ length: 96 }, () => stranger.pub);
  const lists = await Promise.all(
    Array.from({ length: 40 }, () => call(world, { method: "POST", url: "/api/devices", payload: { accounts } })),
  );
  // Seven each.
  expect(lists.filter(({ status }) => status === 200).length).toBeLessThan(31);
});

describe.each(STORES)("a box that its owner alone reads, with mailboxes in %s", (_name, store) => {
  const SECRET: ApiWorldOptions = { mail: store, api: { localSecret: "secret" } };

  it("is listed and counted with a proof of its key, or by the node's own programs", async () => {
    await using world = await createApiWorld(SECRET);
    await open(world, opening(world, { read: "owner" }));
    const mail = bob.envelope(1);
    await write(world, mail, alice.admit(mail));
    for (const path of ["/relay/inbox", "/relay/inbox/count"]) {
      const url = `${path}?pub=${bob.pub}`;
      for (const remoteAddress of [OTHER_MACHINE, "127.0.0.1"])
        expect(await call(world, { url, remoteAddress })).toMatchObject({ status: 403 });
      expect(await call(world, { url, headers: { "x-inbox-proof": "nonsense" } })).toMatchObject({ status: 403 });
      expect(await call(world, { url, headers: proof(world, "GET", path) })).toMatchObject({ status: 200, body: { count: 1 } });
      expect(await call(world, { url, headers: { authorization: "Bearer secret" }, remoteAddress: "127.0.0.1" })).toMatchObject({
        status: 200,
        body: { count: 1 },
      });
    }
  });

  it("is watched by the node's own programs alone; every other mailbox as before", async () => {
    await using world = await createApiWorld(SECRET);
    await open(world, opening(world, { read: "owner" }));
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const socket = await openTestSocket(`ws://127.0.0.1:${port}/api/ws`);
    socket.send({ type: "subscribe", topic: `inbox:${bob.pub}` });
    expect(await socket.next({ type: "error" })).toMatchObject({ error: "inbox: the owner alone reads this box" });
    socket.send({ type: "subscribe", topic: `inbox:${mailboxOwner(CHAIN_ID, 8).pub}` });
    await socket.next({ type: "subscribed" });
    const own = await openTestSocket(`ws://127.0.0.1:${port}/api/ws?token=secret`);
    own.send({ type: "subscribe", topic: `inbox:${bob.pub}` });
    await own.next({ type: "subscribed" });
    const mail = bob.envelope(1);
    await write(world, mail, alice.admit(mail));
    await own.next({ type: "inbox", id: mail.id });
    socket.close();
    own.close();
  });

  it("is not watched by who published its key as his own, nor any more by who listened before it was opened", async () => {
    await using world = await createApiWorld(SECRET);
    const register = signed(stranger, { type: "REGISTER_KEY", payload: { x25519_pub_key: bob.pub } });
    await world.services.mempool.submit(register, world.clock.nowMs());
    world.commit();
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const [before, own] = [
      await openTestSocket(`ws://127.0.0.1:${port}/api/ws`),
      await openTestSocket(`ws://127.0.0.1:${port}/api/ws?token=secret`),
    ];
    for (const socket of [before, own]) {
      socket.send({ type: "subscribe", topic: `inbox:${bob.pub}` });
      await socket.next({ type: "subscribed" });
    }
    await open(world, opening(world, { read: "owner" }));
    const mail = bob.envelope(1);
    await write(world, mail, alice.admit(mail));
    await own.next({ type: "inbox", id: mail.id });
    const hello = (await before.next({ type: "hello" })) as unknown as { readonly chain_id: string; readonly nonce: string };
    before.send({ type: "auth", ...signSocketAuth(hello, { publicKey: stranger.pub, seed: stranger.seed }) });
    await before.next({ type: "auth_ok" });
    before.send({ type: "unsubscribe", topic: `inbox:${bob.pub}` });
    before.send({ type: "subscribe", topic: `inbox:${bob.pub}` });
    expect(await before.next({ type: "error" })).toMatchObject({ error: "inbox: the owner alone reads this box" });
    expect(before.frames.filter(({ type }) => type === "inbox")).toEqual([]);
    before.close();
    own.close();
  });

  it("is emptied by proofs alone, also where a caller looks local", async () => {
    await using world = await createApiWorld(SECRET);
    await open(world, opening(world));
    const mail = bob.envelope(1);
    await write(world, mail, alice.admit(mail));
    const deletion = { method: "DELETE", url: `/relay/inbox/${mail.id}?pub=${bob.pub}`, remoteAddress: "127.0.0.1" } as const;
    expect(await call(world, deletion)).toMatchObject({ status: 403 });
    expect(await world.mail.count(bob.pub, true)).toBe(1);
    expect(await call(world, { ...deletion, headers: proof(world, "DELETE", `/relay/inbox/${mail.id}`) })).toMatchObject({ status: 200 });
    expect(await world.mail.count(bob.pub)).toBe(0);
    // Who has seen it hands it in again in vain.
    expect(await write(world, mail, alice.admit(mail))).toMatchObject({ status: 200 });
    expect(await world.mail.count(bob.pub)).toBe(0);
  });
});
