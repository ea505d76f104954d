// Chats that ring no bell, and the way to let them ring again.
import type { ReactElement } from "react";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatDateTime } from "#renderer/lib/format/time.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { useChatNames } from "#renderer/lib/people/names/use-chat-names.ts";

const MINUTE_MS = 60_000;
/** A chat that is muted for longer is muted until one changes that. */
const ALWAYS_MS = 366 * 86_400_000;

export function MutedChats(): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const messenger = useMessenger();
  const { conversations, phase } = useMessengerSnapshot();
  const now = useNow(MINUTE_MS);
  const muted = conversations.filter(({ mutedUntil }) => mutedUntil > now);
  const nameOf = useChatNames(muted.map(({ id }) => id));
  const unmute = (id: string): void => void messenger?.setChat(id, { mutedUntil: 0 }).catch(toasts.showError);
  return (
    <Section title={t("notify.muted")} hint={t("notify.mutedText")}>
      {phase !== "running" && <p>{t("storage.notRunning")}</p>}
      {phase === "running" && muted.length === 0 && <p>{t("notify.noMuted")}</p>}
      {muted.map(({ id, mutedUntil }) => (
        <ListRow
          key={id}
          heading={nameOf(id)}
          subtitle={
            mutedUntil - now > ALWAYS_MS ? t("notify.mutedAlways") : t("notify.mutedUntil", { time: formatDateTime(t.locale, mutedUntil) })
          }
          trailing={
            <Button size="small" onClick={(): void => unmute(id)}>
              {t("inbox.unmute")} <VisuallyHidden>{nameOf(id)}</VisuallyHidden>
            </Button>
          }
        />
      ))}
    </Section>
  );
}
