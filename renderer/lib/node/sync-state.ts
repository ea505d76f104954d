// What the sync chip says, from the node's status and the live connection.
import type { LightStatus, NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { LiveState } from "#shared/api/socket/websocket-client.ts";

/** State of the node as the strip shows it. */
export type SyncState =
  | { readonly kind: "connecting" | "offline" }
  /** A light node that accepts nothing new, or knows no peer. */
  | { readonly kind: "halted"; readonly light: HaltedLight }
  | { readonly kind: "live" | "syncing"; readonly height: number; readonly share: number };

/** Why a light node is stopped. */
export type HaltedLight = "stalled" | "expired" | "forked";

/** The height stays known while the connection is away: what is shown was loaded earlier. */
export function syncStateOf(status: NodeStatus | undefined, hasFailed: boolean, live: LiveState): SyncState {
  if (status === undefined) return { kind: hasFailed ? "offline" : "connecting" };
  if (live !== "open") return { kind: hasFailed ? "offline" : "connecting" };
  const { light } = status;
  if (light !== undefined && isHalted(light.state)) return { kind: "halted", light: light.state };
  const { height, target_height: target, state } = status.sync;
  const isBehind = state === "syncing" && target > height;
  return { kind: isBehind ? "syncing" : "live", height, share: target === 0 ? 1 : Math.min(1, height / target) };
}

/** True when a light node is stopped. */
function isHalted(state: LightStatus["state"]): state is HaltedLight {
  return state === "stalled" || state === "expired" || state === "forked";
}
