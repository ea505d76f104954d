// The signed list of a release: what of a version was published, under a key that the packages before it carry. The feed itself is not
// signed, so without this list the holder of its server would choose what is installed.
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { fromHex, toBase64, tryFromBase64, utf8 } from "#shared/util/bytes.ts";

/** A published file: its name in the feed, and its hash as the feed gives it, in base64. */
export interface ReleasedFile {
  readonly name: string;
  readonly sha512: string;
}

/** What was published of one version for one platform. */
export interface ReleaseManifest {
  readonly version: string;
  readonly platform: string;
  readonly files: readonly ReleasedFile[];
}

/** What the updater found in the feed. */
export interface FoundUpdate {
  readonly version: string;
  readonly files: readonly { readonly url: string; readonly sha512: string }[];
}

/** Separates these signatures from all others. */
const DOMAIN = "parley-release\n";
/** Characters of a signed list: some 300 files. */
export const MAX_MANIFEST_CHARACTERS = 65_536;

/** Name of the signed list of a platform, beside the feed. */
export function manifestName(platform: string): string {
  return `release-${platform}.json`;
}

/** What the release key signs: the domain and the list, byte for byte as it is published. */
export function signedBytes(manifest: string): Uint8Array {
  return utf8(DOMAIN + manifest);
}

/** The list in its published form. */
export function writeSignedManifest(manifest: ReleaseManifest, sign: (bytes: Uint8Array) => Uint8Array): string {
  const text = JSON.stringify(manifest);
  const signature = toBase64(sign(signedBytes(text)));
  return `${JSON.stringify({ manifest: text, signature })}\n`;
}

/** The list when the key signed it, else undefined. `releaseKey`: 64 hex characters. */
export function readSignedManifest(published: string, releaseKey: string): ReleaseManifest | undefined {
  if (published.length > MAX_MANIFEST_CHARACTERS) return undefined;
  const parts = tryJson(published);
  if (!hasText(parts, "manifest") || !hasText(parts, "signature")) return undefined;
  const signature = tryFromBase64(parts.signature);
  if (signature?.length !== 64 || !verifyZip215(signature, signedBytes(parts.manifest), fromHex(releaseKey))) return undefined;
  const manifest = tryJson(parts.manifest);
  return isManifest(manifest) ? manifest : undefined;
}

/** True when an update is of this list: the version, the platform and every file that could be fetched. */
export function isReleased(manifest: ReleaseManifest, platform: string, { version, files }: FoundUpdate): boolean {
  if (manifest.version !== version || manifest.platform !== platform || files.length === 0) return false;
  return files.every(({ url, sha512 }) => manifest.files.some((file) => file.name === url && file.sha512 === sha512));
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasText<Name extends string>(value: unknown, name: Name): value is Record<Name, string> {
  return typeof value === "object" && value !== null && typeof (value as Record<string, unknown>)[name] === "string";
}

function isManifest(value: unknown): value is ReleaseManifest {
  if (!hasText(value, "version") || !hasText(value, "platform")) return false;
  const { files } = value as unknown as { readonly files?: unknown };
  return Array.isArray(files) && files.every((file) => hasText(file, "name") && hasText(file, "sha512"));
}
