// A link as one passes it on: its code, its text, and the ways to copy and share it; what it gives away stands below.
import { Copy, Share2 } from "lucide-react";
import type { ReactElement, ReactNode, RefObject } from "react";
import { QrCode } from "#renderer/components/basics/qr-code.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./shared-link.module.css";

export interface SharedLinkProps {
  readonly link: string;
  /** What the code is of. */
  readonly label: string;
  /** Side of the code, pixels. */
  readonly size: number;
  /** The button that copies it. */
  readonly first: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** Sharing is offered where the system has a way to do it. */
export function SharedLink({ link, label, size, first, children }: SharedLinkProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const copy = async (): Promise<void> => {
    if (await copyText(link)) toasts.show({ title: t("contacts.inviteCopied"), tone: "success" });
  };
  return (
    <div className={styles.body}>
      <QrCode text={link} label={label} size={size} />
      <code className={styles.link}>{link}</code>
      <div className={styles.actions}>
        <Button ref={first} variant="primary" icon={Copy} onClick={(): void => void copy()}>
          {t("contacts.inviteCopy")}
        </Button>
        {"share" in navigator && (
          // Who changes their mind in the window of the system has not failed.
          <Button icon={Share2} onClick={(): void => void navigator.share({ text: link }).catch(() => undefined)}>
            {t("contacts.inviteShare")}
          </Button>
        )}
      </div>
      {children}
    </div>
  );
}
