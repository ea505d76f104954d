// Marks a view of the chain or the node while the node is away: what it shows was loaded earlier.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useSyncState } from "#renderer/lib/node/use-sync-state.ts";
import { RichText, slot } from "../basics/rich-text.tsx";
import { Time } from "../basics/time.tsx";
import { Banner } from "./banner.tsx";

/** The note, or nothing while the node responds. */
export function StaleNote(): ReactElement | null {
  const t = useMessages();
  const { sync, asOfMs } = useSyncState();
  if (sync.kind !== "offline" || asOfMs === 0) return null;
  return (
    <Banner tone="warning" title={t("node.staleTitle")}>
      <RichText text={t("node.staleText", { time: slot("time") })} parts={{ time: <Time at={asOfMs} /> }} />
    </Banner>
  );
}
