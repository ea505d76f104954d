// Reacting to a message, which is said to those who do not see the emoji come.
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";

/** Adds one's reaction to a message; "" takes it back. */
export function useReact(messenger: Messenger, { key }: ChatMessage): (emoji: string) => void {
  const t = useMessages();
  const toasts = useToasts();
  return (emoji) => {
    messenger.react(key, emoji).then(
      () => announce(emoji === "" ? t("inbox.reactionGone") : t("inbox.reacted", { emoji })),
      (error: unknown) => toasts.showError(error),
    );
  };
}
