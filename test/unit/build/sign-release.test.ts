// A release is signed by its packager and checked by an installed app: both sides, and what a stranger who holds the server can try.
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesOfFeed, type ReleaseKey, readReleaseKey, signRelease } from "#build/scripts/release/sign-release.ts";
import { isSignedRelease, readReleaseSource } from "#electron/main/updates/release-source.ts";
import { isReleased, MAX_MANIFEST_CHARACTERS, readSignedManifest } from "#shared/updates/release-manifest.ts";

const feedOf = (version: string, files: Readonly<Record<string, string>>): string =>
  [
    `version: ${version}`,
    "files:",
    ...Object.entries(files).map(([name, sha512]) => `  - url: ${name}\n    sha512: ${sha512}\n    size: 12`),
    `path: ${Object.keys(files)[0]}`,
    "",
  ].join("\n");

const pem = (type: "ed25519" | "ed448" = "ed25519"): string =>
  (type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ed448")).privateKey
    .export({ type: "pkcs8", format: "pem" })
    .toString();

const PLATFORM = process.platform;
const FOUND = { version: "0.2.0", files: [{ url: "Parley-0.2.0.AppImage", sha512: "aGFzaA==" }] };

let folder: string;
let key: ReleaseKey;
let published: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-release-"));
  key = readReleaseKey(pem());
  writeFileSync(
    join(folder, "latest-linux.yml"),
    feedOf("0.2.0", { "Parley-0.2.0.AppImage": "aGFzaA==", "parley_0.2.0_amd64.deb": "ZGVi" }),
  );
  writeFileSync(join(folder, "latest-linux-arm64.yml"), feedOf("0.2.0", { "Parley-0.2.0-arm64.AppImage": "YXJt" }));
  published = readFileSync(signRelease(folder, { version: "0.2.0", platform: PLATFORM }, key), "utf8");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What an app that carries the key makes of a server's response. */
function asked(body: string, { status = 200, found = FOUND, releaseKey = key.publicKey } = {}): Promise<boolean> {
  const addresses: string[] = [];
  const fetch = (address: string | URL | Request): Promise<Response> => {
    addresses.push(String(address));
    return Promise.resolve(new Response(body, { status }));
  };
  return isSignedRelease({ feed: "https://releases.example/parley/", key: releaseKey }, fetch, found).finally(() =>
    expect(addresses).toEqual([`https://releases.example/parley/release-${PLATFORM}.json`]),
  );
}

describe("a signed release", () => {
  it("is offered by an app that carries the key", async () => {
    expect(await asked(published)).toBe(true);
    expect(
      readSignedManifest(published, key.publicKey)
        ?.files.map(({ name }) => name)
        .toSorted(),
    ).toEqual(["Parley-0.2.0-arm64.AppImage", "Parley-0.2.0.AppImage", "parley_0.2.0_amd64.deb"]);
  });

  it("is not one of another version, file, hash or platform, nor an empty one", async () => {
    const file = { url: "Parley-0.2.0.AppImage", sha512: "aGFzaA==" };
    for (const found of [
      { version: "0.3.0", files: [file] },
      { version: "0.2.0", files: [{ ...file, sha512: "b3RoZXI=" }] },
      { version: "0.2.0", files: [file, { ...file, url: "Parley-0.2.0.exe" }] },
      { version: "0.2.0", files: [{ url: file.url, sha512: "ZGVi" }] },
      { version: "0.2.0", files: [] },
    ])
      expect(await asked(published, { found })).toBe(false);
    const manifest = readSignedManifest(published, key.publicKey);
    expect(manifest && isReleased(manifest, "another platform", FOUND)).toBe(false);
  });

  it("is not one of another key, nor one that was changed, cut off or made endless", async () => {
    const { manifest, signature } = JSON.parse(published) as { manifest: string; signature: string };
    const changed = manifest.replace("aGFzaA==", "b3RoZXI=");
    expect(await asked(published, { releaseKey: readReleaseKey(pem()).publicKey })).toBe(false);
    for (const body of [
      JSON.stringify({ manifest: changed, signature }),
      // Another first character: one signature in 64 has an A there already.
      JSON.stringify({ manifest, signature: `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}` }),
      JSON.stringify({ manifest, signature: "" }),
      JSON.stringify({ manifest: JSON.parse(manifest), signature }),
      published.slice(0, -20),
      "",
      "null",
      "[]",
      published + " ".repeat(MAX_MANIFEST_CHARACTERS),
    ])
      expect(await asked(body)).toBe(false);
    expect(await asked(published, { status: 404 })).toBe(false);
  });

  it("is not there when the server cannot be reached", async () => {
    const fetch = (): Promise<Response> => Promise.reject(new Error("net::ERR_NAME_NOT_RESOLVED"));
    expect(await isSignedRelease({ feed: "https://releases.example/", key: key.publicKey }, fetch, FOUND)).toBe(false);
  });
});

describe("signing", () => {
  it("refuses other keys, feeds of other versions, forms that it does not know, and folders without a feed", () => {
    for (const text of ["", "no key", pem("ed448")]) expect(() => readReleaseKey(text)).toThrow("no Ed25519 private key");
    expect(() => filesOfFeed(feedOf("0.1.0", {}), "0.2.0")).toThrow("not of version 0.2.0");
    expect(() => filesOfFeed(feedOf("0.2.0", { "'Parley 0.2.0.exe'": "aA==" }), "0.2.0")).toThrow("form that is not known");
    rmSync(join(folder, "latest-linux.yml"));
    rmSync(join(folder, "latest-linux-arm64.yml"));
    expect(() => signRelease(folder, { version: "0.2.0", platform: PLATFORM }, key)).toThrow("no feed");
  });
});

describe("the source of releases in a package", () => {
  const sourceOf = (metadata: unknown): unknown => {
    writeFileSync(join(folder, "package.json"), JSON.stringify(metadata));
    return readReleaseSource(folder);
  };

  it("is a feed and a key, or nothing", () => {
    const releases = { feed: "https://releases.example/", key: key.publicKey };
    expect(sourceOf({ parley: { releases } })).toEqual(releases);
    for (const metadata of [
      {},
      { parley: {} },
      { parley: { releases: { feed: releases.feed } } },
      { parley: { releases: { ...releases, key: "ab" } } },
    ])
      expect(sourceOf(metadata)).toBeUndefined();
  });
});
