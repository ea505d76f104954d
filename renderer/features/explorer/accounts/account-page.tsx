// One account: who, how much, published keys, and everything that touched it.
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Coins, MessageCircle, SearchX, Tag } from "lucide-react";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { Skeleton } from "#renderer/components/feedback/skeleton.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { usePerson, usePersonActions } from "#renderer/lib/people/people-context.tsx";
import { formatAddress, type PublicKeyHex, parseAddress } from "#shared/protocol/primitives/address.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { AccountHistory } from "./account-history.tsx";
import styles from "./account-page.module.css";
import { IdentitySection } from "./identity-section.tsx";

const HEX_KEY = /^[0-9a-f]{64}$/i;

export function AccountPage(): ReactElement {
  const { account } = useParams({ from: "/shell/explorer/address/$account" });
  const t = useMessages();
  const publicKey = HEX_KEY.test(account) ? account.toLowerCase() : parseAddress(account.toLowerCase());
  if (publicKey === undefined) {
    return (
      <ExplorerFrame title={t("explorer.address")}>
        <EmptyState
          icon={SearchX}
          title={t("explorer.malformedAddressTitle")}
          text={t("explorer.malformedAddress")}
          actions={<ButtonLink to="/explorer">{t("explorer.toOverview")}</ButtonLink>}
        />
      </ExplorerFrame>
    );
  }
  return (
    <ExplorerFrame title={t("explorer.addressTitle", { address: shorten(formatAddress(publicKey)) })}>
      <AccountHead publicKey={publicKey} />
      <IdentitySection publicKey={publicKey} />
      <AccountHistory key={publicKey} publicKey={publicKey} />
    </ExplorerFrame>
  );
}

function AccountHead(props: { readonly publicKey: PublicKeyHex }): ReactElement {
  const { publicKey } = props;
  const t = useMessages();
  const person = usePerson(publicKey);
  const { message, pay, rename } = usePersonActions();
  const { data, error, refetch, isFetching } = useQuery(useNodeQueries().balance(publicKey));
  const name = person.isSelf ? t("common.you") : person.name;
  if (data === undefined && error !== null) {
    return <ErrorState error={error} onRetry={(): void => void refetch()} isRetrying={isFetching} />;
  }
  return (
    <section className={styles.head} aria-label={t("explorer.address")}>
      <Avatar publicKey={publicKey} size={52} />
      <div className={styles.text}>
        {name !== undefined && (
          <div className={styles.name}>
            {name} {person.isVerified && <Badge tone="accent">{t("common.verified")}</Badge>}
          </div>
        )}
        <div className={styles.address}>
          <Copyable text={formatAddress(publicKey)} label={t("common.copyAddress")} />
        </div>
        <div className={styles.balance}>
          {data === undefined ? <Skeleton width="9rem" height="2.25rem" /> : <Amount amountUt={data.balanceUt} size="large" />}
        </div>
      </div>
      {!person.isSelf && (
        <div className={shared.buttons}>
          {rename !== undefined && (
            <Button icon={Tag} onClick={(): void => rename(publicKey)}>
              {t("common.privateName")}
            </Button>
          )}
          {message !== undefined && (
            <Button icon={MessageCircle} onClick={(): void => message(publicKey)}>
              {t("common.message")}
            </Button>
          )}
          {pay !== undefined && (
            <Button icon={Coins} variant="primary" onClick={(): void => pay(publicKey)}>
              {t("common.pay")}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
