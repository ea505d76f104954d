// Pinned messages of a chat above it: the newest is shown, a press leads there and shows the one before.
import { Pin, PinOff } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { Pin as PinnedMessage } from "#shared/content/chat/pin-content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId } from "#shared/messenger/model/message.ts";
import { jumpTo } from "../../model/chat-intent-store.ts";
import { previewOf } from "../../model/message-text.ts";
import styles from "./pinned-bar.module.css";

export interface PinnedBarProps {
  readonly id: ConversationId;
  /** In the order in which they were pinned. */
  readonly pins: readonly PinnedMessage[];
  /** What is loaded of the chat: a pinned message may have changed. */
  readonly messages: readonly ChatMessage[];
  readonly messenger: Messenger;
  readonly mayPin: boolean;
}

export function PinnedBar(props: PinnedBarProps): ReactElement | null {
  const shown = usePinned(props);
  if (shown.length === 0) return null;
  return (
    <WithAllWords>
      <Bar {...props} shown={shown} />
    </WithAllWords>
  );
}

function Bar({ id, shown, messenger, mayPin }: PinnedBarProps & { readonly shown: readonly ChatMessage[] }): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const [index, setIndex] = useState(0);
  // Counted from the newest: a further pin is shown at once.
  const place = shown.length - 1 - (index % shown.length);
  const message = shown[place];
  if (message === undefined) return null;
  const { key, at } = message;
  const go = (): void => {
    jumpTo({ conversation: id, key, at });
    setIndex(index + 1);
  };
  const title = shown.length === 1 ? t("chat.pinnedOne") : t("chat.pinnedOf", { number: place + 1, count: shown.length });
  return (
    <section className={styles.bar} aria-label={t("chat.pinnedMessages")}>
      <button type="button" className={styles.message} onClick={go}>
        <Pin size={16} aria-hidden="true" />
        <span className={styles.words}>
          <span className={styles.title}>{title}</span>
          <span className={styles.text} dir="auto">
            {previewOf(t, message.body)}
          </span>
        </span>
      </button>
      {mayPin && (
        <IconButton
          size="small"
          icon={PinOff}
          label={t("chat.unpinMessage")}
          onClick={(): void => void messenger.pinMessage(key, false).catch(toasts.showError)}
        />
      )}
    </section>
  );
}

/** The pinned messages as they are now; those that are gone are left out. */
function usePinned({ pins, messages, messenger }: PinnedBarProps): readonly ChatMessage[] {
  const [read, setRead] = useState<readonly ChatMessage[]>([]);
  useEffect(() => {
    let isCurrent = true;
    messenger.pinnedMessages(pins).then(
      (found) => {
        if (isCurrent) setRead(found);
      },
      () => undefined,
    );
    return (): void => {
      isCurrent = false;
    };
  }, [messenger, pins]);
  const loaded = new Map(messages.map((message) => [message.key, message]));
  const keys = new Set(pins.map(({ key }) => key));
  return read
    .filter(({ key }) => keys.has(key))
    .map((message) => loaded.get(message.key) ?? message)
    .filter(({ body }) => body.kind !== "deleted");
}
