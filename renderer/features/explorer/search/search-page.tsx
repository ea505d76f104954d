// Where a search goes: on to what it found, or an honest "nothing" with what can be searched for.
import { useQuery } from "@tanstack/react-query";
import { Navigate, useSearch } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { type Finding, findOnChain } from "./find-on-chain.ts";
import { SearchHits } from "./search-hits.tsx";

/** Longest part of the searched text that is repeated. */
const SHOWN_CHARACTERS = 24;

export function SearchPage(): ReactElement {
  const t = useMessages();
  const { q } = useSearch({ from: "/shell/explorer/search" });
  const { client } = useNode();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["explorer-search", q],
    queryFn: ({ signal }) => findOnChain(client, q, { signal }),
    staleTime: 0,
  });
  return (
    <ExplorerFrame title={t("explorer.searchTitle")}>
      {error !== null && <ErrorState error={error} onRetry={(): void => void refetch()} isRetrying={isFetching} />}
      {error === null && data === undefined && <SkeletonRows count={3} />}
      {error === null && data !== undefined && <Found finding={data} text={q} />}
    </ExplorerFrame>
  );
}

function Found(props: { readonly finding: Finding; readonly text: string }): ReactElement {
  const { finding, text } = props;
  const t = useMessages();
  const shown = shorten(text.trim(), SHOWN_CHARACTERS, SHOWN_CHARACTERS / 2);
  const title = t("explorer.nothingFound", { text: shown });
  switch (finding.kind) {
    case "found":
      return <GoTo target={finding.target} />;
    case "several":
      return <SearchHits result={finding.result} />;
    case "mistyped":
      return <EmptyState icon={SearchX} title={t("explorer.malformedAddressTitle")} text={t("explorer.malformedAddress")} />;
    case "nothing":
      return (
        <EmptyState
          icon={SearchX}
          title={title}
          text={t("explorer.nothingFoundText")}
          actions={
            finding.account !== undefined && (
              <ButtonLink to="/explorer/address/$account" params={{ account: formatAddress(finding.account) }}>
                {t("explorer.openAsAddress")}
              </ButtonLink>
            )
          }
        />
      );
  }
}

function GoTo(props: { readonly target: Extract<Finding, { readonly kind: "found" }>["target"] }): ReactElement {
  const { target } = props;
  switch (target.kind) {
    case "block":
      return <Navigate to="/explorer/block/$height" params={{ height: String(target.height) }} replace />;
    case "transaction":
      return <Navigate to="/explorer/tx/$id" params={{ id: target.id }} replace />;
    case "account":
      return <Navigate to="/explorer/address/$account" params={{ account: formatAddress(target.publicKey) }} replace />;
  }
}
