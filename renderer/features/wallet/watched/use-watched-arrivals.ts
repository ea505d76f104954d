// Says when money arrives at a watched address, wherever one is. What comes together is said together.
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useWhileOpen } from "#renderer/lib/keyring/use-while-open.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { useWatched, type Watched, watchedStore } from "./watched-store.ts";

const TOGETHER_MS = 1_000;

/** Works while it is mounted and the keyring is open. */
export function useWatchedArrivals(): void {
  useWhileOpen(watchedStore);
  const { live } = useNode();
  const watched = useWatched(useChainId());
  const t = useMessages();
  const toasts = useToasts();
  const navigate = useNavigate();
  const say = useEffectEvent(({ publicKey, name }: Watched, amountUt: AmountUt) => {
    const account = formatAddress(publicKey);
    toasts.show({
      title: t("watched.arrived", { name: name === "" ? shorten(account) : name, amount: amountText(t, amountUt) }),
      action: { label: t("shell.view"), onSelect: (): void => void navigate({ to: "/explorer/address/$account", params: { account } }) },
    });
  });
  useEffect(() => {
    const sums = new Map<Watched, AmountUt>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      timer = undefined;
      for (const [entry, amountUt] of sums) say(entry, amountUt);
      sums.clear();
    };
    const stops = watched.map((entry) =>
      live.subscribe(`account:${entry.publicKey}`, ({ tx_type: type, to, from, amount_ut: amountUt, status }) => {
        const { publicKey } = entry;
        if (type !== "TRANSFER" || status !== "ok" || to !== publicKey || from === publicKey || amountUt === 0) return;
        sums.set(entry, (sums.get(entry) ?? 0) + amountUt);
        timer ??= setTimeout(flush, TOGETHER_MS);
      }),
    );
    return (): void => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [live, watched]);
}
