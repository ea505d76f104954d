// Messages of programs: a real messaging engine behind a real gateway. Sent once whatever happens, to whom the scope says, read where the
// person chose and from the connection on.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MessageVerdict } from "#shared/apps/messages/apps-api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { messagesLink } from "#shared/messenger/serve-programs.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createGatewayWorld, type GatewayResponse, type GatewayWorld } from "#test/support/worlds/gateway-world.ts";
import { START_MS } from "#test/support/worlds/ledger-world.ts";
import { createPair, type Device, keyOf, textsOf, untilTexts, type World } from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, type TestRelay } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let people: World;
let ann: Device;
let bob: Device;
let world: GatewayWorld;

beforeEach(async () => {
  ({ relay, world: people, ann, bob } = await createPair());
  // The messenger of the moment: a restart makes another one.
  const link = messagesLink({
    sendOrdered: (order) => ann.messenger.sendOrdered(order),
    readEntry: (input) => ann.messenger.readEntry(input),
    readArrivals: (input) => ann.messenger.readArrivals(input),
    lastArrival: (input) => ann.messenger.lastArrival(input),
    acceptedContacts: () => ann.messenger.acceptedContacts(),
    leaveReceipt: (payment) => ann.messenger.leaveReceipt(payment),
    subscribe: (listener) => ann.messenger.subscribe(listener),
    getSnapshot: () => ann.messenger.getSnapshot(),
  });
  world = await createGatewayWorld({ messages: link });
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await people.stop();
});

const KEY = "message-00000001";

function send(token: string, body: object): Promise<GatewayResponse> {
  const base = { to: keyOf(bob), text: "Hello Bob", idempotency_key: KEY, not_after: START_MS / 1000 + 60 };
  return world.send("/apps/v1/messages", { method: "POST", token, body: { ...base, ...body } });
}

function writer(scope = "messages.send:to=chosen,rate=50/day"): string {
  return world.keyring.connect("00000001", [scope], { chosen: [keyOf(bob)] });
}

describe("sending", () => {
  it("happens once under a key, also over a crash, and tells other messages under it apart", async () => {
    const token = writer();
    const first = await send(token, {});
    expect(first).toMatchObject({ status: 200, body: { from: keyOf(ann), conversation: keyOf(bob), text: "Hello Bob", replayed: false } });
    await untilTexts(bob, keyOf(ann), ["Hello Bob"]);
    await restartAfterCrash(ann, relay);
    expect(await send(token, {})).toMatchObject({ status: 200, body: { id: first.body.id, replayed: true } });
    expect(await send(token, { text: "Another" })).toMatchObject({ status: 409, body: { code: "APP_KEY_REUSED" } });
    const both = await Promise.all([1, 2, 3].map(() => send(token, { idempotency_key: "message-00000002", text: "Twice" })));
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(both.filter(({ body }) => body.replayed === false)).toHaveLength(1);
    await untilTexts(bob, keyOf(ann), ["Hello Bob", "Twice"]);
    await ann.messenger.deleteMessage(String(first.body.id));
    expect(await send(token, {})).toMatchObject({ status: 200, body: { state: "gone", replayed: true } });
    expect(await textsOf(bob, keyOf(ann))).toEqual(["Hello Bob", "Twice"]);
  });

  it("goes to chosen people alone, or answers what came", async () => {
    expect(await send(writer(), { to: "ab".repeat(32) })).toMatchObject({ status: 403, body: { code: "APP_SCOPE" } });
    const stranger = world.keyring.connect("00000002", ["messages.send:to=chosen,rate=50/day"], { chosen: [] });
    expect(await send(stranger, {})).toMatchObject({ status: 403, body: { code: "APP_SCOPE" } });
    const replies = world.keyring.connect("00000003", ["messages.send:to=replies,rate=50/day"]);
    expect(await send(replies, {})).toMatchObject({ status: 403, body: { code: "APP_SCOPE" } });
    await bob.messenger.sendText(keyOf(ann), "A question");
    await untilTexts(ann, keyOf(bob), ["A question"]);
    const { arrivals } = await ann.messenger.readArrivals({ after: 0, limit: 10, conversations: [keyOf(bob)] });
    expect(await send(replies, { reply_to: arrivals[0]?.id, text: "An answer" })).toMatchObject({ status: 200 });
    expect(await send(replies, { reply_to: "00".repeat(16), idempotency_key: "message-00000009" })).toMatchObject({ status: 404 });
    await untilTexts(bob, keyOf(ann), ["A question", "An answer"]);
  });

  it("asks the journal before the engine: what it refuses, or has as sent, is not sent", async () => {
    const token = writer();
    world.keyring.judgeMessage = (): never => {
      throw new CodedError("RATE_LIMITED", "Enough for today");
    };
    expect(await send(token, {})).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    world.keyring.judgeMessage = (): MessageVerdict => ({ mode: "sent", to: keyOf(bob) });
    expect(await send(token, {})).toMatchObject({ status: 200, body: { state: "gone", replayed: true } });
    expect(await textsOf(ann, keyOf(bob))).toEqual([]);
    expect(world.keyring.calls.filter(([method]) => method === "settleMessage")).toEqual([]);
  });

  it("says to the journal what the engine did with it", async () => {
    const token = writer();
    expect((await send(token, {})).status).toBe(200);
    expect((await send(token, { reply_to: "00".repeat(16), idempotency_key: "message-00000002" })).status).toBe(404);
    const settled = world.keyring.calls.filter(([method]) => method === "settleMessage").map(([, input]) => input);
    expect(settled).toEqual([
      { token, idempotencyKey: KEY, isSent: true },
      { token, idempotencyKey: "message-00000002", isSent: false },
    ]);
  });

  it("is refused behind the program's own time, but for what was sent before", async () => {
    const token = writer();
    expect((await send(token, {})).status).toBe(200);
    world.keyring.judgeMessage = ({ to }): MessageVerdict => ({ mode: "late", to: to ?? "" });
    const late = { not_after: START_MS / 1000 - 3_600 };
    expect(await send(token, late)).toMatchObject({ status: 200, body: { replayed: true } });
    expect(await send(token, { ...late, idempotency_key: "message-00000002" })).toMatchObject({
      status: 410,
      body: { code: "APP_TOO_LATE" },
    });
  });

  it("takes a file, and no more than that of a person", async () => {
    const token = writer();
    const bytes = Buffer.alloc(200_000, 7);
    const file = { name: "list.csv", base64: bytes.toString("base64") };
    const sent = await send(token, { text: undefined, file });
    expect(sent).toMatchObject({ status: 200, body: { file: { name: "list.csv", size: 200_000 } } });
    await pollUntil(async () => {
      const { arrivals } = await bob.messenger.readArrivals({ after: 0, limit: 1, conversations: [keyOf(ann)] });
      const read = arrivals[0] === undefined ? undefined : await bob.messenger.readFile(arrivals[0].id);
      return read !== undefined && Buffer.from(read).equals(bytes);
    });
    expect(await send(token, { text: undefined, file: { name: "x", base64: "%%" }, idempotency_key: "message-00000002" })).toMatchObject({
      status: 400,
    });
    expect(await send(token, { text: " ", idempotency_key: "message-00000003" })).toMatchObject({ status: 400 });
  });

  it("waits for a person to confirm a connection that rests", async () => {
    const token = world.keyring.connect("00000004", ["messages.send:to=chosen,rate=2/day"], { chosen: [keyOf(bob)], isResting: true });
    expect(await send(token, {})).toMatchObject({ status: 423, body: { code: "APP_LOCKED" } });
  });
});

describe("reading", () => {
  it("is of chosen conversations from the connection on, by the events that name them", async () => {
    await bob.messenger.sendText(keyOf(ann), "Before");
    await untilTexts(ann, keyOf(bob), ["Before"]);
    const before = await ann.messenger.readArrivals({ after: 0, limit: 10, conversations: [keyOf(bob)] });
    ann.time.advance(1_000);
    const fields = { chosen: [keyOf(bob)], createdAtMs: ann.time.nowMs() };
    const token = world.keyring.connect("00000005", ["messages.read:in=chosen"], fields);
    const other = world.keyring.connect("00000006", ["messages.read:in=chosen"], { ...fields, chosen: [] });
    ann.time.advance(1_000);
    await bob.messenger.sendText(keyOf(ann), "After");
    await untilTexts(ann, keyOf(bob), ["Before", "After"]);
    const events = await firstEvents(token, 1);
    expect(events).toMatchObject([{ type: "message", from: keyOf(bob), to: keyOf(bob) }]);
    const id = String(events[0]?.id);
    expect(await world.send(`/apps/v1/messages/${id}`, { token })).toMatchObject({
      status: 200,
      body: { text: "After", from: keyOf(bob) },
    });
    expect((await world.send(`/apps/v1/messages/${id}`, { token: other })).status).toBe(404);
    expect((await world.send(`/apps/v1/messages/${before.arrivals[0]?.id}`, { token })).status).toBe(404);
    expect((await world.send("/apps/v1/messages/nonsense", { token })).status).toBe(404);
    const ack = await world.send("/apps/v1/events/ack", { method: "POST", token, body: { cursor: events[0]?.cursor } });
    expect(ack.status).toBe(200);
    await bob.messenger.sendText(keyOf(ann), "Later");
    const [later] = await firstEvents(token, 1);
    expect(await world.send(`/apps/v1/messages/${later?.id}`, { token })).toMatchObject({ body: { text: "Later" } });
  });

  it("says that a message is gone, and of chosen contacts alone", async () => {
    const token = world.keyring.connect("00000007", ["contacts.read", "messages.read:in=chosen"], { chosen: [keyOf(bob)] });
    await bob.messenger.sendText(keyOf(ann), "Gone soon");
    await untilTexts(ann, keyOf(bob), ["Gone soon"]);
    const { arrivals } = await ann.messenger.readArrivals({ after: 0, limit: 10, conversations: [keyOf(bob)] });
    await ann.messenger.deleteMessage(String(arrivals[0]?.id));
    expect(await firstEvents(token, 1)).toMatchObject([{ type: "message.gone", id: arrivals[0]?.id }]);
    const { body } = await world.send("/apps/v1/contacts", { token });
    expect(body.contacts).toMatchObject([{ pub_key: keyOf(bob) }]);
    const none = world.keyring.connect("00000008", ["contacts.read"], { chosen: [] });
    expect((await world.send("/apps/v1/contacts", { token: none })).body.contacts).toEqual([]);
  });

  it("is unavailable while the engine does not run", async () => {
    const token = writer();
    await ann.messenger.stop();
    expect(await send(token, {})).toMatchObject({ status: 503, body: { code: "MESSENGER_UNAVAILABLE" } });
  });
});

/** The next events of a connection. */
async function firstEvents(token: string, count: number): Promise<readonly Readonly<Record<string, string>>[]> {
  const request = world.open("/apps/v1/events", { token });
  const { promise, resolve, reject } = Promise.withResolvers<readonly Readonly<Record<string, string>>[]>();
  const events: Record<string, string>[] = [];
  request.on("error", reject).on("response", (response) => {
    let text = "";
    response.setEncoding("utf8").on("error", () => undefined);
    response.on("data", (chunk: string) => {
      text += chunk;
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) events.push(JSON.parse(data));
      }
      if (events.length >= count) resolve(events);
    });
  });
  request.end();
  const found = await promise;
  request.on("error", () => undefined).destroy();
  return found;
}
