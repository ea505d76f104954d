// Builds the interface and the desktop shell into dist/.
import { buildStaleDesktop } from "./build-desktop.ts";
import { buildStaleRenderer } from "./build-renderer.ts";

await buildStaleRenderer();
await buildStaleDesktop();
