import { describe, expect, it } from "vitest";
import { shownPictures } from "#renderer/features/inbox/viewer/shown-pictures.ts";
import type { ChatMessage, StoredAttachment } from "#shared/messenger/model/message.ts";
import { chatMessage } from "../chat-message.ts";

const body = (changes: Partial<StoredAttachment> = {}): StoredAttachment =>
  ({ kind: "attachment", mediaType: "image/webp", image: { width: 1, height: 1, preview: "" }, ...changes }) as StoredAttachment;
const WHOLE = { done: 1, total: 1 };

describe("the pictures that one can go through", () => {
  const messages: readonly ChatMessage[] = [
    chatMessage("text"),
    chatMessage("own", { body: body(), transfer: { done: 0, total: 3 } }),
    chatMessage("theirs", { body: body(), direction: "in", transfer: WHOLE }),
    chatMessage("stranger", { body: body(), direction: "in", author: "s", transfer: WHOLE }),
    chatMessage("part", { body: body(), direction: "in", transfer: { done: 1, total: 2 } }),
    chatMessage("gone", { body: body(), direction: "in", transfer: null }),
    chatMessage("file", { body: body({ image: null }), transfer: WHOLE }),
    chatMessage("vector", { body: body({ mediaType: "image/svg+xml" }), transfer: WHOLE }),
  ];
  const keys = (viewed: string): readonly string[] =>
    shownPictures(messages, viewed, ({ author }) => author === null).map(({ message }) => message.key);

  it("are whole ones of oneself and of contacts, in the order of the chat", () => {
    expect(keys("own")).toEqual(["own", "theirs"]);
  });

  it("include one of a stranger only while that itself is looked at", () => {
    expect(keys("stranger")).toEqual(["own", "theirs", "stranger"]);
    expect(keys("part")).toEqual(["own", "theirs"]);
  });
});
