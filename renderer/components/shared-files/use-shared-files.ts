// Files and links of a chat as they are asked for: a page of files after the other, and the newest links.
import { useEffect, useState } from "react";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { FoundMessage, SharedFiles } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage, ConversationId, StoredAttachment } from "#shared/messenger/model/message.ts";
import { useToasts } from "../feedback/toast.tsx";

const PAGE = 24;
/** Most links that are listed: older ones the search finds. */
const MAX_LINKS = 50;

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
  const load = async (): Promise<void> => {
    await messenger.search("", { conversation, kinds: ["link"], limit: MAX_LINKS }).then(setLinks, toasts.showError);
  };
  return { links, load };
}
