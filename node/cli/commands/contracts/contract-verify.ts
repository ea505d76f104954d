// parley contract verify: builds a source and compares it with the module that was deployed, byte for byte.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { type Deployment, findDeployment } from "#shared/api/reads/known-transaction.ts";
import { readBuildManifest, readPublishedSource } from "#shared/content/contract-source.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { inflate } from "../../session/contracts/inflate.ts";
import { type NamesOptions, withNamesOption } from "../../session/contracts/names-option.ts";
import { withExamples } from "../../session/examples.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { CONTRACT_ARGUMENT, findContract } from "./named-contract.ts";

interface VerifyOptions extends ClientOptions, NamesOptions {
  readonly source?: string;
  readonly published?: boolean;
}

export function addVerifyCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("verify")
    .description("build a source and compare it with a deployed contract, byte for byte")
    .argument("<contract>", CONTRACT_ARGUMENT)
    .option("--source <folder>", "folder of the source (default: the current folder)")
    .option("--published", "the source that the deployer published with the contract, in AssemblyScript");
  withExamples(
    withNamesOption(withClientOptions(command)),
    "contract verify gold --source my-token",
    "contract verify 3f0c9a52b1d47e68 --published",
  ).action((name: string, options: VerifyOptions) => verify(context, name, options));
}

async function verify(context: CommandContext, name: string, options: VerifyOptions): Promise<void> {
  if (options.published === true && options.source !== undefined)
    throw new CodedError("CONFIG_INVALID", "Name one source: --source or --published");
  const client = await connect(context, options);
  const { id } = await findContract({ context, client }, name, options);
  const deployment = await findDeployment(client, id);
  const files = options.published === true ? await publishedSource(deployment) : undefined;
  const outcome =
    files === undefined ? await compare(context, deployment, options.source ?? ".") : await comparePublished(context, deployment, files);
  const { differences, hints } = outcome;
  const isVerified = differences.length === 0;
  const words = isVerified ? `${name} (${id}) is built from this source` : `${name} (${id}) is NOT built from this source`;
  const doubt = deployment.isProven ? [] : ["the node was believed about the deployment: the id of its transaction proves nothing"];
  const fields = { contract_id: id, verified: isVerified, proven: deployment.isProven, tx_id: deployment.txId, differences, hints };
  report(context, options, fields, [words, ...differences, ...(isVerified ? [] : hints), ...doubt].map(onOneLine));
  if (!isVerified) throw new CodedError("CONTRACT_NOT_VERIFIED", "The source is not that of the contract");
}

interface Comparison {
  readonly differences: readonly string[];
  /** What may explain them. */
  readonly hints: readonly string[];
}

async function compare({ terminal }: CommandContext, deployment: Deployment, folder: string): Promise<Comparison> {
  const [{ buildContract }, { manifestOf, sourceDifferences, toolDifferences }, { compareBuilds }] = await Promise.all([
    import("#node/contracts/build-contract.ts"),
    import("#node/contracts/verification/build-manifest.ts"),
    import("#node/contracts/verification/compare-builds.ts"),
  ]);
  const deployed = readBuildManifest(deployment.code);
  const memoryPages = deployed?.memory_pages;
  const here = await manifestOf(folder, memoryPages);
  const options = here === undefined || memoryPages === undefined ? {} : { memoryPages };
  const built = await buildContract(folder, (line) => terminal.err(line), options);
  const differences = compareBuilds(deployment, built);
  if (deployed === undefined) return { differences, hints: ["the contract does not say how it was built"] };
  if (here === undefined) return { differences, hints: ["Parley does not build this folder itself"] };
  return { differences, hints: [...toolDifferences(deployed, here.manifest), ...sourceDifferences(deployed, here.manifest)] };
}

async function publishedSource({ code }: Deployment): Promise<ReadonlyMap<string, string>> {
  const files = await readPublishedSource(code, inflate);
  if (files === undefined)
    throw new CodedError("NOT_FOUND", "The deployer published no source with the contract, or one that is not its manifest's");
  // The compilers of other languages read files and run programs as a source tells them.
  if (readBuildManifest(code)?.language !== "as")
    throw new CodedError(
      "CONFIG_INVALID",
      "Only AssemblyScript is built from what a stranger published: look at the source, and use --source",
    );
  return files;
}

async function comparePublished(context: CommandContext, deployment: Deployment, files: ReadonlyMap<string, string>): Promise<Comparison> {
  const folder = mkdtempSync(join(tmpdir(), "parley-verify-"));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return await compare(context, deployment, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
