// `npm run package`: builds everything and packs the desktop app for this platform, with a list of what is inside.
//
//   PARLEY_UPDATE_FEED   address under which the packages will be offered; without it the app never looks for updates
//   PARLEY_RELEASE_KEY   file with the private key that signs releases; a package with a feed needs it
//   PARLEY_UPDATE_STAGE  share of installations that are offered the release, percent; all of them without it
//   PARLEY_MAC_IDENTITY  name of the signing identity on macOS
//   APPLE_API_KEY        with its companions: notarisation on macOS
//   CSC_LINK             with CSC_KEY_PASSWORD: certificate for Windows and macOS
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "electron-builder";
import { packagingConfiguration } from "#build/electron-builder.ts";
import { buildDesktop } from "#build/vite/desktop.ts";
import { buildStaleRenderer } from "../build/build-renderer.ts";
import { ROOT } from "../process.ts";
import { billOfMaterials, writeDesktopNotices } from "./bundled-packages.ts";
import { readReleaseKey, signRelease } from "./sign-release.ts";
import { stageRelease } from "./stage-release.ts";

const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const FOLDER = join(ROOT, "dist/packages");
const {
  PARLEY_UPDATE_FEED: feed,
  PARLEY_RELEASE_KEY: keyFile,
  PARLEY_UPDATE_STAGE: stage,
  PARLEY_MAC_IDENTITY: macIdentity,
  APPLE_API_KEY: notaryKey,
} = process.env;

if (feed !== undefined && keyFile === undefined)
  throw new Error("A package with an update feed needs PARLEY_RELEASE_KEY: apps install only what that key signed");
const key = keyFile === undefined ? undefined : readReleaseKey(readFileSync(keyFile, "utf8"));
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };

await buildStaleRenderer();
await buildDesktop();
const packages = writeDesktopNotices();
const commit = output("git", ["rev-parse", "HEAD"]);
const sourceDateEpoch = Number(output("git", ["log", "-1", "--format=%ct"]));
// Tools that write times into packages take this one.
process.env.SOURCE_DATE_EPOCH = String(sourceDateEpoch);
const files = await build({
  publish: "never",
  config: packagingConfiguration({
    commit,
    sourceDateEpoch,
    isNotarised: notaryKey !== undefined,
    ...(feed === undefined || key === undefined ? {} : { releases: { feed: withSlash(feed), key: key.publicKey } }),
    ...(macIdentity === undefined ? {} : { macIdentity }),
  }),
});
writeBillOfMaterials();
// `dist/packages` has the program of the command line too: what `npm pack` makes.
output(npm, ["pack", "--pack-destination", FOLDER]);
files.push(join(FOLDER, `parley-${version}.tgz`));
if (stage !== undefined) stageFeeds(Number(stage));
if (feed !== undefined && key !== undefined) files.push(signRelease(FOLDER, { version, platform: process.platform }, key));
process.stdout.write(`${files.join("\n")}\n`);

/** CycloneDX list of every package that went in, beside the packages. */
function writeBillOfMaterials(): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "sbom.cdx.json"), billOfMaterials(output(npm, ["sbom", "--sbom-format=cyclonedx"]), packages));
}

/** Names of files are added to it. */
function withSlash(address: string): string {
  return address.endsWith("/") ? address : `${address}/`;
}

function stageFeeds(percent: number): void {
  for (const name of readdirSync(FOLDER).filter((entry) => /^latest.*\.yml$/.test(entry))) {
    const path = join(FOLDER, name);
    writeFileSync(path, stageRelease(readFileSync(path, "utf8"), percent));
  }
}

function output(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr}`);
  return stdout.trim();
}
