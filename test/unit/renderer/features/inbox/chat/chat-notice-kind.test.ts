import { describe, expect, it } from "vitest";
import { type ChatNoticeKind, type NoticeFacts, noticeOf } from "#renderer/features/inbox/chat/chat-notice-kind.ts";

const CONTACT: NoticeFacts = { face: "person", standing: "contact", isStranger: false, hasKey: true };

describe("note above a chat", () => {
  const cases: readonly [string, Partial<NoticeFacts>, ChatNoticeKind | undefined][] = [
    ["nothing between contacts", {}, undefined],
    ["nothing about oneself", { face: "self", standing: "none" }, undefined],
    ["nothing while the lists are unread", { standing: undefined, hasKey: false }, undefined],
    ["nobody vouches for the sender", { face: "unknown", standing: undefined }, "unknown"],
    ["a block, also of a contact that once wrote", { standing: "blocked", isStranger: true, hasKey: false }, "blocked"],
    ["their block", { standing: "refused", hasKey: false }, "refused"],
    ["their open request, before their being a stranger", { standing: "request", isStranger: true }, "request"],
    ["a request that was hidden here: it can still be answered", { standing: "declined", isStranger: true }, "request"],
    ["a stranger who wrote", { standing: "none", isStranger: true }, "stranger"],
    ["a stranger whom one has asked as well", { standing: "sent", isStranger: true }, "stranger"],
    ["no stranger once accepted", { isStranger: true }, undefined],
    ["a missing key, also of a contact", { hasKey: false }, "noKey"],
    ["an unknown key is no missing one", { hasKey: undefined }, undefined],
    ["an own request without an answer", { standing: "sent" }, "sent"],
    ["somebody who is no contact", { standing: "none" }, "notContact"],
  ];

  it.each(cases)("%s", (_, facts, expected) => {
    expect(noticeOf({ ...CONTACT, ...facts })).toBe(expected);
  });
});
