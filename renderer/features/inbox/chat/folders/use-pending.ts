// A stored value in a view in which several actions change it one after the other.
import { useState } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { MessengerSnapshot } from "#shared/messenger/model/conversation.ts";
import { PendingValue } from "./pending-value.ts";

/** The stored value, or what is being stored; and what changes it. What cannot be stored is said, and shown as it was. */
export function usePending<T>(
  messenger: Messenger,
  select: (snapshot: MessengerSnapshot) => T,
  save: (value: T) => Promise<void>,
): readonly [T, (change: (value: T) => T) => void] {
  const toasts = useToasts();
  const stored = select(useMessengerSnapshot());
  const [shown, show] = useState<{ readonly value: T }>();
  const [pending] = useState(() => new PendingValue<T>());
  // Between the end of a save and the next drawing `stored` is older than what was saved.
  const read = (): T => select(messenger.getSnapshot());
  const change = (next: (value: T) => T): void => void pending.change(next, { read, save, show }).catch(toasts.showError);
  return [shown === undefined ? stored : shown.value, change];
}
