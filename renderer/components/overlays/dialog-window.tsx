// The window of a dialog; loaded when one is first opened.
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactElement, ReactNode, RefObject } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { centered } from "./centered.ts";
import styles from "./dialog.module.css";
import { useReturnFocus } from "./use-return-focus.ts";

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons, the primary one last. */
  readonly footer?: ReactNode;
  /** `sheet` slides in from the right over the full height: for details and longer forms. */
  readonly placement?: "center" | "sheet";
  readonly wide?: boolean;
  /** The element to focus first, when it is not the first one. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** Keeps a press outside from closing: for forms whose input would be lost. */
  readonly keepOpen?: boolean;
  /** Another window takes its place: the focus is that one's, and does not go back to what opened this one. */
  readonly givesWay?: boolean;
}

/** A modal dialog, or a sheet. */
export function DialogWindow(props: DialogProps): ReactElement {
  const {
    open,
    onOpenChange,
    title,
    description,
    children,
    footer,
    placement = "center",
    wide = false,
    initialFocus,
    keepOpen = false,
    givesWay = false,
  } = props;
  const t = useMessages();
  const returnFocus = useReturnFocus(open);
  const isSheet = placement === "sheet";
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={keepOpen}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Viewport className={classNames(styles.viewport, isSheet && styles.sheetViewport)} {...(!isSheet && { ref: centered })}>
          <BaseDialog.Popup
            {...returnFocus}
            {...(givesWay && { finalFocus: false })}
            className={classNames(styles.dialog, isSheet && styles.sheet, wide && styles.wide)}
            {...(initialFocus !== undefined && { initialFocus: (): boolean => focusInPlace(initialFocus.current) })}
          >
            <div className={styles.header}>
              <div className={styles.headings}>
                <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
                {description !== undefined && <BaseDialog.Description className={styles.description}>{description}</BaseDialog.Description>}
              </div>
            </div>
            <div className={styles.body} data-in-order="">
              {children}
            </div>
            {footer !== undefined && <div className={styles.footer}>{footer}</div>}
            <div className={styles.close}>
              <BaseDialog.Close render={<IconButton icon={X} label={t("common.close")} size="small" hideTooltip />} />
            </div>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** Focuses without scrolling: a dialog opens at its top, however low its window is. True leaves the focus to the window. */
function focusInPlace(element: HTMLElement | null): boolean {
  element?.focus({ preventScroll: true });
  return element === null;
}
