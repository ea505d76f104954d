// Lists that reach below the blocks of this node: pages of blocks and feeds of accounts are continued with what other nodes prove. What
// nothing proves to be all of it (lines of contracts, closed channels) is not fetched: the response says how many nodes to ask.
import type { ArchiveReads } from "#node/queries/archive-reads.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import { JsonText } from "../json/json-text.ts";
import { accountFeed } from "./archive-feed.ts";
import { LIST_COST, LISTED_BLOCKS, MISSING, mayLook, objectOf, readOf, unlessRefused } from "./archive-read.ts";
import { OTHER_NODE } from "./public-reads.ts";

/** Lists that are continued. */
export function archiveLists(handlers: Handlers, archive: ArchiveReads): Pick<Handlers, "listBlocks" | "getAccountFeed"> {
  return {
    listBlocks: (input, context) => listBlocks(handlers, archive, input, context),
    getAccountFeed: (input, context) => accountFeed(handlers, archive, input, context),
  };
}

/** Has lists that lack something say how many connected nodes have more; for clients of this node, since it is about its peers. */
export function withNodeCount<T extends object>(response: T | JsonText, archive: ArchiveReads, context: RequestContext): T | JsonText {
  if (context === OTHER_NODE) return response;
  if (response instanceof JsonText && !response.text.includes(MISSING)) return response;
  const page = objectOf(response);
  return "missing_below" in page ? { ...page, older_nodes: archive.nodes } : response;
}

/** The error of a read below the blocks of this node, with how many connected nodes say that they have them. */
export function prunedWithNodes(error: unknown, archive: ArchiveReads, context: RequestContext): unknown {
  if (!isCodedError(error, "HISTORY_PRUNED") || context === OTHER_NODE) return error;
  const { nodes } = archive;
  const words =
    nodes === 0
      ? "no connected node says that it has older ones"
      : `connected nodes that say that they have older ones, and prove none now: ${nodes}`;
  return new CodedError(error.code, `${error.message}; ${words}`, { cause: error, details: { ...error.details, older_nodes: nodes } });
}

/** Own blocks, and what is below them from others; those of this node alone where the others prove nothing. */
async function listBlocks(
  handlers: Handlers,
  archive: ArchiveReads,
  input: Parameters<Handlers["listBlocks"]>[0],
  context: RequestContext,
): Promise<Output<"listBlocks">> {
  const { limit = LISTED_BLOCKS, before } = input;
  const { blocks, error } = await ownBlocks(handlers, input, context);
  const lowest = blocks.at(-1)?.index ?? before ?? 0;
  const missing = Math.min(limit - blocks.length, lowest);
  const older =
    missing > 0 && mayLook(archive, context) ? await olderBlocks(archive, { before: lowest, limit: missing }, context, error) : [];
  if (older.length === 0 && error !== undefined) throw error;
  return [...blocks, ...older];
}

/** The blocks of a page that are here; `error` where all of them lie below. */
async function ownBlocks(
  handlers: Handlers,
  input: Parameters<Handlers["listBlocks"]>[0],
  context: RequestContext,
): Promise<{ readonly blocks: Output<"listBlocks">; readonly error: unknown }> {
  try {
    return { blocks: objectOf(await handlers.listBlocks(input, context)), error: undefined };
  } catch (error) {
    if (isCodedError(error, "HISTORY_PRUNED")) return { blocks: [], error };
    throw error;
  }
}

/** All blocks of a page, or none. A page of which nothing is here may be refused. */
async function olderBlocks(
  archive: ArchiveReads,
  page: { readonly before: number; readonly limit: number },
  context: RequestContext,
  error: unknown,
): Promise<Output<"listBlocks">> {
  const read = archive.read(readOf("listBlocks", page, context, LIST_COST + page.limit), async () =>
    archive.queries.explorer.listBlocks(page),
  );
  const older = await (error === undefined ? read.catch(unlessRefused) : read);
  return older?.length === page.limit ? [...older] : [];
}
