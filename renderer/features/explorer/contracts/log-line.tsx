// One line of a log: an event with its fields, or the words of the contract.
import type { ReactElement } from "react";
import { uniqueKeys } from "#renderer/lib/format/unique-keys.ts";
import { parseContractEvent, readEventFields } from "#shared/protocol/transactions/contract-events.ts";
import type { ContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { TypedValue } from "../frame/typed-value.tsx";
import styles from "./log-line.module.css";

export function LogLine({ message, abi }: { readonly message: string; readonly abi: ContractAbi | undefined }): ReactElement {
  const name = parseContractEvent(message)?.name;
  const fields = name === undefined ? undefined : readEventFields(message);
  if (fields === undefined) return <code className={styles.line}>{message}</code>;
  // A field may be indexed and among the data as well.
  const keys = uniqueKeys(fields.map((field) => field.name));
  const declared = abi?.events?.find((event) => event.name === name)?.fields ?? [];
  return (
    <div className={styles.event}>
      <strong>{name}</strong>
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map((field, index) => (
            <div key={keys[index]} className={styles.field}>
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
