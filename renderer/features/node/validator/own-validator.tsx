// The node on its way to being a validator: what is done, what comes next, and the one thing that a person can do now.

import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useEffect, useRef } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { type OwnNode, useOwnNode } from "#renderer/lib/node/use-own-node.ts";
import { validatorStage, waitingBond } from "#renderer/lib/node/validator-stage.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { NodeFiguresList } from "./node-figures-list.tsx";
import { RemoteValidator } from "./remote-validator.tsx";
import { ValidatorSteps } from "./validator-steps.tsx";

/** Figures are asked for again with a block, at most this often. */
const RENEW_MS = 2_000;

/** The section about the own node. */
export function OwnValidator(): ReactElement | null {
  const t = useMessages();
  const node = useOwnNode();
  const query = useQuery(useNodeQueries().status());
  const status = query.data;
  if (status === undefined) return <QueryState query={query} rows={3} />;
  if (node.isOther)
    return (
      <Banner isLasting title={t("node.otherNodeTitle")}>
        {t("node.otherNodeText")}
      </Banner>
    );
  if (status.validator_key?.place === "remote") return <RemoteValidator validatorKey={status.validator_key} />;
  if (node.publicKey === undefined)
    return (
      <Banner isLasting title={t("node.lightNoDuties")}>
        {t("node.lightNoDutiesText")}
      </Banner>
    );
  return <OwnSteps node={node} publicKey={node.publicKey} />;
}

function OwnSteps({ node, publicKey }: { readonly node: OwnNode; readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const queries = useNetworkQueries();
  const stats = useQuery(queries.nodeStats(publicKey));
  const proposals = useQuery(queries.proposals());
  const bond = useQuery(queries.validatorBond());
  const leastFeeUt = useLeastFee();
  useRenewedByBlocks(stats.refetch);
  const error = stats.error ?? proposals.error ?? bond.error;
  const isLoading = stats.data === undefined || proposals.data === undefined || bond.data === undefined;
  if (isLoading && error !== null)
    return <ErrorState error={error} onRetry={(): void => void Promise.all([stats.refetch(), proposals.refetch(), bond.refetch()])} />;
  if (isLoading) return <SkeletonRows count={4} />;
  // The chain decides when a bond is free: a clock that is behind it hides nothing.
  const nowMs = Math.max(Date.now(), node.tipTime === undefined ? 0 : Date.parse(node.tipTime));
  const proposal = proposals.data.find(({ action, pub_key: key }) => action === "add" && key === publicKey);
  const facts = { stats: stats.data, bondUt: bond.data, leastFeeUt, proposal, nowMs };
  const stage = validatorStage(facts);
  return (
    <Section
      title={t("node.thisNode")}
      hint={t("node.thisNodeHint")}
      actions={
        <Badge tone={stage.kind === "member" ? "success" : "neutral"}>
          {t(stage.kind === "member" ? "explorer.validator" : "node.isNoValidator")}
        </Badge>
      }
    >
      <div>
        <AddressChip publicKey={publicKey} />
      </div>
      <ValidatorSteps node={node} publicKey={publicKey} stage={stage} bondUt={bond.data} bond={waitingBond(facts)} />
      {stats.data !== null && <NodeFiguresList stats={stats.data} />}
    </Section>
  );
}

/** Blocks are signed and rewards come without a transaction that would renew the figures. */
function useRenewedByBlocks(refetch: (options: { readonly cancelRefetch: boolean }) => unknown): void {
  const { data } = useQuery(useNodeQueries().status());
  const height = data?.sync.height;
  const askedAtMs = useRef(0);
  useEffect(() => {
    if (height === undefined) return undefined;
    const ask = (): void => {
      askedAtMs.current = performance.now();
      void refetch({ cancelRefetch: false });
    };
    const timer = setTimeout(ask, Math.max(0, askedAtMs.current + RENEW_MS - performance.now()));
    return (): void => clearTimeout(timer);
  }, [height, refetch]);
}
