// Passing on a group between devices: every one looks on the chain for itself.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { GroupSummary } from "#shared/messenger/model/conversation.ts";
import { FIRST_LOOK_MS } from "#shared/messenger/running/owner-watch.ts";
import { OFFER_MS } from "#shared/protocol/groups/group-bounds.ts";
import { ownerMemo } from "#shared/protocol/groups/owner-memo.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { deliverToGroup, olderState } from "#test/support/worlds/group-mail.ts";
import { createQuartet, makeGroup, type Quartet, untilWords } from "#test/support/worlds/group-world.ts";
import { type Device, keyOf, passTime, restart, summaryOf, type World } from "#test/support/worlds/messenger-chat.ts";
import type { TestRelay, TestTransfer } from "#test/support/worlds/messenger-world.ts";

let people: Quartet;
let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;
let carol: Device;
let id: string;

beforeEach(async () => {
  people = await createQuartet();
  ({ relay, world, ann, bob, carol } = people);
  id = await makeGroup(people);
});

afterEach(() => world.stop());

const groupOf = (device: Device): GroupSummary | null | undefined => summaryOf(device, id)?.group;
const ownerOf = (device: Device): string | null | undefined => groupOf(device)?.owner;

/** What Ann signs, and enters; the chain has it when a block does. */
async function passes(to: Device, from = ann): Promise<TestTransfer> {
  const next = await from.messenger.nextOwner(id, keyOf(to));
  await from.messenger.passGroup(id, next);
  return { from: keyOf(from), to: keyOf(from), memo: next.memo, height: relay.transfers.length + 10 };
}

const untilOwner = (owner: Device, devices: readonly Device[] = world.devices): Promise<void> =>
  passTime(world.devices, FIRST_LOOK_MS, () => devices.every((device) => ownerOf(device) === keyOf(owner)));

describe("an owner", () => {
  it("passes a group on: all wait for the chain, and the next one then names admins", async () => {
    const transfer = await passes(bob);
    for (const device of world.devices) await pollUntil(() => groupOf(device)?.successor?.person === keyOf(bob));
    expect(world.devices.map(ownerOf)).toEqual(world.devices.map(() => keyOf(ann)));
    await expect(bob.messenger.setGroupAdmin(id, keyOf(carol), true)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    relay.transfers.push(transfer);
    await untilOwner(bob);
    await untilWords(world.devices, id, ["made", "ownerNamed"]);
    expect(world.devices.map((device) => groupOf(device)?.successor)).toEqual(world.devices.map(() => null));
    await expect(ann.messenger.renameGroup(id, "Mine")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await bob.messenger.setGroupAdmin(id, keyOf(carol), true);
    await pollUntil(() => world.devices.every((device) => groupOf(device)?.admins.join() === keyOf(carol)));
    await bob.messenger.removeFromGroup(id, keyOf(ann));
    await pollUntil(() => groupOf(ann)?.isMember === false);
  });

  it("changes nothing while a payment may still come into a block, and goes on when none came", async () => {
    await passes(bob);
    await expect(ann.messenger.renameGroup(id, "Walks")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(ann.messenger.setGroupAdmin(id, keyOf(carol), true)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    for (const device of world.devices) device.time.advance(TX_WINDOW_MS + OFFER_MS);
    await ann.messenger.renameGroup(id, "Walks");
    await untilWords([bob, carol], id, ["made", "named Walks"]);
  });

  it("enters the same again after a refusal, and another entry for another person", async () => {
    const first = await ann.messenger.nextOwner(id, keyOf(bob));
    await ann.messenger.passGroup(id, first);
    ann.time.advance(1_000);
    expect(await ann.messenger.nextOwner(id, keyOf(bob))).toEqual(first);
    const other = await ann.messenger.nextOwner(id, keyOf(carol));
    await ann.messenger.passGroup(id, other);
    expect(other.memo).not.toBe(first.memo);
    relay.transfers.push({ from: keyOf(ann), to: keyOf(ann), memo: other.memo, height: 20 });
    await untilOwner(carol);
  });

  it("enters it anew when a payment is made much later: until that is in a block, nothing is changed", async () => {
    const { memo } = await passes(bob);
    for (const device of world.devices) device.time.advance(2 * TX_WINDOW_MS);
    const again = await passes(bob);
    expect(again.memo).not.toBe(memo);
    await expect(ann.messenger.renameGroup(id, "Walks")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    relay.transfers.push(again);
    await untilOwner(bob);
  });

  it("is the only one who can, to a member", async () => {
    await ann.messenger.setGroupAdmin(id, keyOf(bob), true);
    await pollUntil(() => groupOf(bob)?.admins.includes(keyOf(bob)) === true);
    const refused = { code: "BAD_REQUEST" };
    await expect(bob.messenger.nextOwner(id, keyOf(bob))).rejects.toMatchObject(refused);
    await expect(bob.messenger.nextOwner(id, keyOf(carol))).rejects.toMatchObject(refused);
    await expect(ann.messenger.nextOwner(id, keyOf(ann))).rejects.toMatchObject(refused);
    await expect(ann.messenger.nextOwner(id, "ab".repeat(32))).rejects.toMatchObject(refused);
    const { entry } = await ann.messenger.nextOwner(id, keyOf(carol));
    await expect(bob.messenger.passGroup(id, { entry })).rejects.toMatchObject(refused);
  });

  it("of an older group makes a new one instead", async () => {
    const older = `group:${"5a".repeat(16)}`;
    const body = olderState(ann, [
      [ann, "in", 1],
      [bob, "in", 1],
    ]);
    await deliverToGroup(relay, { from: ann, to: [bob], id: older, keeper: ann, body });
    await deliverToGroup(relay, {
      from: people.annOther,
      to: [ann],
      id: older,
      keeper: ann,
      body: { kind: "sync.sent", peer: keyOf(ann), id: "01".repeat(16), at: 1_000, body },
    });
    await untilWords([ann], older, ["made"]);
    await ann.messenger.renameGroup(older, "Walks");
    await expect(ann.messenger.nextOwner(older, keyOf(bob))).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("what is on the chain", () => {
  it("counts for no one where it is of somebody else, to somebody else, or of another group", async () => {
    const { memo, ...transfer } = await passes(bob);
    relay.transfers.push(
      { ...transfer, from: keyOf(bob), to: keyOf(bob), memo },
      { ...transfer, to: keyOf(bob), memo },
      { ...transfer, memo: ownerMemo({ logId: "00".repeat(16), owner: keyOf(ann) }, "ab".repeat(32)) },
    );
    const looks = (): number => ann.node.calls.filter((call) => call === "ownerTransfer").length;
    const before = looks();
    await passTime(world.devices, FIRST_LOOK_MS, () => looks() > before + 2);
    expect(world.devices.map(ownerOf)).toEqual(world.devices.map(() => keyOf(ann)));
    relay.transfers.push({ ...transfer, memo, height: 20 });
    await untilOwner(bob);
  });

  it("is found after a restart, and by who was away while the node could not be asked", async () => {
    const transfer = await passes(bob);
    await pollUntil(() => groupOf(carol)?.successor?.person === keyOf(bob));
    carol.node.refuse = (call): CodedError | undefined =>
      call === "ownerTransfer" ? new CodedError("HISTORY_PRUNED", "The node does not hold that") : undefined;
    relay.transfers.push(transfer);
    await untilOwner(bob, [ann, people.annOther, bob]);
    expect(ownerOf(carol)).toBe(keyOf(ann));
    await restart(carol, relay);
    await untilOwner(bob, [carol]);
  });

  it("makes nothing of an entry that a former owner held back: the first one holds", async () => {
    const hidden = await ann.messenger.nextOwner(id, keyOf(carol));
    relay.transfers.push({ from: keyOf(ann), to: keyOf(ann), memo: hidden.memo, height: 5 });
    ann.time.advance(1_000);
    const transfer = await passes(bob);
    relay.transfers.push(transfer);
    // The chain names what no one has: the group stays with Ann, and Bob is never its owner only to lose it.
    await passTime(world.devices, FIRST_LOOK_MS, () => world.devices.every((device) => groupOf(device)?.successor === null));
    expect(world.devices.map(ownerOf)).toEqual(world.devices.map(() => keyOf(ann)));
    for (const device of world.devices) device.time.advance(TX_WINDOW_MS);
    await ann.messenger.passGroup(id, hidden);
    await untilOwner(carol);
  });

  it("does not keep mail for long where a node can never say it", async () => {
    const dave = await world.join();
    relay.setContact(keyOf(bob), keyOf(dave), "accepted");
    for (const device of world.devices) await device.messenger.refreshContacts();
    relay.transfers.push(await passes(bob));
    await untilOwner(bob, [ann, bob]);
    dave.node.refuse = (call): CodedError | undefined => (call === "ownerTransfer" ? new CodedError("UNAVAILABLE", "never") : undefined);
    await bob.messenger.addToGroup(id, [keyOf(dave)]);
    const asked = (): boolean => dave.node.calls.includes("ownerTransfer");
    await pollUntil(asked, { what: "the question to the node" });
    const mail = (): number => relay.mailboxes.get(dave.account.devicePub)?.size ?? 0;
    expect(mail()).toBe(1);
    dave.time.advance(TX_WINDOW_MS);
    await passTime([dave], 60_000, () => mail() === 0);
    expect(groupOf(dave)?.isMember ?? false).toBe(false);
  });

  it("is not looked for in groups of strangers, until one writes to them", async () => {
    const [dave, erin] = [await world.join(), await world.join()];
    const theirs = await erin.messenger.createGroup("theirs", [keyOf(dave), keyOf(bob)]);
    await pollUntil(() => summaryOf(dave, theirs)?.group?.isMember === true, { what: "the group" });
    await erin.messenger.passGroup(theirs, await erin.messenger.nextOwner(theirs, keyOf(bob)));
    await pollUntil(() => summaryOf(dave, theirs)?.group?.successor != null, { what: "the entry" });
    const looks = (device: Device): number => device.node.calls.filter((call) => call === "ownerTransfer").length;
    await passTime([dave, erin], FIRST_LOOK_MS, () => looks(erin) > 2);
    expect(looks(dave)).toBe(0);
    await dave.messenger.sendText(theirs, "hello");
    await passTime([dave, erin], FIRST_LOOK_MS, () => looks(dave) > 0);
  });

  it("lets wait what the next owner's people write, until this device knows of it", async () => {
    const dave = await world.join();
    relay.setContact(keyOf(bob), keyOf(dave), "accepted");
    for (const device of world.devices) await device.messenger.refreshContacts();
    const transfer = await passes(bob);
    await pollUntil(() => groupOf(carol)?.successor?.person === keyOf(bob));
    const cut = new CodedError("UNAVAILABLE", "not now");
    carol.node.refuse = (call): CodedError | undefined => (call === "ownerTransfer" ? cut : undefined);
    relay.transfers.push(transfer);
    await untilOwner(bob, [ann, bob]);
    await bob.messenger.addToGroup(id, [keyOf(dave)]);
    await pollUntil(() => groupOf(dave)?.isMember === true);
    for (const device of world.devices) device.time.advance(1_000);
    await dave.messenger.sendText(id, "hello");
    await untilWords([ann], id, ["made", "ownerNamed", "added", "hello"]);
    await untilWords([carol], id, ["made"]);
    carol.node.refuse = (): undefined => undefined;
    await passTime(world.devices, FIRST_LOOK_MS, () => ownerOf(carol) === keyOf(bob));
    await untilWords([carol], id, ["made", "ownerNamed", "added", "hello"]);
  });
});
