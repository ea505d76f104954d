// Bytes of a block as light nodes store it and peers serve it.
import type { TypeOf } from "#shared/codec/codec.ts";
import { nullable, record } from "#shared/codec/composites.ts";
import { type HashHex, headerCodec } from "./header.ts";
import { validatorSetCodec } from "./validators.ts";
import { commitCodec } from "./vote.ts";

/** [header, commit or null, [[key, bond]…]] */
export const lightBlockCodec = record({
  header: headerCodec,
  /** Null for genesis, which has no commit. */
  commit: nullable(commitCodec),
  /** The set that signed; the header holds its hash. */
  validators: validatorSetCodec,
});

/** A header with what proves it final, as it travels: nothing of it is checked yet. */
export type LightBlock = TypeOf<typeof lightBlockCodec>;

/** A {@link LightBlock} that this node has verified from what it trusts. */
export interface TrustedBlock extends LightBlock {
  readonly hash: HashHex;
}
