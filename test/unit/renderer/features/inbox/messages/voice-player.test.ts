// What is played goes with its message: nothing is heard of what was deleted or has disappeared, and nothing of it stays in memory.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { playVoice, stopVoice, type Track, trackOf, useVoicePlayer } from "#renderer/features/inbox/messages/cards/voice/voice-player.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSnapshot } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { ValueStore } from "#shared/util/value-store.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { chatMessage } from "../chat-message.ts";

const sounds: PlayedSound[] = [];
const addresses = new Set<string>();
let messages: readonly ChatMessage[];
let openViews: number;
let store: ValueStore<ConversationSnapshot>;

/** A browser's player that can play everything. */
class PlayedSound extends EventTarget {
  readonly duration = 2;
  readonly readyState = 4;
  currentTime = 0;
  playbackRate = 1;
  paused = true;
  ended = false;

  constructor() {
    super();
    sounds.push(this);
  }

  set src(_: string) {
    this.dispatchEvent(new Event("loadedmetadata"));
  }

  async play(): Promise<void> {
    this.paused = false;
    this.dispatchEvent(new Event("play"));
  }

  pause(): void {
    this.paused = true;
  }

  load(): void {
    this.dispatchEvent(new Event("emptied"));
  }

  removeAttribute(): void {
    this.currentTime = 0;
  }
}

const messenger = {
  openConversation: () => {
    openViews += 1;
    return {
      getSnapshot: store.getSnapshot,
      subscribe: store.subscribe,
      loadBack: async (): Promise<void> => undefined,
      loadOlder: async (): Promise<void> => undefined,
      close: (): void => {
        openViews -= 1;
      },
    };
  },
  readFile: async () => Uint8Array.of(1),
} as unknown as Messenger;

const note = chatMessage("note", {
  at: 5,
  body: {
    kind: "attachment",
    name: "a",
    mediaType: "audio/webm",
    size: 1,
    key: "",
    digest: "",
    caption: "",
    image: null,
    voice: { durationMs: 2_000, waveform: "" },
  },
  transfer: { done: 1, total: 1 },
});
const track = trackOf("chat", note) as Track;
const change = (next: readonly ChatMessage[]): void => {
  messages = next;
  store.invalidate();
};

beforeEach(() => {
  messages = [note, chatMessage("later", { at: 6 })];
  openViews = 0;
  store = new ValueStore<ConversationSnapshot>(() => ({
    messages,
    apart: [],
    newest: messages.at(-1),
    hasOlder: false,
    hasNewer: false,
    isLoading: false,
  }));
  vi.stubGlobal("Audio", PlayedSound);
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => {
    const address = `blob:${sounds.length}`;
    addresses.add(address);
    return address;
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((address) => void addresses.delete(address));
});

afterEach(() => {
  stopVoice();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it.each([
  ["disappears", [chatMessage("later", { at: 6 })]],
  ["is deleted by its author", [{ ...note, body: { kind: "deleted" } as const, transfer: null }]],
])("a recording whose message %s is heard no longer", async (_, left) => {
  await playVoice(messenger, note, track);
  change([note, chatMessage("more", { at: 7 })]);
  expect(sounds.at(-1)?.paused).toBe(false);
  change(left);
  await pollUntil(() => useVoicePlayer.getState().track === null);
  expect(sounds.at(-1)?.paused).toBe(true);
  expect([addresses.size, openViews]).toEqual([0, 0]);
});

it("a recording that was closed leaves nothing behind", async () => {
  await playVoice(messenger, note, track);
  stopVoice();
  expect(sounds.at(-1)?.paused).toBe(true);
  expect([addresses.size, openViews]).toEqual([0, 0]);
});
