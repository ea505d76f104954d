// What proves who one is: keys and recovery phrase. What others see of one is the profile, which this leads to.
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import type { ReactElement } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import { RecoverySection } from "./recovery-section.tsx";

export function AccountSection(): ReactElement {
  const t = useMessages();
  const account = useAccount();
  const { data: identity } = useQuery(useNodeQueries().identity(account.masterPub));
  return (
    <>
      <ProfileLink />
      <Section title={t("common.identity")}>
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

/** Name and picture were on this page once. */
function ProfileLink(): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { name } = usePerson(masterPub);
  return (
    <div className={shared.outdented}>
      <ListRowLink
        to="/settings/$section"
        params={{ section: "profile" }}
        leading={<Avatar publicKey={masterPub} size={40} />}
        heading={name ?? t("settings.profile")}
        subtitle={t("settings.profileLink")}
        trailing={<ChevronRight size={16} aria-hidden="true" className={shared.muted} />}
      />
    </div>
  );
}
