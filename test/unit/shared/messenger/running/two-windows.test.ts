// Two windows on one vault whose lock failed, as where one slept: both run, and each write is made only to what its window has read. Which of
// them does what, a seed decides.
import { afterEach, expect, it } from "vitest";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createPair, type Device, keyOf, passTime, textsOf, type World } from "#test/support/worlds/messenger-chat.ts";
import { createLocks, createTestMessenger, TestNode } from "#test/support/worlds/messenger-world.ts";
import { acquaintPair } from "#test/support/worlds/pair-mail.ts";

const ACTIONS = 24;

let world: World;
let windows: Messenger[] = [];

afterEach(async () => {
  for (const messenger of windows) await messenger.stop();
  await world.stop();
});

it.each([1, 2, 3])("send each text once that they stored, and nothing of what was refused (%i)", async (seed) => {
  const random = createRandom(seed);
  const pair = await createPair();
  ({ world } = pair);
  const { relay, ann, bob } = pair;
  await acquaintPair(pair);
  await ann.messenger.stop();
  const others: Device = { ...ann, locks: createLocks(), node: new TestNode(relay) };
  others.messenger = createTestMessenger(others, others.node);
  windows = [ann.messenger, others.messenger];
  const stored: string[] = [];
  const refused: string[] = [];
  for (let action = 0; action < ACTIONS; action += 1) {
    const messenger = windows[random.between(0, 1)] as Messenger;
    if (messenger.getSnapshot().phase !== "running") await messenger.start();
    const text = `text ${action}`;
    if (random.chance(0.2)) await bob.messenger.sendText(keyOf(ann), `answer ${action}`);
    const isStored = await messenger.sendText(keyOf(bob), text).then(
      () => true,
      (error: unknown) => {
        if (!isCodedError(error, "LOCAL_STORE_FAILED") && !isCodedError(error, "MESSENGER_UNAVAILABLE")) throw error;
        return false;
      },
    );
    (isStored ? stored : refused).push(text);
    if (random.chance(0.5)) ann.time.advance(random.between(1, 30_000));
  }
  for (const messenger of windows) await messenger.stop();
  expect(Math.min(stored.length, refused.length), "texts that were stored, and that were not").toBeGreaterThan(1);
  await ann.messenger.start();
  const own = async (device: Device, peer: Device): Promise<readonly string[]> =>
    (await textsOf(device, keyOf(peer))).filter((text) => text.startsWith("text")).sort();
  await passTime([ann, bob], 5_000, async () => (await own(bob, ann)).length >= stored.length);
  expect([await own(ann, bob), await own(bob, ann)]).toEqual([stored.toSorted(), stored.toSorted()]);
  expect(bob.messenger.getSnapshot().deviceChanges).toEqual([]);
  expect(ann.messenger.getSnapshot()).toMatchObject({ storeFindings: [], isOwnDeviceCopied: false });
});
