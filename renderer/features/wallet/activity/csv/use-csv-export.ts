// Writes the whole history into a file: all pages, whatever is loaded or filtered in the view.
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { saveTextFile } from "#renderer/lib/browser/save-file.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { unlessUnknown, useNodeQueries } from "#renderer/lib/node/queries.ts";
import { usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useLabels } from "#renderer/lib/transactions/label-store.ts";
import type { NodeClient } from "#shared/api/client.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { itemOfEntry } from "../activity-item.ts";
import { readMemos } from "../memos/read-memos.ts";
import { activityCsv } from "./activity-csv.ts";
import { readPeerNames } from "./peer-names.ts";

/** Largest page that the node gives. */
const PAGE = 1_000;

/** What is in the file. */
export interface ExportedHistory {
  readonly count: number;
  /** Entries of blocks below are not on the node, and not in the file. */
  readonly missingBelow: number | undefined;
}

/** The way to export. */
export function useCsvExport(account: PublicKeyHex): UseMutationResult<ExportedHistory, Error, void> {
  const t = useMessages();
  const { client } = useNode();
  const cache = useQueryClient();
  const queries = useNodeQueries();
  const labels = useLabels();
  const notes = usePeopleNotes((store) => store.notes);
  return useMutation({
    mutationFn: async () => {
      const { entries, missingBelow } = await readAll(client, account);
      const items = entries.map((entry) => itemOfEntry(entry, account));
      const [memos, published] = await Promise.all([
        readMemos(client, account, items),
        readPeerNames(items, (peers) => cache.fetchQuery(queries.names(peers))),
      ]);
      const text = activityCsv(t, items, ({ id, peer }) => ({
        label: labels[id],
        memo: memos.get(id),
        peerName: peer === undefined ? undefined : notes[peer]?.name || published.get(peer),
      }));
      saveTextFile(`parley-${new Date().toISOString().slice(0, 10)}.csv`, text, "text/csv");
      return { count: items.length, missingBelow };
    },
  });
}

async function readAll(
  client: NodeClient,
  account: PublicKeyHex,
): Promise<Pick<ExportedHistory, "missingBelow"> & { readonly entries: readonly TransactionEntry[] }> {
  const byId = new Map<string, TransactionEntry>();
  for (let offset = 0; ; offset += PAGE) {
    const page = await unlessUnknown(client.getAddress({ addr: account, limit: PAGE, offset }));
    for (const entry of page?.transactions ?? []) byId.set(`${entry.block_index}:${entry.id}`, entry);
    if (page?.has_more !== true) return { entries: [...byId.values()], missingBelow: page?.missing_below };
  }
}
