// Network statistics, blocks and validators.

import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isHex } from "#shared/util/bytes.ts";
import type { Handlers } from "../../handler-types.ts";

/** Place in the list of proposals. */
const PROPOSAL_ID = /^(?:add|remove):[0-9a-fA-F]{64}$/;

type BlockHandlers = Pick<
  Handlers,
  "getNetstats" | "getChart" | "listBlocks" | "getBlock" | "getBlockByHash" | "listValidators" | "listValidatorProposals"
>;

export function createBlockHandlers({ explorer }: Pick<ReadQueries, "explorer">): BlockHandlers {
  return {
    getNetstats: () => explorer.netStats(),
    getChart: ({ resolution = "hour", limit = 48 }) => explorer.chart({ resolution, limit }),
    listBlocks: async ({ limit = 20, before }) => [...(await explorer.listBlocks({ limit, ...(before === undefined ? {} : { before }) }))],
    getBlock: async ({ index }): Promise<Output<"getBlock">> => {
      const block = await explorer.getBlock(index);
      if (block === undefined) throw new CodedError("NOT_FOUND", `There is no block ${index} yet`);
      return block;
    },
    getBlockByHash: async ({ hash }): Promise<Output<"getBlockByHash">> => {
      const block = isHex(hash, 32) ? await explorer.getBlockByHash(hash.toLowerCase()) : undefined;
      if (block === undefined) throw new CodedError("NOT_FOUND", "There is no block with this hash");
      return block;
    },
    listValidatorProposals: async ({ limit = 100, after }): Promise<Output<"listValidatorProposals">> => {
      if (after !== undefined && !PROPOSAL_ID.test(after))
        throw new CodedError("BAD_REQUEST", "after is add:<key> or remove:<key>, the key 64 hex characters");
      const { items, next } = await explorer.validatorProposals(after === undefined ? { limit } : { limit, after: after.toLowerCase() });
      return { count: items.length, proposals: [...items], ...(next === undefined ? {} : { next_after: next }) };
    },
    listValidators: async (): Promise<Output<"listValidators">> => {
      const [validators, setAside] = await Promise.all([explorer.validators(), explorer.setAside()]);
      return { count: validators.length, validators: [...validators], ...(setAside.length > 0 && { set_aside: [...setAside] }) };
    },
  };
}
