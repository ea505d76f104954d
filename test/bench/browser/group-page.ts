// Runs in a browser: one messenger on a real node, with the keyring in a Worker as in the app, who writes to a large group.

import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { openPerson } from "./bench-person.ts";

/** A person at the page. */
export interface GroupWriter {
  readonly masterPub: string;
  /** Lists this device on the chain. */
  link(): Promise<void>;
  /** Starts the messenger and makes a group. */
  begin(members: readonly string[]): Promise<void>;
  /** Writes to the group. */
  write(text: string): Promise<WrittenMessage>;
  end(): Promise<void>;
}

/** When a message was written and shown, milliseconds since 1970. */
export interface WrittenMessage {
  readonly writtenAt: number;
  readonly shownAt: number;
}

/** Makes an identity whose keyring runs in the Worker of `keyringUrl`. */
export async function openWriter(nodeUrl: string, keyringUrl: string): Promise<GroupWriter> {
  const person = await openPerson(nodeUrl, keyringUrl);
  const messenger = person.openMessenger();
  let group = "";
  return {
    masterPub: person.masterPub,
    link: () => person.link(),
    begin: async (members): Promise<void> => {
      await messenger.start();
      group = await messenger.createGroup("Bench", members);
    },
    write: (text) => write(messenger, group, text),
    end: async (): Promise<void> => {
      await messenger.stop();
      person.close();
    },
  };
}

async function write(messenger: Messenger, group: string, text: string): Promise<WrittenMessage> {
  const now = (): number => performance.timeOrigin + performance.now();
  const view = messenger.openConversation(group);
  const is = (message: ChatMessage): boolean => "text" in message.body && message.body.text === text;
  const writtenAt = now();
  const shown = new Promise<number>((resolve) => {
    const stop = view.subscribe(() => {
      if (!view.getSnapshot().messages.some(is)) return;
      stop();
      resolve(now());
    });
  });
  await messenger.sendText(group, text);
  const shownAt = await shown;
  view.close();
  return { writtenAt, shownAt };
}
