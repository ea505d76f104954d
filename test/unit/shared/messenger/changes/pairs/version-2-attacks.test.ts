// What people, relays and accidents do to version 2: found by reviewing it, each with what it did before.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Change } from "#shared/messenger/changes/change.ts";
import { leaveInChain } from "#shared/messenger/changes/pairs/leave-contents.ts";
import type { PairContext } from "#shared/messenger/changes/pairs/pair-context.ts";
import { BoxRegistry } from "#shared/messenger/pairs/box-registry.ts";
import { newPairRecord } from "#shared/messenger/pairs/pair-record.ts";
import { MAX_UNACKNOWLEDGED } from "#shared/messenger/pairs/pair-state.ts";
import { givePlaces } from "#shared/messenger/pairs/sent-chain.ts";
import { takeContent } from "#shared/messenger/pairs/take-content.ts";
import { cardId } from "#shared/protocol/pairs/card-id.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createPair, type Device, keyOf, passTime, restart, textsOf, untilTexts, type World } from "#test/support/worlds/messenger-chat.ts";
import { type TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";
import { acquaintPair, imageOf, kindsFor, mailFor, pairsOf, putImageBack, settlePairs } from "#test/support/worlds/pair-mail.ts";

const HOUR = 3_600_000;

describe("between two programs", () => {
  let relay: TestRelay;
  let world: World;
  let ann: Device;
  let bob: Device;

  beforeEach(async () => {
    ({ relay, world, ann, bob } = await createPair());
    relay.blockS = Math.floor(ann.time.nowMs() / 1_000);
  });
  afterEach(() => world.stop());

  const acquaint = (devices?: readonly Device[]): Promise<void> => acquaintPair({ relay, ann, bob }, devices);

  async function passHours(hours: number, devices: readonly Device[]): Promise<void> {
    relay.blockS = (relay.blockS ?? 0) + hours * 3_600;
    for (const device of devices) device.time.advance(hours * HOUR);
    await settlePairs(relay, devices);
  }

  it("who has shown a card and is gone for good gets nothing every six hours", async () => {
    await bob.messenger.sendText(keyOf(ann), "hello");
    await untilTexts(ann, keyOf(bob), ["hello"]);
    await bob.messenger.stop();
    relay.mailboxes.get(bob.account.devicePub)?.clear();
    let sent = 0;
    relay.loses = ({ recipient_pub }): boolean => {
      if (recipient_pub !== bob.account.devicePub) return false;
      sent += 1;
      return true;
    };
    await passHours(1, [ann]);
    await passHours(7, [ann]);
    const before = sent;
    for (let step = 0; step < 12; step += 1) await passHours(7, [ann]);
    // In three days and a half: what is sealed again after one day, with the card.
    expect(sent - before).toBeLessThanOrEqual(3);
  });

  it("the card under which a message was edited goes when it is deleted, and so does that of a late copy", async () => {
    const living = async (): Promise<readonly string[]> =>
      (await pairsOf(bob)).flatMap(({ state: { instance, cards } }) => cards.map(({ number }) => cardId(instance, number)));
    await acquaint();
    const key = await ann.messenger.sendText(keyOf(bob), "draft");
    await untilTexts(bob, keyOf(ann), ["hello", "draft"]);
    // Bob's acknowledgement shows another card.
    await passHours(1, [ann, bob]);
    await bob.messenger.sendText(keyOf(ann), "well?");
    await untilTexts(ann, keyOf(bob), ["hello", "draft", "well?"]);
    await settlePairs(relay, [ann, bob]);
    const from = relay.history.length;
    await ann.messenger.editMessage(key, "secret");
    await untilTexts(bob, keyOf(ann), ["hello", "secret", "well?"]);
    const edit = (await mailFor(bob, relay, from))[0]?.cardId ?? "";
    expect(await living()).toContain(edit);
    await ann.messenger.deleteForEveryone(key);
    await untilTexts(bob, keyOf(ann), ["hello", "deleted", "well?"]);
    await pollUntil(async () => !(await living()).includes(edit));
  });

  it("a device whose disk is older than the pair, though its keys are not, gets all of it in the end", async () => {
    await bob.messenger.stop();
    const image = await imageOf(bob);
    await restart(bob, relay);
    await acquaint();
    await ann.messenger.sendText(keyOf(bob), "before");
    await untilTexts(bob, keyOf(ann), ["hello", "before"]);
    await settlePairs(relay, [ann, bob]);
    await bob.messenger.stop();
    await putImageBack(bob, image);
    await restart(bob, relay);
    await ann.messenger.sendText(keyOf(bob), "after");
    // What is sealed again after a day comes with a card that does without those that are gone.
    await passTime([ann, bob], HOUR, async () => (await textsOf(bob, keyOf(ann))).includes("after"));
    await bob.messenger.sendText(keyOf(ann), "back");
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("back"));
  });

  it("what could not be sealed while the keyring was locked leaves once it is open, not with the next retry", async () => {
    await acquaint();
    relay.loses = ({ recipient_pub }): boolean => recipient_pub === bob.account.devicePub;
    await ann.messenger.sendText(keyOf(bob), "lost");
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).length === 2 && ann.messenger.getSnapshot().queued === 0);
    await settlePairs(relay, [ann]);
    relay.loses = (): boolean => false;
    const { seal } = ann.client;
    let refused = 0;
    const locked = async (): Promise<never> => {
      refused += 1;
      throw new CodedError("KEYRING_LOCKED", "The keyring is locked");
    };
    Object.assign(ann.client, { seal: locked });
    await passTime([ann], HOUR, () => refused > 0);
    Object.assign(ann.client, { seal });
    let minutes = 0;
    await passTime([ann, bob], 60_000, async () => {
      minutes += 1;
      return minutes > 120 || (await textsOf(bob, keyOf(ann))).includes("lost");
    });
    expect(await textsOf(bob, keyOf(ann))).toEqual(["hello", "lost"]);
  });

  it("a person with an old and a new device gets everything on both, once", async () => {
    const old = await world.join({ phrase: bob.phrase });
    withoutCards(old);
    const all = [ann, bob, old];
    await acquaint(all);
    for (const text of ["one", "two"]) await ann.messenger.sendText(keyOf(bob), text);
    for (const device of [bob, old]) await untilTexts(device, keyOf(ann), ["hello", "one", "two"]);
    await old.messenger.sendText(keyOf(ann), "from the old one");
    for (const [device, peer] of [[ann, bob] as const, [bob, ann] as const])
      await pollUntil(async () => (await textsOf(device, keyOf(peer))).includes("from the old one"));
    await settlePairs(relay, all);
    expect(await kindsFor(old, relay)).not.toContain("pair");
    expect(await textsOf(old, keyOf(ann))).toEqual(await textsOf(bob, keyOf(ann)));
  });
});

it("a content that made room for later ones before any mailbox took it leaves, and does not count as sent", async () => {
  const peer = "ab".repeat(32);
  const instance = "aa".repeat(8);
  const theirs = "bb".repeat(8);
  const now = { ownMs: 0, blockMs: 0 };
  const id = (number: number): string => number.toString(16).padStart(32, "0");
  const ids = Array.from({ length: MAX_UNACKNOWLEDGED + 1 }, (_, at) => id(at + 1));
  const fresh = newPairRecord(peer, "cd".repeat(32), instance, 0);
  const card = { id: cardId(theirs, 1), kem: Uint8Array.of(1), x: Uint8Array.of(1), psk: Uint8Array.of(1) };
  const shown = { cardId: "", id: id(0), at: 0, stream: { instance: theirs, last: 0, base: 0 }, card };
  const { state } = takeContent(fresh.state, shown, { now, day: 0, isStranger: false, spread: 0 });
  const record = { ...fresh, state: { ...state, sent: givePlaces(state.sent, ids, now) } };
  const context = {
    account: { masterPub: "" },
    registry: { isBlocked: () => false },
    days: { now: () => now },
    boxes: new BoxRegistry([]),
  } as unknown as PairContext;
  const change = { isKnown: () => true, putPair: () => undefined, batch: { putPairSent: async () => undefined } } as unknown as Change;
  const task = { kind: "receipt", status: "read", ids: [id(9)] } as const;
  const leave = (position: number): ReturnType<typeof leaveInChain> => {
    const given = { id: id(position), instance, position };
    return leaveInChain(context, change, record, { id: given.id, given, sent: { peer, task } });
  };
  expect(await leave(1)).toMatchObject({ kind: "leaves", given: { position: 1 }, leaving: { frame: { place: 1 } } });
  expect(await leave(2)).toMatchObject({ kind: "leaves", given: { position: 2 }, leaving: { frame: { place: 2 } } });
  const acknowledged = { ...record, state: { ...record.state, sent: { ...record.state.sent, ackedUpTo: 1 } } };
  const given = { id: id(1), instance, position: 1 };
  expect(await leaveInChain(context, change, acknowledged, { id: id(1), given, sent: { peer, task } })).toEqual({ kind: "settled" });
});
