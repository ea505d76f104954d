// What stops a light node.
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";

/** A fault that has words. */
export type LightFault = "noPeer" | "noWitness" | "stalled" | "expired" | "forked";

/** The gravest one; undefined for other nodes and while all is well. */
export function faultOf({ light, peers }: Pick<NodeStatus, "light" | "peers">): LightFault | undefined {
  if (light === undefined) return undefined;
  const { state } = light;
  if (state === "forked" || state === "expired") return state;
  if (peers === 0) return "noPeer";
  if (state === "stalled") return "stalled";
  return peers === 1 ? "noWitness" : undefined;
}
