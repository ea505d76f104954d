// Signs what was packed: the list of files and hashes that installed apps check before they offer an update.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestName, type ReleasedFile, writeSignedManifest } from "#shared/updates/release-manifest.ts";

/** A key of releases: a private Ed25519 key in PEM, as `openssl genpkey -algorithm ed25519` writes it. */
export interface ReleaseKey {
  /** 64 hex characters. */
  readonly publicKey: string;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

/** Reads a release key. @throws Error for anything that is no Ed25519 private key. */
export function readReleaseKey(pem: string): ReleaseKey {
  const key = tryPrivateKey(pem);
  if (key?.asymmetricKeyType !== "ed25519") throw new Error("PARLEY_RELEASE_KEY names no Ed25519 private key in PEM");
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return { publicKey: Buffer.from(x, "base64url").toString("hex"), sign: (bytes) => sign(null, bytes, key) };
}

/** Writes the signed list of the feeds (`latest*.yml`) of a folder beside them. @throws Error when there is nothing to sign. */
export function signRelease(
  folder: string,
  { version, platform }: { readonly version: string; readonly platform: string },
  key: ReleaseKey,
): string {
  const feeds = readdirSync(folder).filter((name) => /^latest.*\.yml$/.test(name));
  const files = feeds.flatMap((name) => filesOfFeed(readFileSync(join(folder, name), "utf8"), version));
  if (files.length === 0) throw new Error(`There is no feed of version ${version} to sign in ${folder}`);
  const path = join(folder, manifestName(platform));
  writeFileSync(path, writeSignedManifest({ version, platform, files }, key.sign));
  return path;
}

/** Names and hashes in the text of a feed, which electron-builder writes. @throws Error for a feed of another version. */
export function filesOfFeed(feed: string, version: string): readonly ReleasedFile[] {
  if (/^version: (.*)$/m.exec(feed)?.[1] !== version) throw new Error(`A feed is not of version ${version}`);
  const files = [...feed.matchAll(/^ {2}- url: ([\w.-]+)\n {4}sha512: ([\w+/=]+)$/gm)].map(([, name = "", sha512 = ""]) => ({
    name,
    sha512,
  }));
  if (files.length !== feed.split("url: ").length - 1) throw new Error("A feed has a form that is not known: it cannot be signed");
  return files;
}

function tryPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
