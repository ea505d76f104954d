// The unsent text of a chat. It is saved in the message store a moment after typing, and at once when the chat is left.
import { useCallback, useEffect, useRef, useState } from "react";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";

const SAVE_DELAY_MS = 250;

export interface Draft {
  readonly text: string;
  readonly change: (text: string) => void;
  /** Shows another text in the field, which is no draft; the draft as it is now is stored. */
  readonly show: (text: string) => void;
  /** Empties the draft and returns what it was: it is being sent. */
  readonly take: () => string;
  /** Puts a text back that could not be sent, unless another one was begun. */
  readonly giveBack: (text: string) => void;
}

/** Draft of a chat. */
export function useDraft(messenger: Messenger, id: ConversationId): Draft {
  const [text, setText] = useState(() => draftOf(messenger, id));
  const latest = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const store = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    messenger.setDraft(id, latest.current).catch(() => undefined);
  }, [messenger, id]);
  const put = (next: string): void => {
    latest.current = next;
    setText(next);
  };
  useEffect(() => {
    const flush = (): void => {
      if (timer.current !== undefined) store();
    };
    window.addEventListener("pagehide", flush);
    return (): void => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [store]);
  return {
    text,
    change: (next): void => {
      put(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(store, SAVE_DELAY_MS);
    },
    show: (next): void => {
      if (timer.current !== undefined) store();
      put(next);
    },
    take: (): string => {
      clearTimeout(timer.current);
      timer.current = undefined;
      const taken = latest.current;
      put("");
      return taken;
    },
    giveBack: (taken): void => {
      if (latest.current !== "") return;
      put(taken);
      store();
    },
  };
}

function draftOf(messenger: Messenger, id: ConversationId): string {
  return messenger.getSnapshot().conversations.find((conversation) => conversation.id === id)?.draft ?? "";
}
