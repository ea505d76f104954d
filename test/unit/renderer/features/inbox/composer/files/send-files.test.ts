import { expect, it } from "vitest";
import { sendFiles } from "#renderer/features/inbox/composer/files/send-files.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { OutgoingFile } from "#shared/messenger/model/message.ts";

/** A messenger that keeps one draft, and what happens while a file is copied. */
function keeping(during: (messenger: Messenger) => Promise<void>): {
  readonly messenger: Messenger;
  readonly captions: string[];
  readonly draft: () => string;
} {
  const captions: string[] = [];
  let draft = "earlier";
  const messenger = {
    setDraft: async (_id: string, text: string): Promise<void> => {
      draft = text;
    },
    sendFile: async (_id: string, { caption }: OutgoingFile): Promise<string> => {
      captions.push(caption);
      await during(messenger);
      return "";
    },
    getSnapshot: () => ({ conversations: [{ id: "bob", draft }] }),
  } as unknown as Messenger;
  return { messenger, captions, draft: () => draft };
}

const files = [new File(["a"], "a.txt"), new File(["b"], "b.txt")];
const nothing = (): void => undefined;
const chosen = { files, beginSending: nothing, endSending: nothing, giveBack: nothing };

it("sends the text below the first file, and what was typed is no draft any more", async () => {
  const seen: string[] = [];
  const { messenger, captions, draft } = keeping(async () => void seen.push(draft()));
  await sendFiles(messenger, "bob", { chosen, typed: "Ours ", caption: "Ours", onSaid: nothing });
  expect([captions, seen, draft()]).toEqual([["Ours", ""], ["Ours ", ""], ""]);
});

it("sends the text as an answer before the files, or the name of the first one where nothing was typed", async () => {
  for (const [caption, expected] of [
    ["Ours", "Ours"],
    [" ", "📎 a.txt"],
  ] as const) {
    const order: string[] = [];
    const { messenger, captions } = keeping(async () => void order.push("file"));
    const answer = async (text: string): Promise<void> => void order.push(text);
    await sendFiles(messenger, "bob", { chosen, typed: caption, caption, answer, onSaid: () => void order.push("said") });
    expect([order, captions]).toEqual([
      [expected, "said", "file", "file"],
      ["", ""],
    ]);
  }
});

it("answers nothing where the first file cannot be read, and does not send the text twice where a file fails", async () => {
  const said: string[] = [];
  const unreadable = new File([new Uint8Array(8)], "a.gif", { type: "image/gif" });
  Object.defineProperty(unreadable, "arrayBuffer", { value: () => Promise.reject(new Error("gone")) });
  const answer = async (text: string): Promise<void> => void said.push(text);
  const what = { typed: "Ours", caption: "Ours", answer, onSaid: (): void => void said.push("said") };
  const { messenger } = keeping(() => Promise.reject(new Error("no room")));
  await expect(sendFiles(messenger, "bob", { ...what, chosen: { ...chosen, files: [unreadable] } })).rejects.toThrow("gone");
  expect(said).toEqual([]);
  await expect(sendFiles(messenger, "bob", { ...what, chosen })).rejects.toThrow("no room");
  expect(said).toEqual(["Ours", "said"]);
});

it("leaves alone what was typed while the files were copied", async () => {
  const { messenger, draft } = keeping((other) => other.setDraft("bob", "the next thing"));
  await sendFiles(messenger, "bob", { chosen, typed: "Ours", caption: "Ours", onSaid: nothing });
  expect(draft()).toBe("the next thing");
});

it("turns a ring for each file until it is on its way, and lets wait again what could not be sent", async () => {
  const seen: string[] = [];
  const watched = {
    files,
    beginSending: (): void => void seen.push("begin"),
    endSending: (file: File): void => void seen.push(`sent ${file.name}`),
    giveBack: (unsent: readonly File[]): void => void seen.push(`back ${unsent.map(({ name }) => name).join()}`),
  };
  let left = 1;
  const { messenger } = keeping(async () => {
    left -= 1;
    if (left < 0) throw new Error("no room");
  });
  await expect(sendFiles(messenger, "bob", { chosen: watched, typed: "Ours", caption: "Ours", onSaid: nothing })).rejects.toThrow(
    "no room",
  );
  expect(seen).toEqual(["begin", "sent a.txt", "back b.txt"]);
});
