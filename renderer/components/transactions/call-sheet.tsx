// The last check before a contract is called: the call is tried out first, so what would be refused is said and not signed.
import { type ReactElement, useMemo } from "react";
import { type ContractCall, callIntent } from "#renderer/lib/transactions/call-intent.ts";
import { useCallTrial } from "#renderer/lib/transactions/trials/use-call-trial.ts";
import type { CallContractIntent } from "#shared/keyring/intents/intents.ts";
import { IntentSheet, type IntentSheetProps } from "./intent-sheet.tsx";

export interface CallSheetProps extends Omit<IntentSheetProps, "intent" | "problem" | "isChecking"> {
  readonly call: ContractCall;
}

/** The sheet, open while it is shown. */
export function CallSheet({ call, ...sheet }: CallSheetProps): ReactElement {
  const key = JSON.stringify(callIntent(call));
  const intent = useMemo(() => JSON.parse(key) as CallContractIntent, [key]);
  return <IntentSheet {...sheet} {...useCallTrial(intent)} />;
}
