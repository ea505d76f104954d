// What a deployment adds to a module: how it was built, and the source when its author publishes it. It costs gas and changes nothing.
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { withLines } from "#shared/content/contract-lines.ts";
import { BUILD_SECTION, SOURCE_SECTION, sourcesJson, withCustomSection } from "#shared/content/contract-source.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { debugFiles } from "../build-contract.ts";
import { openContract } from "../contract-project.ts";
import { manifestOf } from "./build-manifest.ts";
import { publishedLines } from "./published-lines.ts";

/** How a deployed module is described. */
export interface SectionOptions {
  /** Whether its source goes with it. */
  readonly isPublished: boolean;
  /** Pages of memory that the build was given. */
  readonly memoryPages?: number | undefined;
}

/** The module of a contract's folder with its sections; a module that something else built stays as it is. @throws CodedError */
export async function withBuildSections(
  module: Uint8Array,
  folder: string,
  { isPublished, memoryPages }: SectionOptions,
): Promise<Uint8Array> {
  const described = await manifestOf(folder, memoryPages);
  if (described === undefined) {
    if (isPublished) throw new CodedError("CONFIG_INVALID", `${folder} has no source that parley builds: there is none to publish`);
    return module;
  }
  const { manifest, files } = described;
  const built = withCustomSection(module, BUILD_SECTION, utf8(JSON.stringify(manifest)));
  if (!isPublished) return built;
  const open = withCustomSection(built, SOURCE_SECTION, await deflate(sourcesJson(files)));
  const lines = publishedLines(module, debugFiles(openContract(folder)), new Set(files.keys()));
  return lines === undefined ? open : await withLines(open, lines, deflate);
}

function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  return promisify(deflateRaw)(bytes, { level: 9 });
}
