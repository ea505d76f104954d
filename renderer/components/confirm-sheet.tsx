// The last look before money moves or a key changes: one sentence, exact facts, two buttons. Only the buttons and Escape close it.
import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useState } from "react";
import type { KeyValueRow } from "./key-value-list.tsx";

const ConfirmWindow = lazy(
  async (): Promise<{ readonly default: ComponentType<ConfirmSheetProps> }> => ({
    default: (await import("./confirm-window.tsx")).ConfirmWindow,
  }),
);

/** Props of {@link ConfirmSheet}. */
export interface ConfirmSheetProps {
  readonly open: boolean;
  /** Called by Cancel and Escape; not while busy. */
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
  readonly title: string;
  /** What will happen, in one plain sentence. */
  readonly sentence: ReactNode;
  /** Exact facts: full address, amount, fee, total. */
  readonly rows?: readonly KeyValueRow[];
  readonly children?: ReactNode;
  readonly confirmLabel: string;
  /** Something is lost or cannot be taken back. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly busy?: boolean;
  /** Why the last try did not work. */
  readonly error?: unknown;
}

/** A confirmation for money and keys. Its code is loaded when it is first opened. */
export function ConfirmSheet(props: ConfirmSheetProps): ReactElement | null {
  const [isWanted, setWanted] = useState(props.open);
  if (props.open && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmWindow {...props} />
    </Suspense>
  );
}
