// A member of a multisig: a person, or another contract.
import type { ReactElement } from "react";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { isKey } from "./purses.ts";

export function MemberChip({ member }: { readonly member: string }): ReactElement {
  return isKey(member) ? <AddressChip publicKey={member} /> : <span className={shared.muted}>{member}</span>;
}
