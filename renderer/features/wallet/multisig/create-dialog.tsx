// Making a multisig: its members, how many approve; then the contract that this app brings along is deployed.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { IntentSheet } from "#renderer/components/transactions/intent-sheet.tsx";
import { ReviewDialog, type SheetEnds } from "#renderer/components/transactions/review-form.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import { type TriedModule, useDeploymentTrial } from "#renderer/lib/transactions/trials/use-deployment-trial.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { useFound } from "../found/found-store.ts";
import { MemberChips } from "./member-chip.tsx";
import { MembersFields, type Membership } from "./members-fields.tsx";

/** The contract as the build compiled it. */
interface Multisig extends TriedModule {
  readonly abiJson: string;
}

export function CreateDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [chosen, setChosen] = useState<PublicKeyHex>();
  const [value, setValue] = useState<Membership>({ members: [masterPub], needed: 1 });
  const { data: multisig, error } = useQuery({
    queryKey: ["bundled", "multisig"],
    queryFn: async (): Promise<Multisig> => ({ ...(await import("virtual:contracts/multisig")) }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { members } = value;
  return (
    <ReviewDialog
      title={t("multisig.create")}
      description={t("multisig.createText")}
      onClose={onClose}
      draft={chosen === undefined && members.length > 0 && multisig !== undefined ? { multisig, ...value } : undefined}
      review={(draft, ends): ReactElement => <Review {...draft} ends={ends} />}
    >
      <MembersFields value={value} onChange={setValue} chosen={chosen} onChosen={setChosen} />
      {!members.includes(masterPub) && <Banner tone="warning">{t("multisig.withoutYou")}</Banner>}
      {error !== null && <ErrorState error={error} />}
    </ReviewDialog>
  );
}

interface ReviewProps extends Membership {
  readonly multisig: Multisig;
  readonly ends: SheetEnds;
}

function Review({ multisig, members, needed, ends }: ReviewProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { wasmB64, abiJson } = multisig;
  const { add } = useFound("multisigs");
  const initArgsJson = JSON.stringify([members, needed]);
  const { data, error, isFetching, refetch } = useDeploymentTrial({ module: multisig, abiJson, initArgsJson });
  const problem = data?.status === "failed" ? failureInWords(t, data.reason === "" ? data.code : data.reason) : undefined;
  return (
    <IntentSheet
      intent={{ kind: "deployContract", wasmB64, abiJson, initArgsJson, gasLimit: data?.gas_limit ?? 1 }}
      title={t("multisig.create")}
      sentence={t("multisig.createSentence", { count: members.length, needed })}
      rows={[{ label: t("multisig.members"), value: <MemberChips members={members} /> }]}
      isChecking={data === undefined}
      problem={problem}
      confirmLabel={t("multisig.signCreate")}
      onClose={ends.onClose}
      onSent={({ transaction }): void => {
        add(deployedContractId(masterPub, transaction.id));
        ends.onSent();
      }}
    >
      {data === undefined && !isFetching && error !== null && <ErrorState error={error} onRetry={(): void => void refetch()} />}
    </IntentSheet>
  );
}
