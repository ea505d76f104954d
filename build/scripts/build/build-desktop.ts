// Builds the desktop shell, its keyring and its node when their sources changed since the last build.
import { buildWhenStale } from "./stale-build.ts";

/** Builds what {@link import("#build/vite/desktop.ts").buildDesktop} does unless it is up to date. Returns true when it built. */
export function buildStaleDesktop(): Promise<boolean> {
  return buildWhenStale({
    name: "desktop",
    sources: ["electron", "node", "shared", "build/vite", "build/icons"],
    output: "dist/electron/main.mjs",
    build: async () => {
      const { buildDesktop } = await import("#build/vite/desktop.ts");
      await buildDesktop();
    },
  });
}
