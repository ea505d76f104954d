// A state view that keeps its changes to itself until they are written to the view below.
import { toHex } from "#shared/util/bytes.ts";
import type { Namespace, StateChange, StateReader, StateView } from "./state-view.ts";

/** Changes on top of a reader. */
export class OverlayView implements StateView {
  readonly #base: StateReader;
  readonly #changes = new Map<string, StateChange>();

  constructor(base: StateReader) {
    this.#base = base;
  }

  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    const change = this.#changes.get(slot(namespace, key));
    return change === undefined ? this.#base.get(namespace, key) : change.value;
  }

  set(namespace: Namespace, key: Uint8Array, value: Uint8Array): void {
    this.#changes.set(slot(namespace, key), { namespace, key, value });
  }

  delete(namespace: Namespace, key: Uint8Array): void {
    this.#changes.set(slot(namespace, key), { namespace, key, value: undefined });
  }

  /** The last change of every changed key, in the order of first change. */
  changes(): readonly StateChange[] {
    return [...this.#changes.values()];
  }

  /** Writes every change to another view. */
  writeTo(view: StateView): void {
    for (const { namespace, key, value } of this.#changes.values()) {
      if (value === undefined) view.delete(namespace, key);
      else view.set(namespace, key, value);
    }
  }
}

function slot(namespace: Namespace, key: Uint8Array): string {
  return `${namespace}:${toHex(key)}`;
}
