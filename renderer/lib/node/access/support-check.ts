// Whether the node is of the kind that this app was made for: protocol version and features that it announces.
import type { VersionInfo } from "#shared/api/schemas/discovery.ts";
import { REQUIRED_FEATURES } from "#shared/api/version.ts";
import { PROTOCOL_VERSION } from "#shared/protocol/primitives/limits.ts";

/** `unknown` while the node has not responded: the app continues. */
export type NodeSupport =
  | { readonly kind: "unknown" | "supported" }
  | { readonly kind: "protocol"; readonly version: number }
  | { readonly kind: "features"; readonly missing: readonly string[] };

/** Support of a node by what it says of itself. */
export function checkNodeSupport(version: VersionInfo | undefined): NodeSupport {
  if (version === undefined) return { kind: "unknown" };
  if (version.protocol_version !== PROTOCOL_VERSION) return { kind: "protocol", version: version.protocol_version };
  const missing = REQUIRED_FEATURES.filter((feature) => !version.features.includes(feature));
  return missing.length === 0 ? { kind: "supported" } : { kind: "features", missing };
}
