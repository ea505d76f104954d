// What there is to know and to set about a chat: the person and their safety number, or the group and its members; how long messages
// stay; the files that were exchanged.
import { Ban, UserRound } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { type ContactDecision, ContactDecisionSheet } from "#renderer/components/people/contact-decision-sheet.tsx";
import { SafetySection } from "#renderer/components/people/safety-section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useProfileName } from "#renderer/lib/messenger/messenger-context.tsx";
import { entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { GroupInfo } from "../groups/group-info.tsx";
import { type ConversationHeader, ConversationPicture } from "../model/conversation-header.tsx";
import { timeInWords } from "../model/message-text.ts";
import styles from "./chat-info.module.css";
import { TimerDialog } from "./chat-settings.tsx";
import { SharedFilesSection } from "./shared-files.tsx";

export interface ChatInfoProps {
  readonly id: ConversationId;
  readonly header: ConversationHeader;
  readonly summary: ConversationSummary | undefined;
  readonly messenger: Messenger;
  readonly onClose: () => void;
}

export function ChatInfo(props: ChatInfoProps): ReactElement {
  const { id, header, messenger, onClose } = props;
  const t = useMessages();
  return (
    <Dialog
      open
      placement="sheet"
      title={t("inbox.personInfo", { name: header.name })}
      onOpenChange={(isOpen): void => {
        if (!isOpen) onClose();
      }}
    >
      <div className={styles.info}>
        <Head header={header} />
        {header.kind === "group" && header.group !== null && <GroupInfo {...props} group={header.group} />}
        <TimerSection {...props} />
        <SharedFilesSection id={id} messenger={messenger} onLeave={onClose} />
        {header.kind === "person" && (
          <>
            <SafetySection publicKey={header.peer} />
            <BlockSection peer={header.peer} name={header.name} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Head({ header }: { readonly header: ConversationHeader }): ReactElement {
  const t = useMessages();
  const { directory, isKnown } = useContactDirectory();
  const members = header.kind === "group" ? (header.group?.members.length ?? 0) : 0;
  return (
    <div className={styles.head}>
      <ConversationPicture header={header} size={64} />
      <p className={shared.name}>{header.name}</p>
      {header.kind === "group" && <p className={shared.hint}>{t("inbox.groupMembers", { count: members })}</p>}
      {header.kind === "person" && (
        <>
          {isKnown && <p className={shared.hint}>{t(`contacts.relation.${entryOf(directory, header.peer).relation}`)}</p>}
          <ProfileName publicKey={header.peer} />
          <p className={styles.address}>{formatAddress(header.peer)}</p>
          <ButtonLink to="/contacts/$publicKey" params={{ publicKey: header.peer }} size="small" icon={UserRound}>
            {t("inbox.openContact")}
          </ButtonLink>
        </>
      )}
    </div>
  );
}

/** What they go by, also where one calls them otherwise. */
function ProfileName({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement | null {
  const t = useMessages();
  const name = useProfileName(publicKey);
  return name === undefined ? null : <p className={shared.hint}>{t("inbox.profileName", { name })}</p>;
}

function TimerSection({ id, header, summary, messenger }: ChatInfoProps): ReactElement | null {
  const t = useMessages();
  const [isOpen, setOpen] = useState(false);
  const seconds = summary?.expiresInS ?? 0;
  if (header.kind === "unknown" || (header.kind === "group" && header.group?.isMember !== true)) return null;
  return (
    <Section title={t("inbox.timer")}>
      <div className={styles.row}>
        <span>{seconds === 0 ? t("common.never") : t("inbox.timerAfter", { time: timeInWords(t, seconds) })}</span>
        <Button size="small" onClick={(): void => setOpen(true)}>
          {t("inbox.change")}
        </Button>
      </div>
      <TimerDialog id={id} messenger={messenger} seconds={seconds} isOpen={isOpen} onClose={(): void => setOpen(false)} />
    </Section>
  );
}

function BlockSection({ peer, name }: { readonly peer: PublicKeyHex; readonly name: string }): ReactElement | null {
  const t = useMessages();
  const { directory, isKnown } = useContactDirectory();
  const [decision, setDecision] = useState<ContactDecision>();
  if (!isKnown) return null;
  const choice = entryOf(directory, peer).relation === "blocked" ? "unblock" : "block";
  return (
    <Section title={t("contacts.block")} hint={t("inbox.blockText", { name })}>
      <Button variant={choice === "block" ? "danger" : "secondary"} icon={Ban} onClick={(): void => setDecision(choice)}>
        {t(`contacts.${choice}`)}
      </Button>
      {decision !== undefined && <ContactDecisionSheet decision={decision} publicKey={peer} onClose={(): void => setDecision(undefined)} />}
    </Section>
  );
}
