// The way to take back the payment of a request that waits by the spending rules.
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useCancelWaiting } from "#renderer/components/transactions/use-cancel-waiting.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { WaitingClaim } from "../use-waiting-payment.ts";
import styles from "./card.module.css";

/** Nothing once it was signed: a node may have it. */
export function CancelWaiting({ payment: { id, isSigned } }: { readonly payment: WaitingClaim }): ReactElement | null {
  const t = useMessages();
  const { cancel, isPending } = useCancelWaiting();
  if (isSigned) return null;
  return (
    <div className={styles.actions}>
      <Button size="small" busy={isPending} onClick={(): void => cancel(id)}>
        {t("payments.cancelWaiting")}
      </Button>
    </div>
  );
}
