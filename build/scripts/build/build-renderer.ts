// Builds the interface when its sources changed since the last build.
import { CONTRACT_SOURCES } from "#build/vite/bundled-contracts.ts";
import { buildWhenStale } from "./stale-build.ts";

/** Builds dist/renderer unless it is up to date. Returns true when it built. */
export function buildStaleRenderer(): Promise<boolean> {
  return buildWhenStale({
    name: "renderer",
    sources: ["renderer", "shared", "build/vite", CONTRACT_SOURCES],
    output: "dist/renderer/index.html",
    build: async () => {
      const { buildRenderer } = await import("#build/vite/renderer.ts");
      await buildRenderer();
    },
  });
}
