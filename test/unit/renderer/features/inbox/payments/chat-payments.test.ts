// Which receipt answers which request: only one of the person who was asked, of enough, and of a payment that answers nothing else.
import { expect, it } from "vitest";
import { chatPayments } from "#renderer/features/inbox/payments/chat-payments.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { chatMessage } from "../chat-message.ts";

const ask = (id: string, changes: Partial<ChatMessage> = {}): ChatMessage =>
  chatMessage(`key of ${id}`, { id, direction: "in", body: { kind: "pay.request", amountUt: 5, note: "" }, ...changes });
const receipt = (key: string, txId: string, request: string | null, changes: Partial<ChatMessage> = {}): ChatMessage =>
  chatMessage(key, { body: { kind: "pay.receipt", txId, amountUt: 5, request }, ...changes });

/** Keys of the requests that receipts name, with the keys of these. */
const answers = (...messages: readonly ChatMessage[]): readonly (readonly string[])[] =>
  [...chatPayments(messages).claims].map(([request, receipts]) => [request, ...receipts.map(({ key }) => key)]);

it("a receipt answers the request that it names", () => {
  expect(answers(ask("a"), ask("b"), receipt("r", "tx1", "b"))).toEqual([["key of b", "r"]]);
  expect(answers(ask("a"), receipt("r", "tx1", null))).toEqual([]);
});

it("also when it comes before the request, from another own device", () => {
  expect(answers(receipt("r", "tx1", "a"), ask("a"))).toEqual([["key of a", "r"]]);
});

it("all of several are compared with the chain, the first one first, and at most the newest eight", () => {
  const second = receipt("s", "tx2", "a", { at: 2 });
  expect(answers(ask("a"), second, receipt("r", "tx1", "a"))).toEqual([["key of a", "r", "s"]]);
  const many = Array.from({ length: 9 }, (_, at) => receipt(`r${at}`, `tx${at}`, "a", { at }));
  expect(answers(ask("a"), ...many)).toEqual([["key of a", ...many.slice(1).map(({ key }) => key)]]);
});

it("a person does not answer their own request", () => {
  expect(answers(ask("a"), receipt("r", "tx1", "a", { direction: "in" }))).toEqual([]);
  expect(answers(ask("a", { direction: "out" }), receipt("r", "tx1", "a", { direction: "in" }))).toEqual([["key of a", "r"]]);
});

it("less than was asked for answers nothing", () => {
  expect(answers(ask("a"), receipt("r", "tx1", "a", { body: { kind: "pay.receipt", txId: "tx1", amountUt: 4, request: "a" } }))).toEqual(
    [],
  );
});

it("one payment answers one request, however often it is named", () => {
  const messages = [ask("a"), ask("b"), receipt("r", "tx1", "a"), receipt("s", "tx1", "b")];
  expect(answers(...messages)).toEqual([["key of a", "r"]]);
  expect([...chatPayments(messages).repeated]).toEqual(["s"]);
});

it("of two requests that one payment is named for, the same one has it in whatever order the messages come", () => {
  const messages = [ask("a"), ask("b"), receipt("r", "tx1", "a", { at: 2 }), receipt("s", "tx1", "b", { at: 1 })];
  for (const order of [messages, messages.toReversed()]) expect(answers(...order)).toEqual([["key of b", "s"]]);
});

it("what the other person names, or calls by the same id, takes nothing from an own payment", () => {
  const theirs = receipt("t", "tx1", null, { direction: "in", at: -1 });
  const same = ask("a", { key: "same", direction: "out" });
  const messages = [ask("a"), same, receipt("r", "tx1", "a"), theirs];
  for (const order of [messages, messages.toReversed()]) {
    expect(answers(...order)).toEqual([["key of a", "r"]]);
    expect([...chatPayments(order).repeated]).toEqual([]);
  }
});
