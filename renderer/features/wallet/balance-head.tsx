// The balance, exactly, and what one can do with it.
import { useQuery } from "@tanstack/react-query";
import { ArrowDownLeft, ArrowUpRight, KeyRound } from "lucide-react";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { RichText, slot } from "#renderer/components/basics/rich-text.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Skeleton } from "#renderer/components/feedback/skeleton.tsx";
import { FiatValue } from "#renderer/components/rates/fiat-value.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { onTheWayUt } from "#renderer/components/transactions/use-spendable.ts";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "#renderer/lib/keyring/unlock-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLiveState } from "#renderer/lib/node/access/node-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { usePending } from "#renderer/lib/transactions/use-pending.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "./balance-head.module.css";
import { FaucetButton } from "./faucet-button.tsx";

/** Head of the wallet. */
export function BalanceHead(props: { readonly account: PublicKeyHex }): ReactElement {
  const { account } = props;
  const t = useMessages();
  const { data, error, refetch, isFetching } = useQuery(useNodeQueries().balance(account));
  const isUnused = data?.transactionCount === 0;
  const isLinked = useKeyringValue().status?.isLinked === true;
  return (
    <section className={styles.head} aria-label={t("wallet.balance")}>
      <div className={styles.text}>
        <h2 className={styles.label}>{t("wallet.balance")}</h2>
        {data !== undefined && <Amount amountUt={data.balanceUt} size="large" />}
        {data === undefined && error === null && <Skeleton width="11rem" height="2.5rem" />}
        {data === undefined && error !== null && (
          <p className={shared.muted}>
            {t("wallet.balanceUnknown")}{" "}
            <Button size="small" onClick={(): void => void refetch()} busy={isFetching}>
              {t("common.retry")}
            </Button>
          </p>
        )}
        {data !== undefined && <FiatValue amountUt={data.balanceUt} />}
        <BalanceNotes account={account} isKnown={data !== undefined} />
      </div>
      <div className={shared.buttons}>
        {isLinked ? (
          <AddPhraseButton />
        ) : (
          <ButtonLink to="/wallet/send" variant={isUnused ? "secondary" : "primary"} icon={ArrowUpRight}>
            {t("common.send")}
          </ButtonLink>
        )}
        <ButtonLink to="/wallet/receive" icon={ArrowDownLeft}>
          {t("wallet.receive")}
        </ButtonLink>
        {!isUnused && <FaucetButton />}
      </div>
    </section>
  );
}

/** A linked device signs nothing until it has the phrase: asking to unlock asks for it. */
function AddPhraseButton(): ReactElement {
  const t = useMessages();
  const ensureUnlocked = useEnsureUnlocked();
  return (
    <Button icon={KeyRound} onClick={(): void => void ensureUnlocked().catch(() => undefined)}>
      {t("lock.addPhrase")}
    </Button>
  );
}

/** What the number does not say: how old it is, and what is leaving. */
function BalanceNotes(props: { readonly account: PublicKeyHex; readonly isKnown: boolean }): ReactElement {
  const { account, isKnown } = props;
  const t = useMessages();
  const live = useLiveState();
  const { data: status } = useQuery(useNodeQueries().status());
  const leaving = onTheWayUt(usePending(account));
  const isLive = live === "open" && status?.sync.state !== "syncing";
  return (
    <div className={styles.notes} aria-live="polite">
      {isKnown && !isLive && status !== undefined && <span>{t("wallet.asOfBlock", { height: status.sync.height })}</span>}
      {isKnown && !isLive && status === undefined && <span>{t("wallet.asOfEarlier")}</span>}
      {leaving > 0 && (
        <span>
          <RichText text={t("wallet.onTheWay", { amount: slot("amount") })} parts={{ amount: <Amount amountUt={leaving} /> }} />
        </span>
      )}
    </div>
  );
}
