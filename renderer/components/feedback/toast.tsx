// A short note that something was done, with a way to undo it. Errors that stop a task belong beside the task instead.
import { type ComponentType, lazy, type ReactElement, Suspense, useMemo } from "react";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type ToastContent, useToastQueue } from "#renderer/lib/toast-queue.ts";

/** What {@link useToasts} gives. */
export interface Toasts {
  show(toast: ToastContent): void;
  /** An error in the words of the catalogue. */
  showError(error: unknown): void;
  /** Takes the toast of this id away, as what it says no longer holds. */
  close(id: string): void;
}

const ToastViewport = lazy(
  async (): Promise<{ readonly default: ComponentType }> => ({ default: (await import("./toast-viewport.tsx")).ToastViewport }),
);

/** Where toasts appear; once in the app. */
export function ToastHost(): ReactElement | null {
  const isNeeded = useToastQueue((queue) => queue.isNeeded);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <ToastViewport />
    </Suspense>
  );
}

/** The way to show toasts. */
export function useToasts(): Toasts {
  const t = useMessages();
  const add = useToastQueue((queue) => queue.add);
  const close = useToastQueue((queue) => queue.close);
  return useMemo(
    () => ({
      show: add,
      close,
      showError: (error): void => {
        const words = errorInWords(t, error);
        add({ title: words.title, description: words.text, tone: "danger" });
      },
    }),
    [add, close, t],
  );
}
