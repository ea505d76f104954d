// All wordings of a message that its author changed, the first one first.
import type { ReactElement } from "react";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { formatExactTime } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { orderOfMentions } from "#shared/content/chat/mention-content.ts";
import type { MessageWording } from "#shared/messenger/model/message.ts";
import styles from "./wordings-dialog.module.css";

export interface WordingsDialogProps {
  readonly wordings: readonly MessageWording[];
  readonly onClose: () => void;
}

export function WordingsDialog({ wordings, onClose }: WordingsDialogProps): ReactElement {
  const t = useMessages();
  const { locale } = useLanguage();
  const lacksSome = wordings.some(({ revision }, index) => revision > (wordings[index - 1]?.revision ?? 0) + 1);
  return (
    <Dialog open title={t("inbox.wordings")} onOpenChange={onClose}>
      <ol className={styles.wordings} aria-label={t("inbox.wordings")}>
        {wordings.map(({ text, mentions, revision, at }) => (
          <li key={`${revision} ${text} ${orderOfMentions(mentions)}`} className={styles.wording}>
            <time className={styles.time} dateTime={new Date(at).toISOString()}>
              {formatExactTime(locale, at)}
            </time>
            <p className={styles.text} dir="auto">
              {text}
            </p>
          </li>
        ))}
      </ol>
      {lacksSome && <p className={styles.time}>{t("inbox.wordingsLost")}</p>}
    </Dialog>
  );
}
