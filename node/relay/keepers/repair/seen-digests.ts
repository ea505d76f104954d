// Digests that keepers have signed for this node or for others, as far as it has seen them lately. Two that contradict each other go on as
// evidence.
import { LRUCache } from "lru-cache";
import { areDifferent, contradictionOf, isSignedDigest, type SignedDigest } from "#shared/protocol/keepers/kept-digest.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import type { Verify } from "../../intake/client-mail.ts";

export interface SeenDigestsDependencies {
  readonly chainId: string;
  readonly verify: Verify;
  readonly most: number;
  readonly onContradiction: (evidence: DigestContradiction) => void;
}

/** What was seen. Every digest in it is signed by its keeper. */
export class SeenDigests {
  readonly #dependencies: SeenDigestsDependencies;
  readonly #seen: LRUCache<string, SignedDigest>;

  constructor(dependencies: SeenDigestsDependencies) {
    this.#dependencies = dependencies;
    this.#seen = new LRUCache({ max: dependencies.most });
  }

  /** Compares a digest with what was seen of its keeper, slot and version. False for one that says something new and that its keeper has not signed. */
  async take(digest: SignedDigest): Promise<boolean> {
    const { chainId, verify, onContradiction } = this.#dependencies;
    const name = nameOf(digest.keeper, digest);
    const known = this.#seen.get(name);
    // Whatever the signature: it proves nothing new, and what proves nothing is not checked.
    if (known !== undefined && !areDifferent(known, digest)) return true;
    if (!(await isSignedDigest(chainId, digest, verify))) return false;
    // Another one may have come meanwhile.
    const other = this.#seen.get(name);
    if (other === undefined) this.#seen.set(name, digest);
    const evidence = other && contradictionOf(other, digest);
    if (evidence !== undefined) onContradiction(evidence);
    return true;
  }

  /** The digest of a keeper. */
  find(keeper: PublicKeyHex, place: Pick<SignedDigest, "slot" | "version">): SignedDigest | undefined {
    return this.#seen.get(nameOf(keeper, place));
  }
}

function nameOf(keeper: PublicKeyHex, { slot, version }: Pick<SignedDigest, "slot" | "version">): string {
  return `${keeper} ${slot} ${version}`;
}
