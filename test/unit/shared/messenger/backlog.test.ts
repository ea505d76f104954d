import { afterEach, expect, it } from "vitest";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { befriend, chatOf, createWorld, keyOf, summaryOf, type World } from "#test/support/worlds/messenger-chat.ts";
import { TestRelay } from "#test/support/worlds/messenger-world.ts";

const OLDER = 230;

let world: World | undefined;

afterEach(async () => {
  await world?.stop();
  world = undefined;
});

it("is taken from its end: the conversation in which something happened last is there first", async () => {
  const relay = new TestRelay();
  world = createWorld(relay);
  const [ann, bob, carol] = [await world.join(), await world.join(), await world.join()];
  await befriend(relay, ann, bob, world.devices);
  await befriend(relay, carol, bob, world.devices);
  bob.node.setOnline(false);
  for (let number = 0; number < OLDER; number += 1) {
    ann.time.advance(1_000);
    await ann.messenger.sendText(keyOf(bob), `older ${number}`);
  }
  await pollUntil(() => relay.count(bob.account.devicePub) === OLDER);
  carol.time.advance(OLDER * 1_000 + 5_000);
  await carol.messenger.sendText(keyOf(bob), "the newest");
  await pollUntil(() => relay.count(bob.account.devicePub) === OLDER + 1);

  const first = new Map<string, number>();
  const stop = bob.messenger.subscribe(() => {
    if (first.size > 0) return;
    for (const { id, unread } of bob.messenger.getSnapshot().conversations) if (unread > 0) first.set(id, unread);
  });
  bob.time.advance(OLDER * 1_000 + 6_000);
  bob.node.setOnline(true);
  await pollUntil(() => relay.count(bob.account.devicePub) === 0);
  stop();

  expect(first.get(keyOf(carol))).toBe(1);
  expect(first.get(keyOf(ann))).toBeLessThan(OLDER);
  expect(summaryOf(bob, keyOf(ann))?.unread).toBe(OLDER);
  const texts = (await chatOf(bob, keyOf(ann))).map(({ body }) => ("text" in body ? body.text : body.kind));
  expect(texts).toEqual(Array.from({ length: OLDER }, (_, number) => `older ${number}`));
});
