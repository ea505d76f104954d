// A window above the view. Focus moves in, stays in, and goes back; Escape and the backdrop close it.
import { type ComponentType, lazy, type ReactElement, type ReactNode, type RefObject, Suspense, useState } from "react";

const DialogWindow = lazy(
  async (): Promise<{ readonly default: ComponentType<DialogProps> }> => ({ default: (await import("./dialog-window.tsx")).DialogWindow }),
);

/** Props of {@link Dialog}. */
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
}

/** A modal dialog, or a sheet. Its code is loaded when it is first opened. */
export function Dialog(props: DialogProps): ReactElement | null {
  const [isWanted, setWanted] = useState(props.open);
  if (props.open && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense fallback={null}>
      <DialogWindow {...props} />
    </Suspense>
  );
}
