// For programs: where the node describes its interface and shows its metrics. A browser opens both; the desktop's window leads to no page
// without TLS, so it shows the addresses.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { webAddressOf } from "#renderer/lib/node/access/node-access.ts";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";

const PATHS = { "node.description": "/swagger", "node.metrics": "/metrics" } as const;

export function ProgramsSection(): ReactElement {
  const t = useMessages();
  const { address } = useNode();
  const { data: origin } = useQuery({ queryKey: ["web-address", address], queryFn: () => webAddressOf(address) });
  if (origin === undefined) return <Pending />;
  const rowOf = (label: keyof typeof PATHS): KeyValueRow => ({
    label: t(label),
    value: linkOrText(`${origin}${PATHS[label]}`),
    mono: true,
  });
  const linkOrText = (url: string): ReactNode => (origin === address ? <PageLink url={url} /> : url);
  return (
    <Section title={t("node.programs")} hint={t("node.programsHint")}>
      <KeyValueList rows={[rowOf("node.description"), rowOf("node.metrics")]} />
    </Section>
  );
}

function PageLink({ url }: { readonly url: string }): ReactElement {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  );
}
