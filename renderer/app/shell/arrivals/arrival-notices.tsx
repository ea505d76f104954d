// Says that a payment or a request has arrived, wherever one is, with the way there.
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { ContactEntry } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { useNoticePort } from "../../desktop/notice-port.ts";
import { countPayments, markPaymentsSeen } from "./arrival-store.ts";
import { type ArrivedPayment, newRequests, newsOf, paymentOf } from "./arrivals.ts";

/** Payments within this time are said together. */
const TOGETHER_MS = 1_000;
/** What is remembered as said already. */
const MAX_SAID = 8;

/** A person who did something that is said once their name was looked up. */
interface Said {
  readonly key: string;
  readonly person: PublicKeyHex;
  readonly amountUt: AmountUt;
  readonly kind: "payment" | "request";
}

/** Renders nothing that is seen. */
export function ArrivalNotices(): ReactElement {
  const [all, setAll] = useState<readonly Said[]>([]);
  const lookUp = useLookUp();
  const say = (next: Said): void => void lookUp(next.person).then(() => setAll((before) => [...before, next].slice(-MAX_SAID)));
  usePayments(say);
  useRequests(say);
  useSeenWallet();
  return (
    <>
      {all.map((said) => (
        <Saying key={said.key} said={said} />
      ))}
    </>
  );
}

/** A name that is looked up before it is needed; one that cannot be is left out. */
function useLookUp(): (person: PublicKeyHex) => Promise<unknown> {
  const cache = useQueryClient();
  const queries = useNodeQueries();
  return (person) => cache.ensureQueryData(queries.identity(person)).catch(() => undefined);
}

function usePayments(say: (said: Said) => void): void {
  const t = useMessages();
  const toasts = useToasts();
  const navigate = useNavigate();
  const { live } = useNode();
  const { masterPub } = useAccount();
  const tell = useEffectEvent((payments: readonly ArrivedPayment[]) => {
    const news = newsOf(payments);
    countPayments(payments.length);
    if (news?.kind === "one") {
      const { id, from, amountUt } = news.payment;
      say({ key: id, person: from, amountUt, kind: "payment" });
    } else if (news !== undefined)
      toasts.show({
        title: t("shell.paymentsArrived", { count: news.count, amount: amountText(t, news.sumUt) }),
        tone: "success",
        action: { label: t("shell.view"), onSelect: (): void => void navigate({ to: "/wallet" }) },
      });
  });
  useEffect(() => {
    let together: ArrivedPayment[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = live.subscribe(`account:${masterPub}`, (frame) => {
      const payment = paymentOf(frame, masterPub);
      if (payment === undefined) return;
      together.push(payment);
      timer ??= setTimeout(() => {
        timer = undefined;
        tell(together);
        together = [];
      }, TOGETHER_MS);
    });
    return (): void => {
      clearTimeout(timer);
      stop();
    };
  }, [live, masterPub]);
}

function useRequests(say: (said: Said) => void): void {
  const t = useMessages();
  const toasts = useToasts();
  const navigate = useNavigate();
  const { directory, isKnown } = useContactDirectory();
  const known = useRef<ReadonlySet<string>>(undefined);
  const { requests } = directory;
  const tell = useEffectEvent((entries: readonly ContactEntry[]) => {
    const open = entries.flatMap(({ publicKey, received }) =>
      received === undefined ? [] : [{ id: received.tx_id, person: publicKey, amountUt: received.fee_ut }],
    );
    const [first, ...others] = newRequests(known.current, open);
    known.current = new Set([...(known.current ?? []), ...open.map(({ id }) => id)]);
    if (first === undefined) return;
    if (others.length === 0) say({ key: first.id, person: first.person, amountUt: first.amountUt, kind: "request" });
    else
      toasts.show({
        title: t("shell.requestsArrived", { count: others.length + 1 }),
        action: { label: t("shell.view"), onSelect: (): void => void navigate({ to: "/contacts/requests" }) },
      });
  });
  useEffect(() => {
    if (isKnown) tell(requests);
  }, [isKnown, requests]);
}

/** Says one thing, once it is shown. */
function Saying({ said: { person, amountUt, kind, key } }: { readonly said: Said }): null {
  const t = useMessages();
  const toasts = useToasts();
  const navigate = useNavigate();
  const name = useLabelOf(person);
  const { directory, isKnown } = useContactDirectory();
  const hasChat = useMessengerValue(({ conversations }) => conversations.some(({ id, isRequest }) => id === person && !isRequest));
  const isWaiting = kind === "payment" || !isKnown || directory.requests.some(({ received }) => received?.tx_id === key);
  const show = useEffectEvent(() => {
    const amount = amountText(t, amountUt);
    const title = t(kind === "payment" ? "shell.paymentArrived" : "shell.requestArrived", { name, amount });
    const { noticePayments, noticeRequests } = useSettings.getState();
    if (kind === "payment" ? noticePayments : noticeRequests) {
      const path = kind === "payment" ? `/wallet/activity/${key}` : `/contacts/${person}`;
      useNoticePort.getState().port?.show({ conversation: `${kind} ${key}`, path, title: name, body: title, kind });
    }
    toasts.show({
      id: key,
      title,
      tone: kind === "payment" ? "success" : "neutral",
      action: {
        label: t("shell.view"),
        onSelect: (): void =>
          void (kind === "payment"
            ? hasChat
              ? navigate({ to: "/inbox/$conversation", params: { conversation: person } })
              : navigate({ to: "/wallet/activity/$id", params: { id: key } })
            : navigate({ to: "/contacts/$publicKey", params: { publicKey: person } })),
      },
    });
  });
  const withdraw = useEffectEvent(() => {
    toasts.close(key);
    useNoticePort.getState().port?.clear(`${kind} ${key}`);
  });
  // Said once, whatever else changes; a request that was answered meanwhile, here or on another device, asks for nothing.
  useEffect(() => {
    if (isWaiting) show();
    else withdraw();
  }, [isWaiting]);
  return null;
}

/** What is in the wallet is seen while the wallet is. */
function useSeenWallet(): void {
  const isWallet = useRouterState({ select: ({ location }) => location.pathname.startsWith("/wallet") });
  useEffect(() => {
    if (!isWallet) return undefined;
    markPaymentsSeen();
    return markPaymentsSeen;
  }, [isWallet]);
}
