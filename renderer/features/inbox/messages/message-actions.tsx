// What one can do with a message: react, answer, copy, change, take back, remove.
import {
  Copy,
  Ellipsis,
  Forward,
  History,
  Info,
  ListChecks,
  Pencil,
  Pin,
  PinOff,
  Reply,
  RotateCw,
  SmilePlus,
  Star,
  StarOff,
  Trash2,
  Undo2,
} from "lucide-react";
import { type ReactElement, type RefObject, Suspense, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import { ContextMenu } from "#renderer/components/overlays/context-menu.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import { useContextMenu } from "#renderer/components/overlays/use-context-menu.ts";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useAllWords, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { hasTrait } from "#shared/messenger/model/body-traits.ts";
import type { ChatMessage, ConversationId } from "#shared/messenger/model/message.ts";
import { canForward } from "../forward/forward-message.ts";
import { setComposerMode } from "../model/chat-intent-store.ts";
import { focusComposer } from "../model/composer-focus.ts";
import { type ConversationHeader, mayPin } from "../model/conversation-header.tsx";
import { previewOf, textOfBody } from "../model/message-text.ts";
import styles from "./bubble.module.css";
import { EmojiPicker } from "./parts/emoji/emoji-picker.tsx";
import { useReact } from "./parts/use-react.ts";
import { beginSelection } from "./selection/selection-store.ts";

const ForwardDialog = lazyPart(async () => (await import("../forward/forward-dialog.tsx")).ForwardDialog);
const InfoDialog = lazyPart(async () => (await import("./details/info-dialog.tsx")).InfoDialog);
const WordingsDialog = lazyPart(async () => (await import("./details/wordings-dialog.tsx")).WordingsDialog);
const DeleteSheet = lazyPart(async () => (await import("./details/delete-sheet.tsx")).DeleteSheet);

/** Authors can change and take back this long. */
const CHANGE_MS = 86_400_000;

export interface MessageActionsProps {
  readonly id: ConversationId;
  readonly message: ChatMessage;
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
  /** Where the other mouse button opens the same menu. */
  readonly area: RefObject<HTMLElement | null>;
}

/** Buttons beside the bubble, shown while it is pointed at or has the focus. */
export function MessageActions(props: MessageActionsProps): ReactElement {
  const { id, message, header, messenger, area } = props;
  const t = useMessages();
  const toasts = useToasts();
  const pointed = useContextMenu(area);
  const [isTakingBack, setTakingBack] = useState(false);
  const [isRemoving, setRemoving] = useState<boolean>();
  const react = useReact(messenger, message);
  const [hasInfo, setInfo] = useState(false);
  const [isForwarding, setForwarding] = useState(false);
  const [hasWordings, setWordings] = useState(false);
  const groups = useActions(props, {
    takeBack: () => setTakingBack(true),
    remove: () => setRemoving(true),
    showInfo: () => setInfo(true),
    forward: () => setForwarding(true),
    showWordings: () => setWordings(true),
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <span className={styles.actions} role="group" aria-label={previewOf(t, message.body)}>
      {canReply(message, header) && (
        <>
          <EmojiPicker
            title={t("inbox.react")}
            trigger={<IconButton icon={SmilePlus} size="small" label={t("inbox.react")} />}
            onPick={react}
          />
          <IconButton icon={Reply} size="small" label={t("inbox.reply")} onClick={(): void => replyTo(id, message)} />
        </>
      )}
      <Menu trigger={<IconButton icon={Ellipsis} size="small" label={t("inbox.actions")} />} groups={groups} />
      {pointed !== undefined && <ContextMenu groups={groups} {...pointed} />}
      <Suspense fallback={null}>
        {hasInfo && <InfoDialog message={message} header={header} onClose={(): void => setInfo(false)} />}
        {isForwarding && <ForwardDialog messages={[message]} messenger={messenger} onClose={(): void => setForwarding(false)} />}
        {hasWordings && message.wordings !== null && (
          <WordingsDialog wordings={message.wordings} onClose={(): void => setWordings(false)} />
        )}
        {isRemoving !== undefined && (
          <DeleteSheet
            open={isRemoving}
            what={{ kind: "messages", keys: [message.key] }}
            messenger={messenger}
            onClose={(): void => setRemoving(false)}
          />
        )}
      </Suspense>
      <ConfirmSheet
        open={isTakingBack}
        danger
        title={t("inbox.takeBackTitle")}
        sentence={takingBackInWords(t, header)}
        confirmLabel={t("inbox.takeBack")}
        onCancel={(): void => setTakingBack(false)}
        onConfirm={(): void => {
          setTakingBack(false);
          messenger.deleteForEveryone(message.key).catch(toasts.showError);
        }}
      />
    </span>
  );
}

function useActions(
  props: MessageActionsProps,
  {
    takeBack,
    remove,
    showInfo,
    forward,
    showWordings,
  }: Readonly<Record<"takeBack" | "remove" | "showInfo" | "forward" | "showWordings", () => void>>,
): readonly (readonly MenuAction[])[] {
  const { id, message, header, messenger } = props;
  const t = useMessages();
  const toasts = useToasts();
  const pinning = usePinActions(props);
  const starring = useStarActions(props);
  const hasWords = useAllWords();
  const { key, body, problem, state, isOnOtherDevice } = message;
  const copy = async (): Promise<void> => {
    if (await copyText(textOfBody(t, body))) toasts.show({ title: t("inbox.textCopied"), tone: "success" });
  };
  const general: MenuAction[] = [];
  if (canReply(message, header))
    general.push({ label: t("inbox.reply"), icon: Reply, movesFocus: true, onSelect: (): void => replyTo(id, message) });
  if ("text" in body) general.push({ label: t("inbox.copyText"), icon: Copy, onSelect: () => void copy() });
  if (canForward(message)) general.push({ label: t("inbox.forward"), icon: Forward, onSelect: forward });
  if (hasWords)
    general.push({
      label: t("chat.select"),
      icon: ListChecks,
      movesFocus: true,
      onSelect: (): void => beginSelection(id, key),
    });
  general.push(...starring, ...pinning);
  if (canChange(message) && hasTrait(body, "isEditable")) {
    general.push({ label: t("inbox.edit"), icon: Pencil, movesFocus: true, onSelect: (): void => change(id, message) });
  }
  if (message.wordings !== null) general.push({ label: t("inbox.wordings"), icon: History, onSelect: showWordings });
  if (hasWords && message.id !== "") general.push({ label: t("chat.info"), icon: Info, movesFocus: true, onSelect: showInfo });
  if (!isOnOtherDevice && (state === "failed" || (state === "queued" && problem !== null))) {
    general.push({
      label: t("inbox.retryNow"),
      icon: RotateCw,
      onSelect: (): void => void messenger.retry(key).catch(toasts.showError),
    });
  }
  const removal: MenuAction[] = canChange(message) ? [{ label: t("inbox.takeBack"), icon: Undo2, danger: true, onSelect: takeBack }] : [];
  removal.push({
    label: t("inbox.delete"),
    icon: Trash2,
    danger: true,
    onSelect: remove,
  });
  return [general, removal];
}

/** Starring for oneself. */
function useStarActions({ message, messenger }: MessageActionsProps): readonly MenuAction[] {
  const t = useMessages();
  const toasts = useToasts();
  const { key, id, body, isStarred } = message;
  if (id === "" || hasTrait(body, "isFixed")) return [];
  return [
    {
      label: t(isStarred ? "inbox.unstar" : "inbox.star"),
      icon: isStarred ? StarOff : Star,
      onSelect: (): void => void messenger.starMessage(key, !isStarred).catch(toasts.showError),
    },
  ];
}

/** Pinning for everyone, where one may. */
function usePinActions({ message, header, messenger }: MessageActionsProps): readonly MenuAction[] {
  const t = useMessages();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const { key, id, body, isPinned } = message;
  if (!mayPin(header, masterPub) || id === "" || hasTrait(body, "isFixed")) return [];
  return [
    {
      label: t(isPinned ? "inbox.unpin" : "inbox.pin"),
      icon: isPinned ? PinOff : Pin,
      onSelect: (): void => void messenger.pinMessage(key, !isPinned).catch(toasts.showError),
    },
  ];
}

function takingBackInWords(t: Translate, { kind, name }: ConversationHeader): string {
  if (kind === "group") return t("inbox.takeBackGroup");
  return kind === "self" ? t("inbox.takeBackSelf") : t("inbox.takeBackText", { name });
}

/** Begins to change an own message. */
export function change(id: ConversationId, message: ChatMessage): void {
  setComposerMode(id, { kind: "edit", message });
  focusComposer();
}

/** True while the author can change or take back a message. */
export function canChange({ direction, at, body, payment }: ChatMessage): boolean {
  const isHeld = payment !== null && payment.held !== null;
  return direction === "out" && !isHeld && !hasTrait(body, "isPermanent") && Date.now() - at < CHANGE_MS;
}

/** True for what can be answered and reacted to. */
export function canReply({ body, payment }: ChatMessage, header: ConversationHeader): boolean {
  if (payment !== null && payment.held !== null) return false;
  return header.kind !== "unknown" && !hasTrait(body, "isUnanswerable");
}

function replyTo(id: ConversationId, message: ChatMessage): void {
  setComposerMode(id, { kind: "reply", message });
  focusComposer();
}
