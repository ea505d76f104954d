// Asks whom something goes to, with the same checks as a payment: first time is marked, a look-alike stops until it is overridden.
import { type ReactElement, useEffect, useMemo, useState } from "react";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import { useRecipient } from "#renderer/lib/people/use-recipient.ts";
import { isAllowed, useRecipientCheck } from "#renderer/lib/people/use-recipient-check.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Badge } from "../basics/badge.tsx";
import { FullAddress } from "../basics/full-address.tsx";
import shared from "../styles/shared.module.css";
import { LookAlikeWarning } from "./look-alike-warning.tsx";
import { RecipientPicker } from "./picking/recipient-picker.tsx";
import styles from "./recipient-form.module.css";
import { UncheckedNote } from "./unchecked-note.tsx";

export interface RecipientFormProps {
  /** Name of the field: "To" unless the person has a role. */
  readonly label?: string;
  /** Reports the chosen person, or undefined while the choice is not valid. */
  readonly onChosen: (to: PublicKeyHex | undefined) => void;
  /** Words for a person who cannot be chosen; undefined for one who can. */
  readonly refuse?: (publicKey: PublicKeyHex) => string | undefined;
  /** One's own key is a choice as well. */
  readonly allowsSelf?: boolean;
  readonly autoFocus?: boolean;
  /** Enter in the field, instead of what the form around it does then. */
  readonly onEnter?: () => void;
}

export function RecipientForm(props: RecipientFormProps): ReactElement {
  const { label, onChosen, refuse, allowsSelf = false, autoFocus = true, onEnter } = props;
  const t = useMessages();
  const { masterPub } = useAccount();
  const { directory, isKnown, error } = useContactDirectory();
  const { people } = directory;
  const groups = useMemo(() => [{ title: t("contacts.title"), keys: people.map(({ publicKey }) => publicKey), byName: true }], [t, people]);
  const [text, setText] = useState("");
  const [overridden, setOverridden] = useState<PublicKeyHex>();
  const parsed = useRecipient(text);
  const recipient = "request" in parsed ? parsed.request.to : undefined;
  const check = useRecipientCheck(masterPub, recipient);
  const lookAlike = check.kind === "firstTime" ? check.lookAlike : undefined;
  const refusal = recipient === undefined ? undefined : refuse?.(recipient);
  const isSelfRefused = check.kind === "self" && !allowsSelf;
  const isFine = recipient !== undefined && isAllowed(check, overridden === recipient) && !isSelfRefused && refusal === undefined;
  const chosen = isFine ? recipient : undefined;
  useEffect(() => onChosen(chosen), [chosen, onChosen]);
  return (
    <>
      <RecipientPicker
        label={label ?? t("common.to")}
        autoFocus={autoFocus}
        value={text}
        onChange={setText}
        onPick={(key): void => setText(formatAddress(key))}
        groups={groups}
        isLoading={!isKnown && error === null}
        {...(onEnter !== undefined && { onEnter })}
      />
      {recipient !== undefined && lookAlike === undefined && (
        <div className={styles.person} role="status">
          <Name publicKey={recipient} />
          <FullAddress publicKey={recipient} />
          {refusal !== undefined && <Badge tone="danger">{refusal}</Badge>}
          {refusal === undefined && check.kind === "firstTime" && <Badge tone="warning">{t("transactions.neverPaid")}</Badge>}
          {refusal === undefined && isSelfRefused && <Badge tone="danger">{t("wallet.toSelf")}</Badge>}
        </div>
      )}
      {check.kind === "unchecked" && <UncheckedNote onRetry={check.retry} />}
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

function Name({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement | null {
  const { name } = usePerson(publicKey);
  return name === undefined ? null : <div className={shared.name}>{name}</div>;
}
