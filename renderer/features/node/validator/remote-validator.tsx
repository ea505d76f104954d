// A node whose validator's key is in a signer: whose it is, whether the signer is there, and what the key has done. What needs the key
// itself is done where the signer is.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import { NodeFiguresList } from "./node-figures-list.tsx";

export interface RemoteValidatorProps {
  readonly validatorKey: NonNullable<NodeStatus["validator_key"]>;
}

/** The section about the validator of the own node. */
export function RemoteValidator({ validatorKey }: RemoteValidatorProps): ReactElement {
  const t = useMessages();
  const { pub_key: publicKey, is_ready: isReady } = validatorKey;
  const { data: stats } = useQuery(useNetworkQueries().nodeStats(publicKey));
  return (
    <Section
      title={t("node.thisNode")}
      hint={t("node.signerHint")}
      actions={<Badge tone={isReady ? "success" : "warning"}>{t(isReady ? "node.signerReady" : "node.signerAway")}</Badge>}
    >
      {!isReady && (
        <Banner tone="warning" title={t("node.signerAway")}>
          {t("node.signerAwayText")}
        </Banner>
      )}
      <div>
        <AddressChip publicKey={publicKey} />
      </div>
      {stats !== undefined && stats !== null && <NodeFiguresList stats={stats} />}
    </Section>
  );
}
