// Sentences with people and amounts in them, and addresses for comparing by eye.
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { FullAddress } from "#renderer/components/basics/full-address.tsx";
import { RichText, slot } from "#renderer/components/basics/rich-text.tsx";
import { TransactionSentence } from "#renderer/components/transactions/transaction-sentence.tsx";
import { shorten } from "#renderer/lib/format/key.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { MessagesProvider } from "#renderer/lib/messages/messages-context.tsx";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const ANNA = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
const IMITATION = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf37488010187865c";
const BORIS = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";
const [anna, boris] = [ANNA, BORIS].map((key) => shorten(formatAddress(key)));

const text = (html: string): string => html.replace(/<[^>]*>/g, "");

describe("RichText", () => {
  it("puts parts where the sentence wants them, in any order", () => {
    const sentence = `${slot("b")} before ${slot("a")}.`;
    expect(renderToStaticMarkup(<RichText text={sentence} parts={{ a: <b>A</b>, b: <i>B</i> }} />)).toBe("<i>B</i> before <b>A</b>.");
  });

  it("shows what others wrote as text", () => {
    expect(renderToStaticMarkup(<RichText text={`<img src=x> ${slot("a")}`} parts={{ a: "<script>" }} />)).toBe(
      "&lt;img src=x&gt; &lt;script&gt;",
    );
  });
});

describe("TransactionSentence", () => {
  const transaction = { type: "TRANSFER", from: ANNA, to: BORIS, amount_ut: 5_250_000 };
  const sentence = (changes: Partial<typeof transaction>, hasFailed = false): string =>
    text(
      renderToStaticMarkup(
        <MessagesProvider locale="en" catalogue={en}>
          <TransactionSentence plain transaction={{ ...transaction, ...changes }} hasFailed={hasFailed} />
        </MessagesProvider>,
      ),
    );

  it("names who paid what to whom", () => {
    expect(sentence({})).toBe(`${anna} paid 5.25 T to ${boris}`);
  });

  it("does not claim what failed", () => {
    expect(sentence({}, true)).toBe(`${anna} tried to pay 5.25 T to ${boris}`);
    expect(sentence({ type: "CONTACT_REQUEST" }, true)).toBe(`${anna} tried to send ${boris} a contact request for 5.25 T`);
  });

  it("tells a payment to oneself, a reward without a sender, and a type it does not know", () => {
    expect(sentence({ to: ANNA })).toBe(`${anna} paid 5.25 T to the same account`);
    expect(sentence({ type: "BLOCK_REWARD", from: "" })).toBe(`${boris} earned 5.25 T for producing the block`);
    expect(sentence({ type: "SOMETHING_NEW" })).toBe(`${anna} sent another kind of transaction: SOMETHING_NEW`);
    expect(sentence({ type: "HEARTBEAT" })).toBe(`${anna} sent a node heartbeat`);
  });
});

describe("FullAddress", () => {
  it("holds the whole address without gaps, so that it can be copied", () => {
    expect(text(renderToStaticMarkup(<FullAddress publicKey={ANNA} />))).toBe(formatAddress(ANNA));
  });

  it("marks the characters in which it differs from another, and no others", () => {
    const html = renderToStaticMarkup(<FullAddress publicKey={IMITATION} comparedWith={ANNA} />);
    const marked = [...html.matchAll(/<mark[^>]*>(.)<\/mark>/g)].map(([, character]) => character);
    const other = formatAddress(ANNA);
    expect(marked).toEqual([...formatAddress(IMITATION)].filter((character, index) => character !== other[index]));
    expect(renderToStaticMarkup(<FullAddress publicKey={ANNA} comparedWith={ANNA} />)).not.toContain("<mark");
  });
});
