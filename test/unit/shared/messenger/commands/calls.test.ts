// Calls over the messenger: what reaches the part that runs them, on which devices, and what remains in the chat.
import { beforeEach, describe, expect, it } from "vitest";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import type { CallSignal } from "#shared/messenger/receiving/call-signal.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { chatOf, createTrio, type Device, keyOf, summaryOf } from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const ID = "07".repeat(16);
const LEG = "05".repeat(8);
const SDP = "v=0\r\nthe way to a device";

const people = peopleForEach(createTrio);
const heard = new Map<Device, CallSignal[]>();

beforeEach(async () => {
  for (const device of people.world.devices) {
    const signals: CallSignal[] = [];
    heard.set(device, signals);
    device.messenger.subscribeCalls((signal) => signals.push(signal));
  }
});

async function untilHeard(device: Device, kind: string): Promise<CallSignal> {
  await pollUntil(() => heard.get(device)?.some(({ body }) => body.kind === kind) === true);
  const signal = heard.get(device)?.find(({ body }) => body.kind === kind);
  if (signal === undefined) throw new Error("nothing was heard");
  return signal;
}

async function callIn(device: Device, peer: Device): Promise<ChatMessage | undefined> {
  return (await chatOf(device, keyOf(peer))).find(({ body }) => body.kind === "call.offer");
}

describe("a call", () => {
  it("reaches the devices of both sides, is answered and ended, and is the same line on all", async () => {
    const { ann, annOther, bob } = people;
    const call = { author: keyOf(ann), id: ID };
    await ann.messenger.offerCall(keyOf(bob), { id: ID, media: "video", sdp: SDP });
    expect(await untilHeard(bob, "call.offer")).toMatchObject({ call, peer: keyOf(ann), isOwn: false, body: { media: "video", sdp: SDP } });
    expect(summaryOf(bob, keyOf(ann))?.unread).toBe(1);
    expect(await untilHeard(annOther, "call.offer")).toMatchObject({ call, peer: keyOf(bob), isOwn: true, body: { sdp: "" } });
    await bob.messenger.answerCall(call, { leg: LEG, sdp: SDP });
    expect(await untilHeard(ann, "call.answer")).toMatchObject({ call, peer: keyOf(bob), isOwn: false, body: { leg: LEG, sdp: SDP } });
    expect(summaryOf(bob, keyOf(ann))?.unread).toBe(0);
    await ann.messenger.endCall(call, { reason: "ended", seconds: 191.7 });
    expect(await untilHeard(bob, "call.end")).toMatchObject({ call, body: { reason: "ended", seconds: 192 } });
    for (const [device, peer] of [
      [ann, bob],
      [annOther, bob],
      [bob, ann],
    ] as const) {
      await pollUntil(async () => (await callIn(device, peer))?.call?.end !== undefined);
      const line = await callIn(device, peer);
      expect(line?.body).toEqual({ kind: "call.offer", media: "video", sdp: "" });
      expect(line?.call).toEqual({ answeredAt: expect.any(Number), end: { reason: "ended", seconds: 192 } });
    }
  });

  it("that another device answered as well is refused there alone, and says nothing about the call", async () => {
    const { ann, bob } = people;
    const call = { author: keyOf(ann), id: ID };
    await ann.messenger.offerCall(keyOf(bob), { id: ID, media: "audio", sdp: SDP });
    await untilHeard(bob, "call.offer");
    await ann.messenger.endCall(call, { reason: "elsewhere", seconds: 0, leg: LEG });
    expect(await untilHeard(bob, "call.end")).toMatchObject({ body: { reason: "elsewhere", leg: LEG } });
    expect((await callIn(bob, ann))?.call).toEqual({});
  });

  it("is for contacts alone, on both sides", async () => {
    const { ann, bob, relay } = people;
    relay.setContact(keyOf(ann), keyOf(bob), "pending");
    for (const device of [ann, bob]) await device.messenger.refreshContacts();
    await expect(ann.messenger.offerCall(keyOf(bob), { id: ID, media: "audio", sdp: SDP })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, { kind: "call.offer", media: "audio", sdp: SDP }) });
    await pollUntil(async () => (await callIn(bob, ann)) !== undefined);
    expect(heard.get(bob)).toEqual([]);
  });

  it("is held for a part that begins to listen later", async () => {
    const { ann, bob, world } = people;
    const late = await world.join({ phrase: bob.phrase });
    await ann.messenger.offerCall(keyOf(bob), { id: ID, media: "audio", sdp: SDP });
    await pollUntil(async () => (await callIn(late, ann)) !== undefined);
    const signals: CallSignal[] = [];
    late.messenger.subscribeCalls((signal) => signals.push(signal));
    expect(signals.map(({ body }) => body.kind)).toEqual(["call.offer"]);
  });

  it.each([
    ["nothing", ""],
    ["more than there may be", "v".repeat(8_193)],
  ])("is not made with a description of %s", async (_, sdp) => {
    const { ann, bob } = people;
    await expect(ann.messenger.offerCall(keyOf(bob), { id: ID, media: "audio", sdp })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(ann.messenger.endCall({ author: keyOf(bob), id: ID }, { reason: "ended", seconds: 0 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
