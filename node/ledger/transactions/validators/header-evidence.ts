// The second kind of evidence: precommits of one validator for two headers that cannot both be its own. The first vote is for a block at or
// above the height of the second, with the headers that lead down to it, so nothing of the chain is needed to judge the two.
import { tryDecode } from "#shared/codec/codec.ts";
import { areContradicting, areLinked } from "#shared/protocol/chain/contradicting-headers.ts";
import { type BlockHeader, headerCodec, headerHash } from "#shared/protocol/chain/header.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { MAX_LINKED_HEADERS } from "#shared/protocol/primitives/limits.ts";
import type { HeaderContradiction } from "#shared/protocol/transactions/payload.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { fromBase64, fromHex, tryFromBase64 } from "#shared/util/bytes.ts";
import {
  checkedField,
  choiceField,
  type FieldRule,
  hexField,
  integerField,
  listField,
  objectField,
  signatureField,
} from "../payload-fields.ts";
import type { SignatureInput } from "../transaction-rule.ts";

const headerField = checkedField("a header in base64", (text) => decodedHeader(text) !== undefined);
const roundField = integerField(0, Number.MAX_SAFE_INTEGER);
const shapeField = objectField<HeaderContradiction>({
  validator_pub: hexField(32, "an Ed25519 key"),
  height: integerField(1, Number.MAX_SAFE_INTEGER),
  round: roundField,
  step: choiceField("header"),
  first: objectField<HeaderContradiction["first"]>({
    round: roundField,
    headers: listField(headerField, 1, MAX_LINKED_HEADERS),
    signature: signatureField(),
  }),
  second: objectField<HeaderContradiction["second"]>({ header: headerField, signature: signatureField() }),
});

/** Evidence whose headers contradict each other; its signatures are still to be checked. */
export const headerEvidenceField: FieldRule<HeaderContradiction> = {
  ...shapeField,
  read: (value) => {
    const evidence = shapeField.read(value);
    return evidence !== undefined && isContradiction(evidence) ? evidence : undefined;
  },
};

/** The height of the vote that the validator is held to. */
export function votedHeight({ height, first }: HeaderContradiction): number {
  return height + first.headers.length - 1;
}

/** The two votes, as they were signed. */
export function headerEvidenceSignatures(evidence: HeaderContradiction, chainId: string): readonly SignatureInput[] {
  const { first, second, round } = evidence;
  const [voted = ""] = first.headers;
  const publicKey = fromHex(evidence.validator_pub);
  return [
    { header: headerOf(voted), round: first.round, signature: first.signature },
    { header: headerOf(second.header), round, signature: second.signature },
  ].map(({ header, round: votedRound, signature }) => ({
    signature: fromBase64(signature),
    message: voteSignBytes(chainId, { type: "precommit", height: header.height, round: votedRound, blockHash: headerHash(header) }),
    publicKey,
  }));
}

function isContradiction({ height, round, first, second }: HeaderContradiction): boolean {
  const headers = first.headers.map(headerOf);
  const own = headers.at(-1);
  const other = headerOf(second.header);
  if (own === undefined || own.height !== height || other.height !== height) return false;
  // Two votes of one round are a contradiction of their own kind, and of two votes of one height there is one order.
  if (headers.length === 1 && first.round >= round) return false;
  return areContradicting(own, other) && areLinked(headers);
}

function headerOf(text: string): BlockHeader {
  const header = decodedHeader(text);
  assertInvariant(header !== undefined, "The header was read before");
  return header;
}

function decodedHeader(text: string): BlockHeader | undefined {
  const bytes = tryFromBase64(text);
  return bytes === undefined ? undefined : tryDecode(headerCodec, bytes);
}
