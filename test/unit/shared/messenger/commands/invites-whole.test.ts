// Invite links from one end to the other: real programs make a link, ask by it, let in, refuse, and write to each other.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { RANK_MS } from "#shared/messenger/running/admission.ts";
import { linkKey, readGroupLink } from "#shared/protocol/groups/group-link.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createQuartet, makeGroup, tick as passSecond, untilWords } from "#test/support/worlds/group-world.ts";
import { type Device, keyOf, passTime, summaryOf, untilEmpty } from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { TEST_CHAIN } from "#test/support/worlds/messenger-world.ts";
import { settlePairs } from "#test/support/worlds/pair-mail.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";
import { logOn } from "#test/support/worlds/stored-group.ts";

const DAY_MS = 86_400_000;
const TEN_MINUTES_MS = 600_000;
const WORDS = ["made", "adminNamed", "hello", "hello", "hello", "hello"] as const;

const people = peopleForEach(createQuartet);
let id: string;
let dan: Device;

beforeEach(async () => {
  id = await makeGroup(people);
  await people.ann.messenger.setGroupAdmin(id, keyOf(people.bob), true);
  await untilWords(members(), id, ["made", "adminNamed"]);
  for (const device of members()) await device.messenger.sendText(id, "hello");
  await settlePairs(people.relay, members());
  dan = await people.world.join();
  dan.time.advance(people.ann.time.nowMs() - dan.time.nowMs());
});

const members = (): readonly Device[] => [people.ann, people.annOther, people.bob, people.carol];
const all = (): readonly Device[] => people.world.devices;
const groupOn = (device: Device): NonNullable<ReturnType<typeof summaryOf>>["group"] => summaryOf(device, id)?.group ?? null;
const isIn = (on: Device, person: Device = dan): boolean => groupOn(on)?.members.includes(keyOf(person)) === true;
const untilIn = (person: Device, ...on: readonly Device[]): Promise<void> =>
  passTime(all(), 5_000, () => on.every((device) => isIn(device, person)));
const refusalOf = (device: Device): unknown => device.messenger.getSnapshot().askedLinks[0]?.refusal;
const keyOfText = (text: string): string => {
  const read = readGroupLink(text, TEST_CHAIN);
  return read.kind === "link" ? linkKey(read.link, TEST_CHAIN) : "";
};

async function makes(by: Device, more: { readonly uses?: number; readonly lastsMs?: number } = {}): Promise<string> {
  const { uses = 5, lastsMs = DAY_MS } = more;
  const text = await by.messenger.makeLink(id, { uses, until: by.time.nowMs() + lastsMs });
  for (const device of members()) await pollUntil(() => groupOn(device)?.links.some(({ key }) => key === keyOfText(text)) === true);
  passSecond(people);
  return text;
}

describe("an invite link, from one end to the other", () => {
  it("brings a stranger into the group, who writes to all and is written to by all", async () => {
    const { ann, annOther, bob, carol } = people;
    await dan.messenger.askToJoin(await makes(ann));
    // The first of the devices of who made it needs no time.
    await pollUntil(() => all().every((device) => isIn(device)));
    expect(summaryOf(dan, id)).toMatchObject({ isRequest: false });
    passSecond(people);
    await dan.messenger.sendText(id, "here I am");
    await untilWords([ann, annOther, bob, carol], id, [...WORDS, "linkMade", "joined", "here I am"]);
    passSecond(people);
    await carol.messenger.sendText(id, "welcome");
    await untilWords([dan], id, ["joined", "here I am", "welcome"]);
    expect(groupOn(bob)?.links).toMatchObject([{ used: 1 }]);
  });

  it("lets in no one who waits while it is withdrawn: they hear it with their next request", async () => {
    const { ann, annOther, bob } = people;
    const text = await makes(bob);
    for (const device of [ann, annOther]) device.node.setOnline(false);
    const locked = vi.spyOn(bob.client, "signGroupEntry").mockResolvedValue(null);
    await dan.messenger.askToJoin(text);
    await passTime(all(), 5_000, () => locked.mock.calls.length > 0);
    locked.mockRestore();
    await bob.messenger.withdrawLink(id, keyOfText(text));
    await passTime(all(), TEN_MINUTES_MS, () => refusalOf(dan) !== undefined);
    expect([refusalOf(dan), isIn(bob)]).toEqual(["withdrawn", false]);
  });

  it("refuses who comes when all have come, or too late, and who holds the link of a former admin", async () => {
    const { ann, annOther, bob, world } = people;
    const one = await makes(ann, { uses: 1 });
    const short = await makes(ann, { lastsMs: TEN_MINUTES_MS });
    const ofBob = await makes(bob);
    await dan.messenger.askToJoin(one);
    await untilIn(dan, dan, ann, annOther);
    const [erin, finn, gus] = [await world.join(), await world.join(), await world.join()];
    await erin.messenger.askToJoin(one);
    await passTime(all(), 5_000, () => refusalOf(erin) !== undefined);
    await ann.messenger.setGroupAdmin(id, keyOf(bob), false);
    for (const device of members()) await pollUntil(() => groupOn(device)?.admins.length === 0);
    await gus.messenger.askToJoin(ofBob);
    for (const device of all()) device.time.advance(TEN_MINUTES_MS);
    await finn.messenger.askToJoin(short);
    await passTime(all(), 5_000, () => refusalOf(finn) !== undefined && refusalOf(gus) !== undefined);
    expect([refusalOf(erin), refusalOf(finn), refusalOf(gus)]).toEqual(["used", "over", "withdrawn"]);
    for (const person of [erin, finn, gus]) expect(isIn(ann, person)).toBe(false);
  });

  it("counts a person once whom two admins let in who do not hear of each other", async () => {
    const { ann, annOther, bob, carol, relay } = people;
    const text = await makes(ann);
    const isBetween =
      (one: readonly Device[], other: readonly Device[]) =>
      (envelope: { readonly id: string; readonly recipient_pub: string }): boolean =>
        one.some((device) => relay.isFrom(device, envelope)) && other.some(({ account }) => account.devicePub === envelope.recipient_pub);
    const parts = [[ann, annOther], [bob]] as const;
    relay.loses = (envelope): boolean => isBetween(parts[0], parts[1])(envelope) || isBetween(parts[1], parts[0])(envelope);
    await dan.messenger.askToJoin(text);
    await untilIn(dan, ann, bob, dan);
    relay.loses = (): boolean => false;
    await carol.messenger.sendText(id, "who is there?");
    await dan.messenger.sendText(id, "me");
    await passTime(all(), RANK_MS, () => members().every((device) => groupOn(device)?.links[0]?.used === 1));
    for (const device of members()) expect(groupOn(device)?.members.filter((person) => person === keyOf(dan))).toHaveLength(1);
  });

  it("makes nothing of requests that are forged, repeated, or of another group, and answers none", async () => {
    const { ann, relay } = people;
    const text = await makes(ann);
    await settlePairs(relay, all());
    const read = readGroupLink(text, TEST_CHAIN);
    const group = read.kind === "link" ? read.link.group : "";
    const before = { entries: (await logOn(ann, id))?.entries.length, sent: relay.history.length };
    const body = {
      kind: "group.join",
      group,
      key: keyOfText(text),
      at: dan.time.nowMs(),
      asked: [keyOf(ann)],
      signature: "01".repeat(64),
    } as const;
    const forged = [body, body, { ...body, group: "ab".repeat(16) }, { ...body, key: "cd".repeat(32) }, { ...body, at: 0 }];
    for (let n = 0; n < 50; n += 1) {
      const plaintext = contentOf(dan, ann, forged[n % forged.length] ?? body, { at: dan.time.nowMs() });
      await deliver(relay, { from: dan, to: ann, plaintext });
    }
    await untilEmpty(relay, ann);
    await passTime(all(), RANK_MS, () => true);
    await settlePairs(relay, all());
    expect({ entries: (await logOn(ann, id))?.entries.length, sent: relay.history.length - 50 }).toEqual(before);
    expect(isIn(ann)).toBe(false);
  });
});
