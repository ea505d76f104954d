// What others see of one, in one place: picture, name and username; then what is public, and the address to give away.
import { useQuery } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useChosenName } from "#renderer/lib/profile/profile-store.ts";
import type { IdentityInfo } from "#shared/api/schemas/chain.ts";
import styles from "../settings.module.css";
import { PictureForm } from "./picture-form.tsx";
import { ProfileNameForm } from "./profile-name-form.tsx";
import { publicNameOf } from "./public-name.ts";
import { PublicNameDialog } from "./public-name-dialog.tsx";
import { UsernameForm } from "./username-form.tsx";

export function ProfileSection(): ReactElement {
  const t = useMessages();
  const { masterPub, address } = useAccount();
  const { data: identity } = useQuery(useNodeQueries().identity(masterPub));
  return (
    <>
      <Section title={t("settings.profileTitle")} hint={t("settings.profileHint")}>
        <div className={styles.profile}>
          <PictureForm />
          <div className={shared.stack4} data-in-order="">
            <ProfileNameForm placeholder={identity?.nickname ?? ""} />
          </div>
        </div>
      </Section>
      <Section title={t("settings.publicTitle")} hint={t("settings.publicReach")}>
        <div className={shared.stack4} data-in-order="">
          <UsernameForm />
          <PublicName identity={identity} />
        </div>
      </Section>
      <Section
        title={t("common.address")}
        actions={
          <ButtonLink to="/contacts/invite" size="small" icon={Link2}>
            {t("contacts.invite")}
          </ButtonLink>
        }
      >
        <Copyable text={address} label={t("common.copyAddress")} />
      </Section>
    </>
  );
}

function PublicName({ identity }: { readonly identity: IdentityInfo | undefined }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [isOpen, setOpen] = useState(false);
  const name = publicNameOf(identity, useChosenName(masterPub));
  return (
    <div className={shared.between}>
      <div>
        <div className={shared.hint}>{t("settings.publicName")}</div>
        <strong>{name === "" ? t("settings.publicNameNone") : <bdi>{name}</bdi>}</strong>
      </div>
      <Button onClick={(): void => setOpen(true)}>{t("settings.publicNameChange")}</Button>
      {isOpen && <PublicNameDialog published={identity} onClose={(): void => setOpen(false)} />}
    </div>
  );
}
