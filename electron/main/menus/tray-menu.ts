// What the tray shows: pure, so that every state can be tested.
import type { NodeHostState } from "../processes/node-host.ts";

export interface TrayState {
  readonly unread: number;
  readonly node: NodeHostState["kind"];
  readonly isWindowVisible: boolean;
}

/** A line of the menu; `id` names the action. */
export interface TrayItem {
  readonly id: "status" | "toggle" | "compose" | "lock" | "quit" | "separator";
  readonly label: string;
  readonly isEnabled: boolean;
}

const NODE_LINES: Readonly<Record<NodeHostState["kind"], string>> = {
  stopped: "Node stopped",
  starting: "Node is starting…",
  ready: "Node is running",
  crashed: "Node stopped unexpectedly, restarting…",
  failed: "Node failed to start: open Parley for details",
};

/** Lines of the tray menu from top to bottom. */
export function trayItems({ node, isWindowVisible }: TrayState): readonly TrayItem[] {
  return [
    { id: "status", label: NODE_LINES[node], isEnabled: false },
    { id: "separator", label: "", isEnabled: false },
    { id: "toggle", label: isWindowVisible ? "Hide Parley" : "Open Parley", isEnabled: true },
    { id: "compose", label: "New message", isEnabled: true },
    { id: "lock", label: "Lock", isEnabled: true },
    { id: "separator", label: "", isEnabled: false },
    { id: "quit", label: "Quit Parley", isEnabled: true },
  ];
}

/** Text beside the pointer. */
export function trayTooltip({ unread }: TrayState): string {
  if (unread === 0) return "Parley";
  return unread === 1 ? "Parley – 1 unread message" : `Parley – ${unread} unread messages`;
}
