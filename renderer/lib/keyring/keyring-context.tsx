// Hands the keyring and its status to every component.
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import type { KeyringAccount, KeyringStatus } from "#shared/keyring/keyring-api.ts";
import type { KeyringClient } from "#shared/keyring/port.ts";
import { assertInvariant } from "#shared/util/assert.ts";

/** The keyring of the interface. */
export type AppKeyring = KeyringClient<CryptoKey>;

interface KeyringValue {
  readonly keyring: AppKeyring;
  /** Undefined until the keyring has answered for the first time. */
  readonly status: KeyringStatus | undefined;
  /** Why the keyring cannot be used at all. */
  readonly failure: unknown;
  /** Asks for the status again: after calls that change it without an event, such as the quiz. */
  readonly refresh: () => Promise<void>;
}

const KeyringContext = createContext<KeyringValue | undefined>(undefined);

export function KeyringProvider(props: { readonly keyring: AppKeyring; readonly children: ReactNode }): ReactElement {
  const { keyring, children } = props;
  const [status, setStatus] = useState<KeyringStatus>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const stop = keyring.onStatus(setStatus);
    keyring.status().then(setStatus, setFailure);
    return stop;
  }, [keyring]);
  const value = useMemo(
    () => ({ keyring, status, failure, refresh: async (): Promise<void> => setStatus(await keyring.status()) }),
    [keyring, status, failure],
  );
  return <KeyringContext value={value}>{children}</KeyringContext>;
}

/** Keyring, status and the way to renew the status. */
export function useKeyringValue(): KeyringValue {
  const value = useContext(KeyringContext);
  assertInvariant(value !== undefined, "useKeyring needs a KeyringProvider");
  return value;
}

export function useKeyring(): AppKeyring {
  return useKeyringValue().keyring;
}

/** The account of this device. Only inside the shell, where there is one. */
export function useAccount(): KeyringAccount {
  const account = useKeyringValue().status?.account;
  assertInvariant(account !== undefined && account !== null, "useAccount needs an account: use it inside the shell");
  return account;
}
