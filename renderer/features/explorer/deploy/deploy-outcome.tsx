// What became of a deployment, with the way to the contract's page.
import { Rocket, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import { usePendingTransaction } from "#renderer/lib/transactions/use-pending.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";

export function DeployOutcome({ txId, onAgain }: { readonly txId: string; readonly onAgain: () => void }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const state = usePendingTransaction(txId)?.state ?? { kind: "submitted" };
  const id = deployedContractId(masterPub, txId);
  const details = (
    <ButtonLink to="/explorer/tx/$id" params={{ id: txId }}>
      {t("transactions.transaction")}
    </ButtonLink>
  );
  if (state.kind === "inBlock")
    return (
      <EmptyState
        icon={Rocket}
        title={t("explorer.deployed")}
        text={t("explorer.deployedText", { id, height: state.blockIndex })}
        actions={
          <>
            <ButtonLink to="/explorer/contract/$id" params={{ id }} variant="primary">
              {t("explorer.toContract")}
            </ButtonLink>
            {details}
          </>
        }
      />
    );
  if (state.kind === "submitted")
    return <EmptyState icon={Rocket} title={t("transactions.state.submitted")} text={t("transactions.pendingText")} />;
  const reason = state.kind === "failed" ? failureInWords(t, state.reason) : undefined;
  return (
    <EmptyState
      icon={TriangleAlert}
      title={t("explorer.deployFailed")}
      text={reason ?? t("transactions.state.expired")}
      actions={
        <>
          <Button variant="primary" onClick={onAgain}>
            {t("common.retry")}
          </Button>
          {details}
        </>
      }
    />
  );
}
