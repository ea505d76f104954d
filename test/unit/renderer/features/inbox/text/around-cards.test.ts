// Words beside the card of a payment link: each on lines of its own, without the space between.
import { expect, it } from "vitest";
import { aroundCards } from "#renderer/features/inbox/text/around-cards.ts";
import { markedBlocks } from "#renderer/features/inbox/text/marked-spans.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";

const LINK = `parley:pay?to=${formatAddress(toHex(ed25519PublicKey(new Uint8Array(32).fill(3))))}&amount=2.5`;

const texts = (text: string): readonly string[] =>
  aroundCards(markedBlocks(text).flatMap((block) => (block.kind === "code" ? [] : block.spans))).map((span) =>
    span.kind === "payment" ? "#" : span.kind === "text" ? span.text : span.kind,
  );

it.each([
  [`For the boat ${LINK} by Friday.`, ["For the boat", "#", "by Friday."]],
  [`First\n${LINK}\nthen`, ["First", "#", "then"]],
  [`A\n\n${LINK}`, ["A\n", "#"]],
  [`${LINK} ${LINK}`, ["#", "", "#"]],
  ["Come: parley:group#ab today", ["Come:", "invite", "today"]],
  [`${LINK} \n\t\n ${LINK}`, ["#", "", "#"]],
])("leaves of %j what is to be read", (text, shown) => expect(texts(text)).toEqual(shown));

it("leaves the words around a link that asks for nothing valid as they were typed", () => {
  expect(texts("pay parley:pay?to=x now")).toEqual(["pay ", "#", " now"]);
});

it("takes no longer for more space than for as many words", () => {
  const space = " ".repeat(6_000);
  expect(texts(`a${space}b ${LINK}${space}c`)).toEqual([`a${space}b`, "#", "c"]);
});
