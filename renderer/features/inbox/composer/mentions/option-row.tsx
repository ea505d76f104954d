// One row of a list that opens above the field: the field keeps the focus, names the active row, and its keys choose.
import type { ReactElement, ReactNode } from "react";
import styles from "./mention-list.module.css";

export interface OptionRowProps {
  readonly id: string;
  readonly isActive: boolean;
  readonly onPick: () => void;
  readonly children: ReactNode;
}

export function OptionRow({ id, isActive, onPick, children }: OptionRowProps): ReactElement {
  const show = (element: HTMLElement | null): void => {
    if (isActive) element?.scrollIntoView({ block: "nearest" });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the active one
    <div
      ref={show}
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.person}
      onMouseDown={(event): void => event.preventDefault()}
      onClick={onPick}
    >
      {children}
    </div>
  );
}
