// Decides what a person sees first: the first run, the lock, or the app. The address stays, so a link works after unlocking.
import { type ReactNode, useState } from "react";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";

const Onboarding = lazyPart(async () => (await import("#renderer/features/onboarding/onboarding.tsx")).Onboarding);
const LockScreen = lazyPart(async () => (await import("#renderer/features/lock/lock-screen.tsx")).LockScreen);

/** First run, lock, or what is inside. The first run lasts until its last step, although keys exist before. */
export function Gate(props: { readonly children: ReactNode }): ReactNode {
  const { status, failure } = useKeyringValue();
  const [isFirstRun, setFirstRun] = useState(false);
  if (failure !== undefined) return <ErrorState error={failure} onRetry={(): void => location.reload()} />;
  if (status === undefined) return null;
  const hasNoKeys = status.state === "empty" || status.state === "damaged";
  if (hasNoKeys && !isFirstRun) setFirstRun(true);
  if (hasNoKeys || isFirstRun) return <Onboarding isDamaged={status.state === "damaged"} onFinish={(): void => setFirstRun(false)} />;
  return status.state === "locked" ? <LockScreen /> : props.children;
}
