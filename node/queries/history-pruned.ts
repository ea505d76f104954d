// The error of reads below the first block that a node holds.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";

/** Something of a block that this node does not hold, though the chain has it. */
export function historyPruned(height: Height, firstHeight: Height): CodedError {
  return new CodedError(
    "HISTORY_PRUNED",
    `This node holds the blocks from ${firstHeight} on, and not block ${height}: ask a node that holds all of them`,
    { details: { height, from_height: firstHeight } },
  );
}
