// First step: whom to pay. A new recipient is marked; one whose address looks like a known one stops the flow.
import { type FormEvent, type ReactElement, useEffect, useEffectEvent, useMemo, useState } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { FullAddress } from "#renderer/components/basics/full-address.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { LookAlikeWarning } from "#renderer/components/people/look-alike-warning.tsx";
import { type RecipientGroup, RecipientPicker } from "#renderer/components/people/picking/recipient-picker.tsx";
import { UncheckedNote } from "#renderer/components/people/unchecked-note.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import { usePaidPeople } from "#renderer/lib/people/use-paid-people.ts";
import { useRecipient } from "#renderer/lib/people/use-recipient.ts";
import { isAllowed, isPlain, type RecipientCheck, useRecipientCheck } from "#renderer/lib/people/use-recipient-check.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { recentPeople } from "./recent-people.ts";
import styles from "./send.module.css";
import { fillFromLink, type SendDraft } from "./send-draft.ts";

export interface RecipientStepProps {
  readonly draft: SendDraft;
  /** The recipient was chosen elsewhere: where there is nothing to look at, the next step follows. */
  readonly isChosen: boolean;
  readonly onChange: (changes: Partial<SendDraft>) => void;
  readonly onChosen: (to: PublicKeyHex) => void;
}

export function RecipientStep(props: RecipientStepProps): ReactElement {
  const { draft, isChosen, onChange, onChosen } = props;
  const t = useMessages();
  const { masterPub } = useAccount();
  const parsed = useRecipient(draft.recipient);
  const recipient = "request" in parsed ? parsed.request.to : undefined;
  const check = useRecipientCheck(masterPub, recipient);
  const [overridden, setOverridden] = useState<PublicKeyHex | undefined>(undefined);
  const lookAlike = check.kind === "firstTime" ? check.lookAlike : undefined;
  const mayGoOn = recipient !== undefined && isAllowed(check, overridden === recipient);
  const { people } = useContactDirectory().directory;
  const [isPicked, setPicked] = useState(isChosen);
  const isContact = people.some(({ publicKey }) => publicKey === recipient);
  const next = isPicked && isPlain(check, isContact) ? recipient : undefined;
  const continueTo = useEffectEvent(onChosen);
  useEffect(() => {
    if (next !== undefined) continueTo(next);
  }, [next]);
  const goOn = (event: FormEvent): void => {
    event.preventDefault();
    if (mayGoOn) onChosen(recipient);
  };
  return (
    <form className={shared.stack4} onSubmit={goOn}>
      <RecipientPicker
        label={t("common.to")}
        autoFocus
        value={draft.recipient}
        onChange={(text): void => {
          setPicked(false);
          onChange(fillFromLink({ ...draft, recipient: text }, t.locale));
        }}
        onPick={(key): void => {
          setPicked(true);
          onChange({ recipient: formatAddress(key) });
        }}
        {...useKnownPeople(masterPub)}
      />
      {recipient !== undefined && lookAlike === undefined && <Recipient publicKey={recipient} check={check} />}
      {lookAlike !== undefined && (
        <LookAlikeWarning
          lookAlike={lookAlike}
          isOverridden={overridden === recipient}
          onOverride={(yes): void => setOverridden(yes ? recipient : undefined)}
        />
      )}
      <footer className={shared.footer}>
        <Button type="submit" variant="primary" disabled={!mayGoOn} busy={check.kind === "checking"}>
          {t("common.continue")}
        </Button>
      </footer>
    </form>
  );
}

interface KnownPeople {
  readonly groups: readonly RecipientGroup[];
  readonly recent: readonly PublicKeyHex[];
  readonly isLoading: boolean;
}

/** Those paid last as faces, contacts, and others who were paid. */
function useKnownPeople(account: PublicKeyHex): KnownPeople {
  const t = useMessages();
  const { directory, isKnown, error } = useContactDirectory();
  const { people } = directory;
  const { data: paid, isPending } = usePaidPeople(account);
  const known = useMemo(() => {
    const contacts = people.map(({ publicKey }) => publicKey);
    const payees = (paid?.people ?? []).filter(({ count }) => count > 0).map(({ publicKey }) => publicKey);
    const groups = [
      { title: t("contacts.title"), keys: contacts, byName: true },
      { title: t("contacts.paidBefore"), keys: payees.filter((key) => !contacts.includes(key)) },
    ];
    return { groups, recent: recentPeople(payees, directory) };
  }, [t, directory, people, paid]);
  return { ...known, isLoading: isPending || (!isKnown && error === null) };
}

function Recipient(props: { readonly publicKey: PublicKeyHex; readonly check: RecipientCheck }): ReactElement {
  const { publicKey, check } = props;
  const t = useMessages();
  const { name } = usePerson(publicKey);
  return (
    <>
      <div className={styles.person}>
        <Avatar publicKey={publicKey} size={40} ofKey />
        <div className={styles.personText}>
          {name !== undefined && <div className={shared.name}>{name}</div>}
          <FullAddress publicKey={publicKey} />
          <CheckBadge check={check} />
        </div>
      </div>
      {check.kind === "self" && <Banner title={t("wallet.toSelf")}>{t("wallet.toSelfText")}</Banner>}
      {check.kind === "unchecked" && <UncheckedNote onRetry={check.retry} />}
    </>
  );
}

function CheckBadge(props: { readonly check: RecipientCheck }): ReactElement | null {
  const { check } = props;
  const t = useMessages();
  if (check.kind === "firstTime") return <Badge tone="warning">{t("wallet.firstTime")}</Badge>;
  if (check.kind === "paidBefore") return <Badge tone="success">{t("wallet.paidBefore", { count: check.paid.count })}</Badge>;
  return null;
}
