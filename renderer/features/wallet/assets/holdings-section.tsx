// Tokens and NFTs of the account. Nothing is shown where there are none: most people have none.
import { useQuery } from "@tanstack/react-query";
import { Coins, Gem } from "lucide-react";
import type { ReactElement } from "react";
import { TokenAmount } from "#renderer/components/basics/token-amount.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "./holdings-section.module.css";

/** The section, or nothing. */
export function HoldingsSection({ account }: { readonly account: PublicKeyHex }): ReactElement | null {
  const t = useMessages();
  const queries = useNetworkQueries();
  const { data: tokens = [], isPending: areTokensPending } = useQuery(queries.holdings(account));
  const { data: nfts = [], isPending: areNftsPending } = useQuery(queries.nftsOfOwner(account));
  if (areTokensPending || areNftsPending) return <Pending />;
  if (tokens.length === 0 && nfts.length === 0) return null;
  return (
    <Section
      title={t("wallet.holdings")}
      bare
      actions={
        <ButtonLink to="/wallet/assets" size="small">
          {t("assets.manage")}
        </ButtonLink>
      }
    >
      <ul className={styles.grid}>
        {tokens.map(({ token, balance }) => (
          <li key={token.token_id} className={styles.item}>
            <ListRowLink
              to="/wallet/tokens/$id"
              params={{ id: token.token_id }}
              leading={<Coins size={18} aria-hidden="true" className={shared.muted} />}
              heading={token.name}
              subtitle={<bdi>{token.token_id}</bdi>}
              trailing={<TokenAmount units={balance} token={token} />}
            />
          </li>
        ))}
        {nfts.map((nft) => (
          <li key={nft.nft_id} className={styles.item}>
            <ListRowLink
              to="/wallet/nfts/$id"
              params={{ id: nft.nft_id }}
              leading={<Gem size={18} aria-hidden="true" className={shared.muted} />}
              heading={nft.name}
              subtitle={<bdi>{nft.nft_id}</bdi>}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
