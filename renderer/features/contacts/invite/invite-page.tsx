// One's own invitation, above the lists: a link and its code by which others add one, and what it gives away.
import { useCanGoBack, useNavigate, useRouter } from "@tanstack/react-router";
import { Copy, Share2 } from "lucide-react";
import { type ReactElement, useRef } from "react";
import { QrCode } from "#renderer/components/basics/qr-code.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { formatContactLink } from "#renderer/lib/people/parse-recipient.ts";
import { NoPersonChosen } from "../list/no-person-chosen.tsx";
import styles from "./invite.module.css";

const QR_PIXELS = 208;
const FACTS = ["contacts.inviteHas", "contacts.invitePublic", "contacts.inviteAlways"] as const;

/** The dialog, open as long as its route is. It leads back to where it was opened. */
export function InvitePage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  const first = useRef<HTMLElement>(null);
  const link = formatContactLink(useAccount().masterPub);
  const close = (): void => {
    if (canGoBack) history.back();
    else void navigate({ to: "/contacts" });
  };
  return (
    <>
      <NoPersonChosen />
      <Dialog open title={t("contacts.invite")} description={t("contacts.inviteText")} initialFocus={first} onOpenChange={close}>
        <div className={styles.body}>
          <QrCode text={link} label={t("contacts.invite")} size={QR_PIXELS} />
          <code className={styles.link}>{link}</code>
          <Actions link={link} first={first} />
          <section className={styles.facts} aria-label={t("contacts.inviteGives")}>
            <h3 className={styles.title}>{t("contacts.inviteGives")}</h3>
            <ul>
              {FACTS.map((fact) => (
                <li key={fact}>{t(fact)}</li>
              ))}
            </ul>
          </section>
        </div>
      </Dialog>
    </>
  );
}

/** Sharing is offered where the system has a way to do it. */
function Actions({ link, first }: { readonly link: string; readonly first: { current: HTMLElement | null } }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const copy = async (): Promise<void> => {
    if (await copyText(link)) toasts.show({ title: t("contacts.inviteCopied"), tone: "success" });
  };
  const canShare = "share" in navigator;
  return (
    <div className={styles.actions}>
      <Button ref={first} variant="primary" icon={Copy} onClick={(): void => void copy()}>
        {t("contacts.inviteCopy")}
      </Button>
      {canShare && (
        // Who changes their mind in the window of the system has not failed.
        <Button icon={Share2} onClick={(): void => void navigator.share({ text: link }).catch(() => undefined)}>
          {t("contacts.inviteShare")}
        </Button>
      )}
    </div>
  );
}
