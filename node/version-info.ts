// What /api/well-known-version says of this node: only features that it really has.
import type { VersionInfo } from "#shared/api/schemas/discovery.ts";
import { PROTOCOL_VERSION } from "#shared/protocol/limits.ts";
import type { Version } from "./config/build-info.ts";

/** Features of this version of the node, by the names that clients look for. */
export const NODE_FEATURES = [
  "chain_id",
  "identity_registry",
  "onboarding_api",
  "relay_broadcast",
  "relay_mailbox",
  "ws_submit_tx",
] as const;

/** Version answer of a node of a chain. */
export function versionInfo({ nodeVersion, build }: Version, chainId: string): VersionInfo {
  return {
    node_version: nodeVersion,
    protocol_version: PROTOCOL_VERSION,
    features: [...NODE_FEATURES],
    chain_id: chainId,
    build: { ...build },
  };
}
