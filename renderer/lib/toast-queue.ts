// Toasts on their way to the screen.
import { create } from "zustand";

/** Kind of a toast. */
export type ToastTone = "neutral" | "success" | "warning" | "danger";

export interface ToastContent {
  /** A later toast of the same id takes the place of the earlier one. */
  readonly id?: string;
  readonly title: string;
  readonly description?: string;
  readonly tone?: ToastTone;
  /** For example Undo. */
  readonly action?: { readonly label: string; readonly onSelect: () => void };
}

interface ToastQueue {
  /** True from the first toast on: nothing is loaded before. */
  readonly isNeeded: boolean;
  /** Not shown yet. */
  readonly waiting: readonly ToastContent[];
  add(toast: ToastContent): void;
  /** Takes all that wait. */
  take(): readonly ToastContent[];
  /** Ids of shown toasts that say what no longer holds. */
  readonly outdated: readonly string[];
  /** Takes a toast of this id away, shown or not. */
  close(id: string): void;
  /** Takes the ids of toasts that are to be closed. */
  takeOutdated(): readonly string[];
}

/** Toasts on their way from {@link useToasts} to the viewport. */
export const useToastQueue = create<ToastQueue>()((set, get) => ({
  isNeeded: false,
  waiting: [],
  add: (toast) => set({ isNeeded: true, waiting: [...get().waiting, actingOnce(toast)] }),
  take: () => {
    const { waiting } = get();
    if (waiting.length > 0) set({ waiting: [] });
    return waiting;
  },
  outdated: [],
  close: (id) => {
    const { isNeeded, waiting, outdated } = get();
    if (isNeeded) set({ waiting: waiting.filter((toast) => toast.id !== id), outdated: [...outdated, id] });
  },
  takeOutdated: () => {
    const { outdated } = get();
    if (outdated.length > 0) set({ outdated: [] });
    return outdated;
  },
}));

/** A second press comes while the toast leaves: to undo again would say that it is too late. */
function actingOnce(toast: ToastContent): ToastContent {
  const { action } = toast;
  if (action === undefined) return toast;
  let isDone = false;
  const onSelect = (): void => {
    if (!isDone) action.onSelect();
    isDone = true;
  };
  return { ...toast, action: { ...action, onSelect } };
}
