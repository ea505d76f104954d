// A call of a contract in the words of its interface; as plain fields where the interface does not fit.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { TransactionDetail } from "#shared/api/schemas/chain.ts";
import { jsonParts, textOfJson } from "#shared/protocol/primitives/json-parts.ts";
import { type ContractId, isContractId, type MethodAbi, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { TypedValue } from "../frame/typed-value.tsx";
import { PayloadSection } from "./payload-section.tsx";

interface Call {
  readonly contractId: ContractId;
  readonly method: string;
  readonly argsJson: string;
}

export function CallSection({ transaction }: { readonly transaction: TransactionDetail }): ReactElement | null {
  const t = useMessages();
  const call = callOf(transaction.payload);
  const { data } = useQuery({ ...useNetworkQueries().contract(call?.contractId ?? ""), enabled: call !== undefined });
  const abi = data === undefined ? undefined : parseContractAbi(data.abi_json);
  const method = abi?.methods.find(({ name }) => name === call?.method);
  const values = call === undefined || method === undefined ? undefined : argumentRows(method, call.argsJson);
  if (call === undefined || abi === undefined || values === undefined) return <PayloadSection transaction={transaction} />;
  return (
    <Section title={t("explorer.callOf")}>
      <KeyValueList
        rows={[
          {
            label: t("explorer.contract"),
            value: (
              <Link to="/explorer/contract/$id" params={{ id: call.contractId }}>
                {abi.contract}
              </Link>
            ),
          },
          { label: t("explorer.method"), value: call.method, mono: true },
          ...values,
        ]}
      />
    </Section>
  );
}

/** Undefined when the arguments are not those of the method: such a call failed. */
function argumentRows({ args }: MethodAbi, argsJson: string): readonly KeyValueRow[] | undefined {
  const parts = argsJson.trim() === "" ? [] : listParts(argsJson);
  if (parts?.length !== args.length) return undefined;
  return args.map(({ name, type, format }, index) => ({
    label: name,
    value: <TypedValue type={format ?? type} text={textOfJson(parts[index] ?? "")} />,
  }));
}

function listParts(json: string): readonly string[] | undefined {
  try {
    return Array.isArray(JSON.parse(json)) ? jsonParts(json) : undefined;
  } catch {
    return undefined;
  }
}

function callOf(payload: unknown): Call | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { contract_id: id, method, args_json: argsJson = "" } = payload as Readonly<Record<string, unknown>>;
  if (!isContractId(id) || typeof method !== "string" || typeof argsJson !== "string") return undefined;
  return { contractId: id.toLowerCase(), method, argsJson };
}
