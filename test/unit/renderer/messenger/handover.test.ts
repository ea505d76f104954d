import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HandoverView } from "#renderer/messenger/messenger.ts";
import {
  befriend,
  createWorld,
  type Device,
  keyOf,
  passTime,
  restart,
  textsOf,
  untilTexts,
  type World,
} from "#test/support/messenger-chat.ts";
import { TestRelay } from "#test/support/messenger-world.ts";

const SESSION = new Uint8Array(32).fill(5);
const DAY_MS = 86_400_000;

let world: World;
let desk: Device;
let laptop: Device;
let bob: Device;

beforeEach(async () => {
  world = createWorld(new TestRelay());
  desk = await world.join();
  bob = await world.join();
  await befriend(world.relay, desk, bob, [desk, bob]);
  await desk.messenger.sendText(keyOf(bob), "long ago");
  await untilTexts(bob, keyOf(desk), ["long ago"]);
  for (const device of [desk, bob]) device.time.advance(60 * DAY_MS);
  await desk.messenger.sendText(keyOf(bob), "last week");
  await untilTexts(bob, keyOf(desk), ["long ago", "last week"]);
  await bob.messenger.sendText(keyOf(desk), "and the answer");
  await untilTexts(desk, keyOf(bob), ["long ago", "last week", "and the answer"]);
  laptop = await world.join({ phrase: desk.phrase });
  laptop.time.advance(60 * DAY_MS);
});

afterEach(() => world.stop());

function viewOf(device: Device): HandoverView | null {
  return device.messenger.getSnapshot().handover;
}

async function begin(sinceMs: number | null, keepsakes = "notes"): Promise<void> {
  await desk.messenger.sendHandover({ session: SESSION, keepsakes, sinceMs, deviceName: "Laptop" });
  await laptop.messenger.receiveHandover(SESSION);
}

async function untilDone(): Promise<void> {
  await passTime([desk, laptop], 500, () => viewOf(desk)?.phase === "done" && viewOf(laptop)?.phase === "done");
}

describe("handing over", () => {
  it("brings notes, conversations and all messages, each once, and says how far it is", async () => {
    await desk.messenger.setChat(keyOf(bob), { isPinned: true });
    await begin(0);
    expect(viewOf(desk)).toMatchObject({ role: "sending", phase: "running", deviceName: "Laptop", total: 3 });
    await untilDone();
    expect(await textsOf(laptop, keyOf(bob))).toEqual(["long ago", "last week", "and the answer"]);
    expect(laptop.node.keepsakes).toEqual(["notes"]);
    expect(laptop.messenger.getSnapshot().conversations.find(({ id }) => id === keyOf(bob))).toMatchObject({ isPinned: true, unread: 0 });
    expect(viewOf(laptop)).toMatchObject({ role: "receiving", done: 3, total: 3, problem: null });
    await desk.messenger.cancelHandover();
    expect(viewOf(desk)).toBeNull();
    await bob.messenger.sendText(keyOf(desk), "to both");
    for (const device of [desk, laptop]) await untilTexts(device, keyOf(bob), ["long ago", "last week", "and the answer", "to both"]);
  });

  it("brings the last weeks only, or only the notes, where that was chosen", async () => {
    await begin(desk.time.nowMs() - 45 * DAY_MS);
    await untilDone();
    expect(await textsOf(laptop, keyOf(bob))).toEqual(["last week", "and the answer"]);
    const tablet = await world.join({ phrase: desk.phrase });
    const session = new Uint8Array(32).fill(6);
    await desk.messenger.sendHandover({ session, keepsakes: "names", sinceMs: null, deviceName: "Tablet" });
    await tablet.messenger.receiveHandover(session);
    await passTime([desk, tablet], 500, () => viewOf(tablet)?.phase === "done");
    expect(tablet.node.keepsakes).toEqual(["names"]);
    expect(await textsOf(tablet, keyOf(bob))).toEqual([]);
  });

  it("goes on where it was after either device began anew", async () => {
    for (let n = 0; n < 420; n += 1) await desk.messenger.sendText(keyOf(desk), `note ${n}`);
    await passTime([desk, laptop], 100, () => desk.messenger.getSnapshot().queued === 0);
    const tablet = await world.join({ phrase: desk.phrase });
    await desk.messenger.sendHandover({ session: SESSION, keepsakes: "notes", sinceMs: 0, deviceName: "Tablet" });
    await tablet.messenger.receiveHandover(SESSION);
    await passTime([desk, tablet], 100, () => (viewOf(tablet)?.done ?? 0) > 0);
    await restart(tablet, world.relay);
    await passTime([tablet], 100, () => viewOf(tablet) !== null);
    expect(viewOf(tablet)).toMatchObject({ role: "receiving", phase: "running" });
    expect(viewOf(tablet)?.done).toBeGreaterThan(0);
    await restart(desk, world.relay);
    await passTime([desk, tablet], 500, () => viewOf(tablet)?.phase === "done");
    expect(await textsOf(tablet, keyOf(desk))).toEqual(await textsOf(desk, keyOf(desk)));
    expect(await textsOf(tablet, keyOf(desk))).toHaveLength(420);
  });

  it("asks again for what gets lost, and waits while the node is away", async () => {
    let lost = 0;
    world.relay.loses = (): boolean => {
      lost += 1;
      return lost <= 3;
    };
    laptop.node.setOnline(false);
    await begin(0);
    await passTime([desk, laptop], 500, () => viewOf(laptop)?.problem?.code === "UNAVAILABLE");
    laptop.node.setOnline(true);
    await untilDone();
    expect(await textsOf(laptop, keyOf(bob))).toEqual(["long ago", "last week", "and the answer"]);
  });

  it.each(["desk", "laptop"] as const)("ends on both devices when the %s cancels it", async (who) => {
    desk.node.setOnline(false);
    await begin(0);
    if (who === "laptop") desk.node.setOnline(true);
    const [canceller, other] = who === "desk" ? [desk, laptop] : [laptop, desk];
    canceller.node.setOnline(true);
    await canceller.messenger.cancelHandover();
    expect(viewOf(canceller)?.phase).toBe("cancelled");
    desk.node.setOnline(true);
    await passTime([desk, laptop], 500, () => viewOf(other)?.phase !== "running");
    await restart(canceller, world.relay);
    expect(viewOf(canceller)).toBeNull();
  });
});
