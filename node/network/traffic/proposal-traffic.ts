// Wires proposals in parts to the streams between validators, where these are known as peers.
import { randomInt } from "node:crypto";
import { systemTimers } from "#node/config/system-clock.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { withEncodedBlock } from "#node/engine/consensus-message-codec.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Vote } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type NetworkOptions, votingKeyOf } from "../network-options.ts";
import type { NetworkHandlers, PeerName, PeerOffence } from "../peer-network.ts";
import type { ValidatorDirectory } from "../peers/validator-directory.ts";
import type { ConsensusStreams } from "./consensus-streams.ts";
import { type ProposalMessage, ProposalParts } from "./parts/proposal-parts.ts";

export interface ProposalTrafficDependencies {
  readonly options: Pick<NetworkOptions, "chainId" | "nodeKey" | "validator" | "clock" | "verify">;
  readonly handlers: NetworkHandlers;
  readonly validators: ValidatorDirectory;
  readonly streams: Pick<ConsensusStreams, "sendFrame" | "senderOf">;
  readonly report: (peer: PeerName, offence: PeerOffence) => void;
}

/** Proposals in parts, by peers. */
export class ProposalTraffic {
  readonly #validators: ValidatorDirectory;
  readonly #parts: ProposalParts;

  constructor({ options, handlers, validators, streams, report }: ProposalTrafficDependencies) {
    this.#validators = validators;
    const { chainId, nodeKey, validator, clock, verify } = options;
    const own = validator === undefined ? createValidatorSigner(nodeKey.secret) : undefined;
    const peerOf = (key: PublicKeyHex): PeerName => validators.nameOf(key) ?? key;
    this.#parts = new ProposalParts({
      chainId,
      ownKey: votingKeyOf(options),
      clock,
      timers: systemTimers,
      hash: nativeSha256,
      verify,
      sign: ({ height, round }, bytes): Uint8Array | Promise<Uint8Array | undefined> =>
        own?.sign(bytes) ?? validator?.signParts(height, round, bytes) ?? Promise.resolve(undefined),
      validators: (): readonly PublicKeyHex[] => validators.keys,
      tipHeight: (): Height => handlers.ownStatus().height,
      proposalUse: (proposal): ReturnType<NetworkHandlers["proposalUse"]> => handlers.proposalUse(proposal),
      send: (to, frame): void => streams.sendFrame(to.map(peerOf), frame),
      randomBelow: (count): number => randomInt(count),
      deliver: (proposal, block, proposer): void => {
        const message = withEncodedBlock({ type: "proposal", proposal } as const, block, (id) => handlers.pending(id));
        handlers.consensus(message, peerOf(proposer), streams.senderOf(peerOf(proposer)), block.length);
      },
      report: (validator, offence): void => report(peerOf(validator), offence),
    });
  }

  propose(message: ProposalMessage): ReturnType<ProposalParts["propose"]> {
    return this.#parts.propose(message);
  }

  /** Takes a frame; false when it is malformed. */
  receive(frame: Uint8Array, from: PeerName): boolean {
    const key = this.#validators.keyOf(from);
    return key === undefined || this.#parts.receive(frame, key);
  }

  /** A vote came on the stream of a validator: it counts for that one only. */
  noteVote(vote: Vote, from: PeerName): void {
    const key = this.#validators.keyOf(from);
    if (key !== undefined && this.#validators.keys[vote.validatorIndex] === key) this.#parts.noteVote(vote, key);
  }

  close(): void {
    this.#parts.close();
  }
}
