// Opening a proof of payment: what it proves, by whose signatures, and what it does not.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { FileField } from "#renderer/components/controls/file-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { formatDateTime, formatExactTime } from "#renderer/lib/format/time.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import type { ProofResult, ProvenPayment } from "#shared/protocol/light/verify-payment-proof.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { checkProof } from "./payment-proof.ts";

/** Waits for what is under way, instead of asking once more. */
const JOINED = { throwOnError: true, cancelRefetch: false } as const;

/** The dialog, open as long as its route is. */
export function ProofDialog(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { client } = useNode();
  const genesis = useQuery({ queryKey: ["genesis-file"], queryFn: () => client.getGenesis({}), staleTime: Number.POSITIVE_INFINITY });
  return (
    <Dialog
      open
      placement="sheet"
      onOpenChange={(): void => void navigate({ to: "/wallet" })}
      title={t("proof.page")}
      description={t("proof.text")}
    >
      {genesis.isError ? (
        <QueryState query={genesis} rows={2} />
      ) : (
        <ProofCheck genesisOf={async (): Promise<unknown> => genesis.data ?? (await genesis.refetch(JOINED)).data} />
      )}
    </Dialog>
  );
}

/** The field is there at once, and has the focus; the genesis is waited for with the first file. */
function ProofCheck({ genesisOf }: { readonly genesisOf: () => Promise<unknown> }): ReactElement {
  const t = useMessages();
  const [name, setName] = useState<string>();
  const check = useMutation({ mutationFn: async (file: File) => checkProof(file, await genesisOf()) });
  const open = (file: File): void => {
    setName(file.name);
    check.mutate(file);
  };
  return (
    <div className={shared.stack4}>
      <FileField label={t("proof.file")} accept=".json" fileName={name} onChoose={open} />
      {check.isPending && (
        <p role="status" className={shared.muted}>
          {t("proof.checking")}
        </p>
      )}
      {check.error !== null && <Banner tone="danger" title={errorInWords(t, check.error).title} />}
      {check.data !== undefined && <Outcome result={check.data} />}
    </div>
  );
}

function Outcome({ result }: { readonly result: ProofResult }): ReactElement {
  const t = useMessages();
  if (result.isProven) return <Proven payment={result.payment} />;
  return (
    <Banner tone="danger" title={t("proof.refusedTitle")}>
      {t(`proof.problem.${result.problem}`)}
    </Banner>
  );
}

function Proven({ payment }: { readonly payment: ProvenPayment }): ReactElement {
  const { t, locale } = useLanguage();
  const { id, from, to, amountUt, feeUt, memo, chainId, height, blockHash, blockTimeMs, signers, validators, trustedTimeMs } = payment;
  return (
    <>
      <Banner tone="success" title={t("proof.provenTitle")}>
        {t("proof.provenText", { height, network: chainId })}
      </Banner>
      <KeyValueList
        rows={[
          { label: t("transactions.amount"), value: <Amount amountUt={amountUt} />, strong: true },
          { label: t("explorer.from"), value: <AddressChip publicKey={from} /> },
          { label: t("common.to"), value: <AddressChip publicKey={to} /> },
          { label: t("transactions.fee"), value: <Amount amountUt={feeUt} /> },
          ...(memo === "" ? [] : [{ label: t("transactions.memo"), value: visibleText(memo) }]),
          { label: t("wallet.time"), value: formatExactTime(locale, blockTimeMs) },
          { label: t("proof.signedBy"), value: t("proof.signedByText", { count: signers, total: validators }) },
          { label: t("wallet.transactionId"), value: <Copyable text={id} label={t("explorer.copyId")} /> },
          { label: t("explorer.blockHash"), value: <Copyable text={blockHash} label={t("explorer.copyHash")} /> },
        ]}
      />
      <p className={shared.muted}>{t("proof.fromGenesis", { time: formatDateTime(locale, trustedTimeMs) })}</p>
      <p className={shared.muted}>{t("proof.limits")}</p>
    </>
  );
}
