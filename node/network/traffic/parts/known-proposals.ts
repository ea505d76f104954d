// Proposals in parts that a node collects or holds for others: few, and bounded in bytes, whatever proposers sign.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex } from "#shared/util/bytes.ts";
import { PartAssembly, type PartsRoot } from "./part-assembly.ts";
import type { PartProposal } from "./part-proposal.ts";
import { PARTS_LIMITS } from "./parts-limits.ts";

interface ProposedRound {
  readonly height: Height;
  readonly round: number;
}

/** Proposals by their encoded heads. */
export class KnownProposals {
  readonly #hash: Sha256;
  readonly #proposals = new Map<string, PartProposal>();

  constructor(hash: Sha256) {
    this.#hash = hash;
  }

  get all(): readonly PartProposal[] {
    return [...this.#proposals.values()];
  }

  get(encodedHead: Uint8Array): PartProposal | undefined {
    return this.#proposals.get(this.#nameOf(encodedHead));
  }

  /** The proposals of a root, newest last. */
  ofRoot(root: Uint8Array): readonly PartProposal[] {
    const name = toHex(root);
    return this.all.filter(({ head }) => toHex(head.root) === name);
  }

  /** The proposals of a block, newest last: it may have been proposed in an earlier round. */
  ofBlock({ root, size, partBytes }: PartsRoot): readonly PartProposal[] {
    return this.ofRoot(root).filter(({ head }) => head.size === size && head.partBytes === partBytes);
  }

  /** The collected parts of a block; new ones when there are none. */
  assemblyOf(root: PartsRoot): PartAssembly {
    return this.ofBlock(root)[0]?.assembly ?? new PartAssembly(root, this.#hash);
  }

  /** True when a proposer has proposed enough in a round. */
  isFull(proposer: PublicKeyHex, round: ProposedRound): boolean {
    return this.#of(proposer).filter((known) => isOf(known, round)).length >= PARTS_LIMITS.proposalsPerRound;
  }

  /** Makes room for one more of a proposer: its earlier rounds go first. False when it has proposed enough in this round. */
  makeRoom(proposer: PublicKeyHex, { size, ...round }: ProposedRound & { readonly size: number }): boolean {
    if (this.isFull(proposer, round)) return false;
    for (const known of this.#of(proposer)) {
      if (bytesOf(this.#of(proposer)) + size <= PARTS_LIMITS.proposerBytes) return true;
      if (!isOf(known, round)) this.#proposals.delete(this.#nameOf(known.encodedHead));
    }
    return bytesOf(this.#of(proposer)) + size <= PARTS_LIMITS.proposerBytes;
  }

  /** Adds a proposal. The oldest ones go when there are too many bytes. */
  add(proposal: PartProposal): void {
    this.#proposals.set(this.#nameOf(proposal.encodedHead), proposal);
    for (const name of this.#proposals.keys()) {
      if (bytesOf(this.all) <= PARTS_LIMITS.totalBytes) return;
      this.#proposals.delete(name);
    }
  }

  /** Forgets the proposals of heights below this one, and gives them. */
  takeBelow(height: Height): readonly PartProposal[] {
    const old = this.all.filter(({ head }) => head.proposal.height < height);
    for (const { encodedHead } of old) this.#proposals.delete(this.#nameOf(encodedHead));
    return old;
  }

  #of(proposer: PublicKeyHex): readonly PartProposal[] {
    return this.all.filter((known) => known.proposer === proposer);
  }

  #nameOf(encodedHead: Uint8Array): string {
    return toHex(this.#hash(encodedHead));
  }
}

function isOf({ head: { proposal } }: PartProposal, { height, round }: ProposedRound): boolean {
  return proposal.height === height && proposal.round === round;
}

/** Bytes of the blocks of some proposals, those of one block counted once. */
function bytesOf(proposals: readonly PartProposal[]): number {
  const assemblies = new Map(proposals.map(({ assembly, head }) => [assembly, head.size]));
  return [...assemblies.values()].reduce((sum, size) => sum + size, 0);
}
