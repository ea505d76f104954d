// Network statistics, blocks and validators.
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Handlers } from "../handlers.ts";
import type { ApiServices } from "../services.ts";

type BlockHandlers = Pick<Handlers, "getNetstats" | "getChart" | "listBlocks" | "getBlock" | "listValidators">;

export function createBlockHandlers({ explorer }: ApiServices): BlockHandlers {
  return {
    getNetstats: () => explorer.netStats(),
    getChart: ({ resolution = "hour", limit = 48 }) => explorer.chart({ resolution, limit }),
    listBlocks: async ({ limit = 20, before }) => [...(await explorer.listBlocks({ limit, ...(before === undefined ? {} : { before }) }))],
    getBlock: async ({ index }): Promise<Output<"getBlock">> => {
      const block = await explorer.getBlock(index);
      if (block === undefined) throw new CodedError("NOT_FOUND", `There is no block ${index} yet`);
      return block;
    },
    listValidators: async (): Promise<Output<"listValidators">> => {
      const validators = [...(await explorer.validators())];
      return { count: validators.length, validators };
    },
  };
}
