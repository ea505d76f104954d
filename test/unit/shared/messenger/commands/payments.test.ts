// Payments of a chat until a node has them: stored before they leave, once for each request, on all own devices, over a crash.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_HELD_PAYMENTS } from "#shared/messenger/model/payments.ts";
import { MAX_STORED_ASKS } from "#shared/messenger/model/records.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  chatOf,
  createTrio,
  type Device,
  keyOf,
  restart,
  summaryOf,
  type Trio,
  textsOf,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, type TestRelay } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let annOther: Device;
let bob: Device;
let everywhere: Trio["everywhere"];

beforeEach(async () => {
  ({ relay, world, ann, annOther, bob, everywhere } = await createTrio());
});

afterEach(() => world.stop());

/** A transfer as the keyring signs it; only what the store looks at means something. */
function transfer(id: string, amount = 5): Transaction {
  const rest = { fee: 1, payload: "", timestamp: "2026-11-28T08:00:00Z", signature: "" };
  return { id, type: "TRANSFER", from: keyOf(ann), to: keyOf(bob), amount, ...rest };
}

const signed = (id: string, request: string | null = null, after: string | null = null) =>
  ({ transaction: transfer(id), note: "For the tea", request, after }) as const;

async function requestOf(device: Device, peer: Device): Promise<Awaited<ReturnType<typeof chatOf>>[number]> {
  const request = (await chatOf(device, keyOf(peer))).find(({ body }) => body.kind === "pay.request");
  if (request === undefined) throw new Error("no request");
  return request;
}

/** Bob asks Ann for 5 µT; returns the key of the request on Ann's device. */
async function askedOf(device: Device): Promise<string> {
  await bob.messenger.sendPayRequest(keyOf(ann), { amountUt: 5, note: "Tea" });
  await pollUntil(async () => (await textsOf(device, keyOf(bob))).includes("pay.request"));
  return (await requestOf(device, bob)).key;
}

const mailboxesOfBob = (): number => relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub).length;

describe("a payment that was signed", () => {
  it("is stored and leaves nothing to anyone before a node has it", async () => {
    const before = mailboxesOfBob();
    const key = await ann.messenger.holdPayment(keyOf(bob), signed("tx1"));
    expect(await ann.messenger.heldPayments()).toMatchObject([
      { key, conversation: keyOf(bob), fate: { kind: "unsent" }, transaction: { id: "tx1" } },
    ]);
    expect(mailboxesOfBob()).toBe(before);
    await ann.messenger.releasePayment(key);
    await pollUntil(async () => (await everywhere(textsOf)).every((texts) => texts.includes("pay.receipt")));
    const receipts = await everywhere(async (device, peer) => (await chatOf(device, peer)).at(-1));
    for (const receipt of receipts)
      expect(receipt?.body).toEqual({ kind: "pay.receipt", txId: "tx1", amountUt: 5, request: null, note: "For the tea" });
    expect(await ann.messenger.heldPayments()).toEqual([]);
    expect(receipts[0]?.payment).toBe(null);
  });

  it("is there again after a crash, and released once however often that is said", async () => {
    const key = await ann.messenger.holdPayment(keyOf(bob), signed("tx1"));
    await ann.messenger.setPaymentFate(key, { kind: "handed" });
    await restartAfterCrash(ann, relay);
    expect(await ann.messenger.heldPayments()).toMatchObject([{ key, fate: { kind: "handed" }, transaction: transfer("tx1") }]);
    await Promise.all([ann.messenger.releasePayment(key), ann.messenger.releasePayment(key)]);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("pay.receipt"));
    await restart(ann, relay);
    expect((await textsOf(bob, keyOf(ann))).filter((kind) => kind === "pay.receipt")).toHaveLength(1);
  });

  it("is stored once however often it is handed over, also once it was taken back", async () => {
    const key = await ann.messenger.holdPayment(keyOf(bob), signed("tx1"));
    expect(await ann.messenger.holdPayment(keyOf(bob), signed("tx1"))).toBe(key);
    await ann.messenger.discardPayment(key);
    await ann.messenger.holdPayment(keyOf(bob), signed("tx1"));
    expect(await ann.messenger.heldPayments()).toEqual([]);
    expect(await textsOf(ann, keyOf(bob))).not.toContain("pay.receipt");
  });

  it("must be one to the person of the chat", async () => {
    const wrong = { ...signed("tx1"), transaction: { ...transfer("tx1"), to: keyOf(ann) } };
    await expect(ann.messenger.holdPayment(keyOf(bob), wrong)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const foreign = { ...signed("tx1"), transaction: { ...transfer("tx1"), from: keyOf(bob) } };
    await expect(ann.messenger.holdPayment(keyOf(bob), foreign)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await textsOf(ann, keyOf(bob))).not.toContain("pay.receipt");
  });

  it("waits with a bounded number of others", async () => {
    for (let index = 0; index < MAX_HELD_PAYMENTS; index += 1) await ann.messenger.holdPayment(keyOf(bob), signed(`tx${index}`));
    await expect(ann.messenger.holdPayment(keyOf(bob), signed("one more"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const [first] = await ann.messenger.heldPayments();
    await ann.messenger.discardPayment(first?.key ?? "");
    await ann.messenger.holdPayment(keyOf(bob), signed("one more"));
  });

  it("is given up only while no node was given it, or when it is over", async () => {
    const key = await ann.messenger.holdPayment(keyOf(bob), signed("tx1"));
    await ann.messenger.setPaymentFate(key, { kind: "handed" });
    await expect(ann.messenger.discardPayment(key)).rejects.toMatchObject({ code: "PAYMENT_UNDER_WAY" });
    await ann.messenger.setPaymentFate(key, { kind: "expired" });
    expect(await ann.messenger.heldPayments()).toEqual([]);
    await ann.messenger.discardPayment(key);
    expect(await textsOf(ann, keyOf(bob))).not.toContain("pay.receipt");
  });

  it("cannot be taken back for everyone before it left", async () => {
    const key = await ann.messenger.holdPayment(keyOf(bob), signed("tx1"));
    await expect(ann.messenger.deleteForEveryone(key)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

it("a payment is found by its chat's receipt, on every own device, and not by what the other person names", async () => {
  await ann.messenger.releasePayment(await ann.messenger.holdPayment(keyOf(bob), signed("tx1")));
  await pollUntil(async () => (await everywhere(textsOf)).every((texts) => texts.includes("pay.receipt")));
  const find = async (device: Device, peer: string, direction: "in" | "out"): Promise<string | undefined> =>
    (await device.messenger.findPayments([{ txId: "tx1", peer, direction }])).get("tx1")?.note;
  expect(await find(ann, keyOf(bob), "out")).toBe("For the tea");
  expect(await find(annOther, keyOf(bob), "out")).toBe("For the tea");
  expect(await find(bob, keyOf(ann), "in")).toBe("For the tea");
  expect(await find(bob, keyOf(ann), "out")).toBe(undefined);
  expect(await find(ann, keyOf(ann), "out")).toBe(undefined);
  const [receipt] = (await chatOf(ann, keyOf(bob))).filter(({ body }) => body.kind === "pay.receipt");
  await ann.messenger.deleteMessage(receipt?.key ?? "");
  expect(await find(ann, keyOf(bob), "out")).toBe(undefined);
});

describe("a request", () => {
  it("is paid once, however often and from wherever that is confirmed", async () => {
    const request = await askedOf(ann);
    const both = await Promise.allSettled([
      ann.messenger.holdPayment(keyOf(bob), signed("tx1", request)),
      ann.messenger.holdPayment(keyOf(bob), signed("tx2", request)),
    ]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(both[1]).toMatchObject({ reason: { code: "PAYMENT_UNDER_WAY" } });
    await restartAfterCrash(ann, relay);
    await expect(ann.messenger.holdPayment(keyOf(bob), signed("tx3", request))).rejects.toMatchObject({ code: "PAYMENT_UNDER_WAY" });
    expect((await requestOf(ann, bob)).payment).toMatchObject({ ownTxId: "tx1" });
    await ann.messenger.holdPayment(keyOf(bob), signed("tx4", request, "tx1"));
    expect((await requestOf(ann, bob)).payment).toMatchObject({ ownTxId: "tx4" });
  });

  it("knows of the payment of another own device", async () => {
    const request = await askedOf(ann);
    const elsewhere = await askedOf(annOther).then(() => requestOf(annOther, bob));
    await ann.messenger.releasePayment(await ann.messenger.holdPayment(keyOf(bob), signed("tx1", request)));
    await pollUntil(async () => (await requestOf(annOther, bob)).payment?.ownTxId === "tx1");
    await expect(annOther.messenger.holdPayment(keyOf(bob), signed("tx2", elsewhere.key))).rejects.toMatchObject({
      code: "PAYMENT_UNDER_WAY",
    });
  });

  it("is not paid by what was signed while another own device has paid it", async () => {
    const request = await askedOf(ann);
    const elsewhere = await askedOf(annOther).then(() => requestOf(annOther, bob));
    const waiting = await ann.messenger.holdPayment(keyOf(bob), signed("tx1", request));
    const taken = await ann.messenger.holdPayment(keyOf(bob), signed("tx3"));
    for (const { time } of world.devices) time.advance(1_000);
    await annOther.messenger.releasePayment(await annOther.messenger.holdPayment(keyOf(bob), signed("tx2", elsewhere.key)));
    await pollUntil(async () => (await requestOf(ann, bob)).payment?.ownTxId === "tx2");
    expect(await ann.messenger.setPaymentFate(waiting, { kind: "handed" })).toBe(false);
    const over = (await chatOf(ann, keyOf(bob))).find(({ key }) => key === waiting)?.payment?.held?.fate;
    expect(over).toMatchObject({ kind: "refused", problem: { code: "PAYMENT_UNDER_WAY" } });
    expect(await ann.messenger.setPaymentFate(waiting, { kind: "handed" })).toBe(false);
    await ann.messenger.discardPayment(taken);
    expect(await ann.messenger.setPaymentFate(taken, { kind: "handed" })).toBe(false);
    expect(await ann.messenger.heldPayments()).toEqual([]);
  });

  it("is open again where its payment was deleted before it left, and else says when that was signed", async () => {
    const request = await askedOf(ann);
    const unsent = await ann.messenger.holdPayment(keyOf(bob), signed("tx1", request));
    const { at } = (await chatOf(ann, keyOf(bob))).find(({ key }) => key === unsent) ?? {};
    expect((await requestOf(ann, bob)).payment).toMatchObject({ ownTxId: "tx1", ownPaidAt: at });
    await ann.messenger.deleteMessage(unsent);
    expect((await requestOf(ann, bob)).payment).toBe(null);
    const handed = await ann.messenger.holdPayment(keyOf(bob), signed("tx2", request));
    await ann.messenger.setPaymentFate(handed, { kind: "handed" });
    await ann.messenger.deleteMessage(handed);
    expect((await requestOf(ann, bob)).payment).toMatchObject({ ownTxId: "tx2" });
    await ann.messenger.holdPayment(keyOf(bob), signed("tx3", request, "tx2"));
    await ann.messenger.deleteConversation(keyOf(bob));
    expect(await textsOf(ann, keyOf(bob))).toEqual([]);
  });

  it("can be paid again where the payment was refused", async () => {
    const request = await askedOf(ann);
    const key = await ann.messenger.holdPayment(keyOf(bob), signed("tx1", request));
    await ann.messenger.setPaymentFate(key, { kind: "refused", problem: { code: "TX_INSUFFICIENT_BALANCE", message: "no" } });
    expect((await requestOf(ann, bob)).payment).toBe(null);
    // One that waited by the spending rules is handed over again after a crash: what was refused is not begun anew by that.
    expect(await ann.messenger.holdPayment(keyOf(bob), signed("tx1", request))).toBe(key);
    expect(await ann.messenger.heldPayments()).toEqual([]);
    await ann.messenger.holdPayment(keyOf(bob), signed("tx2", request));
  });

  it("is not answered by less than it asks for", async () => {
    const request = await askedOf(ann);
    await ann.messenger.holdPayment(keyOf(bob), { ...signed("tx1", request), transaction: transfer("tx1", 4) });
    expect((await chatOf(ann, keyOf(bob))).at(-1)?.body).toMatchObject({ request: null });
    expect((await requestOf(ann, bob)).payment).toBe(null);
  });

  it("is cancelled by its author and declined by the other, on all devices, whatever comes first", async () => {
    const request = await askedOf(ann);
    await ann.messenger.closePayRequest(request);
    await ann.messenger.closePayRequest(request);
    const states = (): Promise<readonly unknown[]> => everywhere(async (device, peer) => requestStateOf(device, peer));
    await pollUntil(async () => (await states()).every((closed) => closed === "declined"), { what: "declined everywhere" });
    // A payment that waited since before, wherever it was declined.
    const waited = { ...signed("tx0", (await requestOf(annOther, bob)).key), unlessDeclined: true };
    await expect(annOther.messenger.holdPayment(keyOf(bob), waited)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const own = (await chatOf(bob, keyOf(ann))).find(({ body }) => body.kind === "pay.request");
    await bob.messenger.closePayRequest(own?.key ?? "");
    await pollUntil(async () => (await states()).every((closed) => closed === "cancelled"), { what: "cancelled everywhere" });
    // What was on the screen before it was cancelled pays nothing any more.
    await expect(ann.messenger.holdPayment(keyOf(bob), signed("tx1", request))).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("that is no request is not closed", async () => {
    await ann.messenger.sendText(keyOf(bob), "hello");
    const [message] = await chatOf(ann, keyOf(bob));
    await ann.messenger.closePayRequest(message?.key ?? "");
    expect((await chatOf(ann, keyOf(bob)))[0]?.payment).toBe(null);
  });

  it("has lines that add up, texts within their bounds and a time", async () => {
    const ask = (changes: object): Promise<string> => ann.messenger.sendPayRequest(keyOf(bob), { amountUt: 5, note: "", ...changes });
    const line = { text: "Tea", amountUt: 5 };
    for (const [field, changes] of [
      ["lines", { lines: [] }],
      ["lines", { lines: [{ text: "Tea", amountUt: 4 }] }],
      ["lines", { lines: [{ text: "", amountUt: 5 }] }],
      ["lines", { lines: [{ text: "Tea", amountUt: 0 }, line] }],
      ["lines", { amountUt: 21, lines: Array.from({ length: 21 }, () => ({ text: "x", amountUt: 1 })) }],
      ["number", { number: "x".repeat(33) }],
      ["due", { due: 0.5 }],
      ["note", { note: "x".repeat(257) }],
    ] as const)
      await expect(ask(changes)).rejects.toMatchObject({ code: "BAD_REQUEST", details: { field } });
    await ask({
      lines: [
        { text: "Tea", amountUt: 2 },
        { text: "Cake", amountUt: 3 },
      ],
      number: "17",
      due: 1_800_000_000_000,
    });
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("pay.request"));
    expect((await chatOf(bob, keyOf(ann))).at(-1)?.body).toMatchObject({
      number: "17",
      due: 1_800_000_000_000,
      lines: [{ text: "Tea" }, { text: "Cake" }],
    });
  });
});

describe("a bill in a group", () => {
  /** Bob splits 10 µT among the two in a group of Ann's; returns its conversation. */
  async function splitBill(): Promise<string> {
    const group = await ann.messenger.createGroup("Dinner", [keyOf(bob)]);
    await pollUntil(() => bob.messenger.getSnapshot().conversations.some(({ id }) => id === group));
    await pollUntil(() => annOther.messenger.getSnapshot().conversations.some(({ id }) => id === group));
    const shares = [
      { person: keyOf(ann), amountUt: 5 },
      { person: keyOf(bob), amountUt: 5 },
    ];
    await bob.messenger.sendPaySplit(group, { amountUt: 10, note: "Soup", shares });
    for (const device of [ann, annOther]) await pollUntil(async () => (await textsOf(device, group)).includes("pay.split"));
    return group;
  }
  const billOf = async (device: Device, group: string): Promise<Awaited<ReturnType<typeof chatOf>>[number] | undefined> =>
    (await chatOf(device, group)).find(({ body }) => body.kind === "pay.split");

  it("is paid between the two, and named in the group once a node has the payment", async () => {
    const group = await splitBill();
    const { key = "" } = (await billOf(ann, group)) ?? {};
    const held = await ann.messenger.holdPayment(keyOf(bob), signed("tx1", key));
    await expect(ann.messenger.holdPayment(keyOf(bob), signed("tx2", key))).rejects.toMatchObject({ code: "PAYMENT_UNDER_WAY" });
    expect((await billOf(ann, group))?.payment).toMatchObject({ ownTxId: "tx1", shareClaims: {} });
    await ann.messenger.releasePayment(held);
    for (const device of [ann, annOther, bob])
      await pollUntil(async () => (await billOf(device, group))?.payment?.shareClaims[keyOf(ann)]?.[0]?.txId === "tx1");
    expect((await chatOf(bob, keyOf(ann))).at(-1)?.body).toMatchObject({ kind: "pay.receipt", txId: "tx1", request: null });
    const elsewhere = (await billOf(annOther, group))?.key ?? "";
    await expect(annOther.messenger.holdPayment(keyOf(bob), signed("tx3", elsewhere))).rejects.toMatchObject({ code: "PAYMENT_UNDER_WAY" });
    expect((await textsOf(bob, group)).filter((kind) => kind.startsWith("pay."))).toEqual(["pay.split"]);
  });

  it("has none of a payment that was named for another bill, or a request, before", async () => {
    const group = await splitBill();
    const first = (await billOf(ann, group))?.key ?? "";
    await ann.messenger.releasePayment(await ann.messenger.holdPayment(keyOf(bob), signed("tx1", first)));
    await pollUntil(async () => (await billOf(bob, group))?.payment?.shareClaims[keyOf(ann)] !== undefined);
    // A program that cheats: it names the payment again for a second bill and for a request.
    const shares = [keyOf(ann), keyOf(bob)].map((person) => ({ person, amountUt: 5 }));
    await bob.messenger.sendPaySplit(group, { amountUt: 10, note: "Wine", shares });
    await bob.messenger.sendPayRequest(keyOf(ann), { amountUt: 5, note: "Bread" });
    const bills = async (device: Device): Promise<Awaited<ReturnType<typeof chatOf>>> =>
      (await chatOf(device, group)).filter(({ body }) => body.kind === "pay.split");
    await pollUntil(async () => (await bills(ann)).length === 2 && (await textsOf(ann, keyOf(bob))).includes("pay.request"));
    const second = (await bills(ann)).at(-1)?.key ?? "";
    await ann.messenger.releasePayment(await ann.messenger.holdPayment(keyOf(bob), signed("tx1", second)));
    const request = (await requestOf(ann, bob)).key;
    await ann.messenger.releasePayment(await ann.messenger.holdPayment(keyOf(bob), signed("tx1", request)));
    await ann.messenger.sendText(keyOf(bob), "all paid");
    await ann.messenger.sendText(group, "all paid");
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("all paid") && (await textsOf(bob, group)).includes("all paid"));
    expect((await bills(bob)).map(({ payment }) => payment?.shareClaims[keyOf(ann)]?.map(({ txId }) => txId))).toEqual([
      ["tx1"],
      undefined,
    ]);
    const receipts = (await chatOf(bob, keyOf(ann))).flatMap(({ body }) => (body.kind === "pay.receipt" ? [body.request] : []));
    expect(receipts).toEqual([null, null, null]);
  });

  it("is paid by those alone who have a share, to its author alone", async () => {
    const group = await splitBill();
    const { key = "" } = (await billOf(bob, group)) ?? {};
    const own = { ...transfer("tx1"), from: keyOf(bob), to: keyOf(ann) };
    await expect(bob.messenger.holdPayment(keyOf(ann), { ...signed("tx1", key), transaction: own })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  it("has shares that add up, in a group alone", async () => {
    const group = await ann.messenger.createGroup("Dinner", [keyOf(bob)]);
    const [mine, theirs] = [keyOf(ann), keyOf(bob)].map((person) => ({ person, amountUt: 5 }));
    if (mine === undefined || theirs === undefined) throw new Error("two people");
    for (const shares of [
      [mine],
      [mine, mine],
      [mine, { ...theirs, amountUt: 4 }],
      [mine, theirs, { person: "33".repeat(32), amountUt: 0 }],
    ])
      await expect(ann.messenger.sendPaySplit(group, { amountUt: 10, note: "", shares })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const order = { amountUt: 10, note: "", shares: [mine, theirs] };
    await expect(ann.messenger.sendPaySplit(keyOf(bob), order)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await ann.messenger.sendPaySplit(group, order);
  });
});

async function requestStateOf(device: Device, peer: string): Promise<unknown> {
  return (await chatOf(device, peer)).find(({ body }) => body.kind === "pay.request")?.payment?.closed ?? null;
}

describe("requests for money that wait", () => {
  const asksOf = (device: Device): number | undefined => summaryOf(device, keyOf(bob))?.asks;

  it("are known of each chat until they are paid, declined, cancelled or deleted, and are back where that is undone", async () => {
    const due = bob.time.nowMs() + 86_400_000;
    for (const [note, until] of [
      ["first", undefined],
      ["second", due],
      ["third", undefined],
      ["fourth", undefined],
    ] as const) {
      bob.time.advance(1_000);
      await bob.messenger.sendPayRequest(keyOf(ann), { amountUt: 5, note, ...(until !== undefined && { due: until }) });
    }
    await pollUntil(() => asksOf(ann) === 4);
    const notes = async (): Promise<readonly string[]> => (await ann.messenger.openAsks()).map(({ body }) => body.note);
    expect(await notes()).toEqual(["second", "fourth", "third", "first"]);
    expect(await bob.messenger.openAsks()).toEqual([]);
    const keys = new Map((await ann.messenger.openAsks()).map(({ body, message }) => [body.note, message.key]));
    await ann.messenger.holdPayment(keyOf(bob), signed("tx1", keys.get("first") ?? null));
    await ann.messenger.closePayRequest(keys.get("second") ?? "");
    const own = (await chatOf(bob, keyOf(ann))).find(({ body }) => body.kind === "pay.request" && body.note === "third");
    await bob.messenger.closePayRequest(own?.key ?? "");
    await pollUntil(() => asksOf(ann) === 1);
    expect(await notes()).toEqual(["fourth"]);
    const removal = await ann.messenger.deleteMessage(keys.get("fourth") ?? "");
    expect(asksOf(ann)).toBe(0);
    await ann.messenger.undoRemoval(removal);
    expect([asksOf(ann), await notes()]).toEqual([1, ["fourth"]]);
  });

  it("are not listed while their time is over by the own clock alone", async () => {
    relay.blockS = Math.floor(ann.time.nowMs() / 1_000);
    await bob.messenger.setTimer(keyOf(ann), 7 * 86_400);
    await bob.messenger.sendPayRequest(keyOf(ann), { amountUt: 5, note: "Tea" });
    await pollUntil(() => asksOf(ann) === 1);
    await ann.messenger.markRead(keyOf(bob));
    ann.time.setAhead(3 * 365 * 86_400_000);
    expect(await ann.messenger.openAsks()).toEqual([]);
    ann.time.setAhead(0);
    expect(await ann.messenger.openAsks()).toHaveLength(1);
  });

  it("are none of a stranger, and the latest of one person", async () => {
    const eve = await world.join();
    for (let n = 0; n < MAX_STORED_ASKS + 2; n += 1) {
      eve.time.advance(1_000);
      await eve.messenger.sendPayRequest(keyOf(ann), { amountUt: 5, note: `${n}` });
    }
    await pollUntil(() => summaryOf(ann, keyOf(eve))?.unread === MAX_STORED_ASKS + 2);
    expect([summaryOf(ann, keyOf(eve))?.asks, await ann.messenger.openAsks()]).toEqual([0, []]);
    relay.setContact(keyOf(eve), keyOf(ann), "accepted");
    await ann.messenger.refreshContacts();
    expect(summaryOf(ann, keyOf(eve))?.asks).toBe(MAX_STORED_ASKS);
    expect((await ann.messenger.openAsks()).map(({ body }) => body.note)).not.toContain("1");
  });
});
