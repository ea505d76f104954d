// Name, code and address to give away, and the ways to one's devices and account.
import { Copy, HandCoins, Link2, MonitorSmartphone, UserRound } from "lucide-react";
import type { ReactElement } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { FullAddress } from "#renderer/components/basics/full-address.tsx";
import { QrCode } from "#renderer/components/basics/qr-code.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import styles from "./own-menu.module.css";

const QR_PIXELS = 176;

const LINKS = [
  { to: "/contacts/invite", icon: Link2, label: "contacts.invite" },
  { to: "/wallet/receive", icon: HandCoins, label: "wallet.requestAmount" },
  { to: "/settings/$section", params: { section: "devices" }, icon: MonitorSmartphone, label: "settings.devices" },
  { to: "/settings/$section", params: { section: "profile" }, icon: UserRound, label: "settings.editProfile" },
] as const;

export interface OwnCardProps {
  /** Something else is opened. */
  readonly onLeave: () => void;
}

export function OwnCard({ onLeave }: OwnCardProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { masterPub, address } = useAccount();
  const { name } = usePerson(masterPub);
  const copy = async (): Promise<void> => {
    if (await copyText(address)) toasts.show({ title: t("common.addressCopied"), tone: "success" });
  };
  return (
    <div className={styles.card}>
      <div className={styles.head}>
        <Avatar publicKey={masterPub} size={40} />
        <div className={shared.name}>{name ?? t("common.you")}</div>
      </div>
      <div className={styles.code}>
        <QrCode text={address} label={t("wallet.myAddress")} size={QR_PIXELS} />
      </div>
      <FullAddress publicKey={masterPub} />
      <Button variant="primary" icon={Copy} onClick={(): void => void copy()}>
        {t("common.copyAddress")}
      </Button>
      <div className={shared.buttons}>
        {LINKS.map(({ icon, label, ...target }) => (
          <ButtonLink key={label} {...target} icon={icon} size="small" onClick={onLeave}>
            {t(label)}
          </ButtonLink>
        ))}
      </div>
    </div>
  );
}
