import { describe, expect, it } from "vitest";
import type { StoredMessage } from "#shared/messenger/model/records.ts";
import type { LocalStore } from "#shared/messenger/store/local-store.ts";
import { CHAT_PAGE, ChatView } from "#shared/messenger/views/chat-view.ts";

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
function openView(): { view: ChatView; give: (page: readonly StoredMessage[]) => Promise<void>; errors: unknown[] } {
  const waiting: ((page: readonly StoredMessage[]) => void)[] = [];
  const errors: unknown[] = [];
  const readPage = (): Promise<readonly StoredMessage[]> => new Promise((resolve) => waiting.push(resolve));
  const view = new ChatView(PEER, {
    store: { readPage } as unknown as LocalStore,
    me: "ee".repeat(32),
    onSeen: (): void => undefined,
    onClose: (): void => undefined,
    onError: (error): void => void errors.push(error),
  });
  const give = async (page: readonly StoredMessage[]): Promise<void> => {
    const loading = view.loadOlder();
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
});
