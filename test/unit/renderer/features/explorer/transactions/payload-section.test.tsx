// What a transaction carried: a bond is shown as money, and foreign input that is none as the text that it is.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PayloadSection } from "#renderer/features/explorer/transactions/payload-section.tsx";
import { de } from "#renderer/lib/messages/de.ts";
import { MessagesProvider } from "#renderer/lib/messages/messages-context.tsx";
import type { TransactionDetail } from "#shared/api/schemas/chain.ts";

function textOf(bond_ut: unknown): string {
  const transaction = { payload: { fee_per_msg_ut: 5, bond_ut }, payload_hex: "00" } as TransactionDetail;
  const page = (
    <MessagesProvider locale="de" catalogue={de}>
      <PayloadSection transaction={transaction} />
    </MessagesProvider>
  );
  return renderToStaticMarkup(page)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, "");
}

it("names the bond of a relay in words and T", () => {
  expect(textOf(1_500_000)).toMatch(/Pfand1,5T/);
});

it.each([
  ["a negative number", -1, "-1"],
  ["a text", "<b>", "&lt;b&gt;"],
  ["a list", [1], "[1]"],
])("shows %s as it is", (_name, value, text) => {
  expect(textOf(value)).toContain(`Pfand${text}`);
});
