// Asks when what was written is to be sent.
import type { ReactElement } from "react";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { focusComposer } from "../../model/composer-focus.ts";
import { TimeForm } from "./time-form.tsx";

export interface SendLaterProps {
  readonly onChoose: (dueAt: number) => void;
  readonly onClose: () => void;
}

/** The dialog; open as long as it is mounted. */
export function SendLater(props: SendLaterProps): ReactElement {
  return (
    <WithAllWords>
      <OpenDialog {...props} />
    </WithAllWords>
  );
}

function OpenDialog({ onChoose, onClose }: SendLaterProps): ReactElement {
  const t = useMessages();
  const close = (): void => {
    onClose();
    focusComposer();
  };
  return (
    <Dialog
      open
      title={t("chat.later")}
      description={t("chat.laterText")}
      onOpenChange={(isOpen): void => {
        if (!isOpen) close();
      }}
    >
      <TimeForm
        action={t("chat.laterSchedule")}
        onCancel={close}
        onChoose={(dueAt): void => {
          onChoose(dueAt);
          close();
        }}
      />
    </Dialog>
  );
}
