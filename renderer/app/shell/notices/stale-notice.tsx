// Marks the views of the chain and of the node while the node is away: what they show was loaded earlier.
import { useRouterState } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { RichText, slot } from "#renderer/components/basics/rich-text.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useSyncState } from "#renderer/lib/node/use-sync-state.ts";

/** The note, or nothing elsewhere and while the node responds. */
export function StaleNotice(): ReactElement | null {
  const t = useMessages();
  const { sync, asOfMs } = useSyncState();
  const isOfNode = useRouterState({ select: ({ matches }) => /^\/(explorer|node)(\/|$)/.test(matches.at(-1)?.pathname ?? "") });
  if (!isOfNode || sync.kind !== "offline" || asOfMs === 0) return null;
  return (
    <Banner flush tone="warning" title={t("node.staleTitle")}>
      <RichText text={t("node.staleText", { time: slot("time") })} parts={{ time: <Time at={asOfMs} /> }} />
    </Banner>
  );
}
