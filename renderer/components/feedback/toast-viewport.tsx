// The toasts on screen; loaded with the first one.
import { useDirection } from "@base-ui/react/direction-provider";
import { Toast as BaseToast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { type ReactElement, useEffect } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type ToastTone, useToastQueue } from "#renderer/lib/toast-queue.ts";
import { buttonClassName } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import styles from "./toast-viewport.module.css";

const ICONS = { neutral: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert } as const;
const TIMEOUT_MS = 6_000;
/** Time to press Undo. */
const ACTION_TIMEOUT_MS = 10_000;

/** Shows what {@link useToastQueue} holds. */
export function ToastViewport(): ReactElement {
  const t = useMessages();
  return (
    <BaseToast.Provider timeout={TIMEOUT_MS}>
      <BaseToast.Portal>
        <BaseToast.Viewport className={styles.viewport} aria-label={t("common.notifications")}>
          <ToastList />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}

function ToastList(): ReactElement[] {
  const { toasts } = BaseToast.useToastManager();
  const t = useMessages();
  const direction = useDirection();
  useShowWaiting();
  return toasts.map((toast) => {
    const Icon = ICONS[(toast.type ?? "neutral") as ToastTone];
    return (
      <BaseToast.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection={direction === "rtl" ? "left" : "right"}>
        <Icon size={16} className={styles.icon} aria-hidden="true" />
        <BaseToast.Content className={styles.content}>
          <BaseToast.Title className={styles.title} />
          <BaseToast.Description className={shared.hint} />
        </BaseToast.Content>
        {toast.actionProps !== undefined && <BaseToast.Action className={buttonClassName({ size: "small" })} />}
        <BaseToast.Close render={<IconButton icon={X} label={t("common.dismiss")} size="small" />} />
      </BaseToast.Root>
    );
  });
}

/** Hands what waits to the manager of the viewport. */
function useShowWaiting(): void {
  const { add, close } = BaseToast.useToastManager();
  const waiting = useToastQueue((queue) => queue.waiting);
  const take = useToastQueue((queue) => queue.take);
  const outdated = useToastQueue((queue) => queue.outdated);
  const takeOutdated = useToastQueue((queue) => queue.takeOutdated);
  useEffect(() => {
    if (outdated.length > 0) for (const id of takeOutdated()) close(id);
  }, [close, outdated, takeOutdated]);
  useEffect(() => {
    if (waiting.length === 0) return;
    for (const { id: given, title, description, tone = "neutral", action } of take()) {
      const id: string = add({
        ...(given !== undefined && { id: given }),
        title,
        description,
        type: tone,
        priority: tone === "danger" ? "high" : "low",
        ...(action !== undefined && { timeout: ACTION_TIMEOUT_MS, actionProps: { children: action.label, onClick: run } }),
      });
      function run(): void {
        action?.onSelect();
        close(id);
      }
    }
  }, [add, close, take, waiting]);
}
