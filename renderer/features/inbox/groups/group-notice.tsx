// What one should know of a group before writing: that its admin is a stranger, or that one is no longer in it.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ContactDecisionSheet } from "#renderer/components/people/contact-decision-sheet.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSummary, GroupSummary } from "#shared/messenger/model/conversation.ts";
import styles from "../chat/notice/chat-notice.module.css";

export interface GroupNoticeProps {
  readonly summary: ConversationSummary;
  readonly group: GroupSummary;
  readonly messenger: Messenger;
}

/** The note, or nothing. */
export function GroupNotice({ summary, group, messenger }: GroupNoticeProps): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const name = useLabelOf(group.admin);
  const [isBlocking, setBlocking] = useState(false);
  if (!group.isMember)
    return (
      <div className={classNames(styles.notice, styles.neutral)} role="status">
        <p className={styles.words}>{t("chat.groupLeftNote")}</p>
      </div>
    );
  if (!summary.isRequest) return null;
  return (
    <div className={classNames(styles.notice, styles.accent)} role="status">
      <p className={styles.words}>
        <strong className={shared.strong}>{t("chat.groupStrangerTitle", { name })}</strong> {t("chat.groupStrangerText")}
      </p>
      <div className={styles.actions}>
        <Button size="small" onClick={(): void => void messenger.leaveGroup(summary.id).catch(toasts.showError)}>
          {t("chat.groupLeave")}
        </Button>
        <Button size="small" variant="ghost" onClick={(): void => setBlocking(true)}>
          {t("contacts.block")}
        </Button>
      </div>
      {isBlocking && <ContactDecisionSheet decision="block" publicKey={group.admin} onClose={(): void => setBlocking(false)} />}
    </div>
  );
}
