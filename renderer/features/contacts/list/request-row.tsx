// A row of the queue of requests, with its answers. The focus goes on to the next row when the row is answered.
import { ShieldQuestionMark } from "lucide-react";
import { type ReactElement, type ReactNode, useRef, useState } from "react";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { type ContactDecision, ContactDecisionSheet } from "#renderer/components/people/contact-decision-sheet.tsx";
import { GroupPicture, PictureSymbol } from "#renderer/components/people/group-picture.tsx";
import { useFocusPassedOn } from "#renderer/lib/browser/window/use-focus-passed-on.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import type { ContactEntry } from "#renderer/lib/people/contacts/contact-directory.ts";
import { changeNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useContactProgress } from "#renderer/lib/people/contacts/use-contact-progress.ts";
import type { GroupInvite } from "#renderer/lib/people/contacts/waiting-requests.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "../contacts.module.css";
import { ContactRow } from "./contact-row.tsx";
import type { ContactRowItem } from "./list-items.ts";

/** Someone who paid to ask, or who wrote. A declined request has its answers on the page of the person. */
export function RequestRow({ item }: { readonly item: ContactRowItem }): ReactElement {
  return (
    <QueueRow>
      <ContactRow item={item} section="requests" />
      {item.kind === "entry" && <PaidAnswers entry={item.entry} />}
      {item.kind === "writer" && <WriterAnswers publicKey={item.publicKey} />}
    </QueueRow>
  );
}

/** A group of a stranger; declined, it is in the archive. */
export function InviteRow({ invite: { id, title, admin } }: { readonly invite: GroupInvite }): ReactElement {
  const t = useMessages();
  const putAway = usePutAway(id);
  const by = useLabelOf(admin);
  return (
    <QueueRow>
      <ListRowLink
        to="/inbox/$conversation"
        params={{ conversation: id }}
        leading={<GroupPicture group={id} size={36} />}
        heading={<bdi>{title}</bdi>}
        subtitle={t("contacts.addedYou", { name: by })}
      />
      <Answers about={title} publicKey={admin} onDecline={putAway} />
    </QueueRow>
  );
}

/** There is no one to accept or block: the messages say which device sent them, not whose it is. */
export function UnknownRow({ id }: { readonly id: ConversationId }): ReactElement {
  const t = useMessages();
  const putAway = usePutAway(id);
  const name = t("inbox.unknownSender");
  return (
    <QueueRow>
      <ListRowLink
        to="/inbox/$conversation"
        params={{ conversation: id }}
        leading={<PictureSymbol icon={ShieldQuestionMark} size={36} />}
        heading={name}
        subtitle={t("contacts.wrote")}
      />
      <Answers about={name} onDecline={putAway} />
    </QueueRow>
  );
}

/** A row of the queue; what is answered passes the focus on. */
export function QueueRow({ children }: { readonly children: ReactNode }): ReactElement {
  const row = useRef<HTMLDivElement>(null);
  useFocusPassedOn(row);
  return (
    <div ref={row} className={styles.request}>
      {children}
    </div>
  );
}

/** Accepting one who paid is public, and so is blocking: the sheet says so. Declining hides the request here. */
function PaidAnswers({ entry }: { readonly entry: ContactEntry }): ReactElement | null {
  const { publicKey, relation, received } = entry;
  const requestId = received?.tx_id;
  const t = useMessages();
  const toasts = useToasts();
  const name = useLabelOf(publicKey);
  if (requestId === undefined || relation !== "request") return null;
  const hide = (isHidden: boolean): void => void changeNotes(publicKey, { declinedRequest: isHidden ? requestId : "" });
  const decline = (): void => {
    hide(true);
    toasts.show({ title: t("contacts.declineDone"), action: { label: t("common.undo"), onSelect: () => hide(false) } });
  };
  return <Answers about={name} publicKey={publicKey} accept="publicly" onDecline={decline} />;
}

/** One who wrote is accepted for oneself alone: nothing is paid, and no one learns of it. Declined, the chat is in the archive. */
function WriterAnswers({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const name = useLabelOf(publicKey);
  const putAway = usePutAway(publicKey);
  const accept = (): void => {
    void changeNotes(publicKey, { isContact: true });
    toasts.show({
      title: t("contacts.added", { name }),
      tone: "success",
      action: { label: t("common.undo"), onSelect: () => void changeNotes(publicKey, { isContact: false }) },
    });
  };
  return <Answers about={name} publicKey={publicKey} accept={accept} onDecline={putAway} />;
}

function usePutAway(id: ConversationId): () => void {
  const t = useMessages();
  const toasts = useToasts();
  const messenger = useMessenger();
  const isUnderWay = useRef(false);
  const set = async (isArchived: boolean): Promise<void> => await messenger?.setChat(id, { isArchived });
  const undo = { label: t("common.undo"), onSelect: (): void => void set(false).catch(toasts.showError) };
  // The row goes once it is stored: until then a key that is held must not decline it again.
  return () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    set(true)
      .then(() => toasts.show({ title: t("contacts.declinedToArchive"), action: undo }), toasts.showError)
      .finally(() => {
        isUnderWay.current = false;
      });
  };
}

interface AnswersProps {
  /** Whom or what the answers are about, for those who hear them. */
  readonly about: string;
  /** Who is blocked; absent where no one knows who it is. */
  readonly publicKey?: PublicKeyHex;
  /** Absent where there is nothing to accept: one is in the group already. */
  readonly accept?: "publicly" | (() => void);
  readonly onDecline: () => void;
}

function Answers({ about, publicKey, accept, onDecline }: AnswersProps): ReactElement {
  const t = useMessages();
  const [decision, setDecision] = useState<ContactDecision>();
  const isUnderWay = useContactProgress(publicKey ?? "")?.transaction.state.kind === "submitted";
  const of = <VisuallyHidden> {about}</VisuallyHidden>;
  return (
    <div className={styles.answers}>
      {accept !== undefined && (
        <Button
          size="small"
          variant="primary"
          disabled={isUnderWay}
          onClick={(): void => (accept === "publicly" ? setDecision("accept") : accept())}
        >
          {t("contacts.accept")}
          {of}
        </Button>
      )}
      <Button size="small" disabled={isUnderWay} onClick={onDecline}>
        {t("contacts.decline")}
        {of}
      </Button>
      {publicKey !== undefined && (
        <Button size="small" variant="ghost" disabled={isUnderWay} onClick={(): void => setDecision("block")}>
          {t("contacts.block")}
          {of}
        </Button>
      )}
      {decision !== undefined && publicKey !== undefined && (
        <ContactDecisionSheet decision={decision} publicKey={publicKey} onClose={(): void => setDecision(undefined)} />
      )}
    </div>
  );
}
