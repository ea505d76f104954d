// Members of a multisig: people, or other contracts.
import type { ReactElement } from "react";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import styles from "./multisig.module.css";
import { isKey } from "./purses.ts";

export function MemberChip({ member }: { readonly member: string }): ReactElement {
  return isKey(member) ? <AddressChip publicKey={member} /> : <span className={shared.muted}>{member}</span>;
}

/** One after the other. */
export function MemberChips({ members }: { readonly members: readonly string[] }): ReactElement {
  return (
    <span className={styles.members}>
      {members.map((member) => (
        <MemberChip key={member} member={member} />
      ))}
    </span>
  );
}
