// Who one is: name, address, keys, recovery phrase.
import { useQuery } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import styles from "../settings.module.css";
import { NameForm } from "./name-form.tsx";
import { PictureForm } from "./picture-form.tsx";
import { ProfileNameForm } from "./profile-name-form.tsx";
import { RecoverySection } from "./recovery-section.tsx";
import { UsernameForm } from "./username-form.tsx";

export function AccountSection(): ReactElement {
  const t = useMessages();
  const account = useAccount();
  const { data: identity } = useQuery(useNodeQueries().identity(account.masterPub));
  return (
    <>
      <Section title={t("settings.profileTitle")} hint={t("settings.profileReach")}>
        <div className={styles.profile}>
          <PictureForm />
          <div className={shared.stack4} data-in-order="">
            <ProfileNameForm placeholder={identity?.nickname ?? ""} />
            <NameForm key={identity?.nickname} published={identity} />
            <UsernameForm />
          </div>
        </div>
      </Section>
      <Section
        title={t("common.identity")}
        actions={
          <ButtonLink to="/contacts/invite" size="small" icon={Link2}>
            {t("contacts.invite")}
          </ButtonLink>
        }
      >
        <KeyValueList
          rows={[
            { label: t("common.address"), value: <Copyable text={account.address} /> },
            { label: t("common.publicKey"), value: <Copyable text={account.masterPub} /> },
            {
              label: t("settings.published"),
              value: identity?.registered ? (
                <Badge tone="success">{t("settings.publishedYes")}</Badge>
              ) : (
                <Badge tone="warning">{t("settings.publishedNo")}</Badge>
              ),
            },
          ]}
        />
      </Section>
      <RecoverySection />
    </>
  );
}
