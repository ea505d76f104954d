// All NFTs in the order of their ids.
import { Gem } from "lucide-react";
import type { ReactElement } from "react";
import { LoadedRows } from "#renderer/components/feedback/loaded-rows.tsx";
import { UnverifiedNote } from "#renderer/components/feedback/unverified-note.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { usePaged } from "#renderer/lib/node/lists/use-paged.ts";
import { LIST_PAGE } from "#renderer/lib/node/network-queries.ts";
import type { Nft } from "#shared/api/schemas/contracts.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";

const ROW_HEIGHT = 56;

export function NftsPage(): ReactElement {
  const t = useMessages();
  const { client } = useNode();
  const query = usePaged(["contracts", "nfts", "list"], (after, call) => client.listNfts({ limit: LIST_PAGE, ...after }, call));
  return (
    <ExplorerFrame title={t("explorer.nfts")}>
      <UnverifiedNote kind="list" />
      <div className={shared.outdented}>
        <LoadedRows
          label={t("explorer.nfts")}
          query={query}
          itemsOf={(page): readonly Nft[] => page.nfts}
          keyOf={(nft): string => nft.nft_id}
          estimateSize={ROW_HEIGHT}
          empty={{ icon: Gem, title: t("explorer.noNfts"), text: t("explorer.noNftsText") }}
          renderItem={(nft): ReactElement => (
            <ListRowLink
              to="/explorer/nft/$id"
              params={{ id: nft.nft_id }}
              leading={<Gem size={18} aria-hidden="true" />}
              heading={nft.name}
              subtitle={<bdi>{nft.nft_id}</bdi>}
              trailing={<AddressChip publicKey={nft.owner_pub} plain />}
            />
          )}
        />
      </div>
    </ExplorerFrame>
  );
}
