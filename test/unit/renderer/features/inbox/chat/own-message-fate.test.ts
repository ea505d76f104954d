import { describe, expect, it } from "vitest";
import { type NewestMessage, ownMessageFate } from "#renderer/features/inbox/chat/aloud/own-message-fate.ts";
import { type MessageKey, NO_RECIPIENT } from "#shared/messenger/model/message.ts";

const [A, B] = ["a", "b"] as unknown as readonly [MessageKey, MessageKey];
const own = (key: MessageKey, state: NewestMessage["state"]): NewestMessage => ({ key, direction: "out", state });

describe("what is said of a message that was just written", () => {
  it("is that it was sent, once it has left, and only once", () => {
    const written = ownMessageFate(undefined, own(A, "queued"));
    expect(written).toEqual({ waiting: { key: A }, said: undefined });
    expect(ownMessageFate(written.waiting, own(A, "queued")).waiting, "the same wait").toBe(written.waiting);
    const sent = ownMessageFate(written.waiting, own(A, "relayed"));
    expect(sent).toEqual({ waiting: undefined, said: "sent" });
    expect(ownMessageFate(sent.waiting, own(A, "delivered")).said).toBeUndefined();
  });

  it("is that it is stored, where it goes to the own devices alone", () => {
    expect(ownMessageFate({ key: A }, own(A, NO_RECIPIENT)).said).toBe("saved");
  });

  it("is nothing of failures, which the message says itself, and of what others or other devices wrote", () => {
    expect(ownMessageFate({ key: A }, own(A, "failed")).said).toBeUndefined();
    expect(ownMessageFate(undefined, own(A, "relayed")).said).toBeUndefined();
    expect(ownMessageFate({ key: A }, own(B, "relayed")).said).toBeUndefined();
    expect(ownMessageFate({ key: A }, { key: B, direction: "in", state: null })).toEqual({ waiting: undefined, said: undefined });
    expect(ownMessageFate({ key: A }, undefined)).toEqual({ waiting: undefined, said: undefined });
  });
});
