// Several hits of a search, grouped by what they are.
import { AtSign, Blocks, Coins, FileCode2, Gem } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { ListRow, ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { SearchResult } from "#shared/api/schemas/search.ts";
import { TransactionRow } from "../transactions/transaction-row.tsx";

/** The groups that have hits. */
export function SearchHits({ result }: { readonly result: SearchResult }): ReactElement {
  const t = useMessages();
  return (
    <>
      <Group title={t("explorer.people")}>
        {[
          ...result.usernames.map(({ username, pub_key: key, address }) => (
            <ListRowLink
              key={`@${username}`}
              to="/explorer/address/$account"
              params={{ account: key }}
              leading={<AtSign size={18} aria-hidden="true" />}
              heading={`@${username}`}
              subtitle={shorten(address)}
            />
          )),
          ...result.accounts.map(({ pub_key: key, address, nickname }) => (
            <ListRowLink
              key={key}
              to="/explorer/address/$account"
              params={{ account: key }}
              leading={<Avatar publicKey={key} size={32} />}
              heading={nickname.trim() === "" ? shorten(address) : nickname}
              subtitle={<bdi>{address}</bdi>}
            />
          )),
        ]}
      </Group>
      <Group title={t("explorer.blocks")}>
        {result.blocks.map(({ index, hash }) => (
          <ListRowLink
            key={hash}
            to="/explorer/block/$height"
            params={{ height: String(index) }}
            leading={<Blocks size={18} aria-hidden="true" />}
            heading={t("explorer.blockTitle", { height: index })}
            subtitle={<bdi>{hash}</bdi>}
          />
        ))}
      </Group>
      <Group title={t("explorer.transactions")}>
        {result.transactions.map((transaction) => (
          <TransactionRow key={transaction.id} transaction={transaction} />
        ))}
      </Group>
      <ContractHits result={result} />
      <Group title={t("explorer.nodes")}>
        {[...new Set([...result.validators, ...result.relays].map(({ pub_key: key }) => key))].map((key) => (
          <ListRow key={key} heading={<AddressChip publicKey={key} />} />
        ))}
      </Group>
    </>
  );
}

function ContractHits({ result }: { readonly result: SearchResult }): ReactElement {
  const t = useMessages();
  return (
    <Group title={t("explorer.contractsAndTokens")}>
      {[
        ...result.contracts.map(({ contract_id: id, name }) => (
          <ListRowLink
            key={`contract:${id}`}
            to="/explorer/contract/$id"
            params={{ id }}
            leading={<FileCode2 size={18} aria-hidden="true" />}
            heading={name}
            subtitle={<bdi>{id}</bdi>}
          />
        )),
        ...result.tokens.map(({ token_id: id, name, symbol }) => (
          <ListRowLink
            key={`token:${id}`}
            to="/explorer/token/$id"
            params={{ id }}
            leading={<Coins size={18} aria-hidden="true" />}
            heading={`${name} · ${symbol}`}
            subtitle={<bdi>{id}</bdi>}
          />
        )),
        ...result.nfts.map(({ nft_id: id, name }) => (
          <ListRowLink
            key={`nft:${id}`}
            to="/explorer/nft/$id"
            params={{ id }}
            leading={<Gem size={18} aria-hidden="true" />}
            heading={name}
            subtitle={<bdi>{id}</bdi>}
          />
        )),
      ]}
    </Group>
  );
}

function Group(props: { readonly title: string; readonly children: readonly ReactNode[] }): ReactElement | null {
  if (props.children.length === 0) return null;
  return (
    <Section title={props.title} bare>
      <div className={shared.outdented}>{props.children}</div>
    </Section>
  );
}
