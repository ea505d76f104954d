// A calm line under what a light node cannot prove: sums over all blocks, and which items a list holds.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";

/** The line; nothing while the node proves everything itself. */
export function UnverifiedNote({ kind }: { readonly kind: "figures" | "list" }): ReactElement | null {
  const t = useMessages();
  const { data } = useQuery(useNodeQueries().status());
  if (data?.light === undefined) return null;
  return <p className={shared.caption}>{t(kind === "figures" ? "explorer.unverifiedTotals" : "explorer.unverifiedList")}</p>;
}
