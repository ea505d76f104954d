// The methods of a contract, each with a form made from its interface.
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ContractAbi, ContractId, MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import styles from "../contract.module.css";
import { CallForm } from "./call-form.tsx";

export function ContractMethods(props: { readonly contractId: ContractId; readonly abi: ContractAbi }): ReactElement {
  const { contractId, abi } = props;
  return (
    <div className={styles.part}>
      <ul className={shared.stack3}>
        {abi.methods.map((method) => (
          <li key={method.name}>
            <Method contractId={contractId} method={method} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Method(props: { readonly contractId: ContractId; readonly method: MethodAbi }): ReactElement {
  const { method } = props;
  const t = useMessages();
  const signature = method.args.map(({ name, type }) => `${name}: ${type}`).join(", ");
  return (
    <details className={styles.method}>
      <summary className={styles.summary}>
        <strong>{method.name}</strong>
        <span className={shared.muted}>({signature})</span>
        {method.payable === true && <Badge tone="warning">{t("explorer.payable")}</Badge>}
        {method.view === true && <Badge>{t("explorer.view")}</Badge>}
      </summary>
      <CallForm {...props} />
    </details>
  );
}
