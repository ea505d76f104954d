// The reactions to a message, below it.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import styles from "../bubble.module.css";
import { useReact } from "./use-react.ts";

export interface ReactionsProps {
  readonly message: ChatMessage;
  readonly messenger: Messenger;
}

/** A press adds one's own, or takes it back. */
export function Reactions({ message, messenger }: ReactionsProps): ReactElement | null {
  const t = useMessages();
  const react = useReact(messenger, message);
  const { reactions } = message;
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
            onClick={(): void => react(isMine ? "" : emoji)}
          >
            {emoji}
            {count > 1 && <span>{count}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
