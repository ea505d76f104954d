// The last check before money moves or a key changes: one sentence, exact details, two buttons. Only the buttons and Escape close it.
import { type ComponentType, lazy, type ReactElement, Suspense, useState } from "react";
import type { ConfirmSheetProps } from "./confirm-window.tsx";

const ConfirmWindow = lazy(
  async (): Promise<{ readonly default: ComponentType<ConfirmSheetProps> }> => ({
    default: (await import("./confirm-window.tsx")).ConfirmWindow,
  }),
);

/** A confirmation for money and keys. Its code is loaded when it is first opened. */
export function ConfirmSheet(props: ConfirmSheetProps): ReactElement | null {
  const [isNeeded, setNeeded] = useState(props.open);
  if (props.open && !isNeeded) setNeeded(true);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmWindow {...props} />
    </Suspense>
  );
}
