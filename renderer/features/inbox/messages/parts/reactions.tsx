// The reactions to a message, below it.
import type { ReactElement } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import styles from "../bubble.module.css";

export interface ReactionsProps {
  readonly message: ChatMessage;
  readonly messenger: Messenger;
}

/** A press adds one's own, or takes it back. */
export function Reactions({ message, messenger }: ReactionsProps): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { key, reactions } = message;
  if (reactions.length === 0) return null;
  return (
    <ul className={styles.reactions} aria-label={t("inbox.reactions")}>
      {reactions.map(({ emoji, count, isMine }) => (
        <li key={emoji}>
          <button
            type="button"
            className={styles.reaction}
            aria-pressed={isMine}
            aria-label={t("inbox.reactionCount", { emoji, count })}
            onClick={(): void => void messenger.react(key, isMine ? "" : emoji).catch(toasts.showError)}
          >
            {emoji}
            {count > 1 && <span>{count}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
