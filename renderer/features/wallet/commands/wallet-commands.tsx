// The wallet in the command palette: "Pay …", "Receive", and `pay <address or link> <amount>` typed out.
import { useNavigate } from "@tanstack/react-router";
import {
  ArrowDownLeft,
  ArrowUpRight,
  Coins,
  Eye,
  FileCheck,
  FileText,
  ListPlus,
  Scale,
  Tag,
  Upload,
  UsersRound,
  Waypoints,
} from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Command, CommandSource } from "#renderer/lib/commands/command-store.ts";
import { useCommandSource, useCommands } from "#renderer/lib/commands/use-commands.ts";
import { localNumber } from "#renderer/lib/format/decimal.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useWhileOpen } from "#renderer/lib/keyring/use-while-open.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { sealedLabels, useLabels } from "#renderer/lib/transactions/label-store.ts";
import { type OnTaken, useBatchWork } from "#renderer/lib/transactions/sending/use-batch-work.ts";
import { foundStore } from "../found/found-store.ts";
import { useWatchedArrivals } from "../watched/use-watched-arrivals.ts";
import { parsePayCommand } from "./parse-pay-command.ts";

const MAX_LABELS = 5;

/** Pages that only the wallet and the explorer lead to. */
const PAGES = [
  { to: "/wallet/assets", label: "wallet.holdings", icon: Coins },
  { to: "/wallet/escrow", label: "escrow.page", icon: Scale },
  { to: "/wallet/multisig", label: "multisig.page", icon: UsersRound },
  { to: "/wallet/channels", label: "wallet.channels", icon: Waypoints },
  { to: "/wallet/watched", label: "watched.page", icon: Eye },
  { to: "/wallet/statement", label: "statement.page", icon: FileText },
  { to: "/wallet/send-many", label: "batch.page", icon: ListPlus },
  { to: "/wallet/proof", label: "proof.page", icon: FileCheck },
  { to: "/explorer/deploy", label: "explorer.deployTitle", icon: Upload },
] as const;

/** Renders nothing: adds the commands while it is mounted. */
export function WalletCommands(): null {
  const t = useMessages();
  const navigate = useNavigate();
  const commands = useMemo(
    (): readonly Command[] => [
      {
        id: "pay",
        group: "actions",
        label: t("wallet.commandPay"),
        icon: ArrowUpRight,
        shortcut: "mod+shift+p",
        keywords: t("wallet.commandPayWords"),
        run: () => void navigate({ to: "/wallet/send" }),
      },
      {
        id: "receive",
        group: "actions",
        label: t("wallet.showAddress"),
        icon: ArrowDownLeft,
        keywords: t("wallet.commandReceiveWords"),
        run: () => void navigate({ to: "/wallet/receive" }),
      },
      ...PAGES.map(({ to, label, icon }) => ({
        id: to,
        group: "go" as const,
        label: t(label),
        icon,
        run: () => void navigate({ to }),
      })),
    ],
    [t, navigate],
  );
  const source: CommandSource = useCallback(
    (query) => {
      const payment = parsePayCommand(query, t.locale);
      if (payment === undefined) return [];
      const { to, amount, memo, link = to } = payment;
      const person = to.startsWith("@") ? to : shorten(to);
      return [
        {
          id: "pay-typed",
          group: "jump",
          label:
            amount === undefined
              ? t("wallet.commandPayTo", { person })
              : t("wallet.commandPayAmount", { amount: localNumber(t.locale, amount), person }),
          icon: ArrowUpRight,
          run: () =>
            void navigate({
              to: "/wallet/send",
              search: { to: link, ...(amount !== undefined && { amount }), ...(memo !== undefined && { memo }) },
            }),
        },
      ];
    },
    [t, navigate],
  );
  useCommands(commands);
  useCommandSource(source);
  useCommandSource(useLabelSource());
  useWhileOpen(sealedLabels);
  useWhileOpen(foundStore);
  useBatchWork(useCardOfPayment());
  useWatchedArrivals();
  return null;
}

/** Payments to several people wait so long for the engine, which comes after the first view; then they leave without cards. */
const ENGINE_MS = 10_000;

/**
 * A card in the chat with the person who is paid, where there is one. Undefined until the chats are known: what a reload interrupted would
 * leave none otherwise. Nothing of it stops the payments.
 */
function useCardOfPayment(): OnTaken | undefined {
  const messenger = useMessenger();
  const isRunning = useMessengerValue(({ phase }) => phase === "running");
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ENGINE_MS);
    return (): void => clearTimeout(timer);
  }, []);
  const leaveCard = useCallback<OnTaken>(
    async (transaction) => {
      const loaded = messenger && (await import("#renderer/lib/messenger/chat-receipt.ts").catch(() => undefined));
      if (messenger === undefined || loaded === undefined) return;
      await loaded.untilChatsAreKnown(messenger);
      await loaded.createChatReceipt(messenger).taken(transaction);
    },
    [messenger],
  );
  return isRunning || isLate ? leaveCard : undefined;
}

/** Payments by one's own labels. */
function useLabelSource(): CommandSource {
  const navigate = useNavigate();
  const labels = useLabels();
  return useCallback(
    (query) => {
      const text = query.toLowerCase();
      return Object.entries(labels)
        .filter(([, label]) => label.toLowerCase().includes(text))
        .slice(0, MAX_LABELS)
        .map(([id, label]) => ({
          id: `label:${id}`,
          group: "labels",
          label,
          detail: shorten(id),
          icon: Tag,
          run: () => void navigate({ to: "/wallet/activity/$id", params: { id } }),
        }));
    },
    [labels, navigate],
  );
}
