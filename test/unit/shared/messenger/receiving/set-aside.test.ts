// Mail of devices that the chain does not list yet: it waits in the store for as long as mailboxes keep mail, over restarts, and is judged
// again. What others only claim takes no room of it.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PublishedKeys } from "#shared/messenger/model/node-port.ts";
import * as bounds from "#shared/messenger/receiving/boxes/aside-record.ts";
import { type AsideItem, isOver, MAX_CLAIMED, MAX_CLAIMED_OF_DEVICE, withAside } from "#shared/messenger/receiving/boxes/aside-record.ts";
import { MAX_WAITING, MAX_WAITING_OF_PERSON, WaitingMail } from "#shared/messenger/receiving/boxes/waiting-mail.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  befriend,
  createTrio,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import type { TestRelay } from "#test/support/worlds/messenger-world.ts";

const DAY_MS = 86_400_000;

function item(fields: Partial<AsideItem>): AsideItem {
  return { envelope: "e", id: "1", from: "aa", device: "d1", isVouched: false, at: 0, bytes: 100, ...fields };
}

/** Takes as many of these as there is room for. */
function filled(items: readonly AsideItem[], more: (at: number) => AsideItem, count: number): readonly AsideItem[] {
  let all = items;
  for (let at = 0; at < count; at += 1) {
    const after = withAside(all, more(at));
    if (typeof after === "object") all = after.items;
  }
  return all;
}

describe("room for what waits", () => {
  const claim = (at: number): AsideItem => item({ envelope: `c${at}`, id: `${at}`, device: `d${at}`, from: `p${at}` });
  const vouched = (at: number): AsideItem => item({ envelope: `v${at}`, id: `${at}`, device: "dv", from: "pv", isVouched: true });

  it("is bounded for a device, a person and all", () => {
    expect(filled([], (at) => ({ ...claim(at), device: "d" }), 99)).toHaveLength(MAX_CLAIMED_OF_DEVICE);
    expect(filled([], (at) => ({ ...claim(at), from: "p" }), 99)).toHaveLength(bounds.MAX_CLAIMED_OF_PERSON);
    expect(filled([], claim, 999)).toHaveLength(MAX_CLAIMED);
    expect(filled([], vouched, 999)).toHaveLength(bounds.MAX_VOUCHED_OF_PERSON);
    expect(filled([], (at) => ({ ...vouched(at), from: `p${at}` }), 999)).toHaveLength(bounds.MAX_VOUCHED);
    const large = (bytes: number, most: number, isVouched: boolean): void =>
      expect(filled([], (at) => item({ envelope: `${at}`, id: `${at}`, bytes, isVouched }), 99)).toHaveLength(most);
    large(bounds.MAX_CLAIMED_BYTES_OF_DEVICE / 4, 4, false);
    large(bounds.MAX_VOUCHED_BYTES_OF_PERSON / 4, 4, true);
    const byPerson = (at: number): AsideItem => ({ ...claim(at), from: "p", bytes: bounds.MAX_CLAIMED_BYTES_OF_DEVICE });
    expect(filled([], byPerson, 99)).toHaveLength(bounds.MAX_CLAIMED_BYTES_OF_PERSON / bounds.MAX_CLAIMED_BYTES_OF_DEVICE);
    const ofAll = (at: number): AsideItem => ({ ...vouched(at), from: `p${at}`, bytes: bounds.MAX_VOUCHED_BYTES / 8 });
    expect(filled([], ofAll, 99)).toHaveLength(8);
    const allClaims = (at: number): AsideItem => ({ ...claim(at), bytes: bounds.MAX_CLAIMED_BYTES_OF_DEVICE });
    expect(filled([], allClaims, 99)).toHaveLength(bounds.MAX_CLAIMED_BYTES / bounds.MAX_CLAIMED_BYTES_OF_DEVICE);
  });

  it("is not taken from what is vouched for by claims, however many", () => {
    const full = filled([], claim, 999);
    expect(withAside(full, claim(5_000))).toBeUndefined();
    expect(withAside(full, vouched(0))).toMatchObject({ replaced: undefined });
    expect(withAside(full, { ...vouched(0), from: "p1" })).toMatchObject({ replaced: undefined });
    // Of one person, who has as much room for each kind beside the other.
    const claims = filled([], (at) => ({ ...claim(at), from: "pv" }), 99);
    expect(filled(claims, vouched, 99)).toHaveLength(bounds.MAX_CLAIMED_OF_PERSON + bounds.MAX_VOUCHED_OF_PERSON);
  });

  it("holds a content once; one that is vouched for goes before the same that is not", () => {
    const one = filled([], claim, 1);
    expect(withAside(one, { ...claim(0), envelope: "again" })).toBe("known");
    const after = withAside(one, { ...claim(0), envelope: "again", isVouched: true });
    expect(after).toMatchObject({ replaced: "c0", items: [{ envelope: "again", isVouched: true }] });
    expect(withAside(filled([], vouched, 1), { ...vouched(0), envelope: "again", isVouched: false })).toBe("known");
  });
});

describe("how long it waits", () => {
  const at = 1_800_000_000_000;
  const over = (fields: Pick<AsideItem, "at" | "blockAt">, nowMs: number, blockMs?: number): boolean => isOver(fields, { nowMs, blockMs });
  const one = { at, blockAt: at };

  it("is 30 days of both clocks, and for ever without a block", () => {
    expect(over(one, at + 30 * DAY_MS, at + 30 * DAY_MS)).toBe(true);
    expect(over(one, at + 30 * DAY_MS - 1, at + 40 * DAY_MS)).toBe(false);
    expect(over(one, at + 40 * DAY_MS, at + 30 * DAY_MS - 1)).toBe(false);
    expect(over(one, at + 90 * DAY_MS)).toBe(false);
    expect(over({ at }, at + 30 * DAY_MS, at + 30 * DAY_MS)).toBe(true);
  });

  it("is no shorter where the own clock was wrong when it came, and no longer", () => {
    const back = { at: at - 40 * DAY_MS, blockAt: at };
    expect(over(back, at, at)).toBe(false);
    expect(over(back, at + 30 * DAY_MS, at + 30 * DAY_MS)).toBe(true);
    const ahead = { at: at + 4_000 * DAY_MS, blockAt: at };
    expect(over(ahead, at + 29 * DAY_MS, at + 29 * DAY_MS)).toBe(false);
    expect(over(ahead, at + 30 * DAY_MS, at + 30 * DAY_MS)).toBe(true);
  });
});

describe("mail that waits in its mailbox", () => {
  const HOUR_MS = 3_600_000;
  const fill = (waiting: WaitingMail, from: string, count: number, nowMs = 0): number =>
    Array.from({ length: count }, (_, at) => waiting.waits({ id: `${from}${at}` }, from, { nowMs, forMs: HOUR_MS })).filter(Boolean).length;

  it("leaves room for others, however much one person has there", () => {
    const waiting = new WaitingMail();
    expect(fill(waiting, "p", 999)).toBe(MAX_WAITING_OF_PERSON);
    expect(fill(waiting, "q", 999)).toBe(MAX_WAITING - MAX_WAITING_OF_PERSON);
    expect(fill(waiting, "r", 1)).toBe(0);
    expect(waiting.has({ id: "p0" }) && waiting.has({ id: "q0" })).toBe(true);
  });

  it("makes room once its mailbox has let it go, and waits as long as it may from when it was first seen", () => {
    const waiting = new WaitingMail();
    fill(waiting, "p", MAX_WAITING_OF_PERSON);
    expect(fill(waiting, "p", 8, HOUR_MS - 1)).toBe(8);
    expect(fill(waiting, "p", 8, HOUR_MS)).toBe(0);
    expect(waiting.waits({ id: "another" }, "p", { nowMs: HOUR_MS, forMs: HOUR_MS })).toBe(true);
    expect([waiting.has({ id: "p0" }), waiting.has({ id: "p8" })]).toEqual([true, false]);
  });
});

describe("mail of a device that is not listed yet", () => {
  let relay: TestRelay;
  let world: World;
  let ann: Device;
  let bob: Device;
  /** Ann's node knows Bob's new device from now on. */
  let catchUp: () => void;
  let fresh: Device;

  beforeEach(async () => {
    ({ relay, world, ann, bob } = await createTrio());
    await befriend(relay, ann, bob, world.devices);
    await bob.messenger.sendText(keyOf(ann), "hi");
    await untilTexts(ann, keyOf(bob), ["hi"]);
    await untilEmpty(relay, ann, bob);
    const old = structuredClone(relay.published.get(keyOf(bob)));
    let isBehind = true;
    const { publishedKeys } = ann.node;
    ann.node.publishedKeys = async (master): Promise<PublishedKeys> =>
      master === keyOf(bob) && old !== undefined && isBehind ? old : publishedKeys.call(ann.node, master);
    catchUp = (): void => {
      isBehind = false;
    };
    fresh = await world.join({ phrase: bob.phrase });
    ann.time.advance(120_000);
  });

  afterEach(() => world.stop());

  const wordsOf = async (id: string): Promise<readonly string[]> => (await textsOf(ann, id)).filter((text) => text !== "device.note");
  const unknownOf = (device: Device): string => `unknown:${device.account.devicePub}`;
  const claimToBeBob = (eve: Device, text: string): Promise<void> => {
    const plaintext = contentOf(eve, ann, { kind: "text", text }, { from: keyOf(bob) });
    return deliver(relay, { from: eve, to: ann, plaintext, claimed: keyOf(bob) });
  };
  /** Days of both clocks. */
  const passDays = (days: number): void => {
    for (const device of world.devices) device.time.advance(days * DAY_MS);
    relay.blockS = Math.floor(ann.time.nowMs() / 1000);
  };

  it("waits for days and restarts while its mailbox is empty, and then counts", async () => {
    await fresh.messenger.sendText(keyOf(ann), "from my new phone");
    await untilEmpty(relay, ann);
    passDays(20);
    const { publishedKeys } = ann.node;
    await ann.messenger.stop();
    await restart(ann, relay);
    ann.node.publishedKeys = publishedKeys;
    await passTime([ann], 61_000, () => relay.count(ann.account.devicePub) === 0);
    expect(await wordsOf(keyOf(bob))).not.toContain("from my new phone");
    catchUp();
    await passTime([ann], 61_000, async () => (await wordsOf(keyOf(bob))).includes("from my new phone"));
    expect([...(await wordsOf(keyOf(bob)))].sort()).toEqual(["from my new phone", "hi"]);
    expect(await wordsOf(unknownOf(fresh))).toEqual([]);
  });

  it("is said in the chat when it was not listed; what a stranger claims is not", async () => {
    const eve = await world.join();
    await fresh.messenger.sendText(keyOf(ann), "from my new phone");
    await claimToBeBob(eve, "I am Bob");
    await untilEmpty(relay, ann);
    passDays(29);
    await passTime([ann], 61_000, () => true);
    expect(await textsOf(ann, unknownOf(fresh))).toEqual([]);
    passDays(2);
    const isJudged = async (): Promise<boolean> =>
      (await wordsOf(unknownOf(eve))).length > 0 && (await wordsOf(unknownOf(fresh))).length > 0;
    // A look that takes longer than the clock moves on a busy machine finds what it asked for too old.
    await passTime([ann], 61_000, isJudged, { intervalMs: 250 });
    expect(await textsOf(ann, unknownOf(fresh))).toContain("from my new phone");
    const view = ann.messenger.openConversation(keyOf(bob));
    await view.loadOlder();
    const notes = view.getSnapshot().messages.flatMap(({ body }) => (body.kind === "device.note" ? [body.event] : []));
    view.close();
    expect(notes.filter((event) => event === "unlisted")).toEqual(["unlisted"]);
  });

  it("is displaced by no flood of what strangers claim", async () => {
    const eve = await world.join();
    for (let at = 0; at < 2 * MAX_CLAIMED_OF_DEVICE; at += 1) await claimToBeBob(eve, `${at}`);
    await fresh.messenger.sendText(keyOf(ann), "from my new phone");
    await untilEmpty(relay, ann);
    // Without room a claim is what an unlisted device wrote.
    await pollUntil(async () => (await wordsOf(unknownOf(eve))).length === MAX_CLAIMED_OF_DEVICE);
    catchUp();
    await passTime([ann], 61_000, async () => (await wordsOf(keyOf(bob))).includes("from my new phone"));
    expect(await wordsOf(unknownOf(fresh))).toEqual([]);
  });

  it("takes back a message of another device in time, although it counts days later", async () => {
    const { id } = await messageWith(ann, keyOf(bob), "hi");
    await deliver(relay, { from: fresh, to: ann, plaintext: contentOf(fresh, ann, { kind: "delete", id }, { at: ann.time.nowMs() }) });
    await untilEmpty(relay, ann);
    passDays(3);
    await passTime([ann], 61_000, () => true);
    expect(await wordsOf(keyOf(bob))).toEqual(["hi"]);
    catchUp();
    await passTime([ann], 61_000, async () => (await wordsOf(keyOf(bob))).includes("deleted"));
  });

  it("asks for the devices of a person once for all that waits of them", async () => {
    for (let at = 0; at < 8; at += 1) await fresh.messenger.sendText(keyOf(ann), `${at}`);
    await untilEmpty(relay, ann);
    const { publishedKeys } = ann.node;
    let [under, most] = [0, 0];
    ann.node.publishedKeys = async (master): Promise<PublishedKeys> => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      return publishedKeys.call(ann.node, master);
    };
    await passTime([ann], 61_000, () => most > 0);
    await pollUntil(() => under === 0);
    expect(most).toBe(1);
  });

  it("makes no chat for a person who was forgotten meanwhile", async () => {
    await fresh.messenger.sendText(keyOf(ann), "from my new phone");
    await untilEmpty(relay, ann);
    await ann.messenger.stop();
    relay.setContact(keyOf(ann), keyOf(bob), "pending");
    passDays(31);
    await restart(ann, relay);
    await passTime(
      [ann],
      61_000,
      async () => (await wordsOf(keyOf(bob))).includes("from my new phone") || (await wordsOf(unknownOf(fresh))).length > 0,
    );
    expect(await textsOf(ann, keyOf(bob))).not.toContain("device.note");
  });
});
