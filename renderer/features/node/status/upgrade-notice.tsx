// Warns before the network changes to a version of the rules that the node's program lacks: the node stops there.
import type { ReactElement } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { formatDateTime } from "#renderer/lib/format/time.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";

/** Nothing while no such change is approved. */
export function UpgradeNotice({ upgrade }: { readonly upgrade: NodeStatus["upgrade"] | undefined }): ReactElement | null {
  const { t, locale } = useLanguage();
  if (upgrade === undefined || upgrade.is_known) return null;
  const time = formatDateTime(locale, upgrade.not_before * 1000);
  return (
    <Banner tone="danger" title={t("node.upgradeMissing")}>
      {t("node.upgradeMissingText", { height: upgrade.at_height, time })}
    </Banner>
  );
}
