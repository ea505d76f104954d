// Runs in a browser: one messenger on a real node, with the keyring in a Worker as in the app, and what a message to a large
// group costs.

import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationView } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { openPerson } from "./bench-person.ts";

/** A person at the page. */
export interface GroupWriter {
  readonly masterPub: string;
  /** Lists this device on the chain. */
  link(): Promise<void>;
  /** Makes a group and writes so many messages to it, each once the one before it is in all mailboxes. */
  measure(members: readonly string[], messages: number): Promise<GroupTimes>;
}

/** Milliseconds of each message: until it is shown here, and until all its envelopes are in the mailboxes. */
export interface GroupTimes {
  readonly shown: readonly number[];
  readonly stored: readonly number[];
}

/** Makes an identity whose keyring runs in the Worker of `keyringUrl`. */
export async function openWriter(nodeUrl: string, keyringUrl: string): Promise<GroupWriter> {
  const person = await openPerson(nodeUrl, keyringUrl);
  return {
    masterPub: person.masterPub,
    link: () => person.link(),
    measure: async (members, messages): Promise<GroupTimes> => {
      const messenger = person.openMessenger();
      await messenger.start();
      const times = await measureGroup(messenger, members, messages);
      await messenger.stop();
      person.close();
      return times;
    },
  };
}

async function measureGroup(messenger: Messenger, members: readonly string[], messages: number): Promise<GroupTimes> {
  const group = await messenger.createGroup("Bench", members);
  const view = messenger.openConversation(group);
  const shown: number[] = [];
  const stored: number[] = [];
  for (let index = -1; index < messages; index += 1) {
    const text = `message ${index}`;
    const is = (message: ChatMessage): boolean => "text" in message.body && message.body.text === text;
    const start = performance.now();
    const isShown = when(view, is, start);
    const isStored = when(view, (message) => is(message) && message.state === "relayed", start);
    await messenger.sendText(group, text);
    const [shownMs, storedMs] = await Promise.all([isShown, isStored]);
    // The first one waits for the messages that announce the new group.
    if (index < 0) continue;
    shown.push(shownMs);
    stored.push(storedMs);
  }
  view.close();
  return { shown, stored };
}

/** Milliseconds from a start until a message of a chat is like that. */
function when(view: ConversationView, isMatch: (message: ChatMessage) => boolean, start: number): Promise<number> {
  return new Promise((resolve) => {
    const stop = view.subscribe(() => {
      if (!view.getSnapshot().messages.some(isMatch)) return;
      stop();
      resolve(performance.now() - start);
    });
  });
}
