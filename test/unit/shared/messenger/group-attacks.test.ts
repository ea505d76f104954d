// What people try with groups who were removed from them, and what comes of it: each was possible once.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeEntry, type GroupChange } from "#shared/protocol/groups/log-entry.ts";
import { decodeSignedEntry, encodeSignedEntry, type SignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { deliverToGroup, entriesFor, olderState, signEntry } from "#test/support/worlds/group-mail.ts";
import {
  befriend,
  chatOf,
  createTrio,
  type Device,
  keyOf,
  passTime,
  restart,
  summaryOf,
  textsOf,
  untilEmpty,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { textIdsFor } from "#test/support/worlds/messenger-mail.ts";
import { TEST_PASSWORD, type TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let annOther: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, annOther, bob } = await createTrio());
});

afterEach(() => world.stop());

describe("a group", () => {
  let carol: Device;

  beforeEach(async () => {
    carol = await world.join();
    for (const one of [ann, bob]) await befriend(relay, one, carol, world.devices);
  });

  const isIn = (device: Device, id: string, person: Device): boolean =>
    summaryOf(device, id)?.group?.members.includes(keyOf(person)) === true;

  /** Ann's group, of which Bob was an admin until Ann removed him; and its entries as Bob has them. */
  async function withRemovedAdmin(): Promise<{ readonly id: string; readonly entries: readonly SignedEntry[] }> {
    const id = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
    for (const device of [bob, carol]) await pollUntil(async () => (await chatOf(device, id)).length > 0);
    await ann.messenger.setGroupAdmin(id, keyOf(bob), true);
    await pollUntil(() => [bob, carol].every((device) => summaryOf(device, id)?.group?.admins.includes(keyOf(bob)) === true));
    await ann.messenger.removeFromGroup(id, keyOf(bob));
    await pollUntil(() => [ann, bob, carol].every((device) => !isIn(device, id, bob)));
    await untilEmpty(relay, ann, bob, carol);
    return { id, entries: await entriesFor(bob, relay) };
  }

  /** Who was removed while one was offline gets nothing of what one wrote then: mailboxes are read before it leaves. */
  for (const how of ["when the line comes back", "at the next start"] as const)
    it(`gets nothing for who was removed while one was offline, ${how}`, async () => {
      // So that each envelope lies in the lasting mailbox of its device.
      withoutCards(ann, bob, carol);
      const id = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
      for (const device of [bob, carol]) await pollUntil(async () => (await chatOf(device, id)).length > 0);
      await untilEmpty(relay, ann, bob, carol);
      bob.node.setOnline(false);
      await ann.messenger.removeFromGroup(id, keyOf(carol));
      await pollUntil(() => [ann, carol].every((device) => !isIn(device, id, carol)));
      await bob.messenger.sendText(id, "not for Carol");
      await pollUntil(async () => (await textsOf(bob, id)).includes("not for Carol"));
      if (how === "at the next start") await restart(bob, relay);
      else bob.node.setOnline(true);
      await pollUntil(async () => (await textsOf(ann, id)).includes("not for Carol"));
      await untilEmpty(relay, ann, bob, carol);
      expect(await textIdsFor(carol, relay)).toEqual([]);
      expect((await chatOf(bob, id)).at(-1)?.deliveries?.map(({ person }) => person)).toEqual([keyOf(ann)]);
    });

  it("waits for mail no longer than five seconds where the node does not answer", async () => {
    bob.node.setOnline(false);
    bob.node.hang.set("listInbox", "before").set("listBoxes", "before");
    await bob.messenger.sendText(keyOf(ann), "all the same");
    await pollUntil(async () => (await chatOf(bob, keyOf(ann))).at(-1)?.problem !== null);
    const before = bob.node.calls.length;
    bob.node.setOnline(true);
    bob.time.advance(4_999);
    expect(bob.node.calls.slice(before)).not.toContain("broadcast");
    bob.time.advance(1);
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("all the same"));
  });

  it("is not taken back by an admin who was removed, by states of older programs", async () => {
    const { id } = await withRemovedAdmin();
    const people = [
      [bob, "in", 50],
      [carol, "in", 50],
      [ann, "removed", 50],
    ] as const;
    for (const term of [0, 1, 2])
      for (const since of [1_000, 9e15])
        await deliverToGroup(relay, { from: bob, to: [ann, carol], id, keeper: bob, body: olderState(bob, people, { term, since }) });
    await untilEmpty(relay, ann, carol);
    for (const device of [ann, carol]) {
      expect(summaryOf(device, id)?.group).toMatchObject({ name: "Hikes", owner: keyOf(ann), admins: [], isMember: true });
      expect(isIn(device, id, bob)).toBe(false);
    }
  });

  it("is not taken back by an admin who was removed, by entries before, beside and after the removal", async () => {
    const { id, entries } = await withRemovedAdmin();
    const at = bob.time.nowMs();
    const changes: readonly GroupChange[] = [
      { op: "add", at, people: [keyOf(bob)] },
      { op: "remove", at, people: [keyOf(carol)] },
      { op: "admins", at, people: [keyOf(bob)] },
      { op: "name", at, name: "Mine" },
      { op: "leave", at },
    ];
    const before = summaryOf(carol, id)?.group;
    for (const { hash } of entries)
      for (const change of changes) {
        const text = await signEntry(bob, entries, { prev: [hash], change });
        const body = { ...olderState(bob, [[bob, "in", 90]]), log: [...entries.map((known) => known.text), text] };
        await deliverToGroup(relay, { from: bob, to: [ann, carol], id, keeper: ann, body });
      }
    await untilEmpty(relay, ann, carol);
    for (const device of [ann, carol]) expect(summaryOf(device, id)?.group).toMatchObject({ ...before, admin: keyOf(ann) });
    const notes = (await chatOf(carol, id)).flatMap(({ body }) => (body.kind === "group.note" ? [body.event] : []));
    expect(notes.filter((event) => event === "void")).toHaveLength(1);
    await ann.messenger.sendText(id, "without Bob");
    await pollUntil(async () => (await textsOf(carol, id)).includes("without Bob"));
    expect(await textsOf(bob, id)).not.toContain("without Bob");
  });

  it("takes no entry that another has signed, or that was changed on its way", async () => {
    const { id, entries } = await withRemovedAdmin();
    const last = entries.at(-1);
    if (last === undefined) throw new Error("no entries");
    const text = await signEntry(bob, entries, { prev: [last.hash], change: { op: "name", at: 1, name: "Mine" } });
    const own = decodeSignedEntry(text);
    if (own === undefined) throw new Error("no entry");
    const forged = encodeSignedEntry(encodeEntry({ ...own.entry, author: keyOf(ann), device: ann.account.devicePub }), own);
    await deliverToGroup(relay, { from: bob, to: [carol], id, keeper: ann, body: { ...olderState(ann, [[ann, "in", 1]]), log: [forged] } });
    await untilEmpty(relay, carol);
    expect(summaryOf(carol, id)?.group?.name).toBe("Hikes");
  });

  it("takes no new entry of a device that was unlinked", async () => {
    const second = await world.join({ phrase: ann.phrase });
    const id = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
    for (const device of [second, bob, carol]) await pollUntil(async () => (await chatOf(device, id)).length > 0);
    await second.messenger.renameGroup(id, "Walks");
    await pollUntil(() => [ann, bob, carol].every((device) => summaryOf(device, id)?.group?.name === "Walks"));
    const entries = await entriesFor(bob, relay);
    relay.unlink(keyOf(ann), second.account.devicePub);
    for (const device of [bob, carol]) device.time.advance(120_000);
    const last = entries.filter(({ entry }) => entry.n === Math.max(...entries.map((known) => known.entry.n)));
    const stolen = await signEntry(second, entries, { prev: last.map(({ hash }) => hash), change: { op: "name", at: 1, name: "Mine" } });
    const body = { ...olderState(ann, [[ann, "in", 1]]), log: [stolen] };
    for (let round = 0; round < 2; round += 1) {
      await deliverToGroup(relay, { from: bob, to: [carol], id, keeper: ann, body });
      await untilEmpty(relay, carol);
      expect(summaryOf(carol, id)?.group?.name).toBe("Walks");
    }
  });

  it("of older programs follows no term that claims to begin in a time to come", async () => {
    const id = `group:${"5a".repeat(16)}`;
    const people = [
      [ann, "in", 1],
      [bob, "in", 1],
      [carol, "in", 1],
    ] as const;
    await deliverToGroup(relay, { from: ann, to: [bob, carol], id, keeper: ann, body: olderState(ann, people) });
    for (const device of [bob, carol]) await pollUntil(async () => (await chatOf(device, id)).length > 0);
    const since = ann.time.nowMs();
    const handed = olderState(bob, people, { term: 1, since });
    await deliverToGroup(relay, { from: ann, to: [bob, carol], id, keeper: ann, body: handed });
    await pollUntil(() => [bob, carol].every((device) => summaryOf(device, id)?.group?.admin === keyOf(bob)));
    const evil = olderState(
      ann,
      [
        [ann, "in", 50],
        [bob, "removed", 50],
        [carol, "in", 50],
      ],
      { term: 1, since: 9e15 },
    );
    await deliverToGroup(relay, { from: ann, to: [bob, carol], id, keeper: ann, body: evil });
    await untilEmpty(relay, bob, carol);
    for (const device of [bob, carol]) expect(summaryOf(device, id)?.group).toMatchObject({ admin: keyOf(bob), isMember: true });
  });

  it.each([
    ["clocks that agree", 0],
    ["a clock ahead of its admin's", 600_000],
  ])("that came back with a backup sends nothing to a person who was removed since, with %s", async (_, aheadMs) => {
    const id = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
    for (const device of [bob, carol]) await pollUntil(async () => (await chatOf(device, id)).length > 0);
    const file = await bob.messenger.exportBackup(TEST_PASSWORD, { withFiles: false, app: {} });
    for (const device of world.devices) device.time.advance(1_000);
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    await pollUntil(() => summaryOf(bob, id)?.group?.members.includes(keyOf(carol)) === false);
    await bob.messenger.importBackup(file, TEST_PASSWORD);
    expect(summaryOf(bob, id)?.group?.members).not.toContain(keyOf(carol));
    const fresh = await world.join({ phrase: bob.phrase });
    for (const device of world.devices) device.time.advance(120_000);
    fresh.time.advance(aheadMs);
    await fresh.messenger.importBackup(file, TEST_PASSWORD);
    const before = (await textIdsFor(carol, relay)).length;
    await fresh.messenger.sendText(id, "now that Carol is gone");
    await passTime(world.devices, 1_000, async () => (await textsOf(ann, id)).includes("now that Carol is gone"));
    expect(summaryOf(fresh, id)?.group?.members).not.toContain(keyOf(carol));
    expect((await textIdsFor(carol, relay)).length).toBe(before);
  });

  it("that came back with a backup is not confirmed by an admin who was removed since", async () => {
    const id = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
    await ann.messenger.setGroupAdmin(id, keyOf(carol), true);
    await pollUntil(() => [bob, carol].every((device) => summaryOf(device, id)?.group?.admins.includes(keyOf(carol)) === true));
    const file = await bob.messenger.exportBackup(TEST_PASSWORD, { withFiles: false, app: {} });
    const log = (await entriesFor(carol, relay)).map(({ text }) => text);
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    await pollUntil(() => !isIn(bob, id, carol));
    const fresh = await world.join({ phrase: bob.phrase });
    for (const device of [ann, annOther, bob, carol]) device.node.setOnline(false);
    await fresh.messenger.importBackup(file, TEST_PASSWORD);
    const old = olderState(ann, [[carol, "in", 2]]);
    await deliverToGroup(relay, { from: carol, to: [fresh], id, keeper: ann, body: { ...old, log } });
    await untilEmpty(relay, fresh);
    const before = await textIdsFor(carol, relay);
    await fresh.messenger.sendText(id, "now that Carol is gone");
    await fresh.messenger.sendText(keyOf(carol), "to Carol");
    await passTime([fresh], 1_000, async () => (await textIdsFor(carol, relay)).length > before.length);
    ann.node.setOnline(true);
    await passTime(world.devices, 1_000, async () => (await textsOf(ann, id)).includes("now that Carol is gone"));
    const about = (await chatOf(fresh, keyOf(carol))).map((message) => message.id);
    expect((await textIdsFor(carol, relay)).filter((text) => !before.includes(text))).toEqual(about);
  });

  it("takes no departure of a stranger, and one of a former member no more", async () => {
    const { id } = await withRemovedAdmin();
    const dave = await world.join();
    await befriend(relay, carol, dave, world.devices);
    const before = await chatOf(carol, id);
    for (const from of [dave, bob])
      for (const clock of [1, 50, 51])
        await deliverToGroup(relay, { from, to: [carol], id, keeper: ann, body: { kind: "group.leave", clock } });
    await untilEmpty(relay, carol);
    expect((await chatOf(carol, id)).map(({ id: line }) => line)).toEqual(before.map(({ id: line }) => line));
  });
});
