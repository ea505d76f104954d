// What is stored where: by the node, and by this interface on this device.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";

export function StorageSection({ status }: { readonly status: NodeStatus }): ReactElement {
  const { t, locale } = useLanguage();
  const { data: stats } = useQuery(useNodeQueries().netstats());
  const { data: used } = useQuery({ queryKey: ["storage-estimate"], queryFn: () => navigator.storage.estimate() });
  const shell = desktopApi();
  const { data: state } = useQuery({
    queryKey: ["desktop-state"],
    queryFn: () => shell?.call("state", null),
    enabled: shell !== undefined,
  });
  const number = new Intl.NumberFormat(locale);
  const { storage } = status;
  const isLight = status.light !== undefined;
  return (
    <Section title={t("node.storage")} actions={shell !== undefined && <MoveButton />}>
      <KeyValueList
        rows={[
          ...(isLight ? [] : [{ label: t("node.blocksStored"), value: number.format(status.sync.height + 1) }]),
          ...(stats === undefined || isLight ? [] : [{ label: t("explorer.transactions"), value: number.format(stats.total_txs) }]),
          { label: t("node.mailbox"), value: number.format(status.mailbox_envelopes) },
          ...(storage === undefined
            ? []
            : [
                { label: t(isLight ? "node.lightStorage" : "node.chainStorage"), value: formatBytes(locale, storage.chain_bytes) },
                { label: t("node.mailboxStorage"), value: formatBytes(locale, storage.mailbox_bytes) },
                { label: t("node.consensusStorage"), value: formatBytes(locale, storage.consensus_bytes) },
              ]),
          ...(used?.usage === undefined ? [] : [{ label: t("node.interfaceStorage"), value: formatBytes(locale, used.usage) }]),
          ...(state === undefined ? [] : [{ label: t("desktop.dataFolder"), value: state.dataFolder, mono: true }]),
        ]}
      />
      <p className={shared.muted}>{t(isLight ? "node.lightStorageText" : "node.storageText")}</p>
    </Section>
  );
}

function MoveButton(): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const move = (): void => void desktopApi()?.call("moveDataFolder", null).catch(toasts.showError);
  return (
    <Button size="small" onClick={move}>
      {t("desktop.move")}
    </Button>
  );
}
