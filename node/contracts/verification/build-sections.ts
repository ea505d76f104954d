// What a deployment adds to a module: how it was built, and the source when its author publishes it. It costs gas and changes nothing.
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { BUILD_SECTION, SOURCE_SECTION, sourcesJson, withCustomSection } from "#shared/content/contract-source.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { manifestOf } from "./build-manifest.ts";

/** The module of a contract's folder with its sections; a module that something else built stays as it is. @throws CodedError */
export async function withBuildSections(module: Uint8Array, folder: string, isPublished: boolean): Promise<Uint8Array> {
  const described = await manifestOf(folder);
  if (described === undefined) {
    if (isPublished) throw new CodedError("CONFIG_INVALID", `${folder} has no source that parley builds: there is none to publish`);
    return module;
  }
  const { manifest, files } = described;
  const built = withCustomSection(module, BUILD_SECTION, utf8(JSON.stringify(manifest)));
  return isPublished ? withCustomSection(built, SOURCE_SECTION, await promisify(deflateRaw)(sourcesJson(files), { level: 9 })) : built;
}
