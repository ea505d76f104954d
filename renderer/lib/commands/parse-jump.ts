// What a pasted or typed text points at: a block, a transaction, an account or a name.
import { type PublicKeyHex, parseAddress } from "#shared/protocol/primitives/address.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";

const NAME = /^@([a-z0-9_.-]{1,32})$/i;
const HEX_KEY = /^[0-9a-f]{64}$/i;

/** Target of a jump. 64 hex digits may be an account or a transaction: both are offered. */
export type Jump =
  | { readonly kind: "block"; readonly height: number }
  | { readonly kind: "account"; readonly publicKey: PublicKeyHex }
  | { readonly kind: "transaction"; readonly id: string }
  | { readonly kind: "name"; readonly name: string };

/** Targets of a text, likeliest first. */
export function parseJump(text: string): readonly Jump[] {
  const query: string = text.trim();
  if (/^\d{1,15}$/.test(query)) return [{ kind: "block", height: Number(query) }];
  const name = NAME.exec(query)?.[1];
  if (name !== undefined) return [{ kind: "name", name: name.toLowerCase() }];
  const key = parseAddress(query.toLowerCase());
  if (key !== undefined) return [{ kind: "account", publicKey: key }];
  const hexKey = HEX_KEY.test(query) ? query.toLowerCase() : undefined;
  if (hexKey !== undefined) {
    return [
      { kind: "account", publicKey: hexKey },
      { kind: "transaction", id: query },
    ];
  }
  const looksLikeId = /^[A-Za-z0-9._:-]{8,}$/.test(query) && query.length <= MAX_TX_ID_CHARS && /\d/.test(query);
  return looksLikeId ? [{ kind: "transaction", id: query }] : [];
}
