// A node's signer and its seat, as the composition root needs them.
import type { DataFolder } from "#node/config/files/data-folder.ts";
import type { SignerConfig } from "#node/config/signer-config.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import type { SuspensionVoter } from "#node/duties/lie-reporter.ts";
import type { Log } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { nodeTlsPath } from "../signer-folder.ts";
import { readTlsIdentity } from "../tls/tls-files.ts";
import { RemoteSignerClient } from "./remote-signer.ts";
import { SeatKeeper } from "./seat-keeper.ts";
import type { SignerPlace } from "./signer-connection.ts";

/** The validator's key in another process, and this node's seat. */
export interface OpenedSigner {
  readonly client: RemoteSignerClient;
  readonly seat: SeatKeeper;
}

/** Begins to connect. @throws CodedError CONFIG_INVALID when the node's own key is the validator's, or it has no TLS key. */
export function openRemoteSigner(
  config: SignerConfig,
  { paths, genesis, nodeKey }: DataFolder,
  { verify, log }: { readonly verify: VerifySignature; readonly log: Log },
): OpenedSigner {
  const { publicKey } = config;
  if (nodeKey.publicKey === publicKey)
    throw new CodedError(
      "VALIDATOR_UNSAFE",
      "This data folder holds the validator's key beside the signer: move it to the signer with parley signer init --from",
    );
  const options = { chainId: genesis.chain_id, nodeKey: nodeKey.publicKey, timers: systemTimers };
  const place = placeOf(config, nodeTlsPath(paths.root));
  const client = new RemoteSignerClient({ ...options, ...place, publicKey, verify, random: Math.random, log: log.child("signer") });
  const seat = new SeatKeeper({ ...options, signer: client, clock: systemClock });
  seat.start();
  client.start();
  return { client, seat };
}

function placeOf({ address, fingerprint }: SignerConfig, tlsPath: string): SignerPlace {
  if (fingerprint === undefined) return { address };
  const identity = readTlsIdentity(tlsPath, "make it with parley signer pair, and let the signer allow the fingerprint that it prints");
  return { address, tls: { identity, fingerprint } };
}

/** How a node votes about relays with its validator's key. */
export function suspensionVoter(client: RemoteSignerClient): SuspensionVoter {
  return {
    publicKey: client.publicKey,
    get canVote(): boolean {
      return client.canVote;
    },
    vote: (evidence) => client.voteToSuspend(evidence, { clock: systemClock, random: systemRandom }),
  };
}
