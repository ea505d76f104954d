// Which key a validator's node votes with, where the validator has replaced its key or is about to.
import type { NodeConfig } from "#node/config/node-config.ts";
import type { SignerConfig } from "#node/config/signer-config.ts";
import type { BlockExecutor } from "#node/engine/execution/block-executor.ts";
import { takeGuardOf } from "#node/engine/log/guard-files.ts";
import { presentKey, readRotation } from "#node/ledger/records/rotation-records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { Log } from "#node/observability/log.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** The signer of the key that the validator has now: the next one once its key took over from the other. */
export function signerInForce(
  { signer, nextSigner }: Pick<NodeConfig, "signer" | "nextSigner">,
  nodeKey: PublicKeyHex,
  state: StateReader,
): SignerConfig | undefined {
  if (nextSigner === undefined) return signer;
  return presentKey(state, signer?.publicKey ?? nodeKey) === nextSigner.publicKey ? nextSigner : signer;
}

/** Puts the guard of the key in its place. True when the key took over in the newest block, so that it has signed nothing. */
export function takeOverGuard(folder: string, own: PublicKeyHex, state: StateReader, tipHeight: Height): boolean {
  takeGuardOf(folder, own, (key) => presentKey(state, key) === presentKey(state, own));
  const { previous, height } = readRotation(state, own);
  return previous !== undefined && height === tipHeight;
}

/** What {@link watchKey} is given. */
export interface KeyWatchOptions {
  readonly config: Pick<NodeConfig, "nextSigner" | "mode">;
  /** The key that this node votes with. */
  readonly own: PublicKeyHex;
  readonly log: Pick<Log, "info" | "warn">;
  /** The next signer's key took over. */
  readonly onNext: (() => void) | undefined;
}

/** Notices when another key takes over from the own one. */
export function watchKey(
  executor: Pick<BlockExecutor, "state" | "onCommit">,
  { own, config: { nextSigner, mode }, log, onNext }: KeyWatchOptions,
): void {
  if (mode === "full") return;
  const look = (): void => {
    const present = presentKey(executor.state, own);
    if (present === own) return;
    stop();
    const address = formatAddress(present);
    if (present !== nextSigner?.publicKey) {
      log.warn({}, `The validator's key was replaced by ${address}, whose signer this node does not know: not voting (--next-signer)`);
      return;
    }
    log.info({}, `The key ${address} took over from the validator's: starting again with the next signer`);
    onNext?.();
  };
  const stop = executor.onCommit(look);
  look();
}
