// Whom a contact is made of, and why that is not needed or not possible.
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { FullAddress } from "#renderer/components/basics/full-address.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import type { MessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ContactRelation } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "./chosen-person.module.css";

/** Name and full address, with the way to choose another one. */
export function ChosenPerson(props: { readonly publicKey: PublicKeyHex; readonly onChange: () => void }): ReactElement {
  const { publicKey, onChange } = props;
  const t = useMessages();
  const name = useLabelOf(publicKey);
  return (
    <div className={styles.person}>
      <Avatar publicKey={publicKey} size={40} />
      <div className={styles.text}>
        <div className={styles.name}>{name}</div>
        <FullAddress publicKey={publicKey} />
      </div>
      <Button size="small" variant="ghost" onClick={onChange}>
        {t("contacts.changePerson")}
      </Button>
    </div>
  );
}

const NOTES = {
  self: "contacts.isSelf",
  contact: "contacts.isContact",
  request: "contacts.isRequest",
  declined: "contacts.isRequest",
  sent: "contacts.isSent",
  blocked: "contacts.isBlocked",
  refused: "contacts.isRefused",
} as const satisfies Record<string, MessageKey>;

/** Why the person needs no request, or cannot get one. */
export function RelationNote(props: {
  readonly publicKey: PublicKeyHex;
  readonly relation: ContactRelation | "self";
}): ReactElement | null {
  const { publicKey, relation } = props;
  const t = useMessages();
  const name = useLabelOf(publicKey);
  if (relation === "none" || relation === "added") return null;
  return (
    <Banner
      tone="accent"
      actions={
        <Link to="/contacts/$publicKey" params={{ publicKey }}>
          {t("contacts.open")}
        </Link>
      }
    >
      {t(NOTES[relation], { name })}
    </Banner>
  );
}
