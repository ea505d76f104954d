// One person: an open request of theirs, notes, safety number, identity, and what was asked before.
import { useNavigate, useParams } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import type { ReactElement } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { BackToList, PageScroll } from "#renderer/components/layout/panes.tsx";
import { DeviceNotes } from "#renderer/components/people/device-notes.tsx";
import { NameWarning } from "#renderer/components/people/names/name-warning.tsx";
import { SafetySection } from "#renderer/components/people/safety-section.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { IdentitySection } from "./identity-section.tsx";
import { NotesSection } from "./notes-section.tsx";
import { PersonActions } from "./person-actions.tsx";
import { ProgressNote } from "./progress-note.tsx";
import { PublicSection } from "./public-section.tsx";
import { ReceivedRequest, SentRequest } from "./request-sections.tsx";
import { SharedWithPerson } from "./shared-with-person.tsx";

/** The person of the address bar, or a note that there is none. */
export function PersonPage(): ReactElement {
  const t = useMessages();
  const { publicKey: text = "" } = useParams({ strict: false });
  const parsed = parseRecipient(text);
  if (parsed.kind !== "account") return <EmptyState icon={SearchX} title={t("shell.notFoundTitle")} text={t("shell.notFoundText")} />;
  return <Person key={parsed.request.to} publicKey={parsed.request.to} />;
}

function Person({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { masterPub } = useAccount();
  const { directory, isKnown, error } = useContactDirectory();
  const name = useLabelOf(publicKey);
  const entry = entryOf(directory, publicKey);
  const isSelf = publicKey === masterPub;
  const { received } = entry;
  const isOpen = received?.status === "pending";
  const theirs = received !== undefined && received.fee_ut > 0 && <ReceivedRequest entry={entry} request={received} />;
  const relation = isSelf ? "self" : entry.relation;
  return (
    <>
      <PageHeader
        title={name}
        subtitle={isKnown || isSelf ? t(`contacts.relation.${relation}`) : undefined}
        leading={
          <>
            <BackToList onBack={(): void => void navigate({ to: "/contacts" })} />
            <Avatar publicKey={publicKey} size={36} />
          </>
        }
        actions={<PersonActions entry={entry} isSelf={isSelf} isKnown={isKnown} />}
      />
      <PageScroll>
        {!isSelf && <NameWarning publicKey={publicKey} />}
        {!isSelf && <ProgressNote publicKey={publicKey} />}
        {!isKnown && error === null && <Pending />}
        {isOpen && theirs}
        {!isSelf && <SharedWithPerson publicKey={publicKey} />}
        {!isSelf && <NotesSection publicKey={publicKey} />}
        {!isSelf && <SafetySection publicKey={publicKey} />}
        <IdentitySection publicKey={publicKey} />
        {!isOpen && theirs}
        {entry.sent !== undefined && <SentRequest request={entry.sent} />}
        <PublicSection />
        {!isSelf && <DeviceNotes publicKey={publicKey} />}
      </PageScroll>
    </>
  );
}
