// Builds and serves the interface with Vite. Everything is a file of its own: the content security policy allows no inline code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build, type InlineConfig } from "vite";
import { pathRoots } from "#shared/api/routes.ts";
import { ROOT } from "../scripts/process.ts";
import { bundledContracts } from "./bundled-contracts.ts";
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
    plugins: [react(), bundledContracts(), preloadedFonts()],
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
  ["start", ["main.tsx", "features/lock/lock-screen.tsx", "features/onboarding/onboarding.tsx"]],
  ["shell", ["app/home.tsx", "app/router.tsx", "features/inbox/inbox-page.tsx", "features/inbox/nothing-chosen.tsx"]],
  ["messenger", ["storage/message-database.ts", ...["create-messenger", "node/messenger-node", "node/link-node"].map(engine)]],
] as const satisfies readonly (readonly [string, readonly string[]])[];

/** Packages of the first load, in a file that changes only with them. */
const VENDOR = /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-query|query-core)|zustand)\//;

/** Modules that the bundler puts into one file. */
interface CodeSplittingGroup {
  name: string | ((id: string, graph: ModuleGraph) => string | null);
  test?: RegExp;
  debugName?: string;
  priority: number;
}

/** What the bundler reports of its modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Files of the stages: a module belongs to the first stage that imports it, itself or through others. Views split the rest. */
function stageFiles(): CodeSplittingGroup[] {
  const stages = new Map<string, string>();
  const visit = (id: string, stage: string, graph: ModuleGraph): void => {
    if (stages.has(id)) return;
    stages.set(id, stage);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) if (isOwn(imported)) visit(imported, stage, graph);
  };
  const findStages = (graph: ModuleGraph): void => {
    for (const [stage, roots] of STAGES) for (const root of roots) visit(join(ROOT, "renderer", root), stage, graph);
  };
  const named = STAGES.map(([stage], index) => ({
    name: (id: string, graph: ModuleGraph): string | null => {
      if (stages.size === 0) findStages(graph);
      return stages.get(id) === stage ? stage : null;
    },
    debugName: stage,
    priority: STAGES.length - index,
  }));
  return [{ name: "vendor", test: VENDOR, priority: STAGES.length + 1 }, ...named];
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
