// The log of a group between devices: what is missing is asked for, what was not known is said, and older programs go on.
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_CONTENT_ENTRIES } from "#shared/protocol/groups/group-bounds.ts";
import { encodeEntry, type GroupChange } from "#shared/protocol/groups/log-entry.ts";
import { decodeSignedEntry, encodeSignedEntry, type SignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { deliverToGroup, entriesFor, olderState, signEntry } from "#test/support/worlds/group-mail.ts";
import { createQuartet, makeGroup, tick as passSecond, untilWords, wordsOf } from "#test/support/worlds/group-world.ts";
import { befriend, chatOf, type Device, keyOf, summaryOf, untilEmpty } from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { TEST_CHAIN } from "#test/support/worlds/messenger-world.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const people = peopleForEach(createQuartet);

const made = (): Promise<string> => makeGroup(people);
const tick = (): void => passSecond(people);

describe("what a member does not know", () => {
  it("of the log is asked for when another one refers to it, and sent on by anyone", async () => {
    const { relay, ann, bob, carol } = people;
    const id = await made();
    relay.loses = (envelope): boolean => envelope.recipient_pub === carol.account.devicePub && relay.isFrom(ann, envelope);
    await ann.messenger.renameGroup(id, "Walks");
    await untilWords([bob], id, ["made", "named Walks"]);
    ann.node.setOnline(false);
    tick();
    await bob.messenger.sendText(id, "to all");
    await pollUntil(async () => (await wordsOf(carol, id)).includes("to all") && summaryOf(carol, id)?.group?.name === "Walks");
  });

  it("is asked of another one too, when one has just been asked for what there is not", async () => {
    const { relay, ann, bob, carol } = people;
    const id = await made();
    const isToCarol = ({ recipient_pub }: { readonly recipient_pub: string }): boolean => recipient_pub === carol.account.devicePub;
    const group = { id: id.slice("group:".length), keeper: keyOf(ann) };
    const plaintext = contentOf(bob, carol, { kind: "text", text: "hm" }, { group, heads: ["ff".repeat(32)], at: bob.time.nowMs() });
    await deliver(relay, { from: bob, to: carol, plaintext });
    await untilWords([carol], id, ["made", "hm"]);
    relay.loses = isToCarol;
    await ann.messenger.renameGroup(id, "Walks");
    await untilWords([bob], id, ["made", "named Walks"]);
    relay.loses = (): boolean => false;
    await ann.messenger.sendText(id, "to all");
    await pollUntil(() => summaryOf(carol, id)?.group?.name === "Walks");
  });

  it("of a removal is said where they write meanwhile", async () => {
    const { relay, ann, bob, carol } = people;
    const id = await made();
    relay.loses = (envelope): boolean => envelope.recipient_pub === bob.account.devicePub;
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    await untilWords([ann], id, ["made", "removed"]);
    tick();
    await bob.messenger.sendText(id, "is Carol here?");
    await pollUntil(async () => (await wordsOf(ann, id)).includes("is Carol here?"));
    await pollUntil(async () => (await wordsOf(ann, id)).includes("unaware"));
    const note = (await chatOf(ann, id)).find(({ body }) => body.kind === "group.note" && body.event === "unaware");
    expect(note?.body).toMatchObject({ person: keyOf(bob) });
  });
});

describe("a log that fits into no single content", () => {
  it("lets in who is new by its parts, whichever comes first", async () => {
    const { relay, world, ann, bob } = people;
    const id = await made();
    const [create] = await entriesFor(bob, relay);
    if (create === undefined) throw new Error("no log");
    const entries = [create];
    const write = async (change: GroupChange): Promise<void> => {
      const text = await signEntry(ann, entries, { prev: [entries.at(-1)?.hash ?? ""], change });
      entries.push(decodeSignedEntry(text) as SignedEntry);
    };
    for (let at = 2; at <= MAX_CONTENT_ENTRIES; at += 1) await write({ op: "name", at, name: `name ${at}` });
    const dave = await world.join();
    await befriend(relay, ann, dave, world.devices);
    await write({ op: "add", at: 900, people: [keyOf(dave)] });
    const texts = entries.map(({ text }) => text);
    const parts = [texts.slice(0, MAX_CONTENT_ENTRIES), texts.slice(MAX_CONTENT_ENTRIES)];
    for (const log of [parts[1], parts[0]] as const) {
      expect(summaryOf(dave, id)).toBeUndefined();
      const body = { ...olderState(ann, [[ann, "in", 1]]), log: log ?? [] };
      await deliverToGroup(relay, { from: ann, to: [dave], id, keeper: ann, body });
      await untilEmpty(relay, dave);
    }
    await pollUntil(() => summaryOf(dave, id)?.group?.name === `name ${MAX_CONTENT_ENTRIES}`);
    expect(summaryOf(dave, id)?.group?.isMember).toBe(true);
  });
});

describe("a group of older programs", () => {
  const id = `group:${"5a".repeat(16)}`;

  beforeEach(async () => {
    const { relay, ann, annOther, bob, carol } = people;
    const entries = [
      [ann, "in", 1],
      [bob, "in", 1],
      [carol, "in", 1],
    ] as const;
    const body = olderState(ann, entries);
    await deliverToGroup(relay, { from: ann, to: [bob, carol], id, keeper: ann, body });
    await deliverToGroup(relay, {
      from: annOther,
      to: [ann],
      id,
      keeper: ann,
      body: { kind: "sync.sent", peer: keyOf(ann), id: "01".repeat(16), at: 1_000, body },
    });
    await untilWords([people.ann, people.bob, people.carol], id, ["made"]);
  });

  it("gets its log with its admin's next change, and stays one chat", async () => {
    const { relay, ann, bob, carol } = people;
    await bob.messenger.sendText(id, "before");
    await untilWords([ann, bob, carol], id, ["made", "before"]);
    tick();
    await ann.messenger.setGroupAdmin(id, keyOf(bob), true);
    await untilWords([ann, bob, carol], id, ["made", "before", "adminNamed"]);
    tick();
    await bob.messenger.removeFromGroup(id, keyOf(carol));
    await untilWords([ann, bob], id, ["made", "before", "adminNamed", "removed"]);
    await pollUntil(() => summaryOf(carol, id)?.group?.isMember === false);
    const back = olderState(
      ann,
      [
        [ann, "in", 90],
        [carol, "in", 90],
      ],
      { name: { text: "Mine", clock: 90, at: 1 } },
    );
    await deliverToGroup(relay, { from: ann, to: [bob], id, keeper: ann, body: back });
    await untilEmpty(relay, bob);
    expect(summaryOf(bob, id)?.group).toMatchObject({ name: "Hikes", owner: keyOf(ann), members: [keyOf(ann), keyOf(bob)].sort() });
  });

  it("is not shown to a person who asks for it and is not in it", async () => {
    const { relay, world, ann, bob } = people;
    const dave = await world.join();
    await befriend(relay, ann, dave, world.devices);
    await untilEmpty(relay, ann, bob, dave);
    const sentTo = (to: Device): number => relay.history.filter(({ recipient_pub }) => recipient_pub === to.account.devicePub).length;
    const before = [sentTo(dave), sentTo(bob)] as const;
    for (const from of [dave, bob]) await deliverToGroup(relay, { from, to: [ann], id, keeper: ann, body: { kind: "group.ask" } });
    await pollUntil(() => sentTo(bob) > before[1]);
    await untilEmpty(relay, ann, bob, dave);
    expect(sentTo(dave)).toBe(before[0]);
  });

  it("gives its log to a member a few times in ten minutes, however often they ask", async () => {
    const { relay, ann, bob, carol } = people;
    const sentTo = (to: Device): number => relay.history.filter(({ recipient_pub }) => recipient_pub === to.account.devicePub).length;
    await untilEmpty(relay, ann, bob, carol);
    const before = [sentTo(bob), sentTo(carol)] as const;
    for (let n = 0; n < 12; n += 1) await deliverToGroup(relay, { from: bob, to: [ann], id, keeper: ann, body: { kind: "group.ask" } });
    await deliverToGroup(relay, { from: carol, to: [ann], id, keeper: ann, body: { kind: "group.ask" } });
    await pollUntil(() => sentTo(carol) > before[1]);
    await untilEmpty(relay, ann, bob, carol);
    expect([sentTo(bob) - before[0], sentTo(carol) - before[1]]).toEqual([4, 1]);
  });

  it("gets its log from its admin alone", async () => {
    const { relay, ann, bob, carol } = people;
    const change = { op: "create", at: 1, name: "Mine", people: [keyOf(bob)] } as const;
    const entry = encodeEntry({
      group: "5a".repeat(16),
      n: 1,
      prev: [],
      author: keyOf(carol),
      device: carol.account.devicePub,
      height: 0,
      change,
    });
    const proof = await carol.keyring.signGroupEntry({ chainId: TEST_CHAIN, entry });
    if (proof === null) throw new Error("no certificate");
    const body = { ...olderState(carol, [[bob, "in", 9]]), log: [encodeSignedEntry(entry, proof)] };
    await deliverToGroup(relay, { from: carol, to: [bob], id, keeper: carol, body });
    await untilEmpty(relay, bob);
    expect(summaryOf(bob, id)?.group).toMatchObject({ name: "Hikes", owner: keyOf(ann) });
  });

  it("is left by its members as before", async () => {
    const { ann, bob, carol } = people;
    await carol.messenger.leaveGroup(id);
    await untilWords([ann, bob, carol], id, ["made", "left"]);
    tick();
    await ann.messenger.renameGroup(id, "Walks");
    await untilWords([bob], id, ["made", "left", "named Walks"]);
    expect(summaryOf(bob, id)?.group?.members).toEqual([keyOf(ann), keyOf(bob)].sort());
  });
});

describe("a member with an older program", () => {
  it("leaves a group with a log without an entry", async () => {
    const { relay, ann, bob, carol } = people;
    const id = await made();
    await deliverToGroup(relay, { from: carol, to: [ann, bob], id, keeper: ann, body: { kind: "group.leave", clock: 1 } });
    await untilWords([ann, bob], id, ["made", "left"]);
    tick();
    await ann.messenger.renameGroup(id, "Walks");
    await untilWords([bob], id, ["made", "left", "named Walks"]);
    expect(summaryOf(bob, id)?.group?.members).toEqual([keyOf(ann), keyOf(bob)].sort());
    const sentToCarol = (): number => relay.history.filter(({ recipient_pub }) => recipient_pub === carol.account.devicePub).length;
    const before = sentToCarol();
    await deliverToGroup(relay, { from: carol, to: [ann], id, keeper: ann, body: { kind: "group.ask" } });
    await pollUntil(() => sentToCarol() > before);
    expect((await entriesFor(carol, relay)).map(({ entry }) => entry.change.op)).not.toContain("name");
    tick();
    await ann.messenger.addToGroup(id, [keyOf(carol)]);
    await untilWords([bob], id, ["made", "left", "named Walks", "added"]);
    expect(summaryOf(bob, id)?.group?.members).toContain(keyOf(carol));
  });
});
