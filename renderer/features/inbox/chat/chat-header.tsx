// The top of a chat: who it is with, and what one can do besides writing.
import { useNavigate } from "@tanstack/react-router";
import { BadgeCheck, Copy, Download, Ellipsis, Info, Phone, Search, Star, Timer, Trash2, Video } from "lucide-react";
import { type ReactElement, type RefObject, Suspense, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { BackToList } from "#renderer/components/layout/panes.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useAllWords, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { canCall, requestCall } from "#renderer/lib/messenger/call-requests.ts";
import { entryOf, isInPeople } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import styles from "../inbox.module.css";
import { type ConversationHeader, ConversationPicture } from "../model/conversation-header.tsx";
import { timeInWords } from "../model/message-text.ts";
import { useMemberNames } from "../model/use-name-of.ts";
import { useChatActions, useFolderAction, useTimerAction } from "./chat-settings.tsx";
import { TheftMark } from "./notice/theft-mark.tsx";
import { UncheckedMark } from "./notice/unchecked-mark.tsx";

const DeleteSheet = lazyPart(async () => (await import("../messages/details/delete-sheet.tsx")).DeleteSheet);
const ExportDialog = lazyPart(async () => (await import("./export/export-dialog.tsx")).ExportDialog);
const FoldersDialog = lazyPart(async () => (await import("./folders/folders-dialog.tsx")).FoldersDialog);
const StarredDialog = lazyPart(async () => (await import("./starred/starred-dialog.tsx")).StarredDialog);
const TimerDialog = lazyPart(async () => (await import("./timer-dialog.tsx")).TimerDialog);

export interface ChatHeaderProps {
  readonly id: ConversationId;
  readonly header: ConversationHeader;
  /** The row of the list; undefined while nothing was said. */
  readonly summary: ConversationSummary | undefined;
  readonly messenger: Messenger;
  readonly isTyping: boolean;
  readonly hasInfo: boolean;
  readonly onInfo: () => void;
  readonly infoButton: RefObject<HTMLElement | null>;
  readonly onSearch: () => void;
  readonly onBack: () => void;
}

/** Name, status or typing, actions. */
export function ChatHeader(props: ChatHeaderProps): ReactElement {
  const { header, onBack, isTyping, hasInfo, onInfo, infoButton } = props;
  const t = useMessages();
  return (
    <PageHeader
      title={header.name}
      titleAction={header.kind === "unknown" ? undefined : { label: t("inbox.personInfo", { name: header.name }), onSelect: onInfo }}
      marks={<Marks {...props} />}
      subtitle={isTyping ? <span className={styles.typingText}>{t("inbox.typing")}</span> : <HeaderStatus header={header} />}
      leading={
        <>
          <BackToList onBack={onBack} />
          <span className={styles.wideOnly}>
            <ConversationPicture header={header} size={36} />
          </span>
        </>
      }
      actions={
        <>
          <CallButtons header={header} />
          {header.kind !== "unknown" && (
            <IconButton
              ref={infoButton}
              icon={Info}
              label={t("inbox.personInfo", { name: header.name })}
              aria-expanded={hasInfo}
              onClick={onInfo}
            />
          )}
          <span className={styles.wideOnly}>
            <IconButton icon={Search} label={t("inbox.searchChat")} onClick={props.onSearch} />
          </span>
          <ChatMenu {...props} />
        </>
      }
    />
  );
}

/** Keys that were compared, how long messages stay, devices that nothing proves, and one without a key that goes. */
function Marks({ header, summary }: Pick<ChatHeaderProps, "header" | "summary">): ReactElement {
  const t = useMessages();
  const seconds = summary?.expiresInS ?? 0;
  const timer = seconds === 0 ? "" : t("inbox.timerAfter", { time: timeInWords(t, seconds) });
  return (
    <>
      {header.kind === "person" && header.isVerified && (
        <BadgeCheck size={16} className={shared.verified} role="img" aria-label={t("common.verified")} />
      )}
      {timer !== "" && <Timer size={15} className={shared.muted} role="img" aria-label={`${t("inbox.timer")}: ${timer}`} />}
      <UncheckedMark header={header} />
      <TheftMark header={header} />
    </>
  );
}

/** Contacts can be called, those who were added privately too. */
function CallButtons({ header }: Pick<ChatHeaderProps, "header">): ReactElement | null {
  const t = useMessages();
  const { directory } = useContactDirectory();
  if (header.kind !== "person" || !canCall() || !isInPeople(entryOf(directory, header.peer))) return null;
  return (
    <>
      <IconButton icon={Phone} label={t("inbox.call.audio")} onClick={(): void => requestCall(header.peer, "audio")} />
      <IconButton icon={Video} label={t("inbox.call.video")} onClick={(): void => requestCall(header.peer, "video")} />
    </>
  );
}

function HeaderStatus({ header }: { readonly header: ConversationHeader }): ReactElement {
  const t = useMessages();
  const { directory, isKnown } = useContactDirectory();
  switch (header.kind) {
    case "self":
      return <span>{t("inbox.beginningSelf")}</span>;
    case "group":
      return <GroupMembers header={header} />;
    case "unknown":
      return <span className={styles.key}>{shorten(header.devicePub)}</span>;
    case "person":
      return (
        <span>{isKnown ? t(`contacts.relation.${entryOf(directory, header.peer).relation}`) : shorten(formatAddress(header.peer))}</span>
      );
  }
}

/** Members by name, as many as fit. */
function GroupMembers({ header }: { readonly header: Extract<ConversationHeader, { readonly kind: "group" }> }): ReactElement {
  const nameOf = useMemberNames(header);
  return <span>{header.group?.members.map(nameOf).join(", ")}</span>;
}

function ChatMenu({ header, id, messenger, summary, onSearch, onBack }: ChatHeaderProps): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const toasts = useToasts();
  const [isDeleting, setDeleting] = useState<boolean>();
  const [isTiming, setTiming] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const [hasStarred, setStarred] = useState(false);
  const [isFiling, setFiling] = useState(false);
  const hasWords = useAllWords();
  const settings = useChatActions(id, messenger, summary);
  const filing = useFolderAction(() => setFiling(true));
  const timer = useTimerAction(() => setTiming(true));
  const mayTime = header.kind === "group" ? header.group?.isMember === true : header.kind !== "unknown";
  const address = header.kind === "person" ? formatAddress(header.peer) : undefined;
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) toasts.show({ title: t("common.addressCopied"), tone: "success" });
  };
  const person: readonly MenuAction[] =
    address === undefined
      ? []
      : [
          { label: t("common.copyAddress"), icon: Copy, onSelect: (): void => void copy(address) },
          {
            label: t("common.openInExplorer"),
            icon: Search,
            onSelect: (): void => void navigate({ to: "/explorer/address/$account", params: { account: id } }),
          },
        ];
  const exporting: readonly MenuAction[] = hasWords
    ? [
        { label: t("inbox.starredMessages"), icon: Star, movesFocus: true, onSelect: (): void => setStarred(true) },
        { label: t("chat.export"), icon: Download, movesFocus: true, onSelect: (): void => setExporting(true) },
      ]
    : [];
  // The button of it has no room in a narrow window.
  const search: MenuAction = { label: t("inbox.searchChat"), icon: Search, movesFocus: true, onSelect: onSearch };
  const deletion: MenuAction = { label: t("inbox.deleteChat"), icon: Trash2, danger: true, onSelect: (): void => setDeleting(true) };
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton icon={Ellipsis} label={t("common.more")} />}
        groups={[
          summary === undefined ? settings : [...settings, filing],
          mayTime ? [timer] : [],
          person,
          [search, ...exporting, deletion],
        ]}
      />
      <Suspense fallback={null}>
        {isTiming && (
          <TimerDialog id={id} messenger={messenger} seconds={summary?.expiresInS ?? 0} onClose={(): void => setTiming(false)} />
        )}
        {isFiling && <FoldersDialog id={id} messenger={messenger} onClose={(): void => setFiling(false)} />}
        {hasStarred && <StarredDialog id={id} messenger={messenger} onClose={(): void => setStarred(false)} />}
        {isDeleting !== undefined && (
          <DeleteSheet
            open={isDeleting}
            what={{ kind: "chat", id, header }}
            messenger={messenger}
            onClose={(): void => setDeleting(false)}
            onDelete={onBack}
          />
        )}
        {isExporting && <ExportDialog id={id} header={header} messenger={messenger} onClose={(): void => setExporting(false)} />}
      </Suspense>
    </>
  );
}
