// One contract: its details, its methods with a form to call them, its state, what it logged.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { FileQuestion } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Tabs } from "#renderer/components/controls/tabs.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { ContractDetail } from "#shared/api/schemas/contracts.ts";
import { isContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { RawSection } from "../frame/raw-section.tsx";
import { ContractLogs } from "./contract-logs.tsx";
import { ContractMethods } from "./contract-methods.tsx";
import { ContractSource } from "./contract-source.tsx";
import { ContractStateBrowser } from "./contract-state.tsx";

type Part = "methods" | "state" | "logs" | "source";

export function ContractPage(): ReactElement {
  const { id } = useParams({ from: "/shell/explorer/contract/$id" });
  const t = useMessages();
  const isWellFormed = isContractId(id);
  const query = useQuery({ ...useNetworkQueries().contract(id.toLowerCase()), enabled: isWellFormed });
  const { data } = query;
  const missing = (
    <EmptyState
      icon={FileQuestion}
      title={t("explorer.contractMissing")}
      text={t("explorer.contractMissingText")}
      actions={<ButtonLink to="/explorer/contracts">{t("explorer.contracts")}</ButtonLink>}
    />
  );
  const name = data === undefined ? undefined : parseContractAbi(data.abi_json)?.contract;
  return (
    <ExplorerFrame title={t("explorer.contractTitle", { name: name ?? id })}>
      {isWellFormed ? <QueryState query={query} missing={missing} /> : missing}
      {data !== undefined && <Contract key={data.contract_id} contract={data} />}
    </ExplorerFrame>
  );
}

function Contract({ contract }: { readonly contract: ContractDetail }): ReactElement {
  const t = useMessages();
  const [part, setPart] = useState<Part>("methods");
  const abi = parseContractAbi(contract.abi_json);
  return (
    <>
      <Section title={t("explorer.details")}>
        <KeyValueList rows={useDetails(contract)} />
      </Section>
      <Tabs
        label={t("explorer.contractParts")}
        value={part}
        onChange={setPart}
        items={[
          {
            value: "methods",
            label: t("explorer.methods"),
            content:
              abi === undefined ? <p>{t("explorer.abiUnreadable")}</p> : <ContractMethods contractId={contract.contract_id} abi={abi} />,
          },
          {
            value: "state",
            label: t("explorer.state"),
            content: <ContractStateBrowser contractId={contract.contract_id} name={abi?.contract ?? ""} />,
          },
          { value: "logs", label: t("explorer.logs"), content: <ContractLogs contractId={contract.contract_id} abi={abi} /> },
          // Native contracts are part of the program.
          ...(contract.wasm_size === 0
            ? []
            : [{ value: "source" as const, label: t("explorer.source"), content: <ContractSource contractId={contract.contract_id} /> }]),
        ]}
      />
      <RawSection value={{ ...contract, abi_json: contract.abi_json }} />
    </>
  );
}

function useDetails(contract: ContractDetail): readonly KeyValueRow[] {
  const { locale, t } = useLanguage();
  const { contract_id: id, deployer_pub: deployer, deployed_at: height, wasm_size: size, balance_ut: balanceUt, abi_json: text } = contract;
  const isNative = size === 0;
  const version = parseContractAbi(text)?.version;
  return [
    { label: t("explorer.contractId"), value: <Copyable text={id} label={t("explorer.copyId")} /> },
    ...(version === undefined ? [] : [{ label: t("common.version"), value: version }]),
    { label: t("explorer.kind"), value: isNative ? <Badge tone="accent">{t("explorer.nativeText")}</Badge> : t("explorer.wasm") },
    ...(deployer === "" ? [] : [{ label: t("explorer.deployer"), value: <AddressChip publicKey={deployer} /> }]),
    {
      label: t("explorer.deployedAt"),
      value: (
        <Link to="/explorer/block/$height" params={{ height: String(height) }}>
          {t("explorer.blockTitle", { height: new Intl.NumberFormat(locale).format(height) })}
        </Link>
      ),
    },
    ...(isNative
      ? []
      : [
          {
            label: t("explorer.codeSize"),
            value: new Intl.NumberFormat(locale, { style: "unit", unit: "byte", unitDisplay: "long" }).format(size),
          },
        ]),
    { label: t("wallet.balance"), value: <Amount amountUt={balanceUt} /> },
  ];
}
