// Files and links of a chat as they are asked for: a page of files after the other, and the newest links.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { FoundMessage, SharedFiles } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage, ConversationId, StoredAttachment } from "#shared/messenger/model/message.ts";
import { useToasts } from "../feedback/toast.tsx";

const PAGE = 24;
/** Most links that are listed: older ones the search finds. */
const MAX_LINKS = 50;
/** A moment after a change of the chat. */
const AGAIN_MS = 300;

export interface SharedFile {
  readonly message: ChatMessage;
  readonly body: StoredAttachment;
}

export interface FilesOfChat {
  readonly files: readonly SharedFile[];
  /** Where older ones begin; null where there are none. */
  readonly next: SharedFiles["next"];
  readonly isLoading: boolean;
  readonly more: () => void;
}

/** Files found so far, and the way to more. */
export function useSharedFiles(messenger: Messenger, id: ConversationId): FilesOfChat {
  const toasts = useToasts();
  const [found, setFound] = useState<SharedFiles>({ messages: [], next: null });
  const [before, setBefore] = useState<SharedFiles["next"]>(null);
  const [isLoading, setLoading] = useState(true);
  useEffect(() => {
    let isCurrent = true;
    setLoading(true);
    messenger
      .sharedFiles(id, { before, limit: PAGE })
      .then((page) => {
        if (isCurrent)
          setFound((known) => ({ messages: before === null ? page.messages : [...known.messages, ...page.messages], next: page.next }));
      }, toasts.showError)
      .finally(() => isCurrent && setLoading(false));
    return (): void => {
      isCurrent = false;
    };
  }, [messenger, id, before, toasts]);
  const count = useRef(0);
  count.current = found.messages.length;
  // What is gone from the chat is gone here: all that is shown is read again.
  useChatChanges(id, async () => {
    const limit = Math.max(PAGE, found.messages.length);
    const again = await messenger.sharedFiles(id, { before: null, limit });
    // More may have been asked for meanwhile.
    if (count.current <= limit) setFound(again);
  });
  const files = found.messages.flatMap((message) => (message.body.kind === "attachment" ? [{ message, body: message.body }] : []));
  return { files, next: found.next, isLoading, more: () => setBefore(found.next) };
}

/** Messages with links, newest first, once they are wanted: the index of words is opened for them. */
export function useSharedLinks(
  messenger: Messenger,
  conversation: ConversationId,
): { readonly links: readonly FoundMessage[] | undefined; readonly load: () => Promise<void> } {
  const toasts = useToasts();
  const [links, setLinks] = useState<readonly FoundMessage[]>();
  const find = async (): Promise<void> => setLinks(await messenger.search("", { conversation, kinds: ["link"], limit: MAX_LINKS }));
  useChatChanges(conversation, async () => {
    if (links !== undefined) await find();
  });
  return { links, load: () => find().catch(toasts.showError) };
}

/** Does something again after a message has come to the chat, was changed, or is gone. */
function useChatChanges(id: ConversationId, again: () => Promise<void>): void {
  const summary = useMessengerValue(({ conversations }) => conversations.find((conversation) => conversation.id === id));
  const first = useRef(summary);
  const run = useEffectEvent(again);
  useEffect(() => {
    if (summary === first.current) return undefined;
    first.current = undefined;
    const timer = setTimeout(() => void run().catch(() => undefined), AGAIN_MS);
    return (): void => clearTimeout(timer);
  }, [summary]);
}
