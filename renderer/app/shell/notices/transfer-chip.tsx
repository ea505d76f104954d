// The copying of history between own devices: a chip in the strip while it runs, a toast when it has ended. Nothing moves for it.
import { type ReactElement, useEffect, useEffectEvent } from "react";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Popover } from "#renderer/components/overlays/popover.tsx";
import { durationInWords } from "#renderer/lib/format/duration.ts";
import { useLanguage, useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { DeviceTransferView } from "#shared/messenger/model/device-transfer.ts";
import styles from "../shell.module.css";

/** The chip, or nothing. */
export function TransferChip(): ReactElement | null {
  const transfer = useMessengerValue((messenger) => messenger.deviceTransfer);
  useEnd(transfer);
  return transfer?.phase === "running" ? <RunningTransfer transfer={transfer} /> : null;
}

function RunningTransfer({ transfer }: { readonly transfer: DeviceTransferView }): ReactElement {
  const { t, locale } = useLanguage();
  const messenger = useMessenger();
  const { role, deviceName, done, total } = transfer;
  const share = total === 0 ? undefined : Math.min(1, done / total);
  const percent = share === undefined ? "" : ` · ${new Intl.NumberFormat(locale, { style: "percent" }).format(share)}`;
  const cancel = (): void => void messenger?.cancelDeviceTransfer().catch(() => undefined);
  return (
    <Popover
      title={t(`shell.transfer.${role}.running`, { name: deviceName ?? "" })}
      side="top"
      trigger={
        <button type="button" className={styles.chip}>
          <Spinner />
          {`${t("shell.transferring")}${percent}`}
        </button>
      }
    >
      <div className={styles.details}>
        <progress className={styles.transfer} aria-label={t("shell.transferring")} {...(share !== undefined && { value: share })} />
        {total > 0 && <p>{t("shell.transferCount", { done, total })}</p>}
        <WithAllWords>
          <Prospect transfer={transfer} />
        </WithAllWords>
        <Button size="small" onClick={cancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </Popover>
  );
}

/** How long it still takes, or why it waits. */
function Prospect({ transfer }: { readonly transfer: DeviceTransferView }): ReactElement | null {
  const t = useMessages();
  const { problem, leftMs } = transfer;
  if (problem?.code === "STORAGE_FULL") return <p role="status">{t("shell.transferNoRoom")}</p>;
  return leftMs === null ? null : <p>{t("shell.transferLeft", { duration: durationInWords(t, leftMs) })}</p>;
}

/** Says once how it ended, and forgets it. */
function useEnd(transfer: DeviceTransferView | null): void {
  const t = useMessages();
  const toasts = useToasts();
  const messenger = useMessenger();
  const end = transfer === null || transfer.phase === "running" ? undefined : transfer.phase;
  const say = useEffectEvent(() => {
    if (transfer === null || end === undefined) return;
    const title = t(`shell.transfer.${transfer.role}.${end}`, { name: transfer.deviceName ?? "" });
    toasts.show({ title, tone: end === "done" ? "success" : "warning" });
    void messenger?.cancelDeviceTransfer().catch(() => undefined);
  });
  useEffect(() => {
    if (end !== undefined) say();
  }, [end]);
}
