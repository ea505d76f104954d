// Invite links between devices: an admin makes one, who asks by it is let in without another question, and no one is once it is withdrawn.
// Requests are made by hand here.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GroupJoinBody } from "#shared/content/group-content.ts";
import { PAUSE_MS, RANK_MS } from "#shared/messenger/running/admission.ts";
import { type GroupLink, linkKey, readGroupLink, signJoinRequest } from "#shared/protocol/groups/group-link.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createQuartet, makeGroup, tick as passSecond, untilWords, wordsOf } from "#test/support/worlds/group-world.ts";
import { type Device, keyOf, passTime, restart, summaryOf, untilEmpty } from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { TEST_CHAIN } from "#test/support/worlds/messenger-world.ts";
import { kindsFor, settlePairs } from "#test/support/worlds/pair-mail.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";
import { logOn } from "#test/support/worlds/stored-group.ts";

const DAY_MS = 86_400_000;

const people = peopleForEach(createQuartet);
let id: string;
let dave: Device;

const members = (): readonly Device[] => [people.ann, people.annOther, people.bob, people.carol];
const all = (): readonly Device[] => [...members(), dave];
const linksOn = (device: Device): NonNullable<NonNullable<ReturnType<typeof summaryOf>>["group"]>["links"] =>
  summaryOf(device, id)?.group?.links ?? [];
const isIn = (on: Device, person: Device = dave): boolean => summaryOf(on, id)?.group?.members.includes(keyOf(person)) === true;
const admissions = async (on: Device): Promise<number> =>
  (await logOn(on, id))?.entries.filter(({ entry }) => entry.change.op === "admit").length ?? 0;

/** Time passes: of an admin's two devices the first one answers, whichever that is. */
const untilIn = (...on: readonly Device[]): Promise<void> => passTime(all(), 5_000, () => on.every((device) => isIn(device)));

beforeEach(async () => {
  id = await makeGroup(people);
  await people.ann.messenger.setGroupAdmin(id, keyOf(people.bob), true);
  await untilWords(members(), id, ["made", "adminNamed"]);
  dave = await people.world.join();
});

const tick = (): void => passSecond(people);

/** Everyone has written to the group: what their programs read is known. */
async function acquaint(): Promise<void> {
  for (const device of members()) await device.messenger.sendText(id, "hello");
  await settlePairs(people.relay, members());
}

async function made(uses = 5, by: Device = people.ann): Promise<GroupLink> {
  await acquaint();
  const text = await by.messenger.makeLink(id, { uses, until: by.time.nowMs() + DAY_MS });
  const read = readGroupLink(text, TEST_CHAIN);
  if (read.kind !== "link") throw new Error("no link");
  for (const device of members()) await pollUntil(() => linksOn(device).length > 0);
  tick();
  return read.link;
}

function requestOf(link: GroupLink, from: Device, more: Partial<GroupJoinBody> = {}): GroupJoinBody {
  const { group, admins: asked } = link;
  const key = linkKey(link, TEST_CHAIN);
  const at = from.time.nowMs();
  const signature = signJoinRequest(link, { group, key, person: keyOf(from), at }, TEST_CHAIN);
  return { kind: "group.join", group, key, at, asked, signature, ...more };
}

async function asks(from: Device, body: GroupJoinBody, of: readonly Device[] = [people.ann]): Promise<void> {
  for (const to of of) await deliver(people.relay, { from, to, plaintext: contentOf(from, to, body, { at: from.time.nowMs() }) });
  await untilEmpty(people.relay, ...of);
}

describe("an invite link", () => {
  it("is made once every device of every member has said that it knows links", async () => {
    const { ann, carol } = people;
    const link = { uses: 1, until: ann.time.nowMs() + DAY_MS };
    const makes = (more: object): Promise<string> => ann.messenger.makeLink(id, { ...link, ...more });
    await expect(makes({})).rejects.toMatchObject({ code: "BAD_REQUEST", details: { field: "programs" } });
    await acquaint();
    for (const [field, more] of [
      ["uses", { uses: 0 }],
      ["uses", { uses: 100 }],
      ["until", { until: ann.time.nowMs() }],
      ["until", { until: ann.time.nowMs() + 400 * DAY_MS }],
    ] as const)
      await expect(makes(more)).rejects.toMatchObject({ code: "BAD_REQUEST", details: { field } });
    await expect(carol.messenger.makeLink(id, link)).rejects.toMatchObject({ code: "BAD_REQUEST", details: { field: "id" } });
    for (let n = 0; n < 8; n += 1) await makes({});
    await expect(makes({})).rejects.toMatchObject({ code: "BAD_REQUEST", details: { field: "id" } });
  });

  it("lets in who asks, on the word of its secret; who made it sees it on each own device", async () => {
    const { ann, annOther, bob, carol } = people;
    const link = await made();
    await pollUntil(() => linksOn(annOther)[0]?.text === linksOn(ann)[0]?.text);
    expect(linksOn(ann)[0]).toMatchObject({ by: keyOf(ann), uses: 5, used: 0, text: expect.stringContaining("parley:group#") });
    expect(linksOn(bob)[0]).toMatchObject({ by: keyOf(ann), text: null });
    expect(link.admins).toEqual([keyOf(ann), keyOf(bob)]);
    await asks(dave, requestOf(link, dave, { signature: "00".repeat(64) }));
    expect(isIn(ann)).toBe(false);
    await asks(dave, requestOf(link, dave), [ann, annOther]);
    // The first of them needs no time.
    await pollUntil(() => all().every((device) => isIn(device)));
    for (const device of [ann, bob, carol]) expect((await wordsOf(device, id)).slice(-2)).toEqual(["linkMade", "joined"]);
    expect(await wordsOf(dave, id)).toEqual(["joined"]);
    expect(linksOn(bob)[0]).toMatchObject({ used: 1 });
    // The other own device has seen that it was done.
    await passTime(all(), RANK_MS, () => true);
    await settlePairs(people.relay, all());
    expect(await admissions(ann)).toBe(1);
  });

  it("is answered by the next admin where those before are away, and by each device of theirs before that", async () => {
    const { ann, annOther, bob } = people;
    const link = await made();
    ann.node.setOnline(false);
    annOther.node.setOnline(false);
    await asks(dave, requestOf(link, dave), [bob]);
    expect(isIn(bob)).toBe(false);
    const from = bob.time.nowMs();
    await passTime(all(), 1_000, () => isIn(bob));
    expect(bob.time.nowMs() - from).toBeGreaterThanOrEqual(2 * RANK_MS - 1_000);
    ann.node.setOnline(true);
    await pollUntil(() => isIn(ann));
  });

  it("waits while the wallet can sign nothing, also when the program ends meanwhile", async () => {
    const { ann, annOther, relay } = people;
    const link = await made();
    annOther.node.setOnline(false);
    const locked = vi.spyOn(ann.client, "signGroupEntry").mockResolvedValue(null);
    await asks(dave, requestOf(link, dave));
    await passTime(all(), 5_000, () => locked.mock.calls.length > 0);
    await restart(ann, relay);
    expect(isIn(ann)).toBe(false);
    locked.mockRestore();
    await untilIn(ann, dave);
  });

  it("lets in no one once it is withdrawn, and who asks hears that once a day", async () => {
    const { ann, bob, relay } = people;
    const link = await made();
    await bob.messenger.withdrawLink(id, linkKey(link, TEST_CHAIN));
    for (const device of members()) await pollUntil(() => linksOn(device).length === 0);
    expect((await wordsOf(ann, id)).at(-1)).toBe("linkWithdrawn");
    await asks(dave, requestOf(link, dave));
    dave.time.advance(1_000);
    await asks(dave, requestOf(link, dave));
    const refusals = async (): Promise<number> => (await kindsFor(dave, relay)).filter((kind) => kind === "group.refused").length;
    await pollUntil(async () => (await refusals()) > 0);
    await settlePairs(relay, all());
    expect([await refusals(), isIn(ann)]).toEqual([1, false]);
  });

  it("brings back who left by a new request alone, and never who was removed", async () => {
    const { ann } = people;
    const link = await made();
    const first = requestOf(link, dave);
    await asks(dave, first);
    await untilIn(dave, ann);
    await passTime(all(), PAUSE_MS, () => true);
    await dave.messenger.leaveGroup(id);
    await pollUntil(() => !isIn(ann));
    await asks(dave, first);
    await passTime(all(), PAUSE_MS, () => true);
    expect(isIn(ann)).toBe(false);
    await asks(dave, requestOf(link, dave));
    await untilIn(ann);
    await ann.messenger.removeFromGroup(id, keyOf(dave));
    await passTime(all(), PAUSE_MS, () => true);
    await asks(dave, requestOf(link, dave));
    await passTime(all(), PAUSE_MS, () => true);
    expect([isIn(ann), await admissions(ann)]).toEqual([false, 2]);
  });

  it("puts out again whom a device let in that had not heard of the withdrawal; they come back by another link", async () => {
    const { ann, annOther, bob, relay } = people;
    const link = await made();
    annOther.node.setOnline(false);
    bob.node.setOnline(false);
    await asks(dave, requestOf(link, dave));
    await untilIn(ann);
    tick();
    await bob.messenger.withdrawLink(id, linkKey(link, TEST_CHAIN));
    bob.node.setOnline(true);
    await passTime(all(), 5_000, () => !isIn(ann) && !isIn(bob));
    expect((await wordsOf(ann, id)).slice(-3).sort()).toEqual(["joined", "linkWithdrawn", "unadmitted"]);
    await settlePairs(relay, [ann, bob, people.carol]);
    await passTime(all(), PAUSE_MS, () => true);
    const text = await bob.messenger.makeLink(id, { uses: 1, until: bob.time.nowMs() + DAY_MS });
    const read = readGroupLink(text, TEST_CHAIN);
    if (read.kind !== "link") throw new Error("no link");
    await pollUntil(() => linksOn(ann).length === 1);
    await asks(dave, requestOf(read.link, dave), [bob]);
    await untilIn(ann);
  });
});
