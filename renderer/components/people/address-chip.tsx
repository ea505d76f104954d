// The one way to show a key or address anywhere: name, picture, verified mark; pressed, it shows the full address and what one can do.
import { BadgeCheck, Coins, Copy, MessageCircle, Search, Tag } from "lucide-react";
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { addressTail } from "#renderer/lib/people/names/claimed-name.ts";
import { type Person, usePerson, usePersonActions } from "#renderer/lib/people/people-context.tsx";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Avatar } from "../basics/avatar.tsx";
import { Identicon } from "../basics/identicon.tsx";
import { Button } from "../controls/button.tsx";
import { useToasts } from "../feedback/toast.tsx";
import { Popover } from "../overlays/popover.tsx";
import styles from "./address-chip.module.css";

export interface AddressChipProps {
  /** Hex master key. */
  readonly publicKey: PublicKeyHex;
  /** Without actions: inside something that is itself pressed, such as a row. */
  readonly plain?: boolean;
}

/** A person, or a bare address. */
export function AddressChip(props: AddressChipProps): ReactElement {
  const { publicKey, plain = false } = props;
  const t = useMessages();
  const person = usePerson(publicKey);
  const address = formatAddress(publicKey);
  const label = <ChipLabel publicKey={publicKey} person={person} address={address} />;
  if (plain) return <span className={styles.chip}>{label}</span>;
  const name = person.isSelf ? t("common.you") : (person.name ?? shorten(address));
  return (
    <Popover
      title={t("common.actionsFor", { name })}
      trigger={
        <button type="button" className={styles.chip}>
          {label}
        </button>
      }
    >
      <ChipCard publicKey={publicKey} person={person} address={address} />
    </Popover>
  );
}

interface Shown {
  readonly publicKey: PublicKeyHex;
  readonly person: Person;
  readonly address: string;
}

function ChipLabel({ publicKey, person, address }: Shown): ReactElement {
  const t = useMessages();
  const name = person.isSelf ? t("common.you") : person.name;
  const isClaimed = person.name !== undefined && !person.isSelf && !person.isOwnName && !person.isVerified;
  return (
    <>
      <Identicon publicKey={publicKey} size={18} />
      <span className={classNames(styles.name, name === undefined && styles.address)}>{name ?? shorten(address)}</span>
      {isClaimed && <span className={styles.tail}>{addressTail(publicKey, person.isContact)}</span>}
      {person.isVerified && <BadgeCheck size={14} className={styles.verified} role="img" aria-label={t("common.verified")} />}
    </>
  );
}

function ChipCard({ publicKey, person, address }: Shown): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { explore, message, pay, rename } = usePersonActions();
  const copy = async (): Promise<void> => {
    if (await copyText(address)) toasts.show({ title: t("common.addressCopied"), tone: "success" });
  };
  return (
    <div className={styles.card}>
      <div className={styles.head}>
        <Avatar publicKey={publicKey} size={40} />
        <div>
          {(person.isSelf || person.name !== undefined) && (
            <div className={shared.name}>{person.isSelf ? t("common.you") : person.name}</div>
          )}
          {person.isVerified && <div className={shared.hint}>{t("common.verified")}</div>}
        </div>
      </div>
      <div className={styles.full}>{address}</div>
      <div className={shared.buttons}>
        <Button size="small" icon={Copy} onClick={(): void => void copy()}>
          {t("common.copy")}
        </Button>
        {!person.isSelf && rename !== undefined && (
          <Button size="small" icon={Tag} onClick={(): void => rename(publicKey)}>
            {t("common.privateName")}
          </Button>
        )}
        {explore !== undefined && (
          <Button size="small" icon={Search} onClick={(): void => explore(publicKey)}>
            {t("common.openInExplorer")}
          </Button>
        )}
        {!person.isSelf && message !== undefined && (
          <Button size="small" icon={MessageCircle} onClick={(): void => message(publicKey)}>
            {t("common.message")}
          </Button>
        )}
        {!person.isSelf && pay !== undefined && (
          <Button size="small" icon={Coins} onClick={(): void => pay(publicKey)}>
            {t("common.pay")}
          </Button>
        )}
      </div>
    </div>
  );
}
