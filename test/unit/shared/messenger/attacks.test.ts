// What relays, strangers and members of groups try with mail: each was possible once.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  befriend,
  chatOf,
  createTrio,
  type Device,
  keyOf,
  passTime,
  summaryOf,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import type { TestRelay } from "#test/support/worlds/messenger-world.ts";

const MALLORY = "66".repeat(32);

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createTrio());
});

afterEach(() => world.stop());

const mailOf = (device: Device): readonly Envelope[] =>
  relay.history.filter(({ recipient_pub }) => recipient_pub === device.account.devicePub);

describe("a relay that writes a blocked person's key beside the box", () => {
  beforeEach(async () => {
    relay.setContact(MALLORY, keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    const store = relay.store.bind(relay);
    relay.store = (json: unknown): void => {
      const envelope = json as Envelope;
      store(envelope.recipient_pub === bob.account.devicePub ? { ...envelope, sender_ed25519_pub: MALLORY } : envelope);
    };
  });

  it("takes no message away", async () => {
    for (const text of ["one", "moved to five", "three"]) await ann.messenger.sendText(keyOf(bob), text);
    await untilTexts(bob, keyOf(ann), ["one", "moved to five", "three"]);
  });

  it("takes no plain text of other programs away", async () => {
    await deliver(relay, { from: ann, to: bob, plaintext: new TextEncoder().encode("plain") });
    await pollUntil(() => bob.messenger.getSnapshot().unreadRequests === 1);
  });

  it("is believed where the chain lists the device that sealed it", async () => {
    relay.link(MALLORY, ann.account.devicePub);
    await deliver(relay, { from: ann, to: bob, plaintext: new TextEncoder().encode("plain"), claimed: MALLORY });
    await pollUntil(() => mailOf(bob).length > 0);
    await untilEmpty(relay, bob);
    expect(bob.messenger.getSnapshot().conversations).toEqual([]);
  });
});

it("a request to send again that a relay repeats is honoured once", async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `m${index}`);
  for (const text of texts) await ann.messenger.sendText(keyOf(bob), text);
  await untilTexts(bob, keyOf(ann), texts);
  await bob.messenger.sendText(keyOf(ann), "ok");
  await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("ok"));
  await untilEmpty(relay, ann, bob);
  const opened = await bob.keyring.open({ items: mailOf(bob) });
  const places = opened.flatMap(({ plaintext }) => {
    const decoded = decodePlaintext(plaintext ?? new Uint8Array());
    return decoded.form === "content" && decoded.content.from === keyOf(ann) && decoded.content.place !== undefined
      ? [decoded.content.place]
      : [];
  });
  const stream = places[0]?.stream ?? "";
  const positions = places.map(({ position }) => position);
  expect(positions.length).toBeGreaterThanOrEqual(texts.length);
  const before = mailOf(bob).length;
  await deliver(relay, { from: bob, to: ann, plaintext: contentOf(bob, ann, { kind: "resend", stream, positions }) });
  await pollUntil(() => mailOf(bob).length >= before + positions.length);
  await untilEmpty(relay, ann, bob);
  const once = mailOf(bob).length;
  const request = mailOf(ann).at(-1);
  for (let round = 0; round < 3; round += 1) {
    relay.store({ ...request, id: `again-${round}` });
    await untilEmpty(relay, ann);
  }
  await ann.messenger.sendText(keyOf(bob), "last");
  await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("last"));
  expect(mailOf(bob).length - once).toBe(1);
});

it("a member who leaves with the largest clock does not freeze the group", async () => {
  const carol = await world.join();
  await befriend(relay, ann, carol, world.devices);
  const id = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
  for (const device of [bob, carol]) await pollUntil(async () => (await chatOf(device, id)).length > 0);
  const group = { id: id.slice("group:".length), keeper: keyOf(ann) };
  for (const clock of [Number.MAX_SAFE_INTEGER, 2 ** 40])
    await deliver(relay, { from: carol, to: ann, plaintext: contentOf(carol, ann, { kind: "group.leave", clock }, { group }) });
  await untilEmpty(relay, ann);
  expect(summaryOf(ann, id)?.group?.members).toContain(keyOf(carol));
  await ann.messenger.renameGroup(id, "New name");
  await passTime(world.devices, 1_000, () => Promise.resolve(summaryOf(bob, id)?.group?.name === "New name"));
  await carol.messenger.leaveGroup(id);
  await passTime(world.devices, 1_000, () => Promise.resolve(summaryOf(bob, id)?.group?.members.includes(keyOf(carol)) === false));
  await ann.messenger.removeFromGroup(id, keyOf(bob));
  await passTime(world.devices, 1_000, () => Promise.resolve(summaryOf(bob, id)?.group?.isMember === false));
});
