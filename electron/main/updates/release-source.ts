// Where releases of this package come from and which key signs them: written into the package when it was made.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type FoundUpdate,
  isReleased,
  MAX_MANIFEST_CHARACTERS,
  manifestName,
  readSignedManifest,
} from "#shared/updates/release-manifest.ts";

/** Feed and key of a package that looks for updates. */
export interface ReleaseSource {
  /** Address that names of files are added to; ends with a slash. */
  readonly feed: string;
  /** Ed25519 public key, 64 hex characters. */
  readonly key: string;
}

const FETCH_LIMIT_MS = 30_000;

/** The source that a package names in its package.json; undefined for one that never looks for updates. */
export function readReleaseSource(appFolder: string): ReleaseSource | undefined {
  const { parley } = JSON.parse(readFileSync(join(appFolder, "package.json"), "utf8")) as {
    parley?: { releases?: Partial<ReleaseSource> };
  };
  const { feed, key } = parley?.releases ?? {};
  return feed === undefined || key === undefined || !/^[0-9a-f]{64}$/.test(key) ? undefined : { feed, key };
}

/** Whether the release key signed what the updater found. Fetches the signed list of the platform; no answer is no. */
export async function isSignedRelease(source: ReleaseSource, fetch: typeof globalThis.fetch, found: FoundUpdate): Promise<boolean> {
  try {
    const address = new URL(manifestName(process.platform), source.feed);
    const response = await fetch(address, { signal: AbortSignal.timeout(FETCH_LIMIT_MS), cache: "no-store" });
    const manifest = response.ok ? readSignedManifest(await textOf(response), source.key) : undefined;
    return manifest !== undefined && isReleased(manifest, process.platform, found);
  } catch {
    return false;
  }
}

/** Text of a response, given up once it is longer than a list can be. */
async function textOf({ body }: Response): Promise<string> {
  let text = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > MAX_MANIFEST_CHARACTERS) break;
  }
  return text;
}
