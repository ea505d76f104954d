// Settings of a chat: pinned, muted, archived, and how long its messages stay.
import { Archive, ArchiveRestore, AtSign, Bell, BellOff, Pin, PinOff, Timer } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { timeInWords } from "../model/message-text.ts";

const HOUR_MS = 3_600_000;
const MUTE_HOURS = [8, 168] as const;
/** As good as for ever. */
const ALWAYS = Number.MAX_SAFE_INTEGER;
const TIMER_CHOICES = ["0", "30", "300", "3600", "28800", "86400", "604800", "2419200"] as const;

export function useChatActions(id: ConversationId, messenger: Messenger, summary: ConversationSummary | undefined): readonly MenuAction[] {
  const t = useMessages();
  const toasts = useToasts();
  const { kind, isPinned = false, isArchived = false, mutedUntil = 0, mutesMentions = false } = summary ?? {};
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
  return [
    { label: isPinned ? t("inbox.unpin") : t("inbox.pin"), icon: isPinned ? PinOff : Pin, onSelect: () => set({ isPinned: !isPinned }) },
    ...muting,
    {
      label: isArchived ? t("inbox.unarchive") : t("inbox.archive"),
      icon: isArchived ? ArchiveRestore : Archive,
      onSelect: () => set({ isArchived: !isArchived }),
    },
  ];
}

/** The action that opens {@link TimerDialog}. */
export function useTimerAction(open: () => void): MenuAction {
  const t = useMessages();
  return { label: t("inbox.timer"), icon: Timer, onSelect: open };
}

export interface TimerDialogProps {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  readonly seconds: number;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks how long messages stay. */
export function TimerDialog({ id, messenger, seconds, isOpen, onClose }: TimerDialogProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [chosen, setChosen] = useState<string>();
  const value = chosen ?? String(seconds);
  const choices = [...new Set([...TIMER_CHOICES, value])].sort((a, b) => Number(a) - Number(b));
  const save = (): void => {
    messenger.setTimer(id, Number(value)).catch(toasts.showError);
    setChosen(undefined);
    onClose();
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={onClose}
      title={t("inbox.timer")}
      description={t("inbox.timerText")}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" onClick={save}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <Select
        label={t("inbox.timerLabel")}
        value={value}
        onChange={setChosen}
        options={choices.map((choice) => ({
          value: choice,
          label: choice === "0" ? t("common.never") : timeInWords(t, Number(choice)),
        }))}
      />
    </Dialog>
  );
}
