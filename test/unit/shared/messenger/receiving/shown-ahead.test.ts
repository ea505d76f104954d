// What comes is shown in an open chat while it is being stored. Where that fails it is taken away, stays in the mailbox, and comes again.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ConversationView } from "#shared/messenger/model/conversation.ts";
import { LocalStore } from "#shared/messenger/store/local-store.ts";
import type { StoreChange } from "#shared/messenger/store/store-database.ts";
import { StoreGuard } from "#shared/messenger/store/store-guard.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { chatOf, createPair, type Device, keyOf, passTime, textsOf, untilState, type World } from "#test/support/worlds/messenger-chat.ts";
import type { TestRelay } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;
let view: ConversationView;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
  view = bob.messenger.openConversation(keyOf(ann));
  await view.loadOlder();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await world.stop();
});

function shown(): readonly string[] {
  return view.getSnapshot().messages.map(({ body }) => ("text" in body ? body.text : body.kind));
}

/** What stores mail does this first. */
function beforeStoring(step: () => Promise<void>): void {
  const { write } = StoreGuard.prototype;
  vi.spyOn(StoreGuard.prototype, "write").mockImplementation(async function (this: StoreGuard, changes: readonly StoreChange[]) {
    if (changes.some(({ table }) => table === "arrivals")) await step();
    return write.call(this, changes);
  });
}

describe("an open chat", () => {
  it("shows what comes while it is being stored", async () => {
    const gate = Promise.withResolvers<void>();
    beforeStoring(() => gate.promise);
    await ann.messenger.sendText(keyOf(bob), "Hello");
    await pollUntil(() => shown().length === 1, { what: "a message that is not stored yet" });
    expect(shown()).toEqual(["Hello"]);
    const opened = textsOf(bob, keyOf(ann));
    gate.resolve();
    expect(await opened, "a chat that is opened meanwhile").toEqual(["Hello"]);
    await untilState(ann, keyOf(bob), "delivered");
    expect(await textsOf(bob, keyOf(ann))).toEqual(["Hello"]);
    expect(shown()).toEqual(["Hello"]);
  });

  it("never shows what was taken back before it came", async () => {
    const seen: string[] = [];
    view.subscribe(() => seen.push(...shown()));
    bob.node.refuse = (call): CodedError | undefined => (call === "listInbox" ? new CodedError("UNAVAILABLE", "No node") : undefined);
    await ann.messenger.sendText(keyOf(bob), "Secret");
    await untilState(ann, keyOf(bob), "relayed");
    const [message] = await chatOf(ann, keyOf(bob));
    await ann.messenger.deleteForEveryone(message?.key ?? "");
    await pollUntil(() => relay.count(bob.account.devicePub) === 2, { what: "a message and its end in the mailbox" });
    bob.node.refuse = (): undefined => undefined;
    await passTime([bob], 3_000, () => relay.count(bob.account.devicePub) === 0);
    expect(seen).not.toContain("Secret");
    expect(await textsOf(bob, keyOf(ann))).toEqual(["deleted"]);
  });

  it("shows a file that is being stored: reading it waits for its bytes", async () => {
    const own = ann.messenger.openConversation(keyOf(bob));
    await own.loadOlder();
    const gate = Promise.withResolvers<void>();
    const { write } = StoreGuard.prototype;
    vi.spyOn(StoreGuard.prototype, "write").mockImplementation(async function (this: StoreGuard, changes: readonly StoreChange[]) {
      if (changes.some(({ table }) => table === "messages")) await gate.promise;
      return write.call(this, changes);
    });
    const bytes = Uint8Array.of(1, 2, 3);
    const sending = ann.messenger.sendFile(keyOf(bob), { name: "a", mediaType: "b/c", bytes, caption: "", image: null });
    const copied = (): boolean => own.getSnapshot().messages.some(({ transfer }) => transfer?.done === 1);
    await pollUntil(copied, { what: "a file that is copied, and whose message is not stored yet" });
    let missed = 0;
    const { readMessage } = LocalStore.prototype;
    vi.spyOn(LocalStore.prototype, "readMessage").mockImplementation(async function (this: LocalStore, key) {
      const record = await readMessage.call(this, key);
      missed += Number(record === undefined);
      return record;
    });
    const reading = ann.messenger.readFile(own.getSnapshot().messages[0]?.key ?? "");
    await pollUntil(() => missed > 0, { what: "a look for what is not there yet" });
    gate.resolve();
    await sending;
    expect(await reading).toEqual(bytes);
  });

  it("lets go of what could not be stored: it is not acknowledged, and comes again", async () => {
    const seen: (readonly string[])[] = [];
    view.subscribe(() => seen.push(shown()));
    let isFull = true;
    beforeStoring(async () => {
      if (isFull) throw new CodedError("LOCAL_STORE_FAILED", "The disk is full");
    });
    const delivered = bob.node.calls.filter((call) => call === "broadcast").length;
    await ann.messenger.sendText(keyOf(bob), "Hello");
    await pollUntil(() => seen.at(-1)?.length === 0 && seen.some((texts) => texts.includes("Hello")), { what: "a message taken away" });
    expect(bob.node.calls.filter((call) => call === "broadcast")).toHaveLength(delivered);
    expect(bob.node.calls).not.toContain("deleteEnvelope");
    isFull = false;
    await passTime([bob], 3_000, () => shown().length === 1);
    await untilState(ann, keyOf(bob), "delivered");
    expect(shown()).toEqual(["Hello"]);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["Hello"]);
  });
});
