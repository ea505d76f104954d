// Opens the password dialog when the keyring wants something confirmed. On the desktop the shell's own window asks instead, and this one
// never opens.
import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useCallback, useState } from "react";
import type { ConfirmDialogProps } from "#renderer/features/lock/confirm-dialog.tsx";
import { type Confirmed, ConfirmProvider } from "#renderer/lib/keyring/confirm-context.tsx";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";

const ConfirmDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<ConfirmDialogProps> }> => ({
    default: (await import("#renderer/features/lock/confirm-dialog.tsx")).ConfirmDialog,
  }),
);

interface Waiting {
  readonly id: number;
  readonly decision: string;
  readonly call: (password: string) => Promise<void>;
  readonly decline: () => void;
}

/** Provides `useConfirmed` to everything inside. */
export function ConfirmHost(props: { readonly children: ReactNode }): ReactElement {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const confirmed = useCallback<Confirmed>(async (call) => {
    try {
      return await call(undefined);
    } catch (error) {
      if (!isCodedError(error, "CONFIRMATION_REQUIRED")) throw error;
      const result = Promise.withResolvers<Awaited<ReturnType<typeof call>>>();
      const decision = String(error.details.decision);
      const decline = (): void => result.reject(new CodedError("CONFIRMATION_DECLINED", "This was not confirmed"));
      const withPassword = async (password: string): Promise<void> => result.resolve(await call(password));
      setWaiting((others) => [...others, { id: (others.at(-1)?.id ?? 0) + 1, decision, call: withPassword, decline }]);
      return await result.promise;
    }
  }, []);
  const [first] = waiting;
  const next = (): void => setWaiting(([, ...others]) => others);
  return (
    <ConfirmProvider confirmed={confirmed}>
      {props.children}
      <Suspense fallback={null}>
        {first !== undefined && (
          <ConfirmDialog
            key={first.id}
            decision={first.decision}
            call={first.call}
            onConfirmed={next}
            onCancel={(): void => {
              first.decline();
              next();
            }}
          />
        )}
      </Suspense>
    </ConfirmProvider>
  );
}
