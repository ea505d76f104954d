// The support check of a client: protocol version 1 and all features that it relies on.
import { PROTOCOL_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { VersionInfo } from "./schemas/discovery.ts";
import { REQUIRED_FEATURES } from "./version.ts";

/** Why a node is not supported, in words to follow "the node is not supported: ", or undefined when it is. */
export function supportProblem(version: Pick<VersionInfo, "protocol_version" | "features">): string | undefined {
  if (version.protocol_version !== PROTOCOL_VERSION)
    return `it speaks protocol version ${version.protocol_version}, this program ${PROTOCOL_VERSION}`;
  const missing = REQUIRED_FEATURES.filter((feature) => !version.features.includes(feature));
  return missing.length === 0 ? undefined : `it lacks ${missing.join(", ")}`;
}
