// Asks for the password when the keyring wants something confirmed that gives lasting power. The app provides the dialog; the keyring
// judges the password.
import { createContext, type ReactElement, type ReactNode, useContext } from "react";
import { assertInvariant } from "#shared/util/assert.ts";

/**
 * Makes a call of the keyring, and again with the password when the keyring asks for one.
 * @throws CodedError CONFIRMATION_DECLINED when the person declines.
 */
export type Confirmed = <T>(call: (password: string | undefined) => Promise<T>) => Promise<T>;

const ConfirmContext = createContext<Confirmed | undefined>(undefined);

/** Provides the dialog. */
export function ConfirmProvider(props: { readonly confirmed: Confirmed; readonly children: ReactNode }): ReactElement {
  return <ConfirmContext value={props.confirmed}>{props.children}</ConfirmContext>;
}

/** The way to make calls that may have to be confirmed. */
export function useConfirmed(): Confirmed {
  const confirmed = useContext(ConfirmContext);
  assertInvariant(confirmed !== undefined, "useConfirmed needs a ConfirmProvider");
  return confirmed;
}
