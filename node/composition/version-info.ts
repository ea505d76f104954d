// What /api/well-known-version says of this node: it has every feature that clients rely on.

import type { Version } from "#node/config/build-info.ts";
import type { VersionInfo } from "#shared/api/schemas/discovery.ts";
import { REQUIRED_FEATURES } from "#shared/api/version.ts";
import { PROTOCOL_VERSION } from "#shared/protocol/primitives/limits.ts";

/** Version answer of a node of a chain. */
export function versionInfo({ nodeVersion, build }: Version, chainId: string): VersionInfo {
  return {
    node_version: nodeVersion,
    protocol_version: PROTOCOL_VERSION,
    features: [...REQUIRED_FEATURES],
    chain_id: chainId,
    build: { ...build },
  };
}
