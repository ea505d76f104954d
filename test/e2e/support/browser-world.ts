// The world of a browser test: one real node and people with profiles of their own, photographed when a step fails, closed together.

import { createTemporaryFolder } from "../../support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "../../support/nodes/start-node.ts";
import { type BrowserProfile, openProfile, type ProfileOptions } from "./browser-profile.ts";
import { photographFailure } from "./pictures.ts";
import { copySeededChain, type SeededRecipe } from "./seeded-chain.ts";

/** A node and the people who are at it. Disposing closes the profiles, stops the node and removes its folder. */
export interface BrowserWorld extends AsyncDisposable {
  /** Path of the world's own temporary folder. */
  readonly folder: string;
  /** The node; replaced here when it is started again. */
  node: RunningNode;
  /** Opens a fresh profile for a person. */
  enter(name: string, options?: ProfileOptions): Promise<BrowserProfile>;
  /** One step of a story: what fails in it names it and leaves a picture of every page. */
  step(what: string, task: () => Promise<void>): Promise<void>;
}

/**
 * Starts a node, on a copy of the seeded chain of a recipe or on an empty folder. The name begins the names of pictures of failures; `args` are
 * those of the node, `--dev` when absent.
 */
export async function startWorld(name: string, recipe?: SeededRecipe, args?: readonly string[]): Promise<BrowserWorld> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await createTemporaryFolder());
  const profiles = new Map<string, BrowserProfile>();
  const dataDir = `${folder.path}/node`;
  const node = await startNode({ dataDir: recipe === undefined ? dataDir : copySeededChain(recipe, dataDir), ...(args && { args }) });
  const world: Omit<BrowserWorld, typeof Symbol.asyncDispose> = {
    folder: folder.path,
    node,
    enter: async (person, options) => {
      const profile = await openProfile(options);
      profiles.set(person, profile);
      return profile;
    },
    step: async (what, task) => {
      try {
        await task();
      } catch (error) {
        for (const [person, { page }] of profiles) await photographFailure(page, `${name}-${person}`);
        throw new Error(`Could not ${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    },
  };
  opened.defer(async () => void (await world.node.stop()));
  opened.defer(async () => {
    await Promise.all([...profiles.values()].map((profile) => profile[Symbol.asyncDispose]()));
  });
  const all = opened.move();
  return Object.assign(world, { [Symbol.asyncDispose]: () => all.disposeAsync() });
}
