// Opens the password dialog when something must be signed while the wallet is locked; where there is no wallet, that for the phrase.
import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useCallback, useRef, useState } from "react";
import type { UnlockDialogProps } from "#renderer/features/lock/unlock-dialog.tsx";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { UnlockProvider } from "#renderer/lib/keyring/unlock-context.tsx";
import { CodedError } from "#shared/errors/coded-error.ts";

const UnlockDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<UnlockDialogProps> }> => ({
    default: (await import("#renderer/features/lock/unlock-dialog.tsx")).UnlockDialog,
  }),
);

const AddPhraseDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<UnlockDialogProps> }> => ({
    default: (await import("#renderer/features/lock/add-phrase-dialog.tsx")).AddPhraseDialog,
  }),
);

interface Waiting {
  resolve(): void;
  reject(error: CodedError): void;
}

/** Provides `useEnsureUnlocked` to everything inside. */
export function UnlockHost(props: { readonly children: ReactNode }): ReactElement {
  const { keyring, status } = useKeyringValue();
  const UnlockingDialog = status?.isLinked === true ? AddPhraseDialog : UnlockDialog;
  const waiting = useRef<readonly Waiting[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [isNeeded, setNeeded] = useState(false);
  if (isOpen && !isNeeded) setNeeded(true);
  const ensureUnlocked = useCallback(async (): Promise<void> => {
    if ((await keyring.status()).state === "unlocked") return;
    await new Promise<void>((resolve, reject) => {
      waiting.current = [...waiting.current, { resolve, reject }];
      setOpen(true);
    });
  }, [keyring]);
  const resolveAll = (isUnlocked: boolean): void => {
    for (const { resolve, reject } of waiting.current) {
      if (isUnlocked) resolve();
      else reject(new CodedError("KEYRING_LOCKED", "The wallet is locked"));
    }
    waiting.current = [];
    setOpen(false);
  };
  return (
    <UnlockProvider ensureUnlocked={ensureUnlocked}>
      {props.children}
      <Suspense fallback={null}>
        {isNeeded && <UnlockingDialog open={isOpen} onUnlocked={(): void => resolveAll(true)} onCancel={(): void => resolveAll(false)} />}
      </Suspense>
    </UnlockProvider>
  );
}
