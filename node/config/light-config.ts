// Settings of a light node: its peers, and where its trust begins.

import { CodedError } from "#shared/errors/coded-error.ts";
import { type Checkpoint, parseCheckpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { P2pConfig } from "./network/p2p-config.ts";

/** The rest of the configuration, as far as it matters here. */
export interface LightSurroundings {
  readonly isLight: boolean;
  /** True for a new network of its own. */
  readonly isDevelopment: boolean;
  readonly p2p: P2pConfig | undefined;
}

/** The light part of the configuration. */
export interface LightConfig {
  readonly checkpoint: Checkpoint | undefined;
  readonly warnings: readonly string[];
}

const NO_PEERS = "The light node does not look for peers: it has no data until a node connects to it. Set nodes with --bootstrap.";

/** Checkpoint of the flag, else of the file, which a node that is not light stores for later. @throws CodedError CONFIG_INVALID in words */
export function lightConfig(
  { isLight, isDevelopment, p2p }: LightSurroundings,
  flag: string | undefined,
  inFile: string | undefined,
): LightConfig {
  if (!isLight && p2p?.sync !== "snapshot" && flag !== undefined)
    throw invalid("--checkpoint is for a light node, and for --sync snapshot: give --mode light or that too, or leave it out");
  if (isLight && isDevelopment)
    throw invalid(
      "A development network of its own has no other node that a light one could ask: leave out --mode light, or join a network with --genesis",
    );
  if (isLight && p2p === undefined)
    throw invalid(
      "A light node asks other nodes for everything: name some with --bootstrap (or bootstrap in config.json), or look for them on the local network with --p2p-addr :9100",
    );
  const text = flag ?? inFile;
  const hasNoPeers = isLight && p2p !== undefined && p2p.bootstrap.length === 0 && !p2p.usesMdns;
  return { checkpoint: text === undefined ? undefined : parseCheckpoint(text), warnings: hasNoPeers ? [NO_PEERS] : [] };
}

function invalid(message: string): CodedError {
  return new CodedError("CONFIG_INVALID", message);
}
