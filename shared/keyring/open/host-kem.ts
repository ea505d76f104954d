// What a host computes X25519 and ML-KEM with, as far as it has its own.
import type { LateKem } from "#shared/protocol/pairs/kem-ahead.ts";
import type { KemPrimitives } from "#shared/protocol/pairs/kem-primitives.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import type { KeyringDependencies } from "../keyring-dependencies.ts";
import type { AgreeAhead } from "./agree-ahead.ts";

/** Primitives of one host. */
export class HostKem {
  /** At once; undefined where script has to do. */
  readonly kem: KemPrimitives | undefined;
  /** On other threads; undefined where it has none. */
  readonly late: () => Promise<LateKem | undefined>;
  /** Agreements that are made there before they are used. */
  readonly agreeAhead: () => Promise<AgreeAhead | undefined>;

  constructor({ kem, lateKem = async (): Promise<undefined> => undefined }: Pick<KeyringDependencies, "kem" | "lateKem">) {
    this.kem = kem;
    const load = loadedLate(lateKem);
    // What cannot be loaded now is asked for again the next time, and computed here meanwhile: no mail waits for it.
    this.late = (): Promise<LateKem | undefined> => load().catch(() => undefined);
    this.agreeAhead = async (): Promise<AgreeAhead | undefined> => {
      const late = await this.late();
      return late && import("./agree-ahead.ts").then(({ agreeAheadBy }) => agreeAheadBy(late)).catch(() => undefined);
    };
  }
}
