// The shell's own commands and jumps, and the listening for every command's shortcut.
import { useNavigate } from "@tanstack/react-router";
import { ArrowRightLeft, Blocks, Copy, Keyboard, Lock, SunMoon, UserRound } from "lucide-react";
import { type ReactElement, useCallback, useMemo } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { type Command, type CommandSource, useCommandStore } from "#renderer/lib/commands/command-store.ts";
import { type Jump, parseJump } from "#renderer/lib/commands/parse-jump.ts";
import { useCommandSource, useCommands } from "#renderer/lib/commands/use-commands.ts";
import { useShortcut } from "#renderer/lib/commands/use-shortcut.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type SettingChoices, useSettings } from "#renderer/lib/settings/settings-store.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { DESTINATIONS } from "./destinations.ts";

const NEXT_THEME: Readonly<Record<SettingChoices["theme"], SettingChoices["theme"]>> = { system: "light", light: "dark", dark: "system" };
const THEME_LABELS = { system: "settings.themeSystem", light: "settings.themeLight", dark: "settings.themeDark" } as const;

export interface ShellCommandsProps {
  readonly onLock: () => void;
  readonly onShortcuts: () => void;
}

/** Renders nothing but the listeners. */
export function ShellCommands(props: ShellCommandsProps): ReactElement {
  useCommands(useDestinationCommands());
  useCommands(useActionCommands(props.onLock, props.onShortcuts));
  useCommandSource(useJumpSource());
  const lists = useCommandStore((store) => store.lists);
  const withShortcut = [...lists.values()].flat().filter((command) => command.shortcut !== undefined);
  return (
    <>
      {withShortcut.map((command) => (
        <Shortcut key={command.id} command={command} />
      ))}
    </>
  );
}

function Shortcut({ command }: { readonly command: Command }): null {
  useShortcut(command.shortcut ?? "", command.run);
  return null;
}

function useDestinationCommands(): readonly Command[] {
  const t = useMessages();
  const navigate = useNavigate();
  return useMemo(
    () =>
      DESTINATIONS.map(({ to, label, icon, shortcut }) => ({
        id: to,
        group: "go" as const,
        label: t(label),
        icon,
        shortcut,
        run: () => void navigate({ to }),
      })),
    [t, navigate],
  );
}

function useActionCommands(onLock: () => void, onShortcuts: () => void): readonly Command[] {
  const t = useMessages();
  const toasts = useToasts();
  const account = useAccount();
  const theme = useSettings((settings) => settings.theme);
  const change = useSettings((settings) => settings.change);
  const next = NEXT_THEME[theme];
  return useMemo(() => {
    const copyAddress = async (): Promise<void> => {
      if (await copyText(account.address)) toasts.show({ title: t("common.addressCopied"), tone: "success" });
    };
    return [
      { id: "lock", group: "actions", label: t("shell.lockNow"), icon: Lock, shortcut: "mod+shift+l", run: onLock },
      { id: "copy-address", group: "actions", label: t("shell.copyMyAddress"), icon: Copy, run: () => void copyAddress() },
      {
        id: "theme",
        group: "actions",
        label: t("shell.theme", { theme: t(THEME_LABELS[next]) }),
        icon: SunMoon,
        keywords: "dark light",
        run: () => change({ theme: next }),
      },
      { id: "shortcuts", group: "actions", label: t("shell.shortcuts"), icon: Keyboard, run: onShortcuts },
    ];
  }, [t, toasts, account.address, change, next, onLock, onShortcuts]);
}

/** Names are left to the people that features add. */
function useJumpSource(): CommandSource {
  const t = useMessages();
  const navigate = useNavigate();
  return useCallback(
    (query) =>
      parseJump(query)
        .filter((jump) => jump.kind !== "name")
        .map((jump) => jumpCommand(jump, t, navigate)),
    [t, navigate],
  );
}

type Navigate = ReturnType<typeof useNavigate>;

function jumpCommand(jump: Exclude<Jump, { readonly kind: "name" }>, t: Translate, navigate: Navigate): Command {
  switch (jump.kind) {
    case "block":
      return {
        id: `block:${jump.height}`,
        group: "jump",
        label: t("explorer.blockTitle", { height: jump.height }),
        icon: Blocks,
        run: () => void navigate({ to: "/explorer/block/$height", params: { height: String(jump.height) } }),
      };
    case "account":
      return {
        id: `account:${jump.publicKey}`,
        group: "jump",
        label: t("shell.jumpAddress", { address: shorten(formatAddress(jump.publicKey)) }),
        icon: UserRound,
        run: () => void navigate({ to: "/explorer/address/$account", params: { account: jump.publicKey } }),
      };
    case "transaction":
      return {
        id: `transaction:${jump.id}`,
        group: "jump",
        label: t("explorer.transactionTitle", { id: shorten(jump.id) }),
        icon: ArrowRightLeft,
        run: () => void navigate({ to: "/explorer/tx/$id", params: { id: jump.id } }),
      };
  }
}
