// Builds the interface and the desktop shell into dist/.
import { buildDesktop } from "../vite/desktop.ts";
import { buildStaleRenderer } from "./build-renderer.ts";

await buildStaleRenderer();
await buildDesktop();
