// Short notes at the corner: something was done, with a way to undo it. Errors that stop a task belong beside the task instead.
import { Toast as BaseToast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { type ReactElement, type ReactNode, useMemo } from "react";
import { errorInWords } from "../lib/errors-in-words.ts";
import { useMessages } from "../lib/messages/messages-context.tsx";
import { buttonClassName } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import styles from "./toast.module.css";

/** Kind of a toast. */
export type ToastTone = "neutral" | "success" | "warning" | "danger";

/** One toast. */
export interface ToastContent {
  readonly title: string;
  readonly description?: string;
  readonly tone?: ToastTone;
  /** For example Undo. */
  readonly action?: { readonly label: string; readonly onSelect: () => void };
}

/** What {@link useToasts} gives. */
export interface Toasts {
  show(toast: ToastContent): void;
  /** An error in the words of the catalogue. */
  showError(error: unknown): void;
}

const ICONS = { neutral: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert } as const;
const TIMEOUT_MS = 6_000;
/** Time to press Undo. */
const ACTION_TIMEOUT_MS = 10_000;

/** Shows toasts of everything inside. */
export function ToastProvider(props: { readonly children: ReactNode }): ReactElement {
  const t = useMessages();
  return (
    <BaseToast.Provider timeout={TIMEOUT_MS}>
      {props.children}
      <BaseToast.Portal>
        <BaseToast.Viewport className={styles.viewport} aria-label={t("common.notifications")}>
          <ToastList />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}

/** The way to show toasts. */
export function useToasts(): Toasts {
  const { add, close } = BaseToast.useToastManager();
  const t = useMessages();
  return useMemo(() => {
    const show = (toast: ToastContent): void => {
      const { title, description, tone = "neutral", action } = toast;
      const id: string = add({
        title,
        type: tone,
        priority: tone === "danger" ? "high" : "low",
        ...(description === undefined ? {} : { description }),
        ...(action === undefined ? {} : { timeout: ACTION_TIMEOUT_MS, actionProps: { children: action.label, onClick: run } }),
      });
      function run(): void {
        action?.onSelect();
        close(id);
      }
    };
    const showError = (error: unknown): void => {
      const words = errorInWords(t, error);
      show({ title: words.title, description: words.text, tone: "danger" });
    };
    return { show, showError };
  }, [add, close, t]);
}

function ToastList(): ReactElement[] {
  const { toasts } = BaseToast.useToastManager();
  const t = useMessages();
  return toasts.map((toast) => {
    const Icon = ICONS[(toast.type ?? "neutral") as ToastTone];
    return (
      <BaseToast.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection="right">
        <Icon size={16} className={styles.icon} aria-hidden="true" />
        <BaseToast.Content className={styles.content}>
          <BaseToast.Title className={styles.title} />
          <BaseToast.Description className={styles.description} />
        </BaseToast.Content>
        {toast.actionProps !== undefined && <BaseToast.Action className={buttonClassName({ size: "small" })} />}
        <BaseToast.Close render={<IconButton icon={X} label={t("common.dismiss")} size="small" />} />
      </BaseToast.Root>
    );
  });
}
