// One line of a log: an event with its fields, or the words of the contract.
import type { ReactElement } from "react";
import { parseContractEvent, readEventFields } from "#shared/protocol/transactions/contract-events.ts";
import type { ContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { TypedValue } from "../frame/typed-value.tsx";
import styles from "./log-line.module.css";

export function LogLine({ message, abi }: { readonly message: string; readonly abi: ContractAbi | undefined }): ReactElement {
  const name = parseContractEvent(message)?.name;
  const fields = name === undefined ? undefined : readEventFields(message);
  if (fields === undefined) return <code className={styles.line}>{message}</code>;
  const declared = abi?.events?.find((event) => event.name === name)?.fields ?? [];
  return (
    <div className={styles.event}>
      <strong>{name}</strong>
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map((field) => (
            <div key={field.name} className={styles.field}>
              <dt className={styles.name}>{field.name}</dt>
              <dd className={styles.value}>
                <TypedValue type={declared.find((known) => known.name === field.name)?.type} text={field.text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
