// Who one is: name, address, keys, recovery phrase.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { NameForm } from "./name-form.tsx";
import { ProfileSection } from "./profile-section.tsx";
import { RecoverySection } from "./recovery-section.tsx";
import { UsernameSection } from "./username-section.tsx";

export function AccountSection(): ReactElement {
  const t = useMessages();
  const account = useAccount();
  const { data: identity } = useQuery(useNodeQueries().identity(account.masterPub));
  return (
    <>
      <Section title={t("common.identity")}>
        <div className={shared.row4}>
          <Avatar publicKey={account.masterPub} size={56} />
          <div className={shared.grow}>
            <NameForm key={identity?.nickname} published={identity} />
          </div>
        </div>
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
      <ProfileSection />
      <UsernameSection />
      <RecoverySection />
    </>
  );
}
