// The state of an earlier block out of that of a later one, by the undo lists of the blocks between them.
import { leafChanges, updateStateTree } from "#node/state/state-tree.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { StateRepository } from "./state-repository.ts";
import type { UndoRepository } from "./undo-repository.ts";

/** A state that is taken back. */
export interface RolledState {
  readonly state: StateRepository;
  readonly undo: UndoRepository;
  /** The state root after a block, as the chain has it. */
  readonly rootAfter: (height: Height) => HashHex | undefined;
}

/** Takes back what the blocks above a height changed. @throws CodedError INVARIANT when that is too far or an undo list is damaged. */
export function rollbackState({ state, undo, rootAfter }: RolledState, from: Height, to: Height): void {
  for (let undone = from; undone > to; undone -= 1) {
    const changes = undo.changesBack(undone);
    assertInvariant(changes !== undefined, `Block ${undone} is too old to be rolled back`);
    const tree = updateStateTree(state, leafChanges(changes));
    assertInvariant(toHex(tree.root) === rootAfter(undone - 1), `Block ${undone} cannot be rolled back: its undo record is damaged`);
    state.apply(changes, tree.pages);
  }
}
