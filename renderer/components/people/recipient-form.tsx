// Asks whom something goes to, with the same checks as a payment: first time is marked, a look-alike stops until it is overridden.
import { type ReactElement, useEffect, useMemo, useState } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { FullAddress } from "#renderer/components/basics/full-address.tsx";
import { LookAlikeWarning } from "#renderer/components/people/look-alike-warning.tsx";
import { RecipientPicker } from "#renderer/components/people/recipient-picker.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { useRecipient } from "#renderer/lib/people/use-recipient.ts";
import { useRecipientCheck } from "#renderer/lib/people/use-recipient-check.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isAllowed } from "../send/recipient-step.tsx";
import styles from "../send/send.module.css";

/** Reports the chosen person, or undefined while the choice is not valid. */
export function RecipientForm(props: { readonly onChosen: (to: PublicKeyHex | undefined) => void }): ReactElement {
  const { onChosen } = props;
  const t = useMessages();
  const { masterPub } = useAccount();
  const { people } = useContactDirectory().directory;
  const groups = useMemo(() => [{ title: t("contacts.title"), keys: people.map(({ publicKey }) => publicKey), byName: true }], [t, people]);
  const [text, setText] = useState("");
  const [overridden, setOverridden] = useState<PublicKeyHex>();
  const parsed = useRecipient(text);
  const recipient = "request" in parsed ? parsed.request.to : undefined;
  const check = useRecipientCheck(masterPub, recipient);
  const lookAlike = check.kind === "firstTime" ? check.lookAlike : undefined;
  const chosen = recipient !== undefined && isAllowed(check, overridden === recipient) && check.kind !== "self" ? recipient : undefined;
  useEffect(() => onChosen(chosen), [chosen, onChosen]);
  return (
    <>
      <RecipientPicker
        label={t("common.to")}
        autoFocus
        value={text}
        onChange={setText}
        onPick={(key): void => setText(formatAddress(key))}
        groups={groups}
      />
      {recipient !== undefined && lookAlike === undefined && (
        <div className={styles.person}>
          <div className={styles.personText}>
            <FullAddress publicKey={recipient} />
            {check.kind === "firstTime" && <Badge tone="warning">{t("wallet.firstTime")}</Badge>}
            {check.kind === "self" && <Badge tone="danger">{t("wallet.toSelf")}</Badge>}
          </div>
        </div>
      )}
      {lookAlike !== undefined && (
        <LookAlikeWarning
          lookAlike={lookAlike}
          isOverridden={overridden === recipient}
          onOverride={(yes): void => setOverridden(yes ? recipient : undefined)}
        />
      )}
    </>
  );
}
