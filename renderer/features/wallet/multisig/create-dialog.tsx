// Making a multisig: its members, how many approve; then the contract that this app brings along is deployed.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { IntentSheet } from "#renderer/components/transactions/intent-sheet.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import { type TriedModule, useDeploymentTrial } from "#renderer/lib/transactions/trials/use-deployment-trial.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import send from "../send/send.module.css";
import { MembersFields, type Membership } from "./members-fields.tsx";
import { addFoundPurse } from "./purses.ts";

/** The contract as the build compiled it. */
interface Multisig extends TriedModule {
  readonly abiJson: string;
}

export function CreateDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [value, setValue] = useState<Membership>({ members: [masterPub], needed: 1 });
  const [isReviewing, setReviewing] = useState(false);
  const { data: multisig, error } = useQuery({
    queryKey: ["bundled", "multisig"],
    queryFn: async (): Promise<Multisig> => ({ ...(await import("virtual:contracts/multisig")) }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { members, needed } = value;
  const isReady = members.length > 0 && multisig !== undefined;
  return (
    <Dialog open keepOpen onOpenChange={onClose} title={t("multisig.create")} description={t("multisig.createText")}>
      <form
        className={shared.stack4}
        noValidate
        onSubmit={(event): void => {
          event.preventDefault();
          setReviewing(isReady);
        }}
      >
        <MembersFields value={value} onChange={setValue} />
        {!members.includes(masterPub) && <Banner tone="warning">{t("multisig.withoutYou")}</Banner>}
        {error !== null && <ErrorState error={error} />}
        <footer className={send.footer}>
          <Button type="submit" variant="primary" disabled={!isReady}>
            {t("transactions.review")}
          </Button>
        </footer>
      </form>
      {isReviewing && multisig !== undefined && (
        <Review multisig={multisig} members={members} needed={needed} onBack={(): void => setReviewing(false)} onSent={onClose} />
      )}
    </Dialog>
  );
}

interface ReviewProps extends Membership {
  readonly multisig: Multisig;
  readonly onBack: () => void;
  readonly onSent: () => void;
}

function Review({ multisig, members, needed, onBack, onSent }: ReviewProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { wasmB64, abiJson } = multisig;
  const initArgsJson = JSON.stringify([members, needed]);
  const { data, error, isPending } = useDeploymentTrial({ module: multisig, abiJson, initArgsJson });
  const problem = data?.status === "failed" ? failureInWords(t, data.reason === "" ? data.code : data.reason) : undefined;
  return (
    <IntentSheet
      intent={{ kind: "deployContract", wasmB64, abiJson, initArgsJson, gasLimit: data?.gas_limit ?? 1 }}
      title={t("multisig.create")}
      sentence={t("multisig.createSentence", { members: members.length, needed })}
      isChecking={isPending || error !== null}
      problem={problem}
      confirmLabel={t("multisig.signCreate")}
      onClose={onBack}
      onSent={({ transaction }): void => {
        addFoundPurse(deployedContractId(masterPub, transaction.id));
        onSent();
      }}
    >
      {error !== null && <ErrorState error={error} />}
    </IntentSheet>
  );
}
