// The two digits to type on the other device, and then waiting until the chain lists this one.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import { forgetEnd, sendInterrupted, storeEnd } from "#renderer/lib/linking/interrupted-link.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import type { LinkGrant } from "#shared/linking/link-message.ts";
import styles from "./onboarding.module.css";
import type { BegunLink } from "./use-begin-link.ts";

/** How often the node is asked whether the device is listed. */
const ASK_MS = 1_000;

export interface LinkDigitsCardProps {
  readonly begun: BegunLink;
  /** The chain lists this device. */
  readonly onGranted: (grant: LinkGrant, session: Uint8Array) => void;
  /** Back to the code. */
  readonly onAgain: () => void;
}

/** The second card. */
export function LinkDigitsCard({ begun: { run, devicePub }, onGranted, onAgain }: LinkDigitsCardProps): ReactElement {
  const t = useMessages();
  const node = useNode();
  const { state, problem } = useSyncExternalStore(run.subscribe, run.getSnapshot);
  const { phase } = state;
  const grant = state.phase === "granted" ? state.grant : undefined;
  const isListed = useIsListed(grant?.masterPub, devicePub);
  const finish = useEffectEvent((): void => {
    if (state.phase === "granted") onGranted(state.grant, state.session.key);
  });
  useEffect(() => (): void => run.stop(), [run]);
  useEffect(() => {
    if (isListed) finish();
  }, [isListed]);
  useEffect(() => {
    const end = phase === "showing" ? run.sealEnd("interrupted") : undefined;
    if (end !== undefined) storeEnd(end);
    if (phase === "ended") forgetEnd();
  }, [run, phase]);
  const leave = (): void => {
    run.input({ kind: "cancel" });
    if (phase === "granted") void sendInterrupted(node).catch(() => undefined);
    else forgetEnd();
    onAgain();
  };
  const hasEnded = state.phase === "ended";
  return (
    <CenteredCard
      title={t(hasEnded ? "onboarding.linkEndedTitle" : "onboarding.linkDigitsTitle")}
      text={t(hasEnded ? "onboarding.linkEndedText" : "onboarding.linkDigitsText")}
      actions={
        <Button variant={hasEnded ? "primary" : "ghost"} onClick={leave}>
          {t(hasEnded ? "onboarding.linkAgain" : "common.cancel")}
        </Button>
      }
    >
      {problem !== null && <Banner tone="warning" title={errorInWords(t, problem).title} />}
      {hasEnded ? (
        <Banner tone="danger">{t(`linking.ended.${state.reason}`)}</Banner>
      ) : (
        <div className={styles.digits} role="status">
          {state.phase === "showing" ? <output className={styles.digitPair}>{state.session.digits}</output> : <Spinner />}
          <span>{t(`onboarding.linkPhase.${state.phase}`)}</span>
        </div>
      )}
    </CenteredCard>
  );
}

/** Whether this device's own node says that the identity lists it. */
function useIsListed(masterPub: string | undefined, devicePub: string): boolean {
  const { client } = useNode();
  const { data = false } = useQuery({
    queryKey: ["linking", masterPub, devicePub],
    enabled: masterPub !== undefined,
    refetchInterval: ASK_MS,
    queryFn: async () => {
      const { devices } = await client.listDevices({ master_pub: masterPub ?? "" });
      return devices.some(({ x25519_pub_key }) => x25519_pub_key === devicePub);
    },
  });
  return data;
}
