// Every query of the public interface over a light node's source.
import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { LightCalls } from "./light-calls.ts";
import { createLightChannels, createLightContracts, createLightNodes, createLightSearch } from "./light-contracts.ts";
import { createLightExplorer } from "./light-explorer.ts";
import { createLightProofs } from "./light-proofs.ts";
import type { LightReader } from "./light-reader.ts";

/** Queries through a reader. docs/light.md says of each what its response is worth. */
export function createLightQueries(reader: LightReader, calls: LightCalls): ReadQueries {
  return {
    explorer: createLightExplorer(reader),
    contracts: createLightContracts(reader),
    calls,
    nodes: createLightNodes(reader),
    channels: createLightChannels(reader),
    proofs: createLightProofs(reader),
    search: createLightSearch(reader),
  };
}
