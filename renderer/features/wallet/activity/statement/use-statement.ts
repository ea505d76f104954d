// The statement of a period with names and memos, read when it is asked for.
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import { usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useLabels } from "#renderer/lib/transactions/label-store.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { readPeerNames } from "../csv/peer-names.ts";
import { readMemos } from "../memos/read-memos.ts";
import { makeStatement, type Statement, type StatementLine } from "./make-statement.ts";
import type { Period } from "./period.ts";
import { readWholeHistory } from "./read-history.ts";
import type { LineWords } from "./statement-csv.ts";

/** What a statement shows, or the height below which entries of the period are missing. */
export interface ReadStatement {
  readonly statement: Statement | undefined;
  readonly missingBelow: number | undefined;
  readonly memos: ReadonlyMap<string, string>;
  readonly published: ReadonlyMap<string, string>;
}

export function useStatement(period: Period): UseQueryResult<ReadStatement> {
  const { masterPub } = useAccount();
  const { client } = useNode();
  const cache = useQueryClient();
  const queries = useNodeQueries();
  return useQuery({
    queryKey: [...queryKeys.account(masterPub), "statement", period.fromMs, period.toMs],
    gcTime: 0,
    queryFn: async (): Promise<ReadStatement> => {
      const made = makeStatement(await readWholeHistory(client, masterPub), period);
      if (!("lines" in made)) return { statement: undefined, missingBelow: made.missingBelow, memos: new Map(), published: new Map() };
      const items = made.lines.map(({ item }) => item);
      const [memos, published] = await Promise.all([
        readMemos(client, masterPub, items),
        readPeerNames(items, (peers) => cache.fetchQuery(queries.names(peers))),
      ]);
      return { statement: made, missingBelow: undefined, memos, published };
    },
  });
}

/** Names, memos and labels of the lines, safe to show. */
export function useLineWords({ memos, published }: Pick<ReadStatement, "memos" | "published">): (line: StatementLine) => LineWords {
  const labels = useLabels();
  const notes = usePeopleNotes((store) => store.notes);
  return useMemo(
    () =>
      ({ item: { id, peer } }): LineWords => ({
        name: peer === undefined ? "" : notes[peer]?.name || (published.get(peer) ?? ""),
        memo: visibleText(memos.get(id) ?? ""),
        label: labels[id] ?? "",
      }),
    [memos, published, labels, notes],
  );
}
