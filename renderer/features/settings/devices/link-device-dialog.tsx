// Linking a new device from this one: a code to show, two digits and the password to type, one transaction.
import { type ReactElement, useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Skeleton } from "#renderer/components/feedback/skeleton.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { createLinkHost } from "#renderer/lib/linking/link-host.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import type { OldDeviceRun } from "#shared/linking/begin-link.ts";
import { LinkCodeView } from "./link-code-view.tsx";
import { LinkConsentForm } from "./link-consent-form.tsx";

interface Shown {
  readonly code: string;
  readonly run: OldDeviceRun;
}

/** The dialog, open while it is shown. */
export function LinkDeviceDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const [attempt, setAttempt] = useState(0);
  return (
    <Dialog open onOpenChange={onClose} title={t("settings.linkTitle")} description={t("settings.linkText")} keepOpen>
      <Attempt key={attempt} onAgain={(): void => setAttempt(attempt + 1)} onClose={onClose} />
    </Dialog>
  );
}

interface AttemptProps {
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** One code. It is of no use any more when the dialog goes. */
function Attempt({ onAgain, onClose }: AttemptProps): ReactElement {
  const [shown, setShown] = useState<Shown>();
  const node = useNode();
  const chainId = useChainId();
  useEffect(() => {
    if (chainId === undefined) return undefined;
    let run: OldDeviceRun | undefined;
    let hasLeft = false;
    const begin = async (): Promise<void> => {
      const { showLinkCode } = await import("#shared/linking/begin-link.ts");
      if (hasLeft) return;
      const link = showLinkCode(createLinkHost(node, chainId));
      run = link.run;
      setShown(link);
    };
    void begin();
    return (): void => {
      hasLeft = true;
      run?.input({ kind: "cancel" });
      run?.stop();
    };
  }, [node, chainId]);
  return shown === undefined ? <Skeleton /> : <LinkSteps {...shown} onAgain={onAgain} onClose={onClose} />;
}

function LinkSteps({ code, run, onAgain, onClose }: Shown & AttemptProps): ReactElement {
  const t = useMessages();
  const { state, problem } = useSyncExternalStore(run.subscribe, run.getSnapshot);
  if (state.phase === "ended")
    return (
      <Banner
        tone="danger"
        title={t("settings.linkEnded")}
        actions={
          <Button size="small" onClick={onAgain}>
            {t("settings.linkNewCode")}
          </Button>
        }
      >
        {t(`linking.ended.${state.reason}`)}
      </Banner>
    );
  return (
    <>
      {problem !== null && <Banner tone="warning" title={errorInWords(t, problem).title} />}
      {state.phase === "offering" || state.phase === "answered" ? (
        <LinkCodeView code={code} expiresAtMs={state.expiresAtMs} />
      ) : (
        <LinkConsentForm run={run} device={state.device} isAccepted={state.phase === "accepted"} onLinked={onClose} />
      )}
    </>
  );
}
