// The state after an earlier block, read without changing anything: the state of the tip with what the blocks above have replaced.
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { StateRecord } from "../genesis/state-file.ts";

const NO_PREFIX = new Uint8Array(0);

/** The state after a block that can be rolled back to. */
export function stateAtHeight(database: ChainDatabase, height: Height): OverlayStateView {
  const view = new OverlayStateView(database.state);
  for (let undone = database.blocks.tipHeight() ?? 0; undone > height; undone -= 1) {
    const changes = database.undo.changesBack(undone);
    assertInvariant(changes !== undefined, `Block ${undone} is too old to be rolled back`);
    for (const { namespace, key, value } of changes) {
      if (value === undefined) view.delete(namespace, key);
      else view.set(namespace, key, value);
    }
  }
  return view;
}

/** Every record, ascending by namespace and key. */
export function* recordsOf(state: OverlayStateView): Generator<StateRecord> {
  for (const namespace of NAMESPACES.toSorted()) {
    let after: Uint8Array | undefined;
    for (;;) {
      const entry = state.next(namespace, NO_PREFIX, after);
      if (entry === undefined) break;
      yield { namespace, key: entry.key, value: entry.value };
      after = entry.key;
    }
  }
}
