// Bytes of a block as light nodes store it and peers serve it.
import type { Codec } from "#shared/codec/codec.ts";
import { nullable, record } from "#shared/codec/composites.ts";
import { type BlockHeader, type HashHex, headerCodec } from "./header.ts";
import { type ValidatorSet, validatorSetCodec } from "./validators.ts";
import { type Commit, commitCodec } from "./vote.ts";

/** A header with what proves it final, as it travels: nothing of it is checked yet. */
export interface LightBlock {
  readonly header: BlockHeader;
  /** Null for genesis, which has no commit. */
  readonly commit: Commit | null;
  /** The set that signed; the header holds its hash. */
  readonly validators: ValidatorSet;
}

/** A {@link LightBlock} that this node has verified from what it trusts. */
export interface TrustedBlock extends LightBlock {
  readonly hash: HashHex;
}

/** [header, commit or null, [[key, bond]…]] */
export const lightBlockCodec: Codec<LightBlock> = record({
  header: headerCodec,
  commit: nullable(commitCodec),
  validators: validatorSetCodec,
});
