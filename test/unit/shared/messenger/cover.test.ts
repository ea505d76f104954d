// What a relay sees of times: four devices of two people in version 2, with the random waits of the product, on a clock that the test moves.
import { afterEach, beforeEach, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { COVER_WAITS } from "#shared/messenger/state/outbox/cover-waits.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  befriend,
  createTrio,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  summaryOf,
  textsOf,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, type TestRelay } from "#test/support/worlds/messenger-world.ts";
import { acquaintPair, changePairs, mailFor, settlePairs } from "#test/support/worlds/pair-mail.ts";

const STEP_MS = 250;

let relay: TestRelay;
let world: World;
let ann: Device;
let annOther: Device;
let bob: Device;
let bobOther: Device;
/** When each envelope was laid into its mailbox, by the clock of all. */
let times: Map<string, number>;
let passedMs: number;

beforeEach(async () => {
  ({ relay, world, ann, annOther, bob } = await createTrio());
  bobOther = await world.join({ phrase: bob.phrase });
  await befriend(relay, ann, bob, world.devices);
  await acquaintPair({ relay, ann, bob }, world.devices);
  await bob.messenger.sendText(keyOf(ann), "hi");
  await untilTexts(ann, keyOf(bob), ["hello", "hi"]);
  await settlePairs(relay, world.devices);
  for (const device of world.devices) {
    device.cover = COVER_WAITS;
    await restart(device, relay);
  }
  await settlePairs(relay, world.devices);
  times = new Map();
  passedMs = 0;
  relay.loses = ({ id }): boolean => {
    times.set(id, passedMs);
    return false;
  };
});
afterEach(() => world.stop());

/** Lets the time of all devices pass until something holds, at most so long. */
async function pass(condition: () => boolean | Promise<boolean>): Promise<void> {
  await passTime(world.devices, STEP_MS, () => {
    passedMs += STEP_MS;
    return condition();
  });
}

/** When something came for a device since the last start of {@link times}, milliseconds. */
async function timesFor(device: Device): Promise<readonly number[]> {
  const mail = await mailFor(device, relay);
  return mail.flatMap(({ envelope }) => times.get(envelope.id) ?? []);
}

const count = async (device: Device): Promise<number> => (await timesFor(device)).length;

it("brings a text to the device at hand at once, and all else some random seconds later", async () => {
  await ann.messenger.sendText(keyOf(bob), "text");
  await untilTexts(bob, keyOf(ann), ["hello", "hi", "text"]);
  expect(await Promise.all([bob, ann, annOther, bobOther].map(count))).toEqual([1, 0, 0, 0]);
  await pass(async () => (await count(annOther)) > 0 && (await count(bobOther)) > 0);
  for (const device of [annOther, bobOther]) {
    const [first = 0] = await timesFor(device);
    expect(first).toBeGreaterThanOrEqual(COVER_WAITS.further.leastMs);
    expect(first).toBeLessThanOrEqual(COVER_WAITS.further.mostMs + 2 * STEP_MS);
  }
  await untilTexts(annOther, keyOf(bob), ["hello", "hi", "text"]);
  // The receipts of both of Bob's devices, which acknowledge as well.
  await pass(async () => (await messageWith(ann, keyOf(bob), "text")).state === "delivered");
  const [receipt = 0] = await timesFor(ann);
  expect(receipt).toBeGreaterThanOrEqual(COVER_WAITS.receipts.leastMs);
  expect(receipt).toBeLessThanOrEqual(COVER_WAITS.receipts.mostMs + COVER_WAITS.further.mostMs + 2 * STEP_MS);
  await pass(async () => (await messageWith(annOther, keyOf(bob), "text")).state === "delivered");
});

it("says in seconds of their own that something was read, here and to the author", async () => {
  await ann.messenger.sendText(keyOf(bob), "text");
  await pass(async () => [bob, bobOther].every((device) => summaryOf(device, keyOf(ann))?.unread === 2));
  await settlePairs(relay, world.devices);
  times.clear();
  passedMs = 0;
  await bob.messenger.markRead(keyOf(ann));
  expect(summaryOf(bob, keyOf(ann))?.unread).toBe(0);
  await pass(() => summaryOf(bobOther, keyOf(ann))?.unread === 0);
  await pass(async () => (await messageWith(ann, keyOf(bob), "text")).state === "read");
  const [own = 0] = await timesFor(bobOther);
  const theirs = Math.min(...(await timesFor(ann)), ...(await timesFor(annOther)));
  for (const at of [own, theirs]) {
    expect(at).toBeGreaterThanOrEqual(COVER_WAITS.receipts.leastMs);
    expect(at).toBeLessThanOrEqual(COVER_WAITS.receipts.mostMs + 2 * STEP_MS);
  }
  await pass(async () => (await messageWith(annOther, keyOf(bob), "text")).state === "read");
});

it("writes first to the device from which the other one wrote last", async () => {
  await bobOther.messenger.sendText(keyOf(ann), "from here");
  await pass(async () => (await textsOf(ann, keyOf(bob))).includes("from here"));
  await ann.messenger.sendText(keyOf(bob), "to there");
  await pollUntil(async () => (await textsOf(bobOther, keyOf(ann))).includes("to there"));
  expect(await textsOf(bob, keyOf(ann))).not.toContain("to there");
  await pass(async () => (await textsOf(bob, keyOf(ann))).includes("to there"));
});

it("keeps what waits over a crash, for as long as it had left", async () => {
  await ann.messenger.sendText(keyOf(bob), "text");
  await pollUntil(async () => (await messageWith(ann, keyOf(bob), "text")).state === "relayed");
  await restartAfterCrash(ann, relay);
  await pollUntil(() => ann.node.calls.includes("listInbox"));
  expect(await count(annOther)).toBe(0);
  await pass(async () => (await textsOf(annOther, keyOf(bob))).includes("text"));
  expect(passedMs).toBeLessThanOrEqual(COVER_WAITS.further.mostMs + 8 * STEP_MS);
  expect((await textsOf(bob, keyOf(ann))).filter((text) => text === "text")).toHaveLength(1);
});

it("reaches a device that was linked a moment ago beside those it knows, and that one's own copies leave", async () => {
  const bobNew = await world.join({ phrase: bob.phrase, cover: COVER_WAITS });
  const said = async (device: Device, peer: Device): Promise<readonly string[]> => textsOf(device, keyOf(peer));
  await ann.messenger.sendText(keyOf(bob), "text");
  await pollUntil(async () => (await said(bob, ann)).includes("text"));
  await restartAfterCrash(ann, relay);
  await pass(async () => (await said(bobNew, ann)).includes("text"));
  expect(passedMs).toBeLessThanOrEqual(COVER_WAITS.further.mostMs + 8 * STEP_MS);
  await bobNew.messenger.sendText(keyOf(ann), "answer");
  await pass(async () => (await said(bob, ann)).includes("answer"));
  await pass(async () => (await said(bobOther, ann)).includes("answer") && (await said(annOther, bob)).includes("answer"));
});

it("sends nothing to a device that is unlinked while its copy waits, and is done with it", async () => {
  await ann.messenger.sendText(keyOf(bob), "text");
  await untilTexts(bob, keyOf(ann), ["hello", "hi", "text"]);
  relay.unlink(keyOf(bob), bobOther.account.devicePub);
  relay.unlink(keyOf(ann), annOther.account.devicePub);
  const wait = async (ms: number): Promise<void> => {
    const untilMs = passedMs + ms;
    await pass(() => passedMs >= untilMs);
  };
  await wait(2 * COVER_WAITS.further.mostMs);
  // No attempt is made any more.
  const looked = ann.node.calls.filter((call) => call === "publishedKeys").length;
  await wait(COVER_WAITS.further.mostMs);
  expect(ann.node.calls.filter((call) => call === "publishedKeys")).toHaveLength(looked);
  expect([await count(bobOther), await count(annOther)]).toEqual([0, 0]);
  expect(await messageWith(ann, keyOf(bob), "text")).toMatchObject({ problem: null });
  await ann.messenger.sendText(keyOf(bob), "next");
  await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("next"));
});

it("seals ahead what leaves at once, and copies have their time all the same", async () => {
  const all = ["hello", "hi", "first"];
  await ann.messenger.sendText(keyOf(bob), "first");
  await pass(
    async () => (await textsOf(annOther, keyOf(bob))).includes("first") && (await textsOf(bobOther, keyOf(ann))).includes("first"),
  );
  await settlePairs(relay, world.devices);
  const asked = (): number => ann.node.calls.filter((call) => call === "publishedKeys").length;
  const before = asked();
  ann.messenger.notifyTyping(keyOf(bob));
  await pollUntil(() => asked() >= before + 2);
  times.clear();
  passedMs = 0;
  const looked = ann.node.calls.length;
  await ann.messenger.sendText(keyOf(bob), "ahead");
  await untilTexts(bob, keyOf(ann), [...all, "ahead"]);
  // Nothing was asked for before it left: it was sealed while it was being stored.
  expect(ann.node.calls.slice(looked)).toEqual(["broadcast"]);
  expect(await Promise.all([bob, ann, annOther, bobOther].map(count))).toEqual([1, 0, 0, 0]);
  await pass(async () => (await count(annOther)) > 0 && (await count(bobOther)) > 0);
  for (const device of [annOther, bobOther]) {
    const [first = 0] = await timesFor(device);
    expect(first).toBeGreaterThanOrEqual(COVER_WAITS.further.leastMs);
    expect(first).toBeLessThanOrEqual(COVER_WAITS.further.mostMs + 2 * STEP_MS);
  }
  await untilTexts(annOther, keyOf(bob), [...all, "ahead"]);
  await untilTexts(bobOther, keyOf(ann), [...all, "ahead"]);
  await untilTexts(bob, keyOf(ann), [...all, "ahead"]);
});

it("reaches all devices also when the program was closed for longer than something is tried", async () => {
  ann.node.refuse = (): CodedError => new CodedError("UNAVAILABLE", "No node");
  await ann.messenger.sendText(keyOf(bob), "text");
  await pollUntil(async () => (await messageWith(ann, keyOf(bob), "text")).problem !== null);
  await ann.messenger.stop();
  ann.time.advance(2 * 86_400_000);
  await restart(ann, relay);
  await pass(async () => (await textsOf(bob, keyOf(ann))).includes("text"));
  await pass(async () => (await textsOf(annOther, keyOf(bob))).includes("text") && (await textsOf(bobOther, keyOf(ann))).includes("text"));
  expect(await messageWith(ann, keyOf(bob), "text")).not.toMatchObject({ state: "failed" });
});

it("leaves everything that only waits at an orderly end", async () => {
  await ann.messenger.sendText(keyOf(bob), "text");
  await untilTexts(bob, keyOf(ann), ["hello", "hi", "text"]);
  await ann.messenger.stop();
  expect([await count(annOther), await count(bobOther)]).toEqual([1, 1]);
  await bob.messenger.stop();
  await pollUntil(async () => (await textsOf(annOther, keyOf(bob))).includes("text"));
  expect([await count(ann), await count(annOther)]).toEqual([1, 2]);
  await pollUntil(async () => (await messageWith(annOther, keyOf(bob), "text")).state === "delivered");
});

it("says which device a text waits for that has shown no card of its new chain, also when copies have left", async () => {
  for (const device of [ann, bob, bobOther]) await device.messenger.stop();
  await changePairs(ann, (record) => {
    const { theirs } = record.state;
    if (record.peer !== keyOf(bob) || theirs === null) return record;
    return { ...record, state: { ...record.state, theirs: { ...theirs, card: null, past: ["07".repeat(8)] } } };
  });
  await restart(ann, relay);
  await ann.messenger.sendText(keyOf(bob), "text");
  const bobs = [bob, bobOther].map(({ account }) => account.devicePub);
  const problem = async (): Promise<unknown> => {
    const { state, problem: shown } = await messageWith(ann, keyOf(bob), "text");
    return { state, code: shown?.code, person: shown?.device?.person, isTheirs: bobs.includes(shown?.device?.device ?? "") };
  };
  const waits = { state: "queued", code: "DEVICE_WITHOUT_CARD", person: keyOf(bob), isTheirs: true };
  await pollUntil(async () => (await messageWith(ann, keyOf(bob), "text")).problem !== null);
  expect(await problem()).toEqual(waits);
  await pass(async () => (await textsOf(annOther, keyOf(bob))).includes("text"));
  await settlePairs(relay, [ann, annOther]);
  expect(await problem()).toEqual(waits);
});
