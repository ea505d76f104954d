// What the deployer of a contract published of it, out of the transaction that deployed it. The page checks hashes and ids; whether the module
// was built from the source only a build shows, which the command line does.

import type { CallOptions } from "#shared/api/client.ts";
import { type DeploymentClient, findDeployment } from "#shared/api/reads/known-transaction.ts";
import { type PublishedLines, readPublishedLines } from "#shared/content/contract-lines.ts";
import {
  type BuildManifest,
  customSectionOf,
  readBuildManifest,
  readPublishedSource,
  SOURCE_SECTION,
} from "#shared/content/contract-source.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { toHex } from "#shared/util/bytes.ts";
import { inflate } from "./inflate.ts";

/** Claims of a deployer, as far as they agree with each other. */
export interface PublishedContract {
  readonly txId: string;
  /** SHA-256 of the deployed module, hex. */
  readonly moduleHash: string;
  /** True when the ids prove that this module was deployed; else the node is believed. */
  readonly isProven: boolean;
  readonly manifest: BuildManifest | undefined;
  /** Each has the hash that the manifest names; undefined when none are published, or others. */
  readonly files: ReadonlyMap<string, string> | undefined;
  /** True when the module brings a source that is not that of its manifest. */
  readonly isMismatch: boolean;
  readonly lines: PublishedLines | undefined;
}

/** @throws CodedError NOT_FOUND when the chain of the node does not have the deployment. */
export async function readPublishedContract(client: DeploymentClient, id: ContractId, call?: CallOptions): Promise<PublishedContract> {
  const { code, txId, isProven } = await findDeployment(client, id, call);
  const files = await readPublishedSource(code, inflate);
  return {
    txId,
    moduleHash: toHex(sha256(code)),
    isProven,
    manifest: readBuildManifest(code),
    files,
    isMismatch: files === undefined && customSectionOf(code, SOURCE_SECTION) !== undefined,
    lines: await readPublishedLines(code, inflate),
  };
}
