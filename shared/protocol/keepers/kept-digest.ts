// What a keeper signs of the mail that it has in a slot: one digest of each slot in ten minutes, the same for all who ask. Two that differ
// prove that it tells some of them something else than others.
import { fromBase64, fromHex, toBase64 } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { domainBytes } from "../primitives/domains.ts";
import { DIGEST_VERSION_S } from "../primitives/limits.ts";
import { signEd25519, type VerifySignature } from "../primitives/signature.ts";
import type { DigestContradiction, DigestStatement } from "../transactions/payload.ts";

/** What a digest is of. */
export interface DigestPlace {
  readonly slot: number;
  /** Unix seconds by {@link DIGEST_VERSION_S}, rounded down: a keeper has one digest of a slot in each. */
  readonly version: number;
}

/** What it says. */
export type DigestContent = Pick<DigestStatement, "count" | "fingerprint">;

/** A keeper's word for what it had in a slot. */
export interface SignedDigest extends DigestPlace, DigestStatement {
  /** Ed25519 key of the keeper. */
  readonly keeper: PublicKeyHex;
}

/** The version of a time, unix seconds. */
export function digestVersion(timeS: number): number {
  return Math.floor(timeS / DIGEST_VERSION_S);
}

/** Bytes that a keeper signs: domain `parley-digest` over [slot, version, count, fingerprint]. */
export function digestSignBytes(chainId: string, { slot, version, count, fingerprint }: DigestPlace & DigestContent): Uint8Array {
  return domainBytes("digest", chainId, [slot, version, count, fromHex(fingerprint)]);
}

/** The digest of a keeper; `secret` is the seed of its key, 32 bytes. Who signs two that differ of a slot and version proves its own guilt. */
export function signDigest(
  chainId: string,
  { slot, version, count, fingerprint }: DigestPlace & DigestContent,
  key: { readonly publicKey: PublicKeyHex; readonly secret: Uint8Array },
): SignedDigest {
  const signature = toBase64(signEd25519(digestSignBytes(chainId, { slot, version, count, fingerprint }), key.secret));
  return { keeper: key.publicKey, slot, version, count, fingerprint, signature };
}

/** True when the keeper that a digest names has signed it. */
export async function isSignedDigest(
  chainId: string,
  digest: SignedDigest,
  verify: (...input: Parameters<VerifySignature>) => boolean | Promise<boolean>,
): Promise<boolean> {
  return await verify(fromBase64(digest.signature), digestSignBytes(chainId, digest), fromHex(digest.keeper));
}

/** True for two that no honest keeper signs of one slot and version. Another signature of the same content is no lie. */
export function areDifferent(one: DigestContent, other: DigestContent): boolean {
  return one.count !== other.count || one.fingerprint !== other.fingerprint;
}

/** What two digests prove against their keeper; undefined where they contradict each other in nothing. */
export function contradictionOf(one: SignedDigest, other: SignedDigest): DigestContradiction | undefined {
  const { keeper, slot, version } = one;
  if (other.keeper !== keeper || other.slot !== slot || other.version !== version || !areDifferent(one, other)) return undefined;
  return { relay_pub: keeper, slot, version, first: contentOf(one), second: contentOf(other) };
}

/** Both digests of a contradiction. */
export function digestsOf({ relay_pub: keeper, slot, version, first, second }: DigestContradiction): readonly SignedDigest[] {
  return [first, second].map((content) => ({ keeper, slot, version, ...content }));
}

function contentOf({ count, fingerprint, signature }: DigestStatement): DigestStatement {
  return { count, fingerprint, signature };
}
