// Below a list that ends early: what of it is not on this node, and how many connected nodes say that they have it.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";

/** The line; `text` says what is missing. */
export function OlderMissing({ text }: { readonly text: string }): ReactElement {
  return <p className={shared.muted}>{useOlderMissing(text)}</p>;
}

/** The same as text, where a component has a place of its own for it. */
export function useOlderMissing(text: string): string {
  const t = useMessages();
  const count = useQuery(useNodeQueries().status()).data?.history?.older_nodes;
  if (count === undefined) return text;
  return `${text} ${count === 0 ? t("explorer.olderNowhere") : t("explorer.olderNodes", { count })}`;
}
