// The node that the desktop app runs: its state and folder on disk.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { DesktopApi, DesktopState } from "#shared/desktop/desktop-api.ts";

export interface DesktopNodeSectionProps {
  readonly desktop: DesktopApi;
  readonly state: DesktopState;
}

export function DesktopNodeSection(props: DesktopNodeSectionProps): ReactElement {
  const { desktop, state } = props;
  const t = useMessages();
  const toasts = useToasts();
  const fail = (error: Error): void => void toasts.show({ tone: "danger", title: error.message });
  const restart = useMutation({ mutationFn: () => desktop.call("restartNode", null), onError: fail });
  const move = useMutation({
    mutationFn: () => desktop.call("moveDataFolder", null),
    onSuccess: (folder) => folder !== state.dataFolder && toasts.show({ tone: "success", title: t("desktop.moved", { folder }) }),
    onError: fail,
  });
  const diagnose = useMutation({
    mutationFn: async () => copyText(await desktop.call("diagnostics", null)),
    onSuccess: () => toasts.show({ tone: "success", title: t("desktop.diagnosticsCopied") }),
    onError: fail,
  });
  return (
    <Section
      title={t("desktop.node")}
      hint={t("desktop.diagnosticsHint")}
      actions={
        <div className={shared.buttons}>
          <Button onClick={(): void => diagnose.mutate()}>{t("desktop.diagnostics")}</Button>
          <Button busy={restart.isPending} onClick={(): void => restart.mutate()}>
            {t("desktop.restart")}
          </Button>
        </div>
      }
    >
      <KeyValueList rows={useNodeRows(state)} />
      <div className={shared.buttons}>
        <Button busy={move.isPending} onClick={(): void => move.mutate()}>
          {t("desktop.move")}
        </Button>
        <ButtonLink to="/node">{t("desktop.chooseMode")}</ButtonLink>
      </div>
    </Section>
  );
}

function useNodeRows({ node, dataFolder }: DesktopState): readonly KeyValueRow[] {
  const { t, locale } = useLanguage();
  const updating = node.kind === "starting" ? node.updating : undefined;
  const percent = new Intl.NumberFormat(locale, { style: "percent" }).format((updating?.done ?? 0) / Math.max(1, updating?.total ?? 1));
  const port = node.kind === "ready" ? String(node.port) : "";
  const reason = "reason" in node ? node.reason : "";
  return [
    {
      label: t("common.status"),
      value: updating === undefined ? t(`desktop.nodeState.${node.kind}`, { port }) : t("desktop.updating", { percent }),
    },
    ...(reason === "" ? [] : [{ label: t("desktop.nodeReason"), value: reason, mono: true }]),
    { label: t("desktop.dataFolder"), value: dataFolder, mono: true },
  ];
}
