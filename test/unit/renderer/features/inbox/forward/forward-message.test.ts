import { describe, expect, it } from "vitest";
import { canForward, forwardMessages } from "#renderer/features/inbox/forward/forward-message.ts";
import type { LinkPreview } from "#shared/content/chat/link-preview.ts";
import { scrubImage } from "#shared/media/scrub-image.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { OutgoingFile, StoredAttachment } from "#shared/messenger/model/message.ts";
import type { ByteSource } from "#shared/util/byte-source.ts";
import { jpeg } from "#test/support/host/sample-images.ts";
import { chatMessage } from "../chat-message.ts";

const PICTURE: StoredAttachment = {
  kind: "attachment",
  name: "harbour.jpg",
  mediaType: "image/jpeg",
  size: 4,
  caption: "Where we went",
  image: { width: 8, height: 8, preview: "AAAA" },
  key: "",
  digest: "",
} as unknown as StoredAttachment;
const WHOLE = { done: 1, total: 1 };

interface Sent {
  readonly to: string;
  readonly text?: string;
  readonly preview?: LinkPreview;
  readonly file?: OutgoingFile;
}

function recording(bytes: Uint8Array | undefined): { readonly messenger: Messenger; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const messenger = {
    sendText: (to: string, text: string, _mentions?: unknown, preview?: LinkPreview): Promise<void> =>
      Promise.resolve(void sent.push({ to, text, ...(preview && { preview }) })),
    sendFile: (to: string, file: OutgoingFile): Promise<void> => Promise.resolve(void sent.push({ to, file })),
    readFile: (): Promise<Uint8Array | undefined> => Promise.resolve(bytes),
  };
  return { messenger: messenger as unknown as Messenger, sent };
}

describe("forwarding", () => {
  it("sends a text to each chat as it was typed", async () => {
    const { messenger, sent } = recording(undefined);
    await forwardMessages(messenger, [chatMessage("m", { body: { kind: "text", text: "*Friday*" } })], ["a", "b"]);
    expect(sent).toEqual([
      { to: "a", text: "*Friday*" },
      { to: "b", text: "*Friday*" },
    ]);
  });

  it("sends the preview of a link with its text", async () => {
    const { messenger, sent } = recording(undefined);
    const preview = { link: "https://a.example/", title: "A page", description: "", picture: "" };
    await forwardMessages(messenger, [chatMessage("m", { body: { kind: "text", text: "https://a.example/", preview } })], ["a"]);
    expect(sent).toEqual([{ to: "a", text: "https://a.example/", preview }]);
  });

  it("removes again what a picture says about its origin, and a preview that is none", async () => {
    const { messenger, sent } = recording(new Uint8Array(jpeg(6)));
    await forwardMessages(messenger, [chatMessage("m", { body: PICTURE, transfer: WHOLE })], ["a"]);
    expect(sent[0]?.file?.bytes.length).toBeLessThan(jpeg(6).length);
    expect(sent[0]?.file?.bytes).toEqual(scrubImage(new Uint8Array(jpeg(6))).bytes);
    expect(sent[0]?.file).toMatchObject({
      name: "harbour.jpg",
      caption: "Where we went",
      image: { width: 8, height: 8, preview: new Uint8Array() },
    });
  });

  it("sends a sticker as a sticker", async () => {
    const { messenger, sent } = recording(new Uint8Array(jpeg(6)));
    const sticker = { ...PICTURE, caption: "", sticker: "🙂" };
    await forwardMessages(messenger, [chatMessage("m", { body: sticker, transfer: WHOLE })], ["a"]);
    expect(sent[0]?.file).toMatchObject({ sticker: "🙂", caption: "" });
  });

  it("sends nothing of a file that is not here any more", async () => {
    const { messenger, sent } = recording(undefined);
    const gone = chatMessage("m", { body: PICTURE, transfer: WHOLE });
    await forwardMessages(messenger, [gone], ["a"]);
    expect(sent).toEqual([]);
    expect(await forwardMessages(messenger, [chatMessage("first"), gone, chatMessage("last")], ["a"])).toMatchObject({ left: 1 });
    expect(sent.map(({ text }) => text)).toEqual(["first", "last"]);
  });

  it("sends all to the others where a chat refuses, to that one nothing more, and says which it was", async () => {
    const { messenger, sent } = recording(undefined);
    const { sendText } = messenger;
    const error = new Error("not a member");
    const refusedTexts: string[] = [];
    const refusing = {
      ...messenger,
      sendText: (to: string, text: string): Promise<unknown> => {
        if (to !== "a") return sendText(to, text);
        refusedTexts.push(text);
        return Promise.reject(error);
      },
    };
    const { left, refused } = await forwardMessages(refusing as Messenger, [chatMessage("first"), chatMessage("last")], ["a", "b"]);
    expect(sent.map(({ to, text }) => `${to} ${text}`)).toEqual(["b first", "b last"]);
    expect([left, [...refused]]).toEqual([0, [["a", error]]]);
    expect(refusedTexts).toEqual(["first"]);
  });

  it("is offered for texts and whole files, and for nothing that belongs to its chat", () => {
    expect(canForward(chatMessage("m"))).toBe(true);
    expect(canForward(chatMessage("m", { body: { kind: "plain", text: "x" }, direction: "in" }))).toBe(true);
    expect(canForward(chatMessage("m", { body: PICTURE, direction: "in", transfer: WHOLE }))).toBe(true);
    expect(canForward(chatMessage("m", { body: PICTURE, direction: "in", transfer: { done: 1, total: 2 } }))).toBe(false);
    expect(canForward(chatMessage("m", { body: PICTURE, transfer: { done: 0, total: 2 } }))).toBe(true);
    expect(canForward(chatMessage("m", { body: { kind: "deleted" } }))).toBe(false);
    expect(canForward(chatMessage("m", { body: { kind: "pay.request", amountUt: 1, note: "" } as never }))).toBe(false);
  });
});

describe("forwarding a large file", () => {
  const SIZE = 8_388_609;
  const LARGE: StoredAttachment = { ...PICTURE, name: "film.mkv", mediaType: "video/x-matroska", size: SIZE, image: null };

  it("reads it part by part, once for each chat", async () => {
    let readings = 0;
    const read: number[] = [];
    const messenger = {
      readFileParts: async () => {
        readings += 1;
        return {
          size: SIZE,
          parts: (async function* (): AsyncGenerator<Uint8Array> {
            for (let at = 0; at < SIZE; at += 170_000) yield new Uint8Array(Math.min(170_000, SIZE - at)).fill(at & 255);
          })(),
        };
      },
      sendFile: async (_: string, { bytes }: OutgoingFile<ByteSource>): Promise<void> => {
        for (let at = 0; at < SIZE; at += 100_000) read.push((await bytes.read(at, Math.min(SIZE, at + 100_000))).length);
        await expect(bytes.read(0, 1)).rejects.toThrow("in order");
      },
    } as unknown as Messenger;
    const large = chatMessage("m", { body: LARGE, transfer: WHOLE });
    expect(await forwardMessages(messenger, [large], ["a", "b"])).toEqual({ left: 0, refused: new Map() });
    // Once before, to see that it is there.
    expect(readings).toBe(3);
    expect(read.reduce((sum, length) => sum + length, 0)).toBe(2 * SIZE);
    expect(Math.max(...read)).toBe(100_000);
  });
});
