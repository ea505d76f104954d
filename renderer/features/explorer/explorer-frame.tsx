// What every page of the explorer has: its name, the way back to the overview, the search, and the strip of newest blocks.
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { IconButton } from "#renderer/components/icon-button.tsx";
import { PageHeader } from "#renderer/components/page-header.tsx";
import { Page } from "#renderer/components/panes.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { BlockStrip } from "./block-strip.tsx";
import { SearchBox } from "./search-box.tsx";

/** Props of {@link ExplorerFrame}. */
export interface ExplorerFrameProps {
  readonly title: string;
  readonly isOverview?: boolean;
  /** Height whose block is marked in the strip. */
  readonly height?: number;
  readonly children: ReactNode;
}

/** Frame of a page. */
export function ExplorerFrame(props: ExplorerFrameProps): ReactElement {
  const { title, isOverview = false, height, children } = props;
  const t = useMessages();
  const navigate = useNavigate();
  const back = isOverview ? undefined : (
    <IconButton icon={ArrowLeft} label={t("explorer.toOverview")} onClick={(): void => void navigate({ to: "/explorer" })} />
  );
  return (
    <Page wide header={<PageHeader title={title} leading={back} actions={<SearchBox />} />}>
      <BlockStrip {...(height !== undefined && { selected: height })} />
      {children}
    </Page>
  );
}
