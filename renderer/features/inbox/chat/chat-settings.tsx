// Settings of a chat in its menu: read, pinned, muted, archived.
import { useNavigate } from "@tanstack/react-router";
import { Archive, ArchiveRestore, AtSign, Bell, BellOff, Folder, Mail, MailOpen, Pin, PinOff, Timer } from "lucide-react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { focusRow } from "../model/composer-focus.ts";
import { rememberOpen, useInboxStore } from "../model/inbox-store.ts";
import { timeInWords } from "../model/message-text.ts";

const HOUR_MS = 3_600_000;
const MUTE_HOURS = [8, 168] as const;
/** Marks the open chat as unread. With E it would open the developer tools of Firefox, with U the input method of many desktops. */
export const MARK_UNREAD = "mod+shift+g";
/** As good as for ever. */
const ALWAYS = Number.MAX_SAFE_INTEGER;

export function useChatActions(id: ConversationId, messenger: Messenger, summary: ConversationSummary | undefined): readonly MenuAction[] {
  const t = useMessages();
  const toasts = useToasts();
  const {
    kind,
    isPinned = false,
    isArchived = false,
    mutedUntil = 0,
    mutesMentions = false,
    unread = 0,
    isMarkedUnread = false,
  } = summary ?? {};
  const markUnread = useMarkUnread(messenger);
  const isOpen = useInboxStore((store) => store.open === id);
  const set = (flags: Parameters<Messenger["setChat"]>[1]): void => void messenger.setChat(id, flags).catch(toasts.showError);
  const mute = (hours: number): MenuAction => ({
    label: t("inbox.muteFor", { time: timeInWords(t, hours * 3600) }),
    icon: BellOff,
    onSelect: () => set({ mutedUntil: Date.now() + hours * HOUR_MS }),
  });
  const mentions: MenuAction = {
    label: t(mutesMentions ? "inbox.mentionsNotify" : "inbox.mentionsMute"),
    icon: AtSign,
    onSelect: () => set({ mutesMentions: !mutesMentions }),
  };
  const muting: readonly MenuAction[] =
    mutedUntil > Date.now()
      ? [{ label: t("inbox.unmute"), icon: Bell, onSelect: () => set({ mutedUntil: 0 }) }, ...(kind === "group" ? [mentions] : [])]
      : [...MUTE_HOURS.map(mute), { label: t("inbox.muteAlways"), icon: BellOff, onSelect: () => set({ mutedUntil: ALWAYS }) }];
  const isUnread = unread > 0 || isMarkedUnread;
  return [
    isUnread
      ? { label: t("inbox.markRead"), icon: MailOpen, onSelect: () => void messenger.markRead(id).catch(toasts.showError) }
      : { label: t("inbox.markUnread"), icon: Mail, shortcut: MARK_UNREAD, movesFocus: isOpen, onSelect: () => markUnread(id) },
    { label: isPinned ? t("inbox.unpin") : t("inbox.pin"), icon: isPinned ? PinOff : Pin, onSelect: () => set({ isPinned: !isPinned }) },
    ...muting,
    {
      label: isArchived ? t("inbox.unarchive") : t("inbox.archive"),
      icon: isArchived ? ArchiveRestore : Archive,
      onSelect: () => set({ isArchived: !isArchived }),
    },
  ];
}

/** Marks a chat as unread, and closes it where it is open: it would count as read again. */
export function useMarkUnread(messenger: Messenger): (id: ConversationId) => void {
  const toasts = useToasts();
  const navigate = useNavigate();
  return (id) => {
    messenger.setChat(id, { isMarkedUnread: true }).catch(toasts.showError);
    if (useInboxStore.getState().open !== id) return;
    rememberOpen(null);
    void navigate({ to: "/inbox" }).then(() => focusRow(id));
  };
}

/** The action that opens the dialog of folders for a chat. */
export function useFolderAction(open: () => void): MenuAction {
  const t = useMessages();
  return { label: t("inbox.folders"), icon: Folder, movesFocus: true, onSelect: open };
}

/** The action that opens the dialog of how long messages stay. */
export function useTimerAction(open: () => void): MenuAction {
  const t = useMessages();
  return { label: t("inbox.timer"), icon: Timer, onSelect: open };
}
