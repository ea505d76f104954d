// A value of a contract's call or event by its type: accounts and contracts can be followed. All of it is foreign input.
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";
import { isHex } from "#shared/util/bytes.ts";
import styles from "./typed-value.module.css";

export function TypedValue({ type, text }: { readonly type: string | undefined; readonly text: string }): ReactElement {
  if (type === "address" && isHex(text, 32)) return <AddressChip publicKey={text.toLowerCase()} />;
  if (type === "address" && isContractId(text)) {
    return (
      <Link className={styles.text} to="/explorer/contract/$id" params={{ id: text.toLowerCase() }}>
        {text}
      </Link>
    );
  }
  return <span className={styles.text}>{text}</span>;
}
