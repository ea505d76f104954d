// What the shell has to say above every view: a node that does not start, a disk that fills up.
import { type ReactElement, useEffect, useState } from "react";
import { Banner } from "#renderer/components/banner.tsx";
import { ButtonLink } from "#renderer/components/button-link.tsx";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useDesktopFacts } from "#renderer/lib/desktop/use-desktop-facts.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { DesktopApi, DesktopEvent } from "#shared/desktop/desktop-api.ts";

const MIB = 1024 * 1024;

/** The notices; nothing in a browser. */
export function DesktopNotices(): ReactElement | null {
  const desktop = desktopApi();
  if (desktop === undefined) return null;
  return (
    <>
      <NodeNotice desktop={desktop} />
      <DiskNotice desktop={desktop} />
    </>
  );
}

function NodeNotice(props: { readonly desktop: DesktopApi }): ReactElement | null {
  const t = useMessages();
  const node = useDesktopFacts(props.desktop).data?.node;
  if (node?.kind !== "failed") return null;
  return (
    <Banner
      flush
      tone="danger"
      title={t("desktop.failedTitle")}
      actions={
        <ButtonLink size="small" to="/settings/$section" params={{ section: "desktop" }}>
          {t("desktop.openSettings")}
        </ButtonLink>
      }
    >
      {node.reason === "" ? t("desktop.failedTextSilent") : t("desktop.failedText", { reason: node.reason })}
    </Banner>
  );
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
