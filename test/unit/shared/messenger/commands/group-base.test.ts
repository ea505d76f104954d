// Bases between devices: the owner's device writes one by itself once everyone's program reads them, logs get shorter, and who was away or
// is new begins there.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR_BASE_ENTRIES } from "#shared/protocol/groups/group-bounds.ts";
import type { GroupLog } from "#shared/protocol/groups/group-log.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import { decodeSignedEntry, type SignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { deliverToGroup, olderState, signEntry } from "#test/support/worlds/group-mail.ts";
import { createQuartet, makeGroup, type Quartet, untilWords, wordsOf } from "#test/support/worlds/group-world.ts";
import { befriend, type Device, keyOf, passTime, restart, summaryOf, untilEmpty } from "#test/support/worlds/messenger-chat.ts";
import { settlePairs } from "#test/support/worlds/pair-mail.ts";
import { logOn } from "#test/support/worlds/stored-group.ts";

const LIE = "ab".repeat(32);

let people: Quartet;
let id: string;
let at = 100;

beforeEach(async () => {
  people = await createQuartet();
  id = await makeGroup(people);
  await people.ann.messenger.setGroupAdmin(id, keyOf(people.bob), true);
  await untilWords(devices(), id, ["made", "adminNamed"]);
});

afterEach(() => people.world.stop());

const devices = (): readonly Device[] => [people.ann, people.annOther, people.bob, people.carol];
const opsOf = (log: GroupLog | undefined): readonly string[] => log?.entries.map(({ entry }) => entry.change.op) ?? [];
const basesOn = async (device: Device): Promise<number> => opsOf(await logOn(device, id)).filter((op) => op === "base").length;

/** Devices write to the group, until every pair of them knows what the other one reads. */
async function acquaint(all: readonly Device[] = devices()): Promise<void> {
  for (const device of all) await device.messenger.sendText(id, `from ${device.account.devicePub.slice(0, 4)}`);
  await settlePairs(people.relay, all);
}

/** Time passes, and Bob writes, until Ann's device has written a base behind an entry. */
async function untilBase(all: readonly Device[], after: number): Promise<number> {
  let last = 0;
  await passTime(all, 61_000, async () => {
    await people.bob.messenger.sendText(id, "hm");
    const bases = (await logOn(people.ann, id))?.entries.filter(({ entry }) => entry.change.op === "base") ?? [];
    last = Math.max(0, ...bases.map(({ entry }) => entry.n));
    return last > after;
  });
  await settlePairs(people.relay, all);
  return last;
}

/** Entries that a device signs one after the other behind what it knows, laid into mailboxes. */
async function writes(author: Device, changes: readonly GroupChange[], to: readonly Device[] = devices()): Promise<void> {
  const log = (await logOn(author, id)) as GroupLog;
  const known = log.entries.map(({ text }) => decodeSignedEntry(text) as SignedEntry);
  let prev = log.fold.group.heads;
  const texts: string[] = [];
  for (const change of changes) {
    const text = await signEntry(author, known, { prev, change });
    const entry = decodeSignedEntry(text) as SignedEntry;
    known.push(entry);
    texts.push(text);
    prev = [entry.hash];
  }
  const body = { ...olderState(people.ann, [[people.ann, "in", 1]]), log: texts };
  const sender = author === people.bob ? people.carol : people.bob;
  for (const device of to) {
    const from = device === author ? sender : author;
    await deliverToGroup(people.relay, { from, to: [device], id, keeper: people.ann, body });
  }
  await untilEmpty(people.relay, ...to);
}

/** As many changes of one admin as a base is due after. */
async function many(to: readonly Device[] = devices()): Promise<void> {
  const first = at + 1;
  at += AUTHOR_BASE_ENTRIES + 1;
  const changes = Array.from(
    { length: AUTHOR_BASE_ENTRIES + 1 },
    (_, index): GroupChange => ({ op: "name", at: first + index, name: `name ${first + index}` }),
  );
  await writes(people.bob, changes, to);
}

describe("the owner's device", () => {
  it("writes no base before every device of every member has said that it reads them, and then one of its two does", async () => {
    const { ann, annOther, bob, carol } = people;
    carol.node.setOnline(false);
    const rest = [ann, annOther, bob];
    await acquaint(rest);
    await many(rest);
    for (let minute = 0; minute < 3; minute += 1) {
      await bob.messenger.sendText(id, `minute ${minute}`);
      for (const device of rest) device.time.advance(61_000);
      await settlePairs(people.relay, rest);
    }
    for (const device of rest) expect(await basesOn(device)).toBe(0);
    carol.node.setOnline(true);
    await acquaint();
    await untilBase(devices(), 0);
    for (const device of devices()) expect(await basesOn(device)).toBe(1);
  });

  it("shortens the log with the next one, for all, for who is new and for who was away meanwhile", async () => {
    const { relay, world, ann, annOther, bob, carol } = people;
    await acquaint();
    await carol.messenger.stop();
    const rest = [ann, annOther, bob];
    for (let round = 0, last = 0; round < 3; round += 1) {
      await many(rest);
      last = await untilBase(rest, last);
    }
    const log = (await logOn(ann, id)) as GroupLog;
    expect(log.root).toBeDefined();
    expect(log.entries.length).toBeLessThan(3 * AUTHOR_BASE_ENTRIES);
    await restart(carol, relay);
    await passTime(devices(), 61_000, async () => {
      await bob.messenger.sendText(id, "welcome back");
      return summaryOf(carol, id)?.group?.name === `name ${at}`;
    });
    for (const device of [annOther, bob, carol]) expect((await logOn(device, id))?.root?.hash).toBe(log.root?.hash);
    const dave = await world.join();
    await befriend(relay, ann, dave, world.devices);
    await ann.messenger.addToGroup(id, [keyOf(dave)]);
    await pollUntil(() => summaryOf(dave, id)?.group?.isMember === true);
    expect(summaryOf(dave, id)?.group).toMatchObject({ name: `name ${at}`, owner: keyOf(ann), admins: [keyOf(bob)] });
    expect(await wordsOf(dave, id)).toEqual(["added"]);
  });
});

describe("a base that says something else than a member knows", () => {
  it("is not followed, and the chat says so", async () => {
    const { ann, bob } = people;
    await writes(ann, [
      { op: "base", at: 500, state: LIE },
      { op: "base", at: 501, state: LIE },
    ]);
    await pollUntil(async () => (await wordsOf(bob, id)).includes("forked"));
    expect((await logOn(bob, id))?.root).toBeUndefined();
    expect(opsOf(await logOn(bob, id))).toEqual(["create", "admins", "base", "base"]);
  });
});
