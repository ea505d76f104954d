// All tokens in the order of their ids.
import { Coins } from "lucide-react";
import type { ReactElement } from "react";
import { TokenAmount } from "#renderer/components/basics/token-amount.tsx";
import { LoadedRows } from "#renderer/components/feedback/loaded-rows.tsx";
import { UnverifiedNote } from "#renderer/components/feedback/unverified-note.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { usePaged } from "#renderer/lib/node/lists/use-paged.ts";
import { LIST_PAGE } from "#renderer/lib/node/network-queries.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import type { Token } from "#shared/api/schemas/contracts.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";

const ROW_HEIGHT = 56;

export function TokensPage(): ReactElement {
  const t = useMessages();
  const { client } = useNode();
  const query = usePaged([...queryKeys.tokenList, "list"], (after, call) => client.listTokens({ limit: LIST_PAGE, ...after }, call));
  return (
    <ExplorerFrame title={t("explorer.tokens")}>
      <UnverifiedNote kind="list" />
      <div className={shared.outdented}>
        <LoadedRows
          label={t("explorer.tokens")}
          query={query}
          itemsOf={(page): readonly Token[] => page.tokens}
          keyOf={(token): string => token.token_id}
          estimateSize={ROW_HEIGHT}
          empty={{ icon: Coins, title: t("explorer.noTokens"), text: t("explorer.noTokensText") }}
          renderItem={(token): ReactElement => (
            <ListRowLink
              to="/explorer/token/$id"
              params={{ id: token.token_id }}
              leading={<Coins size={18} aria-hidden="true" />}
              heading={token.name}
              subtitle={<bdi>{token.token_id}</bdi>}
              trailing={<TokenAmount units={BigInt(token.supply)} token={token} />}
            />
          )}
        />
      </div>
    </ExplorerFrame>
  );
}
