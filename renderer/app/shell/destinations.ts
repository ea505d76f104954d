// The six destinations of the rail, in order; Ctrl/⌘ and their number lead there.
import { Blocks, type LucideIcon, MessageSquareText, Server, Settings2, UsersRound, WalletMinimal } from "lucide-react";

export interface Destination {
  readonly to: "/inbox" | "/wallet" | "/contacts" | "/explorer" | "/node" | "/settings";
  readonly label: "shell.inbox" | "shell.wallet" | "shell.contacts" | "shell.explorer" | "shell.node" | "shell.settings";
  readonly icon: LucideIcon;
  readonly shortcut: string;
}

export const DESTINATIONS: readonly Destination[] = [
  { to: "/inbox", label: "shell.inbox", icon: MessageSquareText, shortcut: "mod+1" },
  { to: "/wallet", label: "shell.wallet", icon: WalletMinimal, shortcut: "mod+2" },
  { to: "/contacts", label: "shell.contacts", icon: UsersRound, shortcut: "mod+3" },
  { to: "/explorer", label: "shell.explorer", icon: Blocks, shortcut: "mod+4" },
  { to: "/node", label: "shell.node", icon: Server, shortcut: "mod+5" },
  { to: "/settings", label: "shell.settings", icon: Settings2, shortcut: "mod+6" },
];
