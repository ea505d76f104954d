// The window of a confirmation; loaded when one is first opened.
import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactElement, type ReactNode, useRef } from "react";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { Button } from "../controls/button.tsx";
import { Banner } from "../feedback/banner.tsx";
import { KeyValueList, type KeyValueRow } from "../layout/key-value-list.tsx";
import { centered } from "./centered.ts";
import styles from "./confirm-sheet.module.css";
import dialog from "./dialog.module.css";
import { useReturnFocus } from "./use-return-focus.ts";

export interface ConfirmSheetProps {
  readonly open: boolean;
  /** Called by Cancel and Escape; not while busy. */
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
  readonly title: string;
  /** What will happen, in one plain sentence. */
  readonly sentence: ReactNode;
  /** Exact details: full address, amount, fee, total. */
  readonly rows?: readonly KeyValueRow[];
  readonly children?: ReactNode;
  readonly confirmLabel: string;
  /** "Cancel" unless that would be read as what is confirmed. */
  readonly cancelLabel?: string;
  /** Something is lost or cannot be taken back. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly busy?: boolean;
  /** Why the last try did not work. */
  readonly error?: unknown;
}

/**
 * A confirmation for money and keys. It is a dialog, no alert dialog: that one a screen reader reads when it comes, and once more with the
 * button that has the focus.
 */
export function ConfirmWindow(props: ConfirmSheetProps): ReactElement {
  const { open, onCancel, onConfirm, title, sentence, rows, children, confirmLabel } = props;
  const { danger = false, disabled = false, busy = false, error } = props;
  const t = useMessages();
  const cancel = useRef<HTMLElement>(null);
  const returnFocus = useReturnFocus(open);
  const words = error === undefined || error === null ? undefined : errorInWords(t, error);
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(isOpen): void => {
        if (!isOpen && !busy) onCancel();
      }}
    >
      <AlertDialog.Portal>
        {/* Above a form too, so that one sees which of the two is asked. */}
        <AlertDialog.Backdrop forceRender className={dialog.backdrop} />
        <AlertDialog.Viewport ref={centered} className={dialog.viewport}>
          <AlertDialog.Popup {...returnFocus} role="dialog" data-confirmation="" className={dialog.dialog} initialFocus={cancel}>
            <div className={dialog.header}>
              <AlertDialog.Title className={dialog.title}>{title}</AlertDialog.Title>
            </div>
            <div className={dialog.body}>
              <AlertDialog.Description className={styles.sentence}>{sentence}</AlertDialog.Description>
              {rows !== undefined && <KeyValueList rows={rows} />}
              {children}
              {words !== undefined && (
                <Banner tone="danger" title={words.title}>
                  {words.text}
                </Banner>
              )}
            </div>
            <div className={dialog.footer}>
              <Button ref={cancel} onClick={onCancel} disabled={busy}>
                {props.cancelLabel ?? t("common.cancel")}
              </Button>
              {/* It can be pressed while it fades away: a double click confirms once. */}
              <Button
                variant={danger ? "danger" : "primary"}
                onClick={(): void => {
                  if (open) onConfirm();
                }}
                busy={busy}
                disabled={disabled}
              >
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
