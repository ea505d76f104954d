// A field for an amount of money, in T.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { FieldFrame } from "../controls/field.tsx";
import { TextField } from "../controls/text-field.tsx";

export interface AmountFieldProps extends Omit<FieldFrame, "label"> {
  /** "Amount" unless it has a name of its own. */
  readonly label?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly autoFocus?: boolean;
}

/** The field; `readAmount` reads what is typed. */
export function AmountField({ label, ...field }: AmountFieldProps): ReactElement {
  const t = useMessages();
  return <TextField {...field} label={label ?? t("transactions.amount")} mono inputMode="decimal" affix="T" />;
}
