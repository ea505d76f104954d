// Runs in a browser: one person who writes a backlog to another one, or reads it.
import type { Messenger } from "#shared/messenger/messenger.ts";
import { openPerson, until } from "./bench-person.ts";

/** A person at the page. */
export interface BacklogPerson {
  readonly masterPub: string;
  /** Lists this device on the chain. */
  link(): Promise<void>;
  /** Starts the messenger, where it does not run. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Writes to someone; done once it is stored here. */
  write(peer: string, text: string): Promise<void>;
  /** Writes so many messages; done once all are in the mailbox. */
  fill(peer: string, messages: number): Promise<void>;
  /** Starts the messenger; milliseconds until so many messages more of a person are stored. */
  read(peer: string, messages: number): Promise<number>;
}

/** States of a message that is in the mailbox, or was. */
const LEFT: ReadonlySet<string> = new Set(["relayed", "delivered", "read"]);

/** Makes an identity whose keyring runs in the Worker of `keyringUrl`. */
export async function openBacklogPerson(nodeUrl: string, keyringUrl: string): Promise<BacklogPerson> {
  const person = await openPerson(nodeUrl, keyringUrl);
  let messenger: Messenger | undefined;
  const running = (): Messenger => {
    if (messenger === undefined) throw new Error("The messenger was not started");
    return messenger;
  };
  const unread = (peer: string): number => messenger?.getSnapshot().conversations.find(({ id }) => id === peer)?.unread ?? 0;
  const start = async (): Promise<void> => {
    messenger ??= person.openMessenger();
    await messenger.start();
  };
  return {
    masterPub: person.masterPub,
    link: () => person.link(),
    start,
    stop: async (): Promise<void> => {
      await messenger?.stop();
      messenger = undefined;
    },
    write: async (peer, text): Promise<void> => {
      await running().sendText(peer, text);
    },
    fill: async (peer, messages): Promise<void> => {
      const last = `message ${messages}`;
      const view = running().openConversation(peer);
      for (let index = 1; index <= messages; index += 1) await running().sendText(peer, `message ${index}`);
      await until(async () => {
        const { messages: shown } = view.getSnapshot();
        const isLast = shown.some(({ body }) => "text" in body && body.text === last);
        return isLast && shown.every(({ direction, state }) => direction === "in" || LEFT.has(state ?? ""));
      });
      view.close();
    },
    read: async (peer, messages): Promise<number> => {
      const before = unread(peer);
      const begun = performance.now();
      await start();
      const known = before === 0 ? unread(peer) : before;
      return new Promise((resolve) => {
        const look = (): void => {
          if (unread(peer) < known + messages) return;
          stop?.();
          resolve(performance.now() - begun);
        };
        const stop = running().subscribe(look);
        look();
      });
    },
  };
}
