// Lists and counts over HTTP while other nodes keep the mail: they say when too few have responded, and cost what they make others do.
import { expect, it } from "vitest";
import type { MailForGateways } from "#node/relay/intake/mail-elsewhere.ts";
import type { OutgoingMail } from "#node/relay/intake/outgoing-mail.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const bob = mailboxOwner(CHAIN_ID, 7);
const [sent] = [bob.envelope(1)];
const ITEM = `{"id":"${sent.id}","seq":9007199254000001,"sender_pub":"${sent.sender_pub}","sender_ed25519_pub":"","recipient_pub":"${bob.pub}","fee_ut":0,"sent_at":1800000000,"sent_at_human":"2027-01-15T08:00:00Z","nonce":"${sent.nonce}","ciphertext":"${sent.ciphertext}"}`;

interface Others {
  readonly asked: string[];
  readonly hidden: string[];
  isComplete: boolean;
  isOwnersAlone: boolean;
}

/** A node whose chain's keepers have one envelope of the mailbox. */
async function world(options: Parameters<typeof createApiWorld>[0] = {}): Promise<ApiWorld & { readonly others: Others }> {
  const made = await createApiWorld(options);
  const others: Others = { asked: [], hidden: [], isComplete: true, isOwnersAlone: false };
  const unread = (boxes: readonly string[]): Promise<ReadonlySet<string>> => Promise.resolve(new Set(others.isComplete ? [] : boxes));
  const elsewhere: MailForGateways = {
    isAtHand: () => false,
    read: (boxes) => {
      others.asked.push(...boxes.map((box) => `unproven ${box}`));
      return unread(boxes);
    },
    readServed: (boxes) => {
      others.asked.push(...boxes.map((box) => `served ${box}`));
      return unread(boxes);
    },
    openingOf: (mailbox) =>
      others.isOwnersAlone ? { mailbox, writeKey: "00".repeat(32), read: "owner", untilSec: 1, height: 1, signature: "" } : undefined,
    listText: ({ recipientPub }) =>
      Promise.resolve({
        ...(recipientPub === bob.pub ? { items: ITEM, count: 1 } : { items: "", count: 0 }),
        hasMore: false,
        isComplete: true,
      }),
    hide: (_box, id) => void others.hidden.push(id),
    count: () => 1,
    missing: (box) => (box === bob.pub ? [sent.id] : []),
    // Less than all that is listed: nothing of what came into this node's mailbox.
    listMissing: async (query) => {
      const list = await elsewhere.listText(query);
      return (query.afterSeq ?? 0) > 0 ? { ...list, items: "", count: 0 } : list;
    },
  };
  const outgoing: Partial<OutgoingMail> = { ways: { gossip: false, keepers: true }, elsewhere, onReaders: () => undefined };
  made.relay.sendThrough(outgoing as OutgoingMail);
  return Object.assign(made, { others });
}

it("says of lists and counts that too few of the others have responded, and asks for owners what is served to them", async () => {
  await using node = await world({ api: { localSecret: "secret" } });
  const get = async (path: string, headers = {}): Promise<unknown> =>
    (await node.server.app.inject({ url: `${path}?pub=${bob.pub}`, headers, remoteAddress: "203.0.113.1" })).json();
  const own = { authorization: "Bearer secret" };
  expect(await get("/relay/inbox")).toMatchObject({ count: 1, has_more: false, items: [{ id: sent.id }] });
  expect(await get("/relay/inbox")).not.toHaveProperty("complete");
  node.others.isComplete = false;
  expect(await get("/relay/inbox")).toMatchObject({ count: 1, complete: false });
  expect(await get("/relay/inbox/count")).toEqual({ pub: bob.pub, count: 1, complete: false });
  expect(node.relay.readers.all.size).toBe(0);
  expect(await get("/relay/inbox", own)).toEqual({ pub: bob.pub, count: 0, has_more: false, complete: false, items: [] });
  expect([...node.relay.readers.all]).toEqual([bob.pub]);
  expect(new Set(node.others.asked)).toEqual(new Set([`unproven ${bob.pub}`, `served ${bob.pub}`]));
  const other = "ab".repeat(32);
  const payload = { boxes: [{ pub: other }, { pub: bob.pub }] };
  const listed = await node.server.app.inject({ method: "POST", url: "/relay/boxes", payload, remoteAddress: "203.0.113.1" });
  expect(listed.json()).toMatchObject({ listed: 2, complete: false, boxes: [{ pub: bob.pub, items: [{ id: sent.id }] }] });
  // Hidden where it is shown, as far as a caller without a proof may.
  const path = `/relay/inbox/${sent.id}?pub=${bob.pub}`;
  expect((await node.server.app.inject({ method: "DELETE", url: path })).statusCode).toBe(200);
  expect(node.others.hidden).toEqual([sent.id]);
});

it("says to gateways of its operator what others have, whom it reads for, and up to where its own mailbox is", async () => {
  await using node = await world({ api: { localSecret: "secret" } });
  const own = { authorization: "Bearer secret" };
  const ask = async (payload: object, headers = own): Promise<unknown> =>
    (await node.server.app.inject({ method: "POST", url: "/relay/feed/elsewhere", payload, headers })).json();
  const [other, third] = ["ab".repeat(32), "cd".repeat(32)];
  const said = { node: node.relay.publicKey, elsewhere: true, unread: [], after: 0 };
  expect(await ask({})).toEqual({ ...said, boxes: [] });
  const box = { pub: bob.pub, ids: [sent.id], has_more: false, read: null };
  expect(await ask({ served: [other], unproven: [bob.pub] })).toEqual({ ...said, boxes: [box] });
  expect([[...node.relay.readers.all], node.others.asked]).toEqual([[other], [`served ${other}`, `unproven ${bob.pub}`]]);
  await node.relay.receive([unsealedEnvelope(third)]);
  node.others.isComplete = false;
  node.others.isOwnersAlone = true;
  expect(await ask({ unproven: [bob.pub] })).toEqual({ ...said, unread: [bob.pub], after: 1, boxes: [{ ...box, read: "owner" }] });
  const list = async (
    query: string,
    headers: { readonly authorization?: string } = own,
  ): Promise<{ readonly statusCode: number; json(): unknown }> =>
    await node.server.app.inject({ url: `/relay/feed/inbox?${query}`, headers });
  expect((await list(`pub=${bob.pub}&limit=5&bytes=900`)).json()).toMatchObject({
    has_more: false,
    complete: true,
    items: [{ id: sent.id }],
  });
  // What came into this node's mailbox since comes along for those who are behind a position of its list.
  expect((await list(`pub=${bob.pub}&after=9007199254000000`)).json()).toMatchObject({ items: [{ id: sent.id }] });
  expect(await ask({ unproven: Array.from({ length: 17 }, () => other) })).toHaveProperty("error");
  const refused = await Promise.all([
    list("pub=7"),
    list(`pub=${bob.pub}&limit=-1`),
    list(`pub=${bob.pub}`, {}),
    list(`pub=${bob.pub}&after=9007199254740992`),
  ]);
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400, 401, 400]);
  expect(await ask({}, { authorization: "Bearer other" })).toHaveProperty("error");
  node.relay.sendThrough({ elsewhere: undefined } as OutgoingMail);
  expect(await ask({ unproven: [bob.pub] })).toEqual({ ...said, elsewhere: false, after: 1, boxes: [] });
});

it("shows nothing of a box that its owner reads alone, as others know it, and ends who asks for ten thousand boxes", async () => {
  await using node = await world();
  node.others.isOwnersAlone = true;
  const remote = { remoteAddress: "203.0.113.1" };
  for (const path of ["/relay/inbox", "/relay/inbox/count"])
    expect((await node.server.app.inject({ url: `${path}?pub=${bob.pub}`, ...remote })).statusCode).toBe(403);
  node.others.isOwnersAlone = false;
  node.others.asked.length = 0;
  const boxes = Array.from({ length: 10_000 }, (_, n) => ({ pub: n.toString(16).padStart(64, "0") }));
  const codes: number[] = [];
  for (let at = 0; at < boxes.length; at += 500) {
    const payload = { boxes: boxes.slice(at, at + 500) };
    codes.push((await node.server.app.inject({ method: "POST", url: "/relay/boxes", payload, ...remote })).statusCode);
  }
  expect(codes).toContain(200);
  expect(codes.filter((code) => code === 429).length).toBeGreaterThan(codes.length / 2);
  expect(node.others.asked.length).toBeLessThan(5_000);
});
