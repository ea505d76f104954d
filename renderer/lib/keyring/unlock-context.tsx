// Asks for the password when something must be signed while the wallet is locked. The app provides the dialog.
import { createContext, type ReactElement, type ReactNode, useContext } from "react";
import { assertInvariant } from "#shared/util/assert.ts";

/** Resolves once the wallet is unlocked. @throws CodedError KEYRING_LOCKED when the person declines. */
export type EnsureUnlocked = () => Promise<void>;

const UnlockContext = createContext<EnsureUnlocked | undefined>(undefined);

/** Provides the dialog. */
export function UnlockProvider(props: { readonly ensureUnlocked: EnsureUnlocked; readonly children: ReactNode }): ReactElement {
  return <UnlockContext value={props.ensureUnlocked}>{props.children}</UnlockContext>;
}

/** The way to have the wallet unlocked before signing. `useSendIntent` does so by itself. */
export function useEnsureUnlocked(): EnsureUnlocked {
  const ensureUnlocked = useContext(UnlockContext);
  assertInvariant(ensureUnlocked !== undefined, "useEnsureUnlocked needs an UnlockProvider");
  return ensureUnlocked;
}
