// The node and network that the app speaks to.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { checkNodeSupport } from "#renderer/lib/node/access/support-check.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";

export function NetworkSection(): ReactElement {
  const t = useMessages();
  const { address } = useNode();
  const queries = useNodeQueries();
  const network = useQuery(queries.networkInfo());
  const version = useQuery(queries.version());
  const error = network.error ?? version.error;
  if (error !== null) return <ErrorState error={error} onRetry={(): void => void Promise.all([network.refetch(), version.refetch()])} />;
  if (network.data === undefined || version.data === undefined) return <SkeletonRows count={3} />;
  const { node_version: nodeVersion, protocol_version: protocol, features } = version.data;
  return (
    <Section hideTitle title={t("settings.network")}>
      <KeyValueList
        rows={[
          { label: t("settings.nodeAddress"), value: address },
          { label: t("common.network"), value: network.data.chain_id },
          { label: t("settings.genesis"), value: <Copyable text={network.data.genesis_hash} /> },
          { label: t("settings.nodeVersion"), value: nodeVersion },
          { label: t("settings.protocol"), value: String(protocol) },
          { label: t("settings.features"), value: features.join(", ") },
          { label: t("settings.support"), value: <Support /> },
        ]}
      />
    </Section>
  );
}

function Support(): ReactElement {
  const t = useMessages();
  const support = checkNodeSupport(useQuery(useNodeQueries().version()).data);
  switch (support.kind) {
    case "supported":
      return <Badge tone="success">{t("settings.supportYes")}</Badge>;
    case "unknown":
      return <Badge>{t("settings.supportUnknown")}</Badge>;
    case "protocol":
      return <>{t("shell.unsupportedProtocol", { version: support.version })}</>;
    case "features":
      return <>{t("shell.unsupportedFeatures", { features: support.missing.join(", ") })}</>;
  }
}
