// What would be packed: the packager runs for real, on a made-up Electron distribution, and the archive that it writes is opened. The
// node inside is started from there.
import { fork } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import asar from "@electron/asar";
import { Arch, build, Platform } from "electron-builder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagingConfiguration } from "#build/electron-builder.ts";
import { buildStaleDesktop } from "#build/scripts/build/build-desktop.ts";
import { buildStaleRenderer } from "#build/scripts/build/build-renderer.ts";
import { ROOT } from "#build/scripts/process.ts";
import { writeDesktopNotices } from "#build/scripts/release/bundled-packages.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../support/host/temporary-folder.ts";
import { cleanEnvironment } from "../support/nodes/run-program.ts";

const INPUT = { commit: "0123456789abcdef", sourceDateEpoch: 1_700_000_000 };
/** Code and interface of the app, without Electron itself. */
const MAX_ARCHIVE_BYTES = 60 * 1024 * 1024;

describe("the packed app", () => {
  let folder: TemporaryFolder;
  let archive = "";
  let names: readonly string[] = [];

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    await buildStaleRenderer();
    await buildStaleDesktop();
    writeDesktopNotices();
    archive = await pack(folder.path);
    names = asar.listPackage(archive, { isPack: false }).map((name) => name.replaceAll("\\", "/"));
  });
  afterAll(() => folder.remove());

  it("holds every part that is started", () => {
    for (const part of [
      "electron/main.mjs",
      "preload/preload.cjs",
      "keyring/main.mjs",
      "node/main.mjs",
      "renderer/index.html",
      "icons/tray.png",
    ])
      expect(names).toContain(`/dist/${part}`);
    const manifest = JSON.parse(asar.extractFile(archive, "package.json").toString("utf8")) as Record<string, unknown>;
    expect(manifest).toMatchObject({ main: "dist/electron/main.mjs", type: "module", parley: INPUT });
    expect(names).toContain(`/${String(manifest.main)}`);
  });

  it("holds no tests, no sources, no maps and no package but the native ones", () => {
    expect(names.filter((name) => /\.(ts|tsx|map)$|\/test\/|\.env|\.key$/.test(name))).toEqual([]);
    const packages = names.flatMap((name) => /^\/node_modules\/([^/]+)$/.exec(name)?.[1] ?? []);
    expect(packages).toEqual(["better-sqlite3", "sodium-native"]);
    expect([...new Set(names.map((name) => name.split("/")[1]))].sort()).toEqual(["dist", "node_modules", "package.json"]);
  });

  it("brings the notices of what is in its bundles", () => {
    const text = asar.extractFile(archive, "dist/THIRD-PARTY.txt").toString("utf8");
    for (const name of ["react 19", "libp2p 3", "tweetnacl 1", "@zxcvbn-ts/language-en 4", "electron-updater 6", "better-sqlite3 13"])
      expect(text).toContain(`${name}.`);
    expect(text).toContain("Permission is hereby granted");
    // Word lists that may be passed on with their notice alone.
    expect(text).toContain(readFileSync(join(ROOT, "node_modules/@zxcvbn-ts/language-en/NOTICE.md"), "utf8").trim());
    expect(text).not.toMatch(/^(vitest|typescript|electron-builder) \d/m);
  });

  it("brings the native parts for every platform, outside of the archive", () => {
    for (const platform of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"])
      for (const path of [`better-sqlite3/prebuilds/${platform}.node`, `sodium-native/prebuilds/${platform}/sodium-native.node`])
        expect(statSync(join(`${archive}.unpacked`, "node_modules", path)).size).toBeGreaterThan(500_000);
  });

  it("is the same, byte for byte, when it is packed again at another time and place", async () => {
    const later = new Date(Date.now() + 86_400_000);
    for (const name of ["electron/main.mjs", "node/main.mjs", "renderer/index.html"]) utimesSync(join(ROOT, "dist", name), later, later);
    const place = join(folder.path, "again");
    mkdirSync(place);
    const again = await pack(place);
    const unpacked = names.filter((name) => name.endsWith(".node"));
    const hashes = (path: string): readonly string[] =>
      [path, ...unpacked.map((name) => `${path}.unpacked${name}`)].map((file) => hash("sha256", readFileSync(file)));
    expect(unpacked.length).toBeGreaterThan(10);
    expect(hashes(again)).toEqual(hashes(archive));
  });

  it("stays within its size", () => expect(statSync(archive).size).toBeLessThan(MAX_ARCHIVE_BYTES));

  it("holds a node that starts and serves", async () => {
    const place = join(folder.path, "unpacked");
    asar.extractAll(archive, place);
    const args = ["node", "--dev", "--data-dir", join(folder.path, "data"), "--stats-addr", "127.0.0.1:0"];
    const node = fork(join(place, "dist/node/main.mjs"), args, { env: cleanEnvironment(), silent: true });
    try {
      const [{ url }] = (await once(node, "message")) as [{ readonly url: string }];
      expect((await fetch(`${url}/api/netstats`)).status).toBe(200);
      node.send({ type: "stop" });
      expect(await once(node, "exit")).toEqual([0, null]);
    } finally {
      node.kill("SIGKILL");
    }
  });
});

describe("the packager's configuration", () => {
  it("is held to the packager's own schema", async () => {
    const config = { ...packagingConfiguration(INPUT), asarr: true };
    const targets = Platform.LINUX.createTarget("dir", Arch.x64);
    await expect(build({ targets, publish: "never", projectDir: ROOT, config })).rejects.toThrow("asarr");
  });

  it("burns in every fuse that hardens the app", () => {
    expect(packagingConfiguration(INPUT).electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it("lets both halves of the macOS package carry native parts side by side, and no other program", () => {
    const pattern = packagingConfiguration(INPUT).mac?.x64ArchFiles ?? "";
    const packages = "Contents/Resources/app.asar.unpacked/node_modules";
    for (const name of ["better-sqlite3/prebuilds/darwin-x64.node", "sodium-native/prebuilds/darwin-arm64/sodium-native.node"])
      expect(posix.matchesGlob(`${packages}/${name}`, pattern)).toBe(true);
    expect(posix.matchesGlob("Contents/MacOS/Parley", pattern)).toBe(false);
  });

  it("signs, notarises and offers updates only where the keys and the feed are given", () => {
    const releases = { feed: "https://releases.example/", key: "ab".repeat(32) };
    const bare = packagingConfiguration(INPUT);
    expect([bare.publish, bare.mac?.identity, bare.mac?.notarize]).toEqual([null, null, false]);
    const release = packagingConfiguration({ ...INPUT, releases, macIdentity: "Parley", isNotarised: true });
    expect(release.publish).toMatchObject({ provider: "generic", url: "https://releases.example/" });
    expect([bare.extraMetadata?.parley, release.extraMetadata?.parley]).toEqual([INPUT, { ...INPUT, releases }]);
    expect([release.mac?.identity, release.mac?.notarize]).toEqual(["Parley", true]);
  });
});

/** Path of the archive that the packager writes for Linux. */
async function pack(place: string): Promise<string> {
  const electronDist = join(place, "electron");
  mkdirSync(join(electronDist, "resources"), { recursive: true });
  const version = (JSON.parse(readFileSync(join(ROOT, "node_modules/electron/package.json"), "utf8")) as { readonly version: string })
    .version;
  writeFileSync(join(electronDist, "version"), version);
  writeFileSync(join(electronDist, "electron"), "in place of the binary");
  chmodSync(join(electronDist, "electron"), 0o755);
  const config = packagingConfiguration(INPUT);
  const output = join(place, "packages");
  // Fuses are bits of the real binary.
  const overrides = { electronDist, electronFuses: null, directories: { ...config.directories, output } };
  await build({
    targets: Platform.LINUX.createTarget("dir", Arch.x64),
    publish: "never",
    projectDir: ROOT,
    config: { ...config, ...overrides },
  });
  return join(output, "linux-unpacked/resources/app.asar");
}
