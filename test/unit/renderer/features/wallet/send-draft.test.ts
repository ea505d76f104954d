import { describe, expect, it } from "vitest";
import { parsePayCommand } from "#renderer/features/wallet/commands/parse-pay-command.ts";
import { callbackOf, draftOf, fillFromLink, isChosenBy } from "#renderer/features/wallet/send/send-draft.ts";
import { formatPaymentLink } from "#renderer/lib/transactions/payment-link.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const KEY = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";
const ADDRESS = formatAddress(KEY);

describe("the form of a payment", () => {
  it("is filled by what it was opened with", () => {
    expect(draftOf({ to: ADDRESS, amount: "5" }, "en")).toEqual({ recipient: ADDRESS, amount: "5", memo: "", fee: "normal" });
    expect(draftOf({}, "en")).toEqual({ recipient: "", amount: "", memo: "", fee: "normal" });
    // Chips and the page of a contact know the key.
    expect(draftOf({ to: KEY }, "en").recipient).toBe(ADDRESS);
  });

  it("shows first whom a link brought, and no one whom the person named or pressed", () => {
    expect(isChosenBy({ to: KEY })).toBe(true);
    expect(isChosenBy({ to: "@anna", amount: "5" })).toBe(true);
    expect(isChosenBy({ to: `parley:pay?to=${ADDRESS}&amount=1` })).toBe(false);
    expect(isChosenBy({ to: "PARLEY://pay?to=x" })).toBe(false);
    expect(isChosenBy({})).toBe(false);
  });

  it("writes the amount of a link the way of the language, where a point would be read as thousands", () => {
    expect(draftOf({ to: ADDRESS, amount: "1.255" }, "de").amount).toBe("1,255");
    expect(draftOf({ to: ADDRESS, amount: "much" }, "de").amount).toBe("much");
    expect(fillFromLink({ ...draftOf({}, "de"), recipient: `parley:pay?to=${ADDRESS}&amount=1.255` }, "de").amount).toBe("1,255");
  });

  it("takes amount and memo of a pasted link, and keeps what was typed where the link says nothing", () => {
    const typed = { recipient: "", amount: "9", memo: "mine", fee: "high" } as const;
    const link = `parley:pay?to=${ADDRESS}&amount=1.5`;
    expect(fillFromLink({ ...typed, recipient: link }, "en")).toEqual({ recipient: link, amount: "1.5", memo: "mine", fee: "high" });
    expect(fillFromLink({ ...typed, recipient: ADDRESS }, "en")).toEqual({ ...typed, recipient: ADDRESS });
  });
});

describe("pay in the palette", () => {
  it.each([
    [`pay ${ADDRESS} 5`, { to: ADDRESS, amount: "5" }],
    ["pay @Anna 5", { to: "@anna", amount: "5" }],
    [`pay ${ADDRESS} 2,5`, { to: ADDRESS, amount: "2.5" }],
    [`PAY ${KEY} .25`, { to: ADDRESS, amount: "0.25" }],
    [`pay ${ADDRESS}`, { to: ADDRESS }],
    [`parley:pay?to=${ADDRESS}&amount=2&memo=Tea`, { to: ADDRESS, amount: "2", memo: "Tea" }],
    [`pay parley:pay?to=${ADDRESS}&amount=2 3`, { to: ADDRESS, amount: "3" }],
  ])("understands %s", (query, command) => {
    expect(parsePayCommand(query, "en")).toEqual(command);
  });

  it("keeps the way back of a link, with the amount that was typed", () => {
    const callback = "https://shop.example/paid?order=7";
    const link = formatPaymentLink({ to: KEY, amountUt: 2_500_000, memo: "Seven", callback });
    const typed = parsePayCommand(`pay ${link} 5`, "en");
    expect(typed).toEqual({ to: ADDRESS, amount: "5", memo: "Seven", link: formatPaymentLink({ to: KEY, callback }) });
    const draft = draftOf({ to: typed?.link ?? "", amount: typed?.amount ?? "", memo: typed?.memo ?? "" }, "en");
    expect(draft).toMatchObject({ amount: "5", memo: "Seven" });
    expect(callbackOf(draft, KEY)).toBe(callback);
    const pasted = parsePayCommand(link, "en");
    expect(callbackOf(draftOf({ to: pasted?.link ?? "" }, "en"), KEY)).toBe(callback);
    expect(parsePayCommand(link.replace("https", "http"), "en")).toBeUndefined();
  });

  it.each(["pay", "pay anna 5", `pay ${ADDRESS} 1,500`, `pay ${ADDRESS} 5 6`, ADDRESS, "lock", `pay ${ADDRESS.slice(0, -1)} 5`])(
    "guesses nothing from %s",
    (query) => {
      expect(parsePayCommand(query, "en")).toBeUndefined();
    },
  );
});
