// What the shell has to say above every view: a node that does not start, or not yet, a disk that fills up.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, useEffect, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { SettingsNotice } from "#renderer/components/feedback/settings-notice.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useDesktopState } from "#renderer/lib/desktop/use-desktop-state.ts";
import { useLanguage, useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { UNSAFE_VOTING_EXIT } from "#shared/desktop/channels.ts";
import type { DesktopApi, DesktopEvent, FolderUpdate } from "#shared/desktop/desktop-api.ts";
import type { DesktopSettings } from "#shared/desktop/desktop-settings.ts";

const MIB = 1024 * 1024;

/** The notices; nothing in a browser. */
export function DesktopNotices(): ReactElement | null {
  const desktop = desktopApi();
  if (desktop === undefined) return null;
  return (
    <>
      <NodeNotice desktop={desktop} />
      <PortNotice desktop={desktop} />
      <DiskNotice desktop={desktop} />
    </>
  );
}

function NodeNotice(props: { readonly desktop: DesktopApi }): ReactElement | null {
  const t = useMessages();
  const { node, settings } = useDesktopState(props.desktop).data ?? {};
  if (node?.kind === "starting" && node.updating !== undefined)
    return (
      <WithAllWords>
        <UpdatingNotice {...node.updating} />
      </WithAllWords>
    );
  if (node?.kind !== "failed") return null;
  if (node.exitCode === UNSAFE_VOTING_EXIT)
    return (
      <OtherModeNotice desktop={props.desktop} mode="full" title={t("desktop.unsafeTitle")} action={t("desktop.unsafeAction")}>
        {node.reason}
      </OtherModeNotice>
    );
  // Without others, or with a folder of its own network, a light node does not start.
  if (settings?.nodeMode === "light")
    return (
      <OtherModeNotice
        desktop={props.desktop}
        mode="automatic"
        title={t("desktop.lightFailedTitle")}
        action={t("desktop.lightFailedAction")}
      >
        {node.reason}
      </OtherModeNotice>
    );
  return (
    <SettingsNotice tone="danger" title={t("desktop.failedTitle")} section="desktop" action={t("desktop.openSettings")}>
      {node.reason === "" ? t("desktop.failedTextSilent") : t("desktop.failedText", { reason: node.reason })}
    </SettingsNotice>
  );
}

/** The data folder of an older version is being brought up to date: until then the node serves nothing. */
function UpdatingNotice({ done, total }: FolderUpdate): ReactElement {
  const { t, locale } = useLanguage();
  const percent = new Intl.NumberFormat(locale, { style: "percent" }).format(total === 0 ? 0 : done / total);
  return (
    <Banner flush tone="accent" title={t("desktop.updating", { percent })}>
      {t("desktop.updatingText")}
    </Banner>
  );
}

interface OtherModeNoticeProps {
  readonly desktop: DesktopApi;
  readonly mode: DesktopSettings["nodeMode"];
  readonly title: string;
  readonly action: string;
  readonly children: string;
}

/** The node does not start in its mode, and would in another one: without a vote where the folder is older than what its key has signed. */
function OtherModeNotice(props: OtherModeNoticeProps): ReactElement {
  const { desktop, mode, title, action, children } = props;
  const toasts = useToasts();
  const start = useMutation({
    mutationFn: async (): Promise<void> => {
      await desktop.call("changeSettings", { nodeMode: mode, nodeCheckpoint: null });
      await desktop.call("restartNode", null);
    },
    onError: toasts.showError,
  });
  return (
    <Banner
      flush
      tone="danger"
      title={title}
      actions={
        <Button size="small" busy={start.isPending} onClick={(): void => start.mutate()}>
          {action}
        </Button>
      }
    >
      {children}
    </Banner>
  );
}

function PortNotice(props: { readonly desktop: DesktopApi }): ReactElement | null {
  const t = useMessages();
  const desktopState = useDesktopState(props.desktop).data;
  if (desktopState === undefined || desktopState.takenPort === null) return null;
  return <Banner flush tone="warning" title={t("desktop.portTaken", { port: String(desktopState.takenPort) })} />;
}

function DiskNotice(props: { readonly desktop: DesktopApi }): ReactElement | null {
  const { desktop } = props;
  const { t, locale } = useLanguage();
  const [disk, setDisk] = useState<Extract<DesktopEvent, { type: "disk" }>>();
  useEffect(
    () =>
      desktop.onEvent((event) => {
        if (event.type === "disk") setDisk(event);
      }),
    [desktop],
  );
  if (disk === undefined || disk.level === "ample") return null;
  const space = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte" }).format(Math.floor(disk.freeBytes / MIB));
  return (
    <Banner
      flush
      tone={disk.level === "full" ? "danger" : "warning"}
      title={t(disk.level === "full" ? "desktop.diskFull" : "desktop.diskLow", { space })}
    />
  );
}
