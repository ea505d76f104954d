// Messages and contacts beyond what was chosen, and a page that comes and goes: on a real socket, with the real keyring behind it and a real
// messaging engine behind a real port. What reached the other person is read at theirs.

import { MessageChannel, type MessagePort } from "node:worker_threads";
import { deleteDB as deleteDatabase } from "idb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PageMessages } from "#node/gateway/page-messages.ts";
import { databaseName } from "#renderer/storage/store-schema.ts";
import { MESSAGES_METHODS, type MessagesApi, type MessagesEvent } from "#shared/apps/messages/messages-api.ts";
import { serveMethods } from "#shared/apps/messages/method-port.ts";
import { messagesLink } from "#shared/messenger/serve-programs.ts";
import { hostTimers } from "#shared/util/host.ts";
import { DAY, HOUR } from "#test/support/worlds/app-world.ts";
import { ConnectedWorld, portOf } from "#test/support/worlds/connected-world.ts";
import type { GatewayResponse } from "#test/support/worlds/gateway-world.ts";
import { createPair, type Device, keyOf, textsOf, untilTexts, type World } from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, type TestRelay } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let people: World;
let ann: Device;
let bob: Device;
let world: ConnectedWorld;
let page: PageMessages;
let closePage: () => void;

async function open(): Promise<void> {
  ({ relay, world: people, ann, bob } = await createPair());
  page = new PageMessages(hostTimers, { pageWaitMs: 400, pageRetryMs: 20, answerTimeoutMs: 5_000 });
  world = await ConnectedWorld.create({ messages: page });
  openPage();
}

async function close(): Promise<void> {
  closePage();
  await world[Symbol.asyncDispose]();
  await people.stop();
}

/** Each test of a group has a world of its own. */
function apart(): void {
  beforeEach(open);
  afterEach(close);
}

/** The page has loaded: the gateway gets a port to its messenger. */
function openPage(): void {
  const { port1, port2 } = new MessageChannel();
  const ports: readonly MessagePort[] = [port1, port2];
  const link = messagesLink(ann.messenger);
  const server = serveMethods<MessagesApi, MessagesEvent>(portOf(port2), MESSAGES_METHODS, link.api);
  const stop = link.onEvent((event) => server.emit(event));
  page.set(portOf(port1));
  closePage = (): void => {
    stop();
    server.close();
    page.set(undefined);
    for (const port of ports) port.close();
  };
}

const STRANGER = "ab".repeat(32);
const SEND = "messages.send:to=chosen,rate=3/day";

function connectWriter(grant: readonly string[] = [SEND], chosen: readonly string[] = [keyOf(bob)]): Promise<string> {
  return world.connect("Till", grant, { chosen });
}

function send(token: string, changes: Readonly<Record<string, unknown>> = {}): Promise<GatewayResponse> {
  const body = { to: keyOf(bob), text: "Hello", ...world.orderBase(), ...changes };
  return world.send("/apps/v1/messages", { method: "POST", token, body });
}

const codeOf = ({ status, body }: GatewayResponse): string => (status < 300 ? "sent" : String(body.code));

describe("writing what is refused", () => {
  let token: string;
  beforeAll(async () => {
    await open();
    token = await connectWriter();
  });
  afterAll(close);

  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ["another person", { to: STRANGER }, "APP_SCOPE"],
    ["one's own notes", { to: "me" }, "BAD_REQUEST"],
    ["a group that was not chosen", { to: `group:${"cd".repeat(16)}` }, "APP_SCOPE"],
    ["a group of the person's key", { to: `group:${"ab".repeat(32)}` }, "APP_SCOPE"],
    ["an unknown sender", { to: `unknown:${STRANGER}` }, "BAD_REQUEST"],
    ["a word of the prototype", { to: "constructor" }, "BAD_REQUEST"],
    ["nothing", { text: "" }, "BAD_REQUEST"],
    ["blanks", { text: " \n " }, "BAD_REQUEST"],
    ["more than a message holds", { text: "x".repeat(16_385) }, "BAD_REQUEST"],
    ["a list", { text: ["Hello"] }, "BAD_REQUEST"],
    ["a field of the engine", { mode: "open" }, "BAD_REQUEST"],
    ["another connection", { connection: "00000000" }, "BAD_REQUEST"],
    ["an answer to what is not there", { reply_to: "00".repeat(16) }, "NOT_FOUND"],
    ["an answer to a path", { reply_to: "../../x" }, "NOT_FOUND"],
    ["a file without a name", { text: undefined, file: { name: "", base64: "AA==" } }, "BAD_REQUEST"],
    ["a file that is no base64", { text: undefined, file: { name: "a", base64: "%" } }, "BAD_REQUEST"],
    ["an empty file", { text: undefined, file: { name: "a", base64: "" } }, "BAD_REQUEST"],
    ["too late", { not_after: 1 }, "APP_TOO_LATE"],
    ["for longer than a day", { not_after: 9_999_999_999 }, "BAD_REQUEST"],
  ])("%s sends nothing", async (_, changes, outcome) => {
    expect(codeOf(await send(token, changes))).toBe(outcome);
    world.chain.clock.advance(1_000);
    expect(await textsOf(ann, keyOf(bob))).toEqual([]);
  });
});

describe("writing", () => {
  apart();

  it("more than a day's messages, at once and after another, over a reload of the page and a new token", async () => {
    let token = await connectWriter();
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, at) => send(token, { text: `Number ${at}` })));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(3);
    closePage();
    await restartAfterCrash(ann, relay);
    openPage();
    token = String((await world.send("/apps/v1/token", { method: "POST", token })).body.token);
    expect(codeOf(await send(token))).toBe("RATE_LIMITED");
    expect(await textsOf(ann, keyOf(bob))).toHaveLength(3);
  });

  it("a day's messages over another start of the keyring, with what was sent answered all the same; a day later more", async () => {
    const token = await connectWriter();
    const orders = [1, 2, 3].map((at) => ({ ...world.orderBase(), text: `Number ${at}` }));
    for (const order of orders) expect(codeOf(await send(token, order))).toBe("sent");
    await world.restartKeyring();
    expect(codeOf(await send(token))).toBe("RATE_LIMITED");
    expect(await send(token, orders[1])).toMatchObject({ status: 200, body: { replayed: true } });
    await world.pass(26 * HOUR);
    await world.unlock();
    expect(codeOf(await send(token))).toBe("sent");
  });

  it("what the engine refused is not counted, and its key is free", async () => {
    const token = await connectWriter();
    const order = world.orderBase();
    for (let tries = 0; tries < 5; tries += 1) expect(codeOf(await send(token, { ...order, reply_to: "00".repeat(16) }))).toBe("NOT_FOUND");
    expect(codeOf(await send(token, { ...order, text: "Now" }))).toBe("sent");
    expect(await textsOf(ann, keyOf(bob))).toEqual(["Now"]);
  });

  it("the same message eight times at once is one, and another one under its key is refused", async () => {
    const token = await connectWriter();
    const order = { ...world.orderBase(), text: "Once" };
    const given = await Promise.all(Array.from({ length: 8 }, () => send(token, order)));
    expect(new Set(given.filter(({ status }) => status === 200).map(({ body }) => body.id)).size).toBe(1);
    expect(codeOf(await send(token, { ...order, text: "Twice" }))).toBe("APP_KEY_REUSED");
    await untilTexts(bob, keyOf(ann), ["Once"]);
  });

  it("answers alone, where only those are allowed", async () => {
    const token = await connectWriter(["messages.send:to=replies,rate=3/day"], []);
    expect(codeOf(await send(token))).toBe("APP_SCOPE");
    await ann.messenger.sendText(keyOf(bob), "My own");
    const [own] = (await ann.messenger.search("own")).map(({ key }) => key);
    expect(codeOf(await send(token, { reply_to: own }))).toBe("APP_SCOPE");
    await untilTexts(bob, keyOf(ann), ["My own"]);
    await bob.messenger.sendText(keyOf(ann), "A question");
    await untilTexts(ann, keyOf(bob), ["My own", "A question"]);
    const { arrivals } = await ann.messenger.readArrivals({ after: 0, limit: 9, conversations: [keyOf(bob)] });
    expect(codeOf(await send(token, { reply_to: arrivals[0]?.id, to: STRANGER }))).toBe("APP_SCOPE");
    const answer = { ...world.orderBase(), reply_to: arrivals[0]?.id };
    const sent = await send(token, answer);
    expect(codeOf(sent)).toBe("sent");
    // What was sent is answered as before where its question is gone; another answer to it is not sent.
    await ann.messenger.deleteMessage(String(answer.reply_to));
    expect(await send(token, answer)).toMatchObject({ status: 200, body: { id: sent.body.id, replayed: true } });
    expect(codeOf(await send(token, { ...answer, text: "Another" }))).toBe("APP_KEY_REUSED");
    expect(codeOf(await send(token, { reply_to: answer.reply_to }))).toBe("NOT_FOUND");
  });

  it("ends with the connection, and for a person who is blocked", async () => {
    const token = await connectWriter();
    await world.send("/apps/v1/me", { method: "DELETE", token });
    expect(codeOf(await send(token))).toBe("APP_ENDED");
    const later = await world.connect("Later", [SEND], { chosen: [keyOf(bob)] });
    await world.pass(31 * DAY);
    await world.unlock();
    expect(codeOf(await send(later))).toBe("APP_ENDED");
    expect(await textsOf(ann, keyOf(bob))).toEqual([]);
  });
});

describe("reading", () => {
  apart();

  it("messages of other conversations, of before, one's own, and of another connection are not found; nor are contacts", async () => {
    await bob.messenger.sendText(keyOf(ann), "Before");
    await untilTexts(ann, keyOf(bob), ["Before"]);
    await ann.messenger.sendText(keyOf(bob), "Own");
    const none = await world.connect("Other", ["messages.read", "contacts.read"], { chosen: [STRANGER] });
    const chosen = await world.connect("Reader", ["messages.read", "contacts.read"], { chosen: [keyOf(bob)] });
    // The engine's clock is one of its own here: what came so far came before both were let in.
    const before = (await ann.messenger.readArrivals({ after: 0, limit: 9, conversations: [keyOf(bob)] })).arrivals[0]?.id ?? "";
    const [own] = (await ann.messenger.search("Own")).map(({ key }) => key);
    for (const id of [before, String(own), "00".repeat(16), "constructor", "%2e%2e"])
      expect([id, (await world.send(`/apps/v1/messages/${id}`, { token: none })).status]).toEqual([id, 404]);
    expect((await world.send(`/apps/v1/messages/${String(own)}`, { token: chosen })).status).toBe(404);
    expect((await world.send("/apps/v1/contacts", { token: none })).body.contacts).toEqual([]);
    expect((await world.send("/apps/v1/contacts", { token: chosen })).body.contacts).toMatchObject([{ pub_key: keyOf(bob) }]);
  });

  it("beside what spends, everything asks: what strangers write pays nothing", async () => {
    const token = await world.connect("Reader", ["messages.read", "pay:each=1T,total=3T/day,to=any,ask=never"], { chosen: [keyOf(bob)] });
    expect((await world.pay(token, { to: STRANGER, amount_ut: 1 })).status).toBeGreaterThanOrEqual(202);
    expect(await world.spentUt()).toBe(0);
  });
});

describe("a page that", () => {
  apart();

  it("reloads in between: the message waits for it, and is sent once", async () => {
    const token = await connectWriter();
    closePage();
    const order = { ...world.orderBase(), text: "Waited" };
    const sent = send(token, order);
    openPage();
    expect(await sent).toMatchObject({ status: 200, body: { text: "Waited", replayed: false } });
    closePage();
    await restartAfterCrash(ann, relay);
    openPage();
    expect(await send(token, order)).toMatchObject({ status: 200, body: { replayed: true } });
    await untilTexts(bob, keyOf(ann), ["Waited"]);
  });

  it("closes while it is asked: the message is sent once by the next one", async () => {
    const token = await connectWriter();
    let isFirst = true;
    const { sendOrdered } = ann.messenger;
    Object.assign(ann.messenger, {
      sendOrdered: async (order: Parameters<typeof sendOrdered>[0]) => {
        const result = await sendOrdered(order);
        if (!isFirst) return result;
        isFirst = false;
        // Stored, and the page is gone before it says so.
        closePage();
        openPage();
        return result;
      },
    });
    expect(await send(token, { text: "Once" })).toMatchObject({ status: 200, body: { text: "Once", replayed: true } });
    await untilTexts(bob, keyOf(ann), ["Once"]);
  });

  it("does not come back is a 503, and so is one whose messenger does not run", async () => {
    const token = await connectWriter();
    closePage();
    expect(await send(token)).toMatchObject({ status: 503, body: { code: "MESSENGER_UNAVAILABLE" } });
    openPage();
    await ann.messenger.stop();
    expect(await send(token)).toMatchObject({ status: 503, body: { code: "MESSENGER_UNAVAILABLE" } });
    // Events go on without it.
    const { lines } = await world.api.readJournal({ token, after: 0, limit: 10 });
    expect(lines).not.toEqual([]);
  });
});

describe("the journal", () => {
  apart();

  async function logged(): Promise<readonly string[]> {
    const { lines } = await world.app.approval.log({ limit: 50 });
    return lines
      .toReversed()
      .flatMap(({ action, outcome, subject }) => (action === "message" ? [`${outcome} ${subject.slice(0, 8)}`] : []));
  }

  it("has a message before the engine gets it: killed in between, the same order sends it once", async () => {
    const token = await connectWriter();
    const order = { ...world.orderBase(), text: "Once" };
    closePage();
    expect(codeOf(await send(token, order))).toBe("MESSENGER_UNAVAILABLE");
    expect(await logged()).toEqual([`reserved ${keyOf(bob).slice(0, 8)}`]);
    await world.restartKeyring();
    await restartAfterCrash(ann, relay);
    openPage();
    expect(await send(token, order)).toMatchObject({ status: 200, body: { text: "Once", replayed: false } });
    expect(await send(token, order)).toMatchObject({ status: 200, body: { text: "Once", replayed: true } });
    await untilTexts(bob, keyOf(ann), ["Once"]);
    expect(await logged()).toEqual([`reserved ${keyOf(bob).slice(0, 8)}`, "done "]);
  });

  it("knows what was sent where the engine's store was put back: it is not sent twice", async () => {
    const token = await connectWriter();
    const order = { ...world.orderBase(), text: "Once" };
    const first = await send(token, order);
    expect(codeOf(first)).toBe("sent");
    await untilTexts(bob, keyOf(ann), ["Once"]);
    closePage();
    await ann.messenger.stop();
    await deleteDatabase(databaseName((await ann.client.storeKeys()).name));
    await ann.messenger.start();
    openPage();
    ann.time.advance(1_000);
    expect(await send(token, order)).toMatchObject({ status: 200, body: { id: first.body.id, state: "gone", replayed: true } });
    expect(codeOf(await send(token, { ...order, text: "Twice" }))).toBe("APP_KEY_REUSED");
    expect(codeOf(await send(token, { text: "Another" }))).toBe("sent");
    await untilTexts(bob, keyOf(ann), ["Once", "Another"]);
  });

  it("cannot know what was sent before its line says so: where the store was put back then, the second sending is dropped", async () => {
    const token = await connectWriter();
    const order = { ...world.orderBase(), text: "Once" };
    const { sendOrdered } = ann.messenger;
    Object.assign(ann.messenger, {
      sendOrdered: async (...input: Parameters<typeof sendOrdered>) => {
        const sent = await sendOrdered(...input);
        closePage();
        return sent;
      },
    });
    expect(codeOf(await send(token, order))).toBe("MESSENGER_UNAVAILABLE");
    Object.assign(ann.messenger, { sendOrdered });
    await untilTexts(bob, keyOf(ann), ["Once"]);
    await ann.messenger.stop();
    await deleteDatabase(databaseName((await ann.client.storeKeys()).name));
    await world.restartKeyring();
    await ann.messenger.start();
    openPage();
    ann.time.advance(1_000);
    // Late, and refused now: neither says that it was never sent, so the key stays that of this order.
    expect(codeOf(await send(token, { ...order, not_after: 1 }))).toBe("APP_TOO_LATE");
    expect(codeOf(await send(token, { ...order, text: "Twice" }))).toBe("APP_KEY_REUSED");
    const again = await send(token, order);
    expect(again).toMatchObject({ status: 200, body: { text: "Once", replayed: false } });
    expect(codeOf(await send(token, { text: "Another" }))).toBe("sent");
    await untilTexts(bob, keyOf(ann), ["Once", "Another"]);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["Once", "Another"]);
    expect(await logged()).toEqual(["reserved", "done ", "reserved", "done "].map((line) => expect.stringContaining(line)));
  });

  it("has no text of a message", async () => {
    const token = await connectWriter();
    expect(codeOf(await send(token, { text: "A secret sentence" }))).toBe("sent");
    expect(JSON.stringify(await world.app.approval.log({ limit: 50 }))).not.toContain("secret");
  });
});
