// Where one is in the first run.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

/** Steps of the first run that are counted. */
const STEPS = 3;

/** `Step 2 of 3`. */
export function StepCount(props: { readonly step: number }): ReactElement {
  const t = useMessages();
  return <span>{t("onboarding.step", { step: props.step, steps: STEPS })}</span>;
}
