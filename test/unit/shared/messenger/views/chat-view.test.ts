import { describe, expect, it } from "vitest";
import type { StoredMessage } from "#shared/messenger/model/records.ts";
import type { LocalStore } from "#shared/messenger/store/local-store.ts";
import { SerialQueue } from "#shared/messenger/store/serial-queue.ts";
import { ChatView } from "#shared/messenger/views/chat-view.ts";
import { CHAT_PAGE } from "#shared/messenger/views/chat-window.ts";

const PEER = "ab".repeat(32);

function stored(at: number, text: string, state: "queued" | "relayed" = "queued"): StoredMessage {
  const record = {
    conversation: PEER,
    id: "00",
    direction: "out",
    at,
    problem: null,
    isUnread: false,
    hasReceipts: true,
    raw: null,
  } as const;
  return { key: `k${String(at).padStart(4, "0")}`, record: { ...record, body: { kind: "text", text }, state } };
}

/** A view on a store whose pages are given out by the test, one by one. */
function openView(): {
  view: ChatView;
  give: (page: readonly StoredMessage[], loading?: Promise<void>) => Promise<void>;
  errors: unknown[];
} {
  const waiting: ((page: readonly StoredMessage[]) => void)[] = [];
  const errors: unknown[] = [];
  const readPage = (): Promise<readonly StoredMessage[]> => new Promise((resolve) => waiting.push(resolve));
  const readPageAfter = readPage;
  const view = new ChatView(PEER, {
    store: { readPage, readPageAfter } as unknown as LocalStore,
    writer: new SerialQueue(),
    me: "ee".repeat(32),
    nowMs: (): number => 0,
    onSeen: (): void => undefined,
    onClose: (): void => undefined,
    onError: (error): void => void errors.push(error),
  });
  const give = async (page: readonly StoredMessage[], loading = view.loadOlder()): Promise<void> => {
    // The first page is read after what is being stored.
    await new Promise(setImmediate);
    waiting.shift()?.(page);
    await loading;
  };
  return { view, give, errors };
}

const shown = (view: ChatView): string[] =>
  view.getSnapshot().messages.map(({ body, state }) => `${"text" in body ? body.text : ""} ${state}`);

describe("an open chat", () => {
  it("prefers what was committed while its page was read", async () => {
    const { view, give } = openView();
    expect(view.getSnapshot()).toMatchObject({ isLoading: true, hasOlder: true, messages: [] });
    view.apply({ messages: [stored(2, "b", "relayed"), stored(4, "d")], deleted: [] });
    view.apply({ messages: [], deleted: ["k0001"] });
    await give([stored(3, "c"), stored(2, "b"), stored(1, "a")]);
    expect(shown(view)).toEqual(["b relayed", "c queued", "d queued"]);
    expect(view.getSnapshot()).toMatchObject({ isLoading: false, hasOlder: false });
  });

  it("draws a message once that is shown while it is stored, and takes it away when it is not", async () => {
    const { view, give } = openView();
    await give([]);
    const own = { messages: [stored(4, "mine")], deleted: [] };
    view.apply(own);
    const before = view.getSnapshot();
    expect(shown(view)).toEqual(["mine queued"]);
    view.apply(own);
    expect(view.getSnapshot()).toBe(before);
    view.apply({ messages: [], deleted: ["k0004"] });
    expect(shown(view)).toEqual([]);
  });

  it("leaves older messages to their page", async () => {
    const { view, give } = openView();
    await give(Array.from({ length: CHAT_PAGE }, (_, index) => stored(1_000 - index, "x")));
    view.apply({ messages: [stored(5, "old")], deleted: [] });
    expect(view.getSnapshot().messages).toHaveLength(CHAT_PAGE);
    view.apply({ messages: [stored(2_000, "new")], deleted: [] });
    expect(view.getSnapshot().messages).toHaveLength(CHAT_PAGE + 1);
    await give([stored(5, "old")]);
    expect(shown(view)[0]).toBe("old queued");
  });

  it("does not change for other conversations", async () => {
    const { view, give } = openView();
    await give([stored(1, "a")]);
    const before = view.getSnapshot();
    const { key, record } = stored(2, "b");
    view.apply({ messages: [{ key, record: { ...record, conversation: "cd".repeat(32) } }], deleted: ["other"] });
    expect(view.getSnapshot()).toBe(before);
  });

  it("lets go of the newest messages on the way back, reads them again on the way forward, and has them at once when it returns", async () => {
    const { view, give } = openView();
    const page = (from: number): StoredMessage[] => Array.from({ length: CHAT_PAGE }, (_, index) => stored(from - index, "x"));
    await give(page(1_000));
    await give(page(950), view.loadOlder(CHAT_PAGE));
    await give(page(900), view.loadOlder(CHAT_PAGE));
    const at = (): (number | undefined)[] => [view.getSnapshot().messages[0]?.at, view.getSnapshot().messages.at(-1)?.at];
    expect(at()).toEqual([851, 900]);
    expect(view.getSnapshot()).toMatchObject({ hasNewer: true, newest: { at: 1_000 } });
    await give(page(950).toReversed(), view.loadNewer(CHAT_PAGE));
    expect(at()).toEqual([901, 950]);
    view.apply({ messages: [stored(1_001, "new")], deleted: [] });
    expect([...at(), view.getSnapshot().newest?.at]).toEqual([901, 950, 1_001]);
    await view.loadNewest();
    expect(at()).toEqual([951, 1_001]);
    expect(view.getSnapshot()).toMatchObject({ hasNewer: false, hasOlder: true });
  });

  it("shows what arrives while the last page on the way forward is read", async () => {
    const { view, give } = openView();
    const page = (from: number): StoredMessage[] => Array.from({ length: CHAT_PAGE }, (_, index) => stored(from - index, "x"));
    await give(page(1_000));
    await give(page(950), view.loadOlder(CHAT_PAGE));
    const loading = view.loadNewer(CHAT_PAGE);
    view.apply({ messages: [stored(1_001, "new")], deleted: [] });
    await give(page(1_000).slice(1).toReversed(), loading);
    expect(view.getSnapshot()).toMatchObject({ hasNewer: false, newest: { at: 1_001 } });
    expect(
      view
        .getSnapshot()
        .messages.slice(-3)
        .map(({ at }) => at),
    ).toEqual([999, 1_000, 1_001]);
  });

  it("begins at the newest on the way to what is newer than what it holds", async () => {
    const { view, give } = openView();
    const page = (from: number): StoredMessage[] => Array.from({ length: CHAT_PAGE }, (_, index) => stored(from - index, "x"));
    await give(page(1_000));
    await give(page(950), view.loadOlder(CHAT_PAGE));
    await give(page(900), view.loadOlder(CHAT_PAGE));
    const way = view.loadBack(920, CHAT_PAGE);
    await Promise.resolve();
    await give(page(950), view.loadOlder());
    await way;
    const { messages } = view.getSnapshot();
    expect([messages[0]?.at, messages.at(-1)?.at]).toEqual([901, 950]);
  });

  it("draws nothing of what is passed on the way back to a time", async () => {
    const { view, give } = openView();
    await give(Array.from({ length: CHAT_PAGE }, (_, index) => stored(10_000 - index, "x")));
    const drawn = new Set<number>();
    view.subscribe(() => void drawn.add(view.getSnapshot().messages[0]?.at ?? 0));
    const back = view.loadBack(9_000, CHAT_PAGE);
    for (let end = 10_000 - CHAT_PAGE; end > 9_000; end -= 500) {
      await Promise.resolve();
      await give(
        Array.from({ length: 500 }, (_, index) => stored(end - index, "x")),
        view.loadOlder(),
      );
    }
    await back;
    expect([...drawn]).toEqual([10_000 - CHAT_PAGE + 1, view.getSnapshot().messages[0]?.at]);
    expect(view.getSnapshot()).toMatchObject({ isLoading: false, hasNewer: true });
    expect(view.getSnapshot().messages).toHaveLength(CHAT_PAGE);
  });
});
