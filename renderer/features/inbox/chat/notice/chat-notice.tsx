// What one should know of the person before writing: a request to answer, a stranger, a block, a missing key.

import { type ReactElement, type ReactNode, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { type ContactDecision, ContactDecisionSheet } from "#renderer/components/people/contact-decision-sheet.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import { changeNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { useContactProgress } from "#renderer/lib/people/contacts/use-contact-progress.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { useHasKey } from "../../model/use-may-write.ts";
import styles from "./chat-notice.module.css";
import { type ChatNoticeKind, noticeOf } from "./chat-notice-kind.ts";

export interface ChatNoticeProps {
  readonly header: Exclude<ConversationHeader, { readonly kind: "group" }>;
  readonly summary: ConversationSummary | undefined;
}

const TONES: Readonly<Record<ChatNoticeKind, "neutral" | "accent" | "warning">> = {
  unknown: "warning",
  blocked: "neutral",
  refused: "warning",
  devices: "warning",
  request: "accent",
  stranger: "accent",
  noKey: "warning",
  sent: "neutral",
  added: "neutral",
  notContact: "neutral",
};

/** The most important note, or nothing between contacts. */
export function ChatNotice({ header, summary }: ChatNoticeProps): ReactElement | null {
  const t = useMessages();
  const { directory, isKnown } = useContactDirectory();
  const hasKey = useHasKey(header);
  const deviceChanges = useMessengerValue((messenger) => messenger.deviceChanges);
  const peer = header.kind === "person" ? header.peer : "";
  const entry = entryOf(directory, peer);
  const isUnderWay = useContactProgress(peer)?.transaction.state.kind === "submitted";
  const kind = noticeOf({
    header: header.kind,
    status: isKnown ? entry.relation : undefined,
    isStranger: summary?.isRequest === true && summary.lastMessage !== null && !entry.isAdded,
    isEmpty: (summary?.lastMessage ?? null) === null,
    hasKey,
    hasNewDevices: header.kind === "person" && header.isVerified && deviceChanges.some(({ person }) => person === header.peer),
  });
  if (kind === undefined) return null;
  const { name } = header;
  const amount = amountText(t, entry.received?.fee_ut ?? 0);
  return (
    <div className={classNames(styles.notice, styles[TONES[kind]])} role="status">
      <p className={styles.words}>
        <strong className={shared.strong}>{t(`chat.${kind}Title`, { name, amount })}</strong>{" "}
        {isUnderWay ? t("chat.underWay") : t(`chat.${kind}Text`)}
      </p>
      {header.kind === "person" && !isUnderWay && <Actions kind={kind} peer={header.peer} />}
    </div>
  );
}

/** They said that it was them, or the safety number is compared once more. */
function DeviceActions({ peer }: { readonly peer: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const messenger = useMessenger();
  const toasts = useToasts();
  return (
    <>
      <ButtonLink size="small" to="/contacts/$publicKey" params={{ publicKey: peer }}>
        {t("chat.devicesCompare")}
      </ButtonLink>
      <Button size="small" variant="ghost" onClick={(): void => void messenger?.acknowledgeDevices(peer).catch(toasts.showError)}>
        {t("chat.devicesKnown")}
      </Button>
    </>
  );
}

/** Makes a contact of a stranger for oneself alone: nothing is paid, and no one learns of it. */
function AcceptPrivately({ peer }: { readonly peer: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const name = useLabelOf(peer);
  const accept = (): void => {
    void changeNotes(peer, { isContact: true });
    toasts.show({
      title: t("contacts.added", { name }),
      tone: "success",
      action: { label: t("common.undo"), onSelect: () => void changeNotes(peer, { isContact: false }) },
    });
  };
  return (
    <Button size="small" variant="primary" onClick={accept}>
      {t("contacts.accept")}
    </Button>
  );
}

function Actions({ kind, peer }: { readonly kind: ChatNoticeKind; readonly peer: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const [decision, setDecision] = useState<ContactDecision>();
  const addContact = (
    <ButtonLink size="small" to="/contacts/new" search={{ to: peer }}>
      {t("contacts.add")}
    </ButtonLink>
  );
  const view = (
    <ButtonLink size="small" to="/contacts/$publicKey" params={{ publicKey: peer }}>
      {t("chat.view")}
    </ButtonLink>
  );
  const decide = (choice: ContactDecision, variant: "primary" | "secondary" | "ghost"): ReactNode => (
    <Button size="small" variant={variant} onClick={(): void => setDecision(choice)}>
      {t(`contacts.${choice}`)}
    </Button>
  );
  return (
    <div className={styles.actions}>
      {kind === "devices" && <DeviceActions peer={peer} />}
      {kind === "request" && decide("accept", "primary")}
      {kind === "stranger" && <AcceptPrivately peer={peer} />}
      {(kind === "request" || kind === "sent") && view}
      {(kind === "request" || kind === "stranger") && decide("block", "ghost")}
      {kind === "blocked" && decide("unblock", "secondary")}
      {kind === "notContact" && addContact}
      {decision !== undefined && <ContactDecisionSheet decision={decision} publicKey={peer} onClose={(): void => setDecision(undefined)} />}
    </div>
  );
}
