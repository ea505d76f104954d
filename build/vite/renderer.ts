// Builds and serves the interface with Vite. Everything is a file of its own: the content security policy allows no inline code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build, type InlineConfig } from "vite";
import { pathRoots } from "#shared/api/routes.ts";
import { ROOT } from "../scripts/process.ts";
import { bundledContracts } from "./bundled-contracts.ts";
import { emojiFonts } from "./emoji/emoji-fonts.ts";
import { preloadedFonts } from "./preloaded-fonts.ts";

/** What Electron 45 and current browsers understand. */
const TARGET = "es2024";
const CSS_TARGET = "chrome130";

/** Options of {@link rendererConfig}. */
export interface RendererOptions {
  /** Root address of the node behind the development server. */
  readonly nodeUrl?: string;
}

/** Configuration for building, and for the development server when a node is given. */
export function rendererConfig(options: RendererOptions = {}): InlineConfig {
  const root = join(ROOT, "renderer");
  return {
    configFile: false,
    root,
    publicDir: join(root, "public"),
    base: "/",
    cacheDir: join(ROOT, ".cache/vite"),
    plugins: [react(), bundledContracts(), emojiFonts(), preloadedFonts()],
    define: { __APP_VERSION__: JSON.stringify(packageVersion()) },
    worker: {
      format: "es",
      rolldownOptions: { output: { entryFileNames: "assets/[name]-[hash].js", chunkFileNames: "assets/worker-[name]-[hash].js" } },
    },
    build: {
      outDir: join(ROOT, "dist/renderer"),
      emptyOutDir: true,
      target: TARGET,
      cssTarget: CSS_TARGET,
      sourcemap: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups: stageFiles() } } },
    },
    server: options.nodeUrl === undefined ? {} : { host: "127.0.0.1", proxy: proxyTo(options.nodeUrl) },
  };
}

/** Builds dist/renderer. */
export async function buildRenderer(): Promise<void> {
  await build({ ...rendererConfig(), logLevel: "warn" });
}

function engine(file: string): string {
  return `../shared/messenger/${file}.ts`;
}

/** What a person waits for, in order. The modules of a stage are one file: many small ones are sent slower and compress worse. */
const STAGES = [
  ["start", ["main.tsx", "features/lock/lock-screen.tsx"]],
  ["shell", ["app/home.tsx", "app/router.tsx", "features/inbox/inbox-page.tsx", "features/inbox/nothing-chosen.tsx"]],
  ["messenger", ["storage/message-database.ts", ...["create-messenger", "node/messenger-node", "node/link-node"].map(engine)]],
] as const satisfies readonly (readonly [string, readonly string[]])[];

/** The first run: what nothing of the stages needs is a file of its own, the rest belongs to the first of them. */
const FIRST_RUN = "features/onboarding/onboarding.tsx";

/** Of packages, what the first run and the shell both show: else the first run would wait for the shell. */
const SHOWN_BY_BOTH = /lucide-react\/dist\/esm\/icons\/check\./;

/** Packages of the first load, in a file that changes only with them. */
const VENDOR = /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-query|query-core)|zustand)\//;

/** What may be in one file for all views, as all are fetched ahead: neither words of a language, of which one is shown, nor data. */
const OF_VIEWS = /^(?!.*(\/renderer\/lib\/messages\/|emojibase-data|virtual:))/;

/** Modules that the bundler puts into one file. */
interface CodeSplittingGroup {
  name: string | ((id: string, graph: ModuleGraph) => string | null);
  test?: RegExp;
  debugName?: string;
  priority: number;
  minShareCount?: number;
}

/** What the bundler reports of its modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Files of the stages: a module belongs to the first stage that imports it, itself or through others. Of the rest, what several views import is one. */
function stageFiles(): CodeSplittingGroup[] {
  const stages = new Map<string, string>();
  const findStages = (graph: ModuleGraph): void => {
    const needed = STAGES.map(([stage, roots]) => ({ stage, modules: modulesOf(roots, graph) }));
    for (const id of modulesOf([FIRST_RUN], graph))
      stages.set(id, needed.some(({ modules }) => modules.has(id)) ? STAGES[0][0] : "first-run");
    for (const { stage, modules } of needed) for (const id of modules) if (!stages.has(id)) stages.set(id, stage);
  };
  const named = [...STAGES.map(([stage]) => stage), "first-run"].map((stage, index, all) => ({
    name: (id: string, graph: ModuleGraph): string | null => {
      if (stages.size === 0) findStages(graph);
      return (SHOWN_BY_BOTH.test(id) ? STAGES[0][0] : stages.get(id)) === stage ? stage : null;
    },
    debugName: stage,
    priority: all.length - index,
  }));
  const parts = { name: "parts", test: OF_VIEWS, minShareCount: 2, priority: 0 };
  return [{ name: "vendor", test: VENDOR, priority: named.length + 1 }, ...named, parts];
}

/** Modules that these import, themselves or through others. */
function modulesOf(roots: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) if (isOwn(imported)) visit(imported);
  };
  for (const root of roots) visit(join(ROOT, "renderer", root));
  return found;
}

function isOwn(id: string): boolean {
  return !id.includes("/node_modules/") && !id.startsWith("\0");
}

function proxyTo(nodeUrl: string): Record<string, { target: string; ws: boolean; changeOrigin: boolean; headers: { origin: string } }> {
  return Object.fromEntries(
    pathRoots().map((path) => [path, { target: nodeUrl, ws: true, changeOrigin: true, headers: { origin: nodeUrl } }]),
  );
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  return version;
}
