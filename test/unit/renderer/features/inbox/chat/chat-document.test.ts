// A chat as a file: everything of it is there, and nothing that people wrote is markup.
import { describe, expect, it } from "vitest";
import { type ChatDocument, chatAsHtml, chatAsJson, type ExportedMessage } from "#renderer/features/inbox/chat/export/chat-document.ts";
import { collectChat } from "#renderer/features/inbox/chat/export/collect-chat.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { chatMessage } from "../chat-message.ts";

const EVIL = `"><script>alert('x')</script>&`;
const MESSAGE: ExportedMessage = {
  id: "1",
  author: EVIL,
  address: EVIL,
  isOwn: false,
  at: "2026-11-28T12:00:00.000Z",
  kind: "text",
  text: EVIL,
  isEdited: false,
  quote: EVIL,
  reactions: [{ emoji: EVIL, count: 2 }],
  file: { name: EVIL, mediaType: EVIL, size: 3, data: "AAAA" },
  preview: { link: EVIL, title: EVIL, description: EVIL },
};
const CHAT: ChatDocument = { title: EVIL, exportedAt: EVIL, language: "de", messages: [MESSAGE] };

describe("a chat as a page", () => {
  it("shows hostile names, texts, reactions and files as text", () => {
    const html = chatAsHtml(CHAT).join("");
    expect(html).not.toContain("<script");
    expect(html).not.toContain("alert('");
    expect(html.match(/&lt;script&gt;/g)).toHaveLength(13);
    expect(html).toContain('href="data:application/octet-stream;base64,AAAA"');
  });

  it("has times and sizes in the words of its language", () => {
    const file = { name: "f", mediaType: "text/plain", size: 12_345 };
    const html = chatAsHtml({ ...CHAT, exportedAt: MESSAGE.at, messages: [{ ...MESSAGE, file }] }).join("");
    expect(html).toMatch(/<time datetime="2026-11-28T12:00:00.000Z">\d\d?\. November 2026 um \d\d:\d\d<\/time>/);
    expect(html).toContain("(12,3 kB)");
  });

  it("loads and runs nothing", () => {
    expect(chatAsHtml(CHAT).join("")).toContain(`content="default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'"`);
  });

  it("shows pictures and sound of known formats alone", () => {
    const shown = (mediaType: string): string =>
      chatAsHtml({ ...CHAT, messages: [{ ...MESSAGE, file: { name: "f", mediaType, size: 3, data: "AAAA" } }] }).join("");
    expect(shown("image/webp")).toContain('<img alt="f" src="data:image/webp;base64,AAAA">');
    expect(shown("audio/webm")).toContain('<audio controls src="data:audio/webm;base64,AAAA">');
    for (const type of ["image/svg+xml", "text/html"]) expect(shown(type)).toContain("application/octet-stream");
  });
});

it("a chat as JSON reads back as it was", () => {
  const { messages, ...chat } = CHAT;
  expect(JSON.parse(chatAsJson(CHAT).join(""))).toEqual({ ...chat, count: 1, messages });
  expect(JSON.parse(chatAsJson({ ...CHAT, messages: [] }).join(""))).toEqual({ ...chat, count: 0, messages: [] });
});

it("what disappears is left out, and files are there where they are wanted", async () => {
  const me = "aa".repeat(32);
  const peer = "bb".repeat(32);
  const file = {
    kind: "attachment",
    name: "a\u202etxt.exe",
    mediaType: "text/plain",
    size: 2,
    key: "",
    digest: "",
    caption: "Look",
    image: null,
  } as const;
  const messages: readonly ChatMessage[] = [
    chatMessage("own"),
    chatMessage("gone", { expiresInS: 60 }),
    chatMessage("file", { direction: "in", body: file, isEdited: true }),
  ];
  const messenger = {
    openConversation: () => ({ loadBack: async () => undefined, getSnapshot: () => ({ messages }), close: () => undefined }),
    readFile: async () => Uint8Array.of(1, 2),
  } as unknown as Messenger;
  const options = {
    id: peer,
    title: "Bob",
    me,
    peer,
    nameOf: (person: string) => (person === me ? "You" : "Bob"),
    t: createTranslate("en", en),
  };
  const without = await collectChat(messenger, { ...options, withFiles: false });
  expect(without.messages.map(({ author, text, isOwn, isEdited }) => ({ author, text, isOwn, isEdited }))).toEqual([
    { author: "You", text: "own", isOwn: true, isEdited: false },
    { author: "Bob", text: "Look", isOwn: false, isEdited: true },
  ]);
  expect(without.messages[1]?.file).toMatchObject({ size: 2, mediaType: "text/plain" });
  expect(without.messages[1]?.file?.name).not.toContain("\u202e");
  expect(without.messages[1]?.file?.data).toBeUndefined();
  expect((await collectChat(messenger, { ...options, withFiles: true })).messages[1]?.file?.data).toBe("AQI=");
});

it("previews of links are there, each word of them in one line and visible", async () => {
  const preview = { link: "https://a.example/", title: "A\npage\u202e", description: "About\tit", picture: "AAAA" };
  const messages: readonly ChatMessage[] = [chatMessage("m", { body: { kind: "text", text: "https://a.example/", preview } })];
  const messenger = {
    openConversation: () => ({ loadBack: async () => undefined, getSnapshot: () => ({ messages }), close: () => undefined }),
  } as unknown as Messenger;
  const me = "aa".repeat(32);
  const options = { id: me, title: "Bob", me, peer: me, withFiles: false, nameOf: (): string => "You", t: createTranslate("en", en) };
  const [exported] = (await collectChat(messenger, options)).messages;
  expect(exported?.preview).toEqual({ link: "https://a.example/", title: "A page\ufffd", description: "About it" });
});

it("cards say what is on them: notes of payments, lines of invoices, answers of polls and who chose them", async () => {
  const body = { amountUt: 5_000_000, note: "Hut" } as const;
  const messages: readonly ChatMessage[] = [
    chatMessage("poll", {
      body: { kind: "poll", question: "When?", answers: ["Sat\nSun: bob", "Sun"], isMultiple: false },
      poll: { choices: { bob: [1], ann: [1] }, isClosed: true },
    }),
    chatMessage("invoice", {
      body: {
        kind: "pay.request",
        ...body,
        number: "7",
        due: Date.UTC(2026, 11, 24, 12),
        lines: [{ text: "Nights", amountUt: 5_000_000 }],
      },
    }),
    chatMessage("bill", { body: { kind: "pay.split", ...body, shares: [{ person: "bob", amountUt: 2_000_000 }] } }),
    chatMessage("receipt", { body: { kind: "pay.receipt", txId: "", request: null, ...body } }),
    chatMessage("bare", { body: { kind: "pay.receipt", txId: "", request: null, amountUt: 1 } }),
  ];
  const messenger = {
    openConversation: () => ({ loadBack: async () => undefined, getSnapshot: () => ({ messages }), close: () => undefined }),
  } as unknown as Messenger;
  const nameOf = (person: string): string => person;
  const me = "aa".repeat(32);
  const options = { id: me, title: "Bob", me, peer: me, withFiles: false, nameOf, t: createTranslate("en", en) };
  const texts = (await collectChat(messenger, options)).messages.map(({ text }) => text.split("\n").slice(1));
  expect(texts.map((lines) => lines.map((line) => line.replace(/: [^:]*5[^:]*$/, ": 5").replace(/: [^:]*2[^:]*$/, ": 2")))).toEqual([
    ["Sat Sun: bob: No votes", "Sun: bob, ann"],
    ["Hut", "7", "Nights: 5", "Due December 24, 2026"],
    ["Hut", "bob: 2"],
    ["Hut"],
    [],
  ]);
});
