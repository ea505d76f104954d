// How long the messages of a chat stay.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { timeInWords } from "../model/message-text.ts";

const TIMER_CHOICES = ["0", "30", "300", "3600", "28800", "86400", "604800", "2419200"] as const;

export interface TimerDialogProps {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  readonly seconds: number;
  readonly onClose: () => void;
}

/** Asks how long messages stay; open as long as it is mounted. */
export function TimerDialog({ id, messenger, seconds, onClose }: TimerDialogProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [chosen, setChosen] = useState<string>();
  const value = chosen ?? String(seconds);
  const choices = [...new Set([...TIMER_CHOICES, value])].sort((a, b) => Number(a) - Number(b));
  const save = (): void => {
    messenger.setTimer(id, Number(value)).catch(toasts.showError);
    onClose();
  };
  return (
    <Dialog
      open
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
