// Builds and serves the interface with Vite. Everything is a file of its own: the content security policy allows no inline code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build, type InlineConfig } from "vite";
import { ROOT } from "../scripts/process.ts";

/** Paths that the development server hands on to the node. */
const NODE_PATHS = ["/api", "/relay", "/v2"];
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
    plugins: [react()],
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
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: "vendor", test: isFirstLoadPackage, priority: 1 }] } } },
    },
    server: options.nodeUrl === undefined ? {} : { host: "127.0.0.1", proxy: proxyTo(options.nodeUrl) },
  };
}

/** Builds dist/renderer. */
export async function buildRenderer(): Promise<void> {
  await build({ ...rendererConfig(), logLevel: "warn" });
}

/** Packages of the first load, in a file that changes only with them. */
function isFirstLoadPackage(id: string): boolean {
  return /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|react-store|store|react-query|query-core)|zustand)\//.test(
    id,
  );
}

function proxyTo(nodeUrl: string): Record<string, { target: string; ws: boolean; changeOrigin: boolean; headers: { origin: string } }> {
  return Object.fromEntries(
    NODE_PATHS.map((path) => [path, { target: nodeUrl, ws: true, changeOrigin: true, headers: { origin: nodeUrl } }]),
  );
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  return version;
}
