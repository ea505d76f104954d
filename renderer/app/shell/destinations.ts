// The six destinations of the rail, in order; Ctrl/⌘ and their number lead there.
import { Blocks, type LucideIcon, MessageSquareText, Server, Settings2, UsersRound, WalletMinimal } from "lucide-react";

export interface Destination {
  readonly to: "/inbox" | "/wallet" | "/contacts" | "/explorer" | "/node" | "/settings";
  readonly label: "inbox.title" | "wallet.title" | "contacts.title" | "explorer.title" | "node.title" | "settings.title";
  readonly icon: LucideIcon;
  readonly shortcut: string;
}

export const DESTINATIONS: readonly Destination[] = [
  { to: "/inbox", label: "inbox.title", icon: MessageSquareText, shortcut: "mod+1" },
  { to: "/wallet", label: "wallet.title", icon: WalletMinimal, shortcut: "mod+2" },
  { to: "/contacts", label: "contacts.title", icon: UsersRound, shortcut: "mod+3" },
  { to: "/explorer", label: "explorer.title", icon: Blocks, shortcut: "mod+4" },
  { to: "/node", label: "node.title", icon: Server, shortcut: "mod+5" },
  { to: "/settings", label: "settings.title", icon: Settings2, shortcut: "mod+6" },
];
