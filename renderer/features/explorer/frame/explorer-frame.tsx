// What every page of the explorer has: its name, the way back to the overview, the parts, and the search.
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import { PartLinks } from "#renderer/components/layout/part-links.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { BlockStrip } from "./block-strip.tsx";
import { SearchBox } from "./search-box.tsx";

const PARTS = [
  { to: "/explorer", label: "common.overview" },
  { to: "/explorer/blocks", label: "explorer.blocks" },
  { to: "/explorer/validators", label: "explorer.validators" },
  { to: "/explorer/relays", label: "explorer.relays" },
  { to: "/explorer/contracts", label: "explorer.contracts" },
  { to: "/explorer/tokens", label: "explorer.tokens" },
  { to: "/explorer/nfts", label: "explorer.nfts" },
] as const;

export interface ExplorerFrameProps {
  readonly title: string;
  readonly isOverview?: boolean;
  /** Shows the strip of newest blocks: on pages that list what is new. */
  readonly hasStrip?: boolean;
  readonly children: ReactNode;
}

/** Frame of a page. */
export function ExplorerFrame(props: ExplorerFrameProps): ReactElement {
  const { title, isOverview = false, hasStrip = false, children } = props;
  const t = useMessages();
  const navigate = useNavigate();
  const back = isOverview ? undefined : (
    <IconButton icon={ArrowLeft} label={t("explorer.toOverview")} onClick={(): void => void navigate({ to: "/explorer" })} />
  );
  return (
    <Page wide header={<PageHeader title={title} leading={back} actions={<SearchBox />} />}>
      <PartLinks label={t("explorer.parts")} parts={PARTS.map(({ to, label }) => ({ to, label: t(label), exact: to === "/explorer" }))} />
      {hasStrip && <BlockStrip />}
      {children}
    </Page>
  );
}
