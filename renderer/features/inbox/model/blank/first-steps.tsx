// What to begin with while there is no chat yet: be found, add someone, and be sure of one's recovery phrase.
import { Bookmark, Link2, type LucideIcon, QrCode, ShieldCheck, UserPlus } from "lucide-react";
import type { ReactElement } from "react";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { EmptyPane } from "#renderer/components/layout/panes.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount, useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./first-steps.module.css";

/** The card. */
export function FirstSteps(): ReactElement {
  return (
    <EmptyPane>
      <WithAllWords>
        <Steps />
      </WithAllWords>
    </EmptyPane>
  );
}

function Steps(): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const isUnconfirmed = useKeyringValue().status?.phraseConfirmed === false;
  return (
    <div className={styles.middle}>
      <section className={styles.card} aria-label={t("chat.first")}>
        <h2 className={styles.title}>{t("chat.first")}</h2>
        <ListRowLink
          to="/wallet/receive"
          leading={<StepIcon icon={QrCode} />}
          heading={t("chat.firstShare")}
          subtitle={t("chat.firstShareText")}
        />
        <ListRowLink
          to="/contacts/invite"
          leading={<StepIcon icon={Link2} />}
          heading={t("contacts.invite")}
          subtitle={t("chat.firstInviteText")}
        />
        <ListRowLink
          to="/contacts/new"
          leading={<StepIcon icon={UserPlus} />}
          heading={t("contacts.add")}
          subtitle={t("chat.firstAddText")}
        />
        {isUnconfirmed && (
          <ListRowLink
            to="/settings/$section"
            params={{ section: "account" }}
            leading={<StepIcon icon={ShieldCheck} />}
            heading={t("settings.quiz")}
            subtitle={t("chat.firstPhraseText")}
          />
        )}
        <ListRowLink
          to="/inbox/$conversation"
          params={{ conversation: masterPub }}
          leading={<StepIcon icon={Bookmark} />}
          heading={t("inbox.noteToSelf")}
          subtitle={t("chat.firstNoteText")}
        />
      </section>
    </div>
  );
}

function StepIcon({ icon: Icon }: { readonly icon: LucideIcon }): ReactElement {
  return <Icon size={20} aria-hidden="true" className={shared.muted} />;
}
