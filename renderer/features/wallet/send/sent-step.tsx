// Last step of a payment whose link leads back: what became of it. Taken by the node is not yet in a block, and a block may refuse it.
import { CircleCheck, CircleX, Clock } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { ExternalLink } from "#renderer/components/overlays/external-link.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import { callbackAddress, callbackHost } from "#renderer/lib/transactions/payment-callback.ts";
import type { PendingState } from "#renderer/lib/transactions/pending-store.ts";
import { usePendingTransaction } from "#renderer/lib/transactions/use-pending.ts";
import type { SignedIntent } from "#shared/keyring/intents/intents.ts";
import { stateInWords } from "../activity/activity-words.ts";
import styles from "./send.module.css";

const ICONS = { submitted: Clock, inBlock: CircleCheck, failed: CircleX, expired: CircleX } as const;
const SUBMITTED: PendingState = { kind: "submitted" };

export interface SentStepProps {
  readonly signed: SignedIntent;
  /** Where the link of the payment leads back to. */
  readonly callback: string;
  readonly onDone: () => void;
}

export function SentStep(props: SentStepProps): ReactElement {
  const { signed, callback, onDone } = props;
  const t = useMessages();
  const { id } = signed.transaction;
  const state = usePendingTransaction(id)?.state ?? SUBMITTED;
  const done = useRef<HTMLElement>(null);
  useEffect(() => done.current?.focus(), []);
  const Icon = ICONS[state.kind];
  return (
    <div className={styles.sent}>
      <span className={classNames(styles.sentIcon, styles[state.kind])}>
        <Icon size={28} aria-hidden="true" />
      </span>
      <Amount amountUt={signed.summary.amountUt} size="large" />
      <p role="status" className={shared.medium}>
        {stateInWords(t, state)}
      </p>
      <p className={shared.hint}>{explanation()}</p>
      {(state.kind === "submitted" || state.kind === "inBlock") && (
        <ExternalLink url={callbackAddress(callback, id)} label={t("wallet.backTo", { host: callbackHost(callback) })} />
      )}
      <footer className={shared.footer}>
        {state.kind !== "submitted" && (
          <ButtonLink to="/explorer/tx/$id" params={{ id }}>
            {t("common.openInExplorer")}
          </ButtonLink>
        )}
        <Button ref={done} variant="primary" onClick={onDone}>
          {t("common.done")}
        </Button>
      </footer>
    </div>
  );

  function explanation(): string {
    switch (state.kind) {
      case "submitted":
        return t("transactions.pendingText");
      case "inBlock":
        return t("wallet.inBlockText");
      case "failed":
        return `${failureInWords(t, state.reason) ?? ""} ${t("transactions.failedText")}`.trim();
      case "expired":
        return t("wallet.expiredText");
    }
  }
}
