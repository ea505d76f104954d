// Paying or asking for money without leaving the chat: one sheet, one confirmation, and back with a card among the messages.
import { BadgeCheck } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { openPaySheet } from "#renderer/lib/messenger/pay-order.ts";
import { typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { focusComposer } from "../../model/composer-focus.ts";
import type { PayDraft, PaySheetProps, PersonHeader } from "./form-props.ts";
import { PayForm } from "./pay-form.tsx";
import styles from "./pay-sheet.module.css";
import { RequestForm } from "./request-form.tsx";

/** The sheet; open as long as it is mounted. */
export function PaySheet(props: PaySheetProps): ReactElement {
  return (
    <WithAllWords>
      <OpenSheet {...props} />
    </WithAllWords>
  );
}

function OpenSheet(props: PaySheetProps): ReactElement {
  const { order, header } = props;
  const t = useMessages();
  const [mode, setMode] = useState<"pay" | "request">("pay");
  const [isReviewed, setReviewed] = useState(false);
  const amountUt = order.amountUt ?? (order.request?.body.kind === "pay.request" ? order.request.body.amountUt : undefined);
  const asked = order.request === undefined ? undefined : amountUt;
  const [draft, setDraft] = useState<PayDraft>({
    amount: amountUt === undefined ? "" : typedAmount(amountUt, t.locale),
    note: order.note ?? "",
  });
  const change = (changes: Partial<PayDraft>): void => setDraft((before) => ({ ...before, ...changes }));
  const close = (): void => {
    openPaySheet(null);
    focusComposer();
  };
  const form = { ...props, draft, onChange: change, onDone: close };
  return (
    <Dialog
      open
      keepOpen
      onOpenChange={(isOpen): void => {
        if (!isOpen) close();
      }}
      title={t(mode === "pay" ? "payments.sheetPay" : "payments.sheetRequest", { name: header.name })}
    >
      {!isReviewed && <Person header={header} />}
      {order.request === undefined && !isReviewed && (
        <div className={styles.modes}>
          <SegmentedControl
            label={t("payments.mode")}
            value={mode}
            onChange={setMode}
            options={(["pay", "request"] as const).map((value) => ({ value, label: t(`payments.${value}`) }))}
          />
        </div>
      )}
      {mode === "pay" ? <PayForm {...form} asked={asked} onReview={setReviewed} /> : <RequestForm {...form} />}
    </Dialog>
  );
}

function Person({ header: { peer, name, isVerified } }: { readonly header: PersonHeader }): ReactElement {
  const t = useMessages();
  return (
    <div className={styles.person}>
      <Avatar publicKey={peer} size={40} />
      <div className={styles.personText}>
        <span className={shared.medium}>
          {name}
          {isVerified && <BadgeCheck size={15} className={styles.verified} role="img" aria-label={t("common.verified")} />}
        </span>
        <span className={styles.address}>{shorten(formatAddress(peer))}</span>
      </div>
    </div>
  );
}
