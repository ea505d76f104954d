// Asking to be let into a group by an invite link: what leaves, and what becomes of it on all devices of who asks.
import { beforeEach, describe, expect, it } from "vitest";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import type { GroupJoinBody, GroupStateBody } from "#shared/content/group-content.ts";
import { ASKING_MS } from "#shared/messenger/model/asked-links.ts";
import { groupOf } from "#shared/messenger/model/conversation-id.ts";
import { formatGroupLink, isGenuineJoinRequest, linkKey } from "#shared/protocol/groups/group-link.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createQuartet, makeGroup, type Quartet, untilWords } from "#test/support/worlds/group-world.ts";
import { type Device, keyOf, passTime, restart, summaryOf, untilEmpty } from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { TEST_CHAIN, TEST_PASSWORD, type TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

/** Dan, with two devices, is known to no one of Ann, Bob and Carol. */
interface Quintet extends Quartet {
  readonly dan: Device;
  readonly danOther: Device;
}

async function createQuintet(): Promise<Quintet> {
  const quartet = await createQuartet();
  const dan = await quartet.world.join();
  const danOther = await quartet.world.join({ phrase: dan.phrase });
  return { ...quartet, dan, danOther };
}

const people = peopleForEach(createQuintet);
const SECRET = "0c".repeat(16);
let id: string;

beforeEach(async () => {
  id = await makeGroup(people);
});

/** A link of Ann's group, which calls it by its name or another one. */
function link(name = "Hikes", admins: readonly Device[] = [people.ann]): string {
  return formatGroupLink({ group: groupOf(id) ?? "", secret: fromHex(SECRET), admins: admins.map(keyOf), name }, TEST_CHAIN);
}

/** Requests that were ever laid into a device's mailbox. */
async function requestsFor(device: Device, relay: TestRelay): Promise<readonly GroupJoinBody[]> {
  const envelopes = relay.history.filter(({ recipient_pub }) => recipient_pub === device.account.devicePub);
  const opened = await device.keyring.open({ items: envelopes });
  return opened.flatMap(({ plaintext }) => {
    const decoded = decodePlaintext(plaintext ?? new Uint8Array());
    return decoded.form === "content" && decoded.content.body.kind === "group.join" ? [decoded.content.body] : [];
  });
}

/** A state of an older program that makes a group of two people. */
const spoofOf = (keeper: Device, other: Device): GroupStateBody => ({
  kind: "group.state",
  term: 0,
  keeper: keyOf(keeper),
  since: 1,
  name: { text: "Hikes", clock: 1, at: 1 },
  entries: [keyOf(keeper), keyOf(other)].sort().map((key) => ({ key, clock: 1, standing: "in", at: 1 })),
});

const askedBy = (device: Device): ReturnType<Device["messenger"]["getSnapshot"]>["askedLinks"] => device.messenger.getSnapshot().askedLinks;

describe("who asks by a link", () => {
  it("sends a request that the link has signed to the devices of its admins, and own devices learn that they ask, not the secret", async () => {
    const { relay, ann, annOther, bob, dan, danOther } = people;
    await dan.messenger.askToJoin(link());
    await pollUntil(() => askedBy(danOther).length === 1);
    for (const device of [ann, annOther]) await pollUntil(async () => (await requestsFor(device, relay)).length === 1);
    const [request] = (await requestsFor(ann, relay)) as [GroupJoinBody];
    const { group, key, at, asked, signature } = request;
    expect({ group, key, asked }).toEqual({
      group: groupOf(id),
      key: linkKey({ group, secret: fromHex(SECRET) }, TEST_CHAIN),
      asked: [keyOf(ann)],
    });
    expect(isGenuineJoinRequest({ group, key, person: keyOf(dan), at }, signature, TEST_CHAIN)).toBe(true);
    expect(await requestsFor(bob, relay)).toEqual([]);
    expect(askedBy(danOther)).toMatchObject([{ group, key, admins: [keyOf(ann)], secret: "", name: "" }]);
    // Once more changes nothing.
    await dan.messenger.askToJoin(link());
    expect(askedBy(dan)).toMatchObject([{ times: 1, secret: SECRET }]);
  });

  it("finds the group among the chats of all devices once it is let in, and not among the requests; the secret is forgotten", async () => {
    const { ann, dan, danOther } = people;
    await dan.messenger.askToJoin(link("Mountain hikes"));
    await pollUntil(() => askedBy(danOther).length === 1);
    await ann.messenger.addToGroup(id, [keyOf(dan)]);
    for (const device of [dan, danOther]) {
      await pollUntil(() => summaryOf(device, id)?.group?.isMember === true && askedBy(device).length === 0);
      expect(summaryOf(device, id)).toMatchObject({ isRequest: false, group: { name: "Hikes" } });
    }
    await untilWords([dan], id, ["added", "claimed Mountain hikes"]);
    await untilWords([danOther], id, ["added"]);
    await expect(dan.messenger.askToJoin(link())).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("takes no other group that someone calls by the id of the link, and is not kept from asking by one", async () => {
    const { relay, ann, bob, dan } = people;
    const group = { id: groupOf(id) ?? "", keeper: keyOf(bob) };
    await dan.messenger.askToJoin(link());
    await deliver(relay, { from: bob, to: dan, plaintext: contentOf(bob, dan, spoofOf(bob, dan), { group }) });
    await pollUntil(() => summaryOf(dan, id)?.group?.isMember === true);
    expect(summaryOf(dan, id)).toMatchObject({ isRequest: true });
    expect(askedBy(dan)).toHaveLength(1);
    await dan.messenger.endAsking(group.id);
    await dan.messenger.askToJoin(link());
    await ann.messenger.addToGroup(id, [keyOf(dan)]);
    await pollUntil(() => askedBy(dan).length === 0);
    expect(summaryOf(dan, id)).toMatchObject({ isRequest: false, group: { admin: keyOf(ann) } });
  });

  it("takes a group for which it has not asked as a request, as before", async () => {
    const { ann, dan } = people;
    const other = await ann.messenger.createGroup("Other", [keyOf(dan)]);
    await dan.messenger.askToJoin(link());
    await pollUntil(() => summaryOf(dan, other)?.isRequest === true);
    expect(askedBy(dan)).toHaveLength(1);
  });

  it("asks again with growing pauses, also after a restart, and for seven days", async () => {
    const { relay, ann, dan } = people;
    withoutCards(ann, dan);
    await dan.messenger.askToJoin(link());
    const count = async (): Promise<number> => (await requestsFor(ann, relay)).length;
    await pollUntil(async () => (await count()) === 1);
    dan.time.advance(599_000);
    await restart(dan, relay);
    expect(await count()).toBe(1);
    await passTime([dan], 1_000, async () => (await count()) === 2);
    const times = (await requestsFor(ann, relay)).map(({ at }) => at);
    expect(new Set(times).size).toBe(2);
    dan.time.advance(3_600_000);
    await pollUntil(async () => (await count()) === 3);
    dan.time.advance(ASKING_MS);
    await passTime([dan], 1_000, () => askedBy(dan)[0]?.secret === "");
    const last = await count();
    dan.time.advance(86_400_000);
    await restart(dan, relay);
    expect(askedBy(dan)).toHaveLength(1);
    expect(await count()).toBe(last);
  });

  it("asks no more once it ends it, and takes what comes then as a request", async () => {
    const { relay, ann, dan, danOther } = people;
    await danOther.messenger.stop();
    relay.unlink(keyOf(dan), danOther.account.devicePub);
    ann.node.setOnline(false);
    dan.node.setOnline(false);
    await dan.messenger.askToJoin(link());
    await pollUntil(() => askedBy(dan)[0]?.times === 1);
    await dan.messenger.endAsking(groupOf(id) ?? "");
    expect(askedBy(dan)).toEqual([]);
    dan.node.setOnline(true);
    ann.node.setOnline(true);
    await ann.messenger.addToGroup(id, [keyOf(dan)]);
    await pollUntil(() => summaryOf(dan, id)?.isRequest === true);
    expect(await requestsFor(ann, relay)).toEqual([]);
  });

  it("asks no more on any own device once one ends it, whichever asks", async () => {
    const { ann, dan, danOther } = people;
    const group = groupOf(id) ?? "";
    for (const [asking, ending] of [
      [dan, dan],
      [dan, danOther],
    ] as const) {
      await asking.messenger.askToJoin(link());
      await pollUntil(() => askedBy(danOther).length === 1);
      await untilEmpty(people.relay, dan, danOther);
      for (const device of [dan, danOther]) device.time.advance(1_000);
      await ending.messenger.endAsking(group);
      await pollUntil(() => [dan, danOther].every((device) => askedBy(device).length === 0), { what: "the end on both devices" });
    }
    await ann.messenger.addToGroup(id, [keyOf(dan)]);
    for (const device of [dan, danOther]) await pollUntil(() => summaryOf(device, id)?.isRequest === true);
  });

  it("believes no end from others, and none of before it asked", async () => {
    const { relay, ann, dan, danOther } = people;
    await dan.messenger.askToJoin(link());
    await pollUntil(() => askedBy(danOther).length === 1);
    const [{ group, key, askedAt } = { group: "", key: "", askedAt: 0 }] = askedBy(dan);
    const body = { kind: "group.refused", group, key, reason: "withdrawn" } as const;
    const early = contentOf(danOther, dan, body, { at: askedAt - 1 });
    await deliver(relay, { from: danOther, to: dan, plaintext: early });
    const forged = contentOf(ann, dan, body, { from: keyOf(dan), at: askedAt + 1 });
    await deliver(relay, { from: ann, to: dan, plaintext: forged });
    await untilEmpty(relay, dan);
    expect(askedBy(dan)).toMatchObject([{ secret: SECRET }]);
  });

  it("believes a refusal of those who were asked alone, on all devices", async () => {
    const { relay, ann, bob, dan, danOther } = people;
    await dan.messenger.askToJoin(link());
    await pollUntil(() => askedBy(danOther).length === 1);
    const group = groupOf(id) ?? "";
    const body = {
      kind: "group.refused",
      group,
      key: linkKey({ group, secret: fromHex(SECRET) }, TEST_CHAIN),
      reason: "withdrawn",
    } as const;
    for (const device of [dan, danOther]) {
      await deliver(relay, { from: bob, to: device, plaintext: contentOf(bob, device, body) });
      await untilEmpty(relay, device);
      expect(askedBy(device)[0]?.refusal).toBeUndefined();
      await deliver(relay, { from: ann, to: device, plaintext: contentOf(ann, device, body) });
      await pollUntil(() => askedBy(device)[0]?.refusal === "withdrawn");
      expect(askedBy(device)[0]?.secret).toBe("");
    }
    // Another link of the same group can be tried.
    await dan.messenger.askToJoin(link("Hikes", [people.carol]));
    expect(askedBy(dan)).toMatchObject([{ admins: [keyOf(people.carol)], times: 0 }]);
    await pollUntil(() => askedBy(dan)[0]?.times === 1);
  });

  it("goes on asking from a backup, also where someone has called another group by the id of the link", async () => {
    const { relay, ann, bob, dan } = people;
    await dan.messenger.askToJoin(link());
    await pollUntil(() => askedBy(dan)[0]?.times === 1);
    const backup = await dan.messenger.exportBackup(TEST_PASSWORD, { withFiles: false, app: null });
    const fresh = await people.world.join({ phrase: dan.phrase });
    const group = { id: groupOf(id) ?? "", keeper: keyOf(bob) };
    await deliver(relay, { from: bob, to: fresh, plaintext: contentOf(bob, fresh, spoofOf(bob, dan), { group }) });
    await pollUntil(() => summaryOf(fresh, id)?.group?.isMember === true);
    await fresh.messenger.importBackup(backup, TEST_PASSWORD);
    expect(askedBy(fresh)).toMatchObject([{ group: groupOf(id), secret: SECRET, times: 1 }]);
    await pollUntil(async () => (await requestsFor(ann, relay)).length === 1);
  });

  it.each(["", "parley:group#abc", "parley:contact?id=x"])("refuses %j, which is no link", async (text) => {
    await expect(people.dan.messenger.askToJoin(text)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("refuses a link of another network, and one that names no one but oneself", async () => {
    const { dan } = people;
    const other = formatGroupLink({ group: groupOf(id) ?? "", secret: fromHex(SECRET), admins: [keyOf(people.ann)], name: "x" }, "other");
    await expect(dan.messenger.askToJoin(other)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(dan.messenger.askToJoin(link("x", [dan]))).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
