// A window above the view. Focus moves in, stays in, and goes back; Escape and the backdrop close it.
import { type ComponentType, lazy, type ReactElement, Suspense, useState } from "react";
import type { DialogProps } from "./dialog-window.tsx";

const DialogWindow = lazy(
  async (): Promise<{ readonly default: ComponentType<DialogProps> }> => ({ default: (await import("./dialog-window.tsx")).DialogWindow }),
);

/** A modal dialog, or a sheet. Its code is loaded when it is first opened. */
export function Dialog(props: DialogProps): ReactElement | null {
  const [isNeeded, setNeeded] = useState(props.open);
  if (props.open && !isNeeded) setNeeded(true);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <DialogWindow {...props} />
    </Suspense>
  );
}
