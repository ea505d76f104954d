// What one copies into a report: states, versions, counters, and the last lines of the log where the shell has it. No keys, no names.
import { useQuery } from "@tanstack/react-query";
import { Copy, RotateCw } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLiveState, useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import styles from "./node.module.css";
import { NodeFrame } from "./node-frame.tsx";
import { OtherNodeSection } from "./other-node-section.tsx";
import { ProgramsSection } from "./programs-section.tsx";

export function DiagnosticsPage(): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { data: text } = useDiagnostics();
  const shell = desktopApi();
  const copy = async (): Promise<void> => {
    if (text !== undefined && (await copyText(text))) toasts.show({ title: t("common.copied"), tone: "success" });
  };
  const restart = (): void => void shell?.call("restartNode", null).catch(toasts.showError);
  return (
    <NodeFrame title={t("node.diagnostics")}>
      <Section
        title={t("node.report")}
        hint={t("node.reportHint")}
        actions={
          <div className={shared.buttons}>
            {shell !== undefined && (
              <Button icon={RotateCw} onClick={restart}>
                {t("desktop.restart")}
              </Button>
            )}
            <Button icon={Copy} disabled={text === undefined} onClick={(): void => void copy()}>
              {t("common.copy")}
            </Button>
          </div>
        }
      >
        {text === undefined ? (
          <SkeletonRows count={3} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
          <pre className={styles.code} tabIndex={0}>
            {text}
          </pre>
        )}
      </Section>
      <ProgramsSection />
      <OtherNodeSection />
    </NodeFrame>
  );
}

function useDiagnostics(): { readonly data: string | undefined } {
  const { address } = useNode();
  const live = useLiveState();
  const queries = useNodeQueries();
  const { data: status, error } = useQuery(queries.status());
  const { data: version } = useQuery(queries.version());
  const { data: peers } = useQuery(useNetworkQueries().peers());
  const shell = desktopApi();
  const { data: fromShell, isPending } = useQuery({
    queryKey: ["desktop-diagnostics"],
    queryFn: () => shell?.call("diagnostics", null),
    enabled: shell !== undefined,
  });
  if (shell !== undefined && isPending) return { data: undefined };
  const report = {
    interface: __APP_VERSION__,
    browser: navigator.userAgent,
    address,
    live_connection: live,
    last_error: error === null ? null : error.message,
    status: status ?? null,
    version: version ?? null,
    peers: peers?.peers ?? null,
  };
  return { data: [JSON.stringify(report, null, 2), fromShell].filter((part) => part !== undefined).join("\n\n") };
}
