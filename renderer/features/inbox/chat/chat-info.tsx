// What there is to know and to set about a chat: the person and their safety number, or the group and its members; how long messages
// stay; the files that were exchanged.
import { Ban, UserRound, X } from "lucide-react";
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { type ContactDecision, ContactDecisionSheet } from "#renderer/components/people/contact-decision-sheet.tsx";
import { DeviceNotes } from "#renderer/components/people/device-notes.tsx";
import { SafetySection } from "#renderer/components/people/safety-section.tsx";
import { SharedFilesSection } from "#renderer/components/shared-files/shared-files.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMedia } from "#renderer/lib/browser/window/use-media.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useProfileName } from "#renderer/lib/messenger/messenger-context.tsx";
import { entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { GroupInfo } from "../groups/group-info.tsx";
import { jumpTo } from "../model/chat-intent-store.ts";
import { type ConversationHeader, ConversationPicture } from "../model/conversation-header.tsx";
import { timeInWords } from "../model/message-text.ts";
import styles from "./chat-info.module.css";
import { TimerDialog } from "./timer-dialog.tsx";

/** Window in which list, chat and panel have room. */
const ROOM_BESIDE = "(min-width: 75rem)";

export interface ChatInfoProps {
  readonly id: ConversationId;
  readonly header: ConversationHeader;
  readonly summary: ConversationSummary | undefined;
  readonly messenger: Messenger;
  /** The button that opens and closes it. */
  readonly opener: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** Beside the chat where the window has room, else above it. */
export function ChatInfo(props: ChatInfoProps): ReactElement {
  return useMedia(ROOM_BESIDE) ? <InfoPanel {...props} /> : <InfoSheet {...props} />;
}

function InfoSheet(props: ChatInfoProps): ReactElement {
  const t = useMessages();
  return (
    <Dialog
      open
      placement="sheet"
      title={t("inbox.personInfo", { name: props.header.name })}
      onOpenChange={(isOpen): void => {
        if (!isOpen) props.onClose();
      }}
    >
      <Parts {...props} onLeave={props.onClose} />
    </Dialog>
  );
}

function InfoPanel(props: ChatInfoProps): ReactElement {
  const { header, onClose } = props;
  const t = useMessages();
  const title = t("inbox.personInfo", { name: header.name });
  useFocusBack(props.opener);
  // What opens above the panel takes Escape for itself.
  const closeOnEscape = (event: KeyboardEvent<HTMLElement>): void => {
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== "Escape" || event.defaultPrevented || event.nativeEvent.isComposing || !isInside) return;
    event.preventDefault();
    onClose();
  };
  return (
    <aside className={styles.panel} aria-label={title} onKeyDown={closeOnEscape}>
      <header className={styles.panelHeader}>
        <h2 className={styles.panelTitle}>{title}</h2>
        <IconButton icon={X} label={t("common.close")} size="small" hideTooltip onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <div className={styles.panelBody} tabIndex={0}>
        <Parts {...props} onLeave={stay} />
      </div>
    </aside>
  );
}

/** The button has the focus again when the panel goes with the focus inside. */
function useFocusBack(opener: ChatInfoProps["opener"]): void {
  useEffect(() => {
    const button = opener.current;
    return (): void => {
      if (document.activeElement === document.body && button?.isConnected === true) button.focus();
    };
  }, [opener]);
}

/** A panel stays open beside what is looked at in the chat. */
function stay(): void {}

function Parts(props: ChatInfoProps & { readonly onLeave: () => void }): ReactElement {
  const { id, header, messenger, onLeave } = props;
  return (
    <div className={styles.info}>
      <Head header={header} />
      {header.kind === "group" && header.group !== null && <GroupInfo {...props} group={header.group} />}
      <TimerSection {...props} />
      <SharedFilesSection
        id={id}
        messenger={messenger}
        onOpen={({ key, at }): void => {
          onLeave();
          jumpTo({ conversation: id, key, at });
        }}
      />
      {header.kind === "person" && (
        <>
          <SafetySection publicKey={header.peer} />
          <BlockSection peer={header.peer} name={header.name} />
          <DeviceNotes publicKey={header.peer} />
        </>
      )}
    </div>
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
      {isOpen && <TimerDialog id={id} messenger={messenger} seconds={seconds} onClose={(): void => setOpen(false)} />}
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
