// A bill that is split in a group: who owes what to its author, and who has paid, as the chain shows it.
import { Link } from "@tanstack/react-router";
import { Check, Coins, Hourglass, Split } from "lucide-react";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { KeptFocus } from "#renderer/components/layout/kept-focus.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { openPaySheet } from "#renderer/lib/messenger/pay-order.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { PayShare } from "#shared/content/pay-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type StatedPayment, usePaymentsOnChain } from "../payment-on-chain.ts";
import { type RequestState, requestState } from "../request-state.ts";
import { useWaitingPayment, type WaitingClaim } from "../use-waiting-payment.ts";
import { CancelWaiting } from "./cancel-waiting.tsx";
import styles from "./card.module.css";
import type { CardProps } from "./card-props.ts";
import { WaitsUntil } from "./waits-until.tsx";

const MINUTE_MS = 60_000;

/** The card of a bill. */
export function SplitCard({ id, message, body }: CardProps<"pay.split">): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const author = message.author ?? masterPub;
  const { waiting, isKnown } = useWaitingPayment(message.key);
  const states = useShareStates({ message, body, author, waiting });
  const mine = body.shares.find(({ person }) => person === masterPub);
  const myState = states.get(masterPub);
  const owing = body.shares.filter(({ person }) => person !== author);
  const paid = owing.filter(({ person }) => states.get(person)?.kind === "paid").length;
  return (
    <div className={styles.card}>
      <p className={styles.head}>
        <Split size={16} aria-hidden="true" />
        <span className={styles.title}>{t(author === masterPub ? "payments.youSplit" : "payments.theySplit")}</span>
        <span className={styles.number}>{t("payments.splitPaid", { paid, count: owing.length })}</span>
      </p>
      <Amount amountUt={body.amountUt} size="large" />
      {body.note !== "" && (
        <p className={styles.note} dir="auto">
          {body.note}
        </p>
      )}
      <ul className={styles.shares} aria-label={t("payments.shares")}>
        {body.shares.map((share) => (
          <Share key={share.person} share={share} state={share.person === author ? undefined : states.get(share.person)} />
        ))}
      </ul>
      <KeptFocus>
        {mine !== undefined && author !== masterPub && myState?.kind === "waits" && <CancelWaiting payment={myState.payment} />}
        {mine !== undefined && author !== masterPub && myState !== undefined && myState.kind !== "paying" && myState.kind !== "waits" && (
          <div className={styles.actions}>
            <Button
              size="small"
              variant={myState.kind === "paid" ? "secondary" : "primary"}
              icon={Coins}
              disabled={!isKnown}
              onClick={(): void =>
                openPaySheet({
                  conversation: id,
                  payee: author,
                  request: message,
                  amountUt: mine.amountUt,
                  note: body.note,
                  after: message.payment?.ownTxId ?? null,
                })
              }
            >
              {t(myState.kind === "paid" ? "payments.payAgain" : "payments.payShare")}
            </Button>
          </div>
        )}
      </KeptFocus>
    </div>
  );
}

/** What has become of each share but the author's own. */
function useShareStates({
  message,
  body,
  author,
  waiting,
}: Pick<CardProps<"pay.split">, "message" | "body"> & {
  readonly author: PublicKeyHex;
  readonly waiting: WaitingClaim | undefined;
}): ReadonlyMap<PublicKeyHex, RequestState> {
  const now = useNow(MINUTE_MS);
  const { masterPub } = useAccount();
  const { shareClaims = {}, ownTxId = null, ownPaidAt = null } = message.payment ?? {};
  const stated = body.shares.flatMap(({ person, amountUt }): readonly StatedPayment[] => {
    if (person === author) return [];
    const named = shareClaims[person] ?? [];
    const isHeld = person === masterPub && ownTxId !== null && !named.some(({ txId }) => txId === ownTxId);
    const claims = isHeld ? [...named, { txId: ownTxId, at: ownPaidAt ?? now }] : named;
    const common = { peer: author, direction: "out", since: message.at, parties: [person, author], isAtLeast: true } as const;
    return claims.map(({ txId, at }) => ({ ...common, txId, at, amountUt }));
  });
  const onChain = usePaymentsOnChain(stated);
  return new Map(
    body.shares
      .filter(({ person }) => person !== author)
      .map(({ person }) => {
        const claims = stated.flatMap((claim, index) =>
          claim.parties?.[0] === person ? [{ ...claim, onChain: onChain[index] ?? ({ kind: "checking" } as const) }] : [],
        );
        return [person, requestState({ closed: null, due: undefined, claims, ...(person === masterPub && { waiting }) }, now)];
      }),
  );
}

function Share({ share, state }: { readonly share: PayShare; readonly state: RequestState | undefined }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const label = useLabelOf(share.person);
  return (
    <li>
      <Avatar publicKey={share.person} size={22} />
      <span className={styles.person}>{share.person === masterPub ? t("common.you") : label}</span>
      <Amount amountUt={share.amountUt} />
      <ShareState state={state} />
    </li>
  );
}

function ShareState({ state }: { readonly state: RequestState | undefined }): ReactElement {
  const t = useMessages();
  if (state === undefined) return <span className={styles.shareState}>{t("payments.shareOwn")}</span>;
  if (state.kind === "paid")
    return (
      <span className={styles.shareState} data-tone="good">
        <Check size={14} aria-hidden="true" />
        <Link className={styles.link} to="/explorer/tx/$id" params={{ id: state.txId }}>
          {t("payments.paid")}
        </Link>
      </span>
    );
  if (state.kind === "waits")
    return (
      <span className={styles.shareState}>
        <Hourglass size={14} aria-hidden="true" />
        <WaitsUntil payment={state.payment} />
      </span>
    );
  if (state.kind === "paying")
    return (
      <span className={styles.shareState}>
        <Hourglass size={14} aria-hidden="true" />
        {t("payments.sharePaying")}
      </span>
    );
  return <span className={styles.shareState}>{t("payments.shareOpen")}</span>;
}
