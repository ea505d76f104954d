// The answering side of light mode over a real chain in a temporary folder: the same reads, handlers and pool as a full node's.
import { PublicReads } from "#node/api/reads/public-reads.ts";
import { LightReads } from "#node/light/server/light-reads.ts";
import { LightServer, type LightServerDependencies } from "#node/light/server/light-server.ts";
import { type ChainReaderConnection, openChainReader } from "#node/storage/chain/chain-reader.ts";
import { type ApiWorld, type ApiWorldOptions, createApiWorld } from "./api-world.ts";

/** A chain and what hands it out. */
export interface LightServerWorld extends AsyncDisposable {
  readonly world: ApiWorld;
  readonly reader: ChainReaderConnection;
  readonly server: LightServer;
}

/** Opens a world; `parts` replace those of the server. */
export async function createLightServerWorld(
  options: ApiWorldOptions = {},
  parts: Partial<LightServerDependencies> = {},
): Promise<LightServerWorld> {
  const world = await createApiWorld(options);
  const reader = openChainReader(world.directory);
  const reads = new LightReads(reader);
  // One at a time, as the thread does: snapshots do not nest.
  let inTurn: Promise<unknown> = Promise.resolve();
  const publicReads = new PublicReads();
  publicReads.attach(world.server.handlers);
  const server = new LightServer({
    read: (request): Promise<Uint8Array> => {
      const response = inTurn.then(() => reader.inSnapshot(async () => reads.respond(request)));
      inTurn = response.catch(() => undefined);
      return response;
    },
    readPublic: (operation, input): Promise<string> => publicReads.read(operation, input),
    submit: async (transaction): Promise<{ readonly warning?: string }> => world.services.mempool.submit(transaction, world.clock.nowMs()),
    accuse: (): number => 0,
    clock: world.clock,
    log: world.services.log,
    ...parts,
  });
  return {
    world,
    reader,
    server,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      reader.close();
      await world[Symbol.asyncDispose]();
    },
  };
}
