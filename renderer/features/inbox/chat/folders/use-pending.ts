// A value that several actions change one after the other: the next one counts from what was chosen, not from what is stored by now.
import { useRef, useState } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";

/** The stored value, or what is being stored; and what changes it. What cannot be stored is said, and shown as it was. */
export function usePending<T>(stored: T, save: (value: T) => Promise<void>): readonly [T, (change: (value: T) => T) => void] {
  const toasts = useToasts();
  const [shown, setShown] = useState<{ readonly value: T }>();
  const pending = useRef<{ count: number; value: T }>({ count: 0, value: stored });
  const change = (next: (value: T) => T): void => {
    const value = next(pending.current.count > 0 ? pending.current.value : stored);
    pending.current = { count: pending.current.count + 1, value };
    setShown({ value });
    const settle = (): void => {
      pending.current = { ...pending.current, count: pending.current.count - 1 };
      if (pending.current.count === 0) setShown(undefined);
    };
    save(value).catch(toasts.showError).finally(settle);
  };
  return [shown === undefined ? stored : shown.value, change];
}
