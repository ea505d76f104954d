// A window that opens from the composer, which has the focus again once it is closed.
import type { ReactElement, ReactNode } from "react";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import type { DialogProps } from "#renderer/components/overlays/dialog-window.tsx";
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { focusComposer } from "../model/composer-focus.ts";

export interface ComposerDialogProps extends Pick<DialogProps, "keepOpen"> {
  readonly titleKey: PlainMessageKey;
  readonly descriptionKey?: PlainMessageKey | undefined;
  readonly onClose: () => void;
  /** Where Escape and the button at the top lead instead of closing it. */
  readonly onBack?: (() => void) | undefined;
  /** What is in it; called with what closes it. */
  readonly children: (close: () => void) => ReactNode;
}

/** The dialog; open as long as it is mounted. */
export function ComposerDialog(props: ComposerDialogProps): ReactElement {
  return (
    <WithAllWords>
      <OpenDialog {...props} />
    </WithAllWords>
  );
}

function OpenDialog({ titleKey, descriptionKey, onClose, onBack, children, ...options }: ComposerDialogProps): ReactElement {
  const t = useMessages();
  const close = (): void => {
    onClose();
    focusComposer();
  };
  return (
    <Dialog
      {...options}
      open
      title={t(titleKey)}
      {...(descriptionKey !== undefined && { description: t(descriptionKey) })}
      onOpenChange={(isOpen): void => {
        if (!isOpen) (onBack ?? close)();
      }}
    >
      {children(close)}
    </Dialog>
  );
}
