// All blocks, newest first, loaded page by page down to genesis.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { OlderMissing } from "#renderer/components/feedback/older-missing.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { VirtualRows } from "#renderer/components/layout/virtual-rows.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { BlockRow } from "./block-row.tsx";

const PAGE = 100;
const ROW_HEIGHT = 44;

/** The page. The strip above shows what is newer than the list. */
export function BlocksPage(): ReactElement {
  const t = useMessages();
  const { client } = useNode();
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.allBlocks, "pages"],
    queryFn: ({ signal, pageParam }) => client.listBlocks({ limit: PAGE, ...(pageParam !== null && { before: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => {
      const oldest = page.at(-1)?.index ?? 0;
      return oldest > 0 ? oldest : undefined;
    },
    select: ({ pages }) => pages.flat(),
  });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const isCut = isCodedError(error, "HISTORY_PRUNED");
  const more = (): void => {
    if (hasNextPage && !isFetchingNextPage && !isCut) void fetchNextPage();
  };
  return (
    <ExplorerFrame hasStrip title={t("explorer.allBlocks")}>
      <QueryState query={query} />
      {data !== undefined && (
        <div className={shared.outdented}>
          <VirtualRows
            label={t("explorer.allBlocks")}
            items={data}
            keyOf={(block): string => block.hash}
            estimateSize={ROW_HEIGHT}
            renderItem={(block): ReactElement => <BlockRow block={block} />}
            onEnd={more}
          />
          {isCut && <OlderMissing text={t("explorer.olderBlocksMissing", { height: data.at(-1)?.index ?? 0 })} />}
        </div>
      )}
    </ExplorerFrame>
  );
}
