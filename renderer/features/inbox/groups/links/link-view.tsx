// An invite link as one passes it on: its code, its text, and what it gives away.
import { Copy, Share2 } from "lucide-react";
import type { ReactElement, RefObject } from "react";
import { QrCode } from "#renderer/components/basics/qr-code.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./links.module.css";

const QR_PIXELS = 232;
const FACTS = ["chat.linkFactName", "chat.linkFactMembers", "chat.linkFactWithdraw"] as const;

export interface LinkViewProps {
  /** The link. */
  readonly text: string;
  /** The button that copies it. */
  readonly first: RefObject<HTMLElement | null>;
}

export function LinkView({ text, first }: LinkViewProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const copy = async (): Promise<void> => {
    if (await copyText(text)) toasts.show({ title: t("contacts.inviteCopied"), tone: "success" });
  };
  return (
    <div className={styles.link}>
      <QrCode text={text} label={t("chat.link")} size={QR_PIXELS} />
      <code className={styles.text}>{text}</code>
      <div className={styles.actions}>
        <Button ref={first} variant="primary" icon={Copy} onClick={(): void => void copy()}>
          {t("contacts.inviteCopy")}
        </Button>
        {"share" in navigator && (
          // Who changes their mind in the window of the system has not failed.
          <Button icon={Share2} onClick={(): void => void navigator.share({ text }).catch(() => undefined)}>
            {t("contacts.inviteShare")}
          </Button>
        )}
      </div>
      <ul className={styles.facts}>
        {FACTS.map((fact) => (
          <li key={fact}>{t(fact)}</li>
        ))}
      </ul>
    </div>
  );
}
