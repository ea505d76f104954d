// Asking a person to become a contact: who, how much, which words; then a last check before it is paid and public.
import { type ReactElement, type SyntheticEvent, useEffect, useId, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { LookAlikeWarning } from "#renderer/components/people/look-alike-warning.tsx";
import { RecipientPicker } from "#renderer/components/people/recipient-picker.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type ContactRelation, entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { usePaidPeople } from "#renderer/lib/people/use-paid-people.ts";
import { useRecipient } from "#renderer/lib/people/use-recipient.ts";
import { useRecipientCheck } from "#renderer/lib/people/use-recipient-check.ts";
import type { RequestContactIntent } from "#shared/keyring/intents/intents.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ChosenPerson, RelationNote } from "./chosen-person.tsx";
import { RequestFields, type RequestFormState, useRequestForm } from "./request-fields.tsx";
import { ReviewRequest } from "./review-request.tsx";

/** Standings in which the chain takes a request. */
const MAY_ASK: readonly ContactRelation[] = ["none"];

export interface AddContactDialogProps {
  /** Address, key or link that is filled in. */
  readonly initial: string;
  readonly onClose: () => void;
  /** The node has taken the request. */
  readonly onSent: (publicKey: PublicKeyHex) => void;
}

/** The dialog, open while it is shown. */
export function AddContactDialog(props: AddContactDialogProps): ReactElement {
  const { initial, onClose, onSent } = props;
  const t = useMessages();
  const formId = useId();
  const [recipient, setRecipient] = useState(initial);
  const [reviewing, setReviewing] = useState<RequestContactIntent>();
  const [isReady, setReady] = useState(false);
  const input = useRecipient(recipient);
  const person = "request" in input ? input.request.to : undefined;
  const form = useRequestForm(person);
  if (reviewing !== undefined) {
    return <ReviewRequest intent={reviewing} onCancel={(): void => setReviewing(undefined)} onSent={onSent} />;
  }
  return (
    <Dialog
      open
      keepOpen
      title={t("contacts.add")}
      description={t("contacts.addDescription")}
      onOpenChange={(isOpen): void => {
        if (!isOpen) onClose();
      }}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" type="submit" form={formId} disabled={person === undefined || !isReady}>
            {t("transactions.review")}
          </Button>
        </>
      }
    >
      {person === undefined ? (
        <PersonChoice value={recipient} onChange={setRecipient} />
      ) : (
        <RequestFormFor
          key={person}
          formId={formId}
          person={person}
          form={form}
          onChangePerson={(): void => setRecipient("")}
          onReady={setReady}
          onReview={setReviewing}
        />
      )}
    </Dialog>
  );
}

function PersonChoice(props: { readonly value: string; readonly onChange: (value: string) => void }): ReactElement {
  const { value, onChange } = props;
  const t = useMessages();
  const { masterPub } = useAccount();
  const { directory } = useContactDirectory();
  const paid = usePaidPeople(masterPub).data?.people ?? [];
  const isOffered = (key: PublicKeyHex): boolean => MAY_ASK.includes(entryOf(directory, key).relation);
  const keys = paid.filter(({ publicKey, count }) => count > 0 && isOffered(publicKey)).map(({ publicKey }) => publicKey);
  return (
    <RecipientPicker
      autoFocus
      label={t("contacts.person")}
      value={value}
      onChange={onChange}
      onPick={onChange}
      groups={[{ title: t("contacts.paidBefore"), keys: keys }]}
    />
  );
}

interface RequestFormProps {
  readonly formId: string;
  readonly person: PublicKeyHex;
  readonly form: RequestFormState;
  readonly onChangePerson: () => void;
  readonly onReady: (isReady: boolean) => void;
  readonly onReview: (intent: RequestContactIntent) => void;
}

function RequestFormFor(props: RequestFormProps): ReactElement {
  const { formId, person, form, onChangePerson, onReady, onReview } = props;
  const t = useMessages();
  const { masterPub } = useAccount();
  const { directory } = useContactDirectory();
  const check = useRecipientCheck(masterPub, person);
  const [isOverridden, setOverridden] = useState(false);
  const relation = person === masterPub ? "self" : entryOf(directory, person).relation;
  const mayAsk = relation === "none";
  const lookAlike = check.kind === "firstTime" ? check.lookAlike : undefined;
  const isReady = mayAsk && (lookAlike === undefined || isOverridden) && check.kind !== "checking" && check.kind !== "unchecked";
  useEffect(() => {
    onReady(isReady);
    return (): void => onReady(false);
  }, [isReady, onReady]);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    form.showProblems();
    if (isReady && form.checked.intent !== undefined) onReview(form.checked.intent);
  };
  return (
    <form id={formId} className={shared.stack4} onSubmit={submit}>
      <ChosenPerson publicKey={person} onChange={onChangePerson} />
      {mayAsk ? (
        <>
          {lookAlike !== undefined && <LookAlikeWarning lookAlike={lookAlike} isOverridden={isOverridden} onOverride={setOverridden} />}
          {check.kind === "unchecked" && (
            <Banner
              tone="danger"
              actions={
                <Button size="small" onClick={check.retry}>
                  {t("common.retry")}
                </Button>
              }
            >
              {t("contacts.checkFailed")}
            </Banner>
          )}
          <RequestFields form={form} />
        </>
      ) : (
        <RelationNote publicKey={person} relation={relation} />
      )}
    </form>
  );
}
