// Which packages of node_modules went into bundles, found in their source maps: for the list of what a release holds, and its notices.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../process.ts";

/** A package whose code is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  readonly folder: string;
}

/** Files whose texts go along with a package's code. */
const NOTICE = /^(licen[cs]e|notice|copying|third[-_]party)/i;

/** Folders of the packages whose fonts the interface brings along: no source map names them. */
export const FONT_PACKAGES: readonly string[] = [
  "@fontsource-variable/inter",
  "@fontsource-variable/jetbrains-mono",
  "@fontsource/noto-color-emoji",
].map((name) => join(ROOT, "node_modules", name));

/** Packages of every source map below `folders`, and of the folders of `others`, each once, by name and version. */
export function bundledPackages(folders: readonly string[], others: readonly string[] = []): readonly BundledPackage[] {
  const found = new Set(others);
  for (const map of folders.flatMap(mapsBelow)) {
    const { sources } = JSON.parse(readFileSync(map, "utf8")) as { readonly sources: readonly string[] };
    for (const source of sources) {
      const folder = packageFolder(source);
      if (folder !== undefined) found.add(folder);
    }
  }
  const packages = [...found].map(readPackage);
  const byId = new Map(packages.map((entry) => [`${entry.name}@${entry.version}`, entry]));
  return [...byId.keys()].sort().flatMap((id) => byId.get(id) ?? []);
}

/** Names, versions, licences and notices of packages, as one text. */
export function noticesText(packages: readonly BundledPackage[]): string {
  return packages
    .map(({ name, version, license, folder }) => [`${name} ${version} (${license})`, ...notices(folder)].join("\n\n"))
    .join(RULE);
}

/** Writes the notices of what the desktop app holds to dist/THIRD-PARTY.txt and returns its packages. */
export function writeDesktopNotices(): readonly BundledPackage[] {
  const packages = bundledPackages(
    ["electron", "preload", "keyring", "gateway", "node", "renderer"].map((name) => join(ROOT, "dist", name)),
    [...["better-sqlite3", "sodium-native"].map((name) => join(ROOT, "node_modules", name)), ...FONT_PACKAGES],
  );
  writeFileSync(join(ROOT, "dist/THIRD-PARTY.txt"), noticesText(packages));
  return packages;
}

/** The part of a CycloneDX list (`npm sbom`) that names these packages. Throws when it lacks one. */
export function billOfMaterials(whole: string, packages: readonly BundledPackage[]): string {
  const list = JSON.parse(whole) as CycloneDx;
  const ids = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = list.components.filter(({ name, version }) => ids.has(`${name}@${version}`));
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const missing = [...ids].filter((id) => !named.has(id));
  if (missing.length > 0) throw new Error(`The list of packages lacks ${missing.join(", ")}`);
  const refs = new Set([list.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  const dependencies = list.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((entry) => ({ ...entry, dependsOn: entry.dependsOn?.filter((ref) => refs.has(ref)) ?? [] }));
  return `${JSON.stringify({ ...list, components, dependencies }, undefined, 2)}\n`;
}

interface CycloneDx {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly { readonly name: string; readonly version: string; readonly "bom-ref": string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const RULE = `\n\n${"-".repeat(80)}\n\n`;

function mapsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".map"))
    .map((name) => join(folder, name));
}

/** Folder of the innermost package that a source belongs to. What is before its packages depends on how the bundler was called. */
function packageFolder(source: string): string | undefined {
  const path = /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/@][^/]*)\//.exec(source.replaceAll("\\", "/"))?.[1];
  return path === undefined ? undefined : join(ROOT, path);
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Omit<BundledPackage, "folder">;
  return { name, version, license, folder };
}

function notices(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && NOTICE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), "utf8").trim());
}
