import { describe, expect, it } from "vitest";
import { type ChatNoticeKind, type NoticeState, noticeOf } from "#renderer/features/inbox/chat/notice/chat-notice-kind.ts";

const CONTACT: NoticeState = { header: "person", status: "contact", isStranger: false, isEmpty: false, hasKey: true, hasNewDevices: false };

describe("note above a chat", () => {
  const cases: readonly [string, Partial<NoticeState>, ChatNoticeKind | undefined][] = [
    ["nothing between contacts", {}, undefined],
    ["nothing about oneself", { header: "self", status: "none" }, undefined],
    ["nothing while the lists are unread", { status: undefined, hasKey: false }, undefined],
    ["the sender has no proven identity", { header: "unknown", status: undefined }, "unknown"],
    ["a block, also of a contact that once wrote", { status: "blocked", isStranger: true, hasKey: false }, "blocked"],
    ["their block", { status: "refused", hasKey: false }, "refused"],
    ["their open request, before their being a stranger", { status: "request", isStranger: true }, "request"],
    ["a request that was hidden here: it can still be answered", { status: "declined", isStranger: true }, "request"],
    ["devices that changed after a comparison", { hasNewDevices: true }, "devices"],
    ["a block before devices that changed", { hasNewDevices: true, status: "blocked" }, "blocked"],
    ["a stranger who wrote", { status: "none", isStranger: true }, "stranger"],
    ["a stranger whom one has asked as well", { status: "sent", isStranger: true }, "stranger"],
    ["no stranger once accepted", { isStranger: true }, undefined],
    ["a missing key, also of a contact", { hasKey: false }, "noKey"],
    ["an unknown key is no missing one", { hasKey: undefined }, undefined],
    ["an own request without an answer", { status: "sent" }, "sent"],
    ["that a first message is a request, where they were added privately", { status: "added", isEmpty: true }, "added"],
    ["nothing about them once something was written", { status: "added" }, undefined],
    ["a missing key of theirs first", { status: "added", isEmpty: true, hasKey: false }, "noKey"],
    ["a person who is no contact", { status: "none" }, "notContact"],
  ];

  it.each(cases)("%s", (_, facts, expected) => {
    expect(noticeOf({ ...CONTACT, ...facts })).toBe(expected);
  });
});
