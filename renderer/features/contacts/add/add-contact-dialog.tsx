// Adding a contact: who, and whether privately or by a public request. The latter has a last check before it is paid and public.
import { Link2 } from "lucide-react";
import { type ReactElement, type SyntheticEvent, useEffect, useId, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { RecipientPicker } from "#renderer/components/people/picking/recipient-picker.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type ContactRelation, entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import { changeNotes, useNotesAbout } from "#renderer/lib/people/contacts/people-notes.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { usePaidPeople } from "#renderer/lib/people/use-paid-people.ts";
import { useRecipient } from "#renderer/lib/people/use-recipient.ts";
import { isAllowed, useRecipientCheck } from "#renderer/lib/people/use-recipient-check.ts";
import type { RequestContactIntent } from "#shared/keyring/intents/intents.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { AddressWarnings } from "./address-warnings.tsx";
import { ChosenPerson, RelationNote } from "./chosen-person.tsx";
import { PrivateFields } from "./private-fields.tsx";
import { RequestFields, type RequestFormState, useRequestForm } from "./request-fields.tsx";
import { ReviewRequest } from "./review-request.tsx";
import { type ContactWay, WayChoice, waysTo } from "./way-choice.tsx";

/** Relations of people who are offered before anything is typed. */
const OFFERED: readonly ContactRelation[] = ["none"];

export interface AddContactDialogProps {
  /** Address, key or link that is filled in. */
  readonly initial: string;
  readonly onClose: () => void;
  /** The person was added privately. */
  readonly onAdded: (publicKey: PublicKeyHex) => void;
  /** The node has taken the request. */
  readonly onSent: (publicKey: PublicKeyHex) => void;
}

/** The dialog, open while it is shown. */
export function AddContactDialog(props: AddContactDialogProps): ReactElement {
  const { initial, onClose, onAdded, onSent } = props;
  const t = useMessages();
  const formId = useId();
  const [recipient, setRecipient] = useState(initial);
  const [reviewing, setReviewing] = useState<RequestContactIntent>();
  const [isReady, setReady] = useState(false);
  const [chosenWay, setWay] = useState<ContactWay>("private");
  const input = useRecipient(recipient);
  const person = "request" in input ? input.request.to : undefined;
  const form = useRequestForm(person);
  const { directory } = useContactDirectory();
  const ways = person === undefined ? [] : waysTo(entryOf(directory, person));
  const way = ways.includes(chosenWay) ? chosenWay : ways[0];
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
            {t(way === "public" ? "transactions.review" : "contacts.add")}
          </Button>
        </>
      }
    >
      {person === undefined ? (
        <PersonChoice value={recipient} onChange={setRecipient} />
      ) : (
        <FormFor
          key={person}
          formId={formId}
          person={person}
          form={form}
          ways={ways}
          way={way}
          onWay={setWay}
          onChangePerson={(): void => setRecipient("")}
          onReady={setReady}
          onReview={setReviewing}
          onAdded={onAdded}
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
  const { data, isPending } = usePaidPeople(masterPub);
  const paid = data?.people ?? [];
  const isOffered = (key: PublicKeyHex): boolean => OFFERED.includes(entryOf(directory, key).relation);
  const keys = paid.filter(({ publicKey, count }) => count > 0 && isOffered(publicKey)).map(({ publicKey }) => publicKey);
  return (
    <div className={shared.stack4} data-in-order="">
      <RecipientPicker
        autoFocus
        label={t("contacts.person")}
        value={value}
        onChange={onChange}
        onPick={onChange}
        groups={[{ title: t("contacts.paidBefore"), keys: keys }]}
        isLoading={isPending}
      />
      <div className={shared.buttons}>
        <ButtonLink to="/contacts/invite" size="small" icon={Link2}>
          {t("contacts.invite")}
        </ButtonLink>
      </div>
    </div>
  );
}

interface FormProps {
  readonly formId: string;
  readonly person: PublicKeyHex;
  readonly form: RequestFormState;
  readonly ways: readonly ContactWay[];
  /** Undefined where there is none. */
  readonly way: ContactWay | undefined;
  readonly onWay: (way: ContactWay) => void;
  readonly onChangePerson: () => void;
  readonly onReady: (isReady: boolean) => void;
  readonly onReview: (intent: RequestContactIntent) => void;
  readonly onAdded: (publicKey: PublicKeyHex) => void;
}

function FormFor(props: FormProps): ReactElement {
  const { formId, person, form, ways, way, onWay, onChangePerson, onReady, onReview, onAdded } = props;
  const { masterPub } = useAccount();
  const { directory } = useContactDirectory();
  const check = useRecipientCheck(masterPub, person);
  const [isOverridden, setOverridden] = useState(false);
  const [name, setName] = useState(useNotesAbout(person).name);
  // Who walks through the ways by arrow keys stays there.
  const [hasSwitched, setSwitched] = useState(false);
  const switchWay = (chosen: ContactWay): void => {
    setSwitched(true);
    onWay(chosen);
  };
  const isSelf = person === masterPub;
  const { relation } = entryOf(directory, person);
  const isReady = !isSelf && way !== undefined && isAllowed(check, isOverridden);
  useEffect(() => {
    onReady(isReady);
    return (): void => onReady(false);
  }, [isReady, onReady]);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    if (way === "private") {
      void changeNotes(person, { isContact: true, name: name.trim() });
      onAdded(person);
      return;
    }
    form.showProblems();
    if (form.checked.intent !== undefined) onReview(form.checked.intent);
  };
  return (
    <form id={formId} className={shared.stack4} onSubmit={submit}>
      <ChosenPerson publicKey={person} onChange={onChangePerson} />
      {isSelf || way === undefined ? (
        <RelationNote publicKey={person} relation={isSelf ? "self" : relation} />
      ) : (
        <>
          <AddressWarnings check={check} isOverridden={isOverridden} onOverride={setOverridden} />
          {ways.length > 1 && <WayChoice ways={ways} way={way} onChange={switchWay} />}
          {way === "private" ? (
            <PrivateFields person={person} autoFocus={!hasSwitched} name={name} onChange={setName} />
          ) : (
            <RequestFields autoFocus={!hasSwitched} form={form} />
          )}
        </>
      )}
    </form>
  );
}
