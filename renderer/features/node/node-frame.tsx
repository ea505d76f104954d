// What every page about the node has: its name and the parts.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import { PartLinks } from "#renderer/components/layout/part-links.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";

const PARTS = [
  { to: "/node", label: "common.overview" },
  { to: "/node/validator", label: "explorer.validator" },
  { to: "/node/relay", label: "explorer.relay" },
  { to: "/node/diagnostics", label: "node.diagnostics" },
] as const;

/** Frame of a page. */
export function NodeFrame(props: { readonly title?: string; readonly children: ReactNode }): ReactElement {
  const t = useMessages();
  const { data: network } = useQuery(useNodeQueries().networkInfo());
  return (
    <Page wide header={<PageHeader title={props.title ?? t("node.title")} {...(network && { subtitle: network.chain_id })} />}>
      <PartLinks label={t("node.parts")} parts={PARTS.map(({ to, label }) => ({ to, label: t(label), exact: to === "/node" }))} />
      {props.children}
    </Page>
  );
}
