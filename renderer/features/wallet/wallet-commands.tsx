// The wallet in the command palette: "Pay …", "Receive", and `pay <address or link> <amount>` typed out.
import { useNavigate } from "@tanstack/react-router";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { useCallback, useMemo } from "react";
import type { Command, CommandSource } from "#renderer/lib/commands/command-store.ts";
import { useCommandSource, useCommands } from "#renderer/lib/commands/use-commands.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { formatAddress } from "#shared/protocol/address.ts";
import { parsePayCommand } from "./parse-pay-command.ts";

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
        label: t("wallet.commandReceive"),
        icon: ArrowDownLeft,
        keywords: t("wallet.commandReceiveWords"),
        run: () => void navigate({ to: "/wallet/receive" }),
      },
    ],
    [t, navigate],
  );
  const source: CommandSource = useCallback(
    (query) => {
      const payment = parsePayCommand(query);
      if (payment === undefined) return [];
      const { to, amount, memo } = payment;
      const person = shorten(formatAddress(to));
      return [
        {
          id: "pay-typed",
          group: "jump",
          label: amount === undefined ? t("wallet.commandPayTo", { person }) : t("wallet.commandPayAmount", { amount, person }),
          icon: ArrowUpRight,
          run: () =>
            void navigate({
              to: "/wallet/send",
              search: { to: formatAddress(to), ...(amount !== undefined && { amount }), ...(memo !== undefined && { memo }) },
            }),
        },
      ];
    },
    [t, navigate],
  );
  useCommands(commands);
  useCommandSource(source);
  return null;
}
