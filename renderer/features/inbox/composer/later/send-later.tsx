// Asks when what was written is to be sent.
import type { ReactElement } from "react";
import { ComposerDialog } from "../composer-dialog.tsx";
import { TimeForm } from "./time-form.tsx";

export interface SendLaterProps {
  readonly onChoose: (dueAt: number) => void;
  readonly onClose: () => void;
}

/** The dialog; open as long as it is mounted. */
export function SendLater({ onChoose, onClose }: SendLaterProps): ReactElement {
  return (
    <ComposerDialog titleKey="chat.later" descriptionKey="chat.laterText" onClose={onClose}>
      {(close): ReactElement => (
        <TimeForm
          action="chat.laterSchedule"
          onCancel={close}
          onChoose={(dueAt): void => {
            onChoose(dueAt);
            close();
          }}
        />
      )}
    </ComposerDialog>
  );
}
