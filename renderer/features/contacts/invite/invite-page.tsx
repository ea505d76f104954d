// One's own invitation, above the lists: a link and its code by which others add one, and what it gives away.
import { useCanGoBack, useNavigate, useRouter } from "@tanstack/react-router";
import { type ReactElement, useRef } from "react";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { SharedLink } from "#renderer/components/people/shared-link.tsx";
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
        <SharedLink link={link} label={t("contacts.invite")} size={QR_PIXELS} first={first}>
          <section className={styles.facts} aria-label={t("contacts.inviteGives")}>
            <h3 className={styles.title}>{t("contacts.inviteGives")}</h3>
            <ul>
              {FACTS.map((fact) => (
                <li key={fact}>{t(fact)}</li>
              ))}
            </ul>
          </section>
        </SharedLink>
      </Dialog>
    </>
  );
}
