// Emoji in rows of eight: one stop for Tab, arrow keys move inside.
import { type KeyboardEvent, type ReactElement, type Ref, useState } from "react";
import styles from "./emoji-card.module.css";

const COLUMNS = 8;

export interface EmojiChoice {
  readonly emoji: string;
  readonly label: string;
}

export interface EmojiGridProps {
  readonly label: string;
  readonly choices: readonly EmojiChoice[];
  readonly onPick: (emoji: string) => void;
  /** Of the list; its first child takes the focus from the field above it. */
  readonly ref?: Ref<HTMLUListElement>;
}

export function EmojiGrid({ label, choices, onPick, ref }: EmojiGridProps): ReactElement {
  const [at, setAt] = useState(0);
  const current = Math.min(at, choices.length - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
    const next = target(event.key, { at: current, count: choices.length, isMirrored });
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <ul ref={ref} className={styles.grid} aria-label={label} onKeyDown={onKeyDown}>
      {choices.map(({ emoji, label: name }, index) => (
        <li key={emoji}>
          <button
            type="button"
            className={styles.emoji}
            tabIndex={index === current ? 0 : -1}
            aria-label={name}
            title={name}
            onFocus={(): void => setAt(index)}
            onClick={(): void => onPick(emoji)}
          >
            {emoji}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Where a key leads; undefined for keys that lead nowhere. */
export function target(
  key: string,
  {
    at,
    count,
    isMirrored,
    columns = COLUMNS,
  }: { readonly at: number; readonly count: number; readonly isMirrored: boolean; readonly columns?: number },
): number | undefined {
  const forwards = isMirrored ? "ArrowLeft" : "ArrowRight";
  const back = isMirrored ? "ArrowRight" : "ArrowLeft";
  const steps: Readonly<Record<string, number>> = { [forwards]: 1, [back]: -1, ArrowDown: columns, ArrowUp: -columns };
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  return step === undefined ? undefined : Math.max(0, Math.min(count - 1, at + step));
}
