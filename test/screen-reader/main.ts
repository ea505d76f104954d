// `npm run screen-reader`: walks through the main tasks by keyboard with Orca, and prints what it says at each step (docs/screen-reader.md).
// `-- first` and `-- second` are one walk alone.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildStaleRenderer } from "#build/scripts/build/build-renderer.ts";
import { startWorld } from "../e2e/support/browser-world.ts";
import { introduce } from "../e2e/support/person.ts";
import { openDesk } from "./desk.ts";
import { walkFirst } from "./first-walk.ts";
import type { Scene } from "./scene.ts";
import { walkSecond } from "./second-walk.ts";
import { Walk } from "./walk.ts";

const only = process.argv[2];

await buildStaleRenderer();
await using world = await startWorld("screen-reader");
const home = join(world.folder, "orca");
await mkdir(home, { mode: 0o700 });
const { baseUrl } = world.node;
await using desk = await openDesk(home, baseUrl);
const bob = (await world.enter("bob")).page;
const scene: Scene = { walk: new Walk(desk), desk, bob, baseUrl };
if (only === "second") await introduce(baseUrl, { Ann: desk.page, Bob: bob });
else await walkFirst(scene);
if (only !== "first") await walkSecond(scene);
