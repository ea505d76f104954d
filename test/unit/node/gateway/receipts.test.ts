// Receipts of payments that programs make: a real messaging engine with two devices of its person behind a real gateway over a real chain.
// Always and only for what is in a block, to a person with a chat, once whatever ends in between.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { OrderedPayment } from "#shared/apps/messages/messages-api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { messagesLink } from "#shared/messenger/serve-programs.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createGatewayWorld, type GatewayWorld } from "#test/support/worlds/gateway-world.ts";
import { carol, START_MS } from "#test/support/worlds/ledger-world.ts";
import { chatOf, createTrio, type Device, keyOf, summaryOf, type Trio } from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash } from "#test/support/worlds/messenger-world.ts";

let people: Trio;
let world: GatewayWorld;
let token: string;
/** What the engine was asked for, and whether it is away. */
let asked: OrderedPayment[];
let isAway: boolean;
let awayCode: ErrorCode;
/** It is away once it has failed. */
let isAwayThen: boolean;
/** µT of payments at which the engine fails. */
let failing: readonly number[];

beforeEach(async () => {
  people = await createTrio();
  asked = [];
  isAway = false;
  awayCode = "MESSENGER_UNAVAILABLE";
  isAwayThen = false;
  failing = [];
  const { ann, bob } = people;
  await ann.messenger.sendText(keyOf(bob), "Hello Bob");
  await pollUntil(async () => (await people.everywhere(chatOf)).every(({ length }) => length === 1), { what: "a chat on all devices" });
  const link = messagesLink({
    sendOrdered: (order) => ann.messenger.sendOrdered(order),
    readEntry: (input) => ann.messenger.readEntry(input),
    readArrivals: (input) => ann.messenger.readArrivals(input),
    lastArrival: (input) => ann.messenger.lastArrival(input),
    acceptedContacts: () => ann.messenger.acceptedContacts(),
    leaveReceipt: async (payment) => {
      asked.push(payment);
      if (isAway) throw new CodedError(awayCode, "reloading");
      isAway = isAwayThen;
      if (failing.includes(payment.amountUt)) throw new Error("a defect");
      await ann.messenger.leaveReceipt(payment);
    },
    subscribe: (listener) => ann.messenger.subscribe(listener),
    getSnapshot: () => ann.messenger.getSnapshot(),
  });
  world = await createGatewayWorld({ messages: link, limits: { receiptRetryMs: 20, receiptTries: 3, receiptsAside: 1 } });
  token = world.keyring.connect("00000001", ["pay:each=1T,total=1T/day,to=any"]);
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await people.world.stop();
});

async function pay(to: string, number = 1): Promise<string> {
  const body = { to, amount_ut: 5_000 + number, idempotency_key: `order-000000000${number}`, not_after: START_MS / 1000 + 60 };
  const { body: order } = await world.send("/apps/v1/payments", { method: "POST", token, body });
  return String(order.id);
}

async function receipts(device: Device, peer: string): Promise<readonly ChatMessage[]> {
  return (await chatOf(device, peer)).filter(({ body }) => body.kind === "pay.receipt");
}

/** Starts the gateway again, until it has asked for what is there. An engine that ended under a question was asked once more before. */
async function restartAndAsk(): Promise<void> {
  const before = asked.length;
  await world.restart();
  await pollUntil(() => asked.length > before, { what: "the gateway asking again" });
}

const countEverywhere = (): Promise<readonly number[]> => people.everywhere(async (device, peer) => (await receipts(device, peer)).length);

it("come once to both people and all devices when the payment is in a block, and say which program paid", async () => {
  const { ann, bob } = people;
  const id = await pay(keyOf(bob));
  expect(await countEverywhere()).toEqual([0, 0, 0]);
  world.chain.commit();
  await pollUntil(async () => (await countEverywhere()).every((count) => count === 1), { what: "the receipt on all devices" });
  const [own] = await receipts(ann, keyOf(bob));
  expect(own).toMatchObject({ program: "00000001", direction: "out", body: { txId: id, amountUt: 5_001, request: null } });
  expect(await receipts(bob, keyOf(ann))).toMatchObject([{ program: null, direction: "in", body: { txId: id, amountUt: 5_001 } }]);
});

it("are left once over restarts of gateway and engine, and not again where one was deleted", async () => {
  const { ann, bob, relay } = people;
  await pay(keyOf(bob));
  world.chain.commit();
  await pollUntil(async () => (await countEverywhere()).every((count) => count === 1), { what: "the receipt on all devices" });
  await restartAndAsk();
  await restartAfterCrash(ann, relay);
  await restartAndAsk();
  await ann.messenger.deleteMessage((await receipts(ann, keyOf(bob)))[0]?.key ?? "");
  await restartAndAsk();
  await pay(keyOf(bob), 2);
  world.chain.commit();
  await pollUntil(async () => (await receipts(bob, keyOf(ann))).length === 2, { what: "the receipt of another payment" });
  expect(await countEverywhere()).toEqual([1, 2, 2]);
});

it.each(["MESSENGER_UNAVAILABLE", "UPSTREAM_FAILED", "RATE_LIMITED", "UNAUTHORIZED"] as const)(
  "wait as long as it takes where what is asked says %s",
  async (code) => {
    [isAway, awayCode] = [true, code];
    await pay(keyOf(people.bob));
    world.chain.commit();
    await pollUntil(() => asked.length > 5, { what: "more tries than one that fails gets" });
    expect(await countEverywhere()).toEqual([0, 0, 0]);
    isAway = false;
    await pollUntil(async () => (await countEverywhere()).every((count) => count === 1), { what: "the receipt on all devices" });
  },
);

it("do not wait for one that fails, which is tried so often and then given up until the next start", async () => {
  const { bob } = people;
  failing = [5_001];
  await pay(keyOf(bob), 1);
  await pay(keyOf(bob), 2);
  world.chain.commit();
  await pollUntil(async () => (await countEverywhere()).every((count) => count === 1), { what: "the receipt of the other payment" });
  const failed = (): number => asked.filter(({ amountUt }) => amountUt === 5_001).length;
  await pollUntil(() => failed() === 4, { what: "three more tries" });
  await pay(keyOf(bob), 3);
  world.chain.commit();
  await pollUntil(async () => (await countEverywhere()).every((count) => count === 2), { what: "the receipt of a third payment" });
  expect(failed()).toBe(4);
  failing = [];
  await world.restart();
  await pollUntil(async () => (await countEverywhere()).every((count) => count === 3), { what: "what was given up" });
});

it("that were set aside are left no more once the payment is too old", async () => {
  const { bob } = people;
  [failing, isAwayThen] = [[5_001], true];
  await pay(keyOf(bob), 1);
  world.chain.commit();
  await pollUntil(() => asked.length > 8, { what: "more tries than one that fails gets" });
  world.keyring.tooOld.add(1);
  const before = asked.length;
  [isAway, isAwayThen, failing] = [false, false, [5_002]];
  await pay(keyOf(bob), 2);
  world.chain.commit();
  const later = (): readonly number[] => asked.slice(before).map(({ amountUt }) => amountUt);
  await pollUntil(() => later().filter((amount) => amount === 5_002).length >= 4, { what: "rounds of what is set aside" });
  expect([later().includes(5_001), await countEverywhere()]).toEqual([false, [0, 0, 0]]);
});

it("wait where more fail than are set aside, until one of those is given up", async () => {
  const { bob } = people;
  failing = [5_001, 5_002];
  for (const number of [1, 2, 3]) await pay(keyOf(bob), number);
  world.chain.commit();
  await pollUntil(async () => (await countEverywhere()).every((count) => count === 1), { what: "the receipt of the third payment" });
  const amounts = asked.map(({ amountUt }) => amountUt);
  const [third, first] = [amounts.indexOf(5_003), amounts.lastIndexOf(5_001)];
  expect(amounts.filter((amount) => amount === 5_001)).toHaveLength(4);
  expect(third, "the third is asked for after the last try of the first").toBeGreaterThan(first);
});

it("are for no one without a chat, who is blocked, or who was declined", async () => {
  const { ann, bob } = people;
  const eve = await people.world.join();
  await eve.messenger.sendText(keyOf(ann), "Hello?");
  await pollUntil(() => summaryOf(ann, keyOf(eve))?.isRequest === true, { what: "the request of a stranger" });
  people.relay.setContact(keyOf(bob), keyOf(ann), "blocked");
  await ann.messenger.refreshContacts();
  expect(summaryOf(ann, keyOf(bob))).toMatchObject({ isBlocked: true });
  for (const [number, to] of [carol.pub, keyOf(eve), keyOf(bob), keyOf(ann)].entries()) await pay(to, number + 1);
  world.chain.commit();
  await pollUntil(() => asked.length === 4, { what: "four payments" });
  for (const peer of [carol.pub, keyOf(eve), keyOf(bob), keyOf(ann)]) expect(await receipts(ann, peer)).toEqual([]);
  expect(await receipts(eve, keyOf(ann))).toEqual([]);

  people.relay.setContact(keyOf(bob), keyOf(ann), "accepted");
  await ann.messenger.refreshContacts();
  expect(summaryOf(ann, keyOf(bob))).toMatchObject({ isBlocked: false });
  await world.restart();
  await pay(keyOf(bob), 5);
  world.chain.commit();
  await pollUntil(() => asked.length === 9, { what: "the gateway asking again for four, and for one more" });
  await pollUntil(async () => (await receipts(ann, keyOf(bob))).length > 0, { what: "the receipt of the later payment" });
  expect((await receipts(ann, keyOf(bob))).map(({ body }) => body)).toMatchObject([{ amountUt: 5_005 }]);
});

it("are left for another account of the same gateway, whose lines begin at 1 again", async () => {
  const { bob } = people;
  await pay(keyOf(bob));
  world.chain.commit();
  await pollUntil(() => asked.length === 1, { what: "the first payment" });
  world.keyring.outcomes.length = 0;
  world.keyring.state = { ...world.keyring.state, account: { masterPub: carol.pub, address: formatAddress(carol.pub) } };
  world.keyring.emit({ event: "state", state: world.keyring.state });
  await pay(keyOf(bob), 2);
  world.chain.commit();
  await pollUntil(() => asked.length === 2, { what: "the first payment of the other account" });
});

it("are left for nothing that is in no block", async () => {
  await pay(keyOf(people.bob));
  world.keyring.outcomes.push({ id: "tx1gone", state: "absent", height: 1, blockTimeMs: 0 }, { id: "tx1bad", state: "failed", height: 1 });
  world.keyring.emit({ event: "line", connection: "00000001", n: 2 });
  world.chain.commit();
  await pollUntil(async () => (await countEverywhere()).every((count) => count === 1), { what: "the receipt of what was paid" });
  expect(asked).toHaveLength(1);
});
