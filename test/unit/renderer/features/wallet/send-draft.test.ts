import { describe, expect, it } from "vitest";
import { parsePayCommand } from "#renderer/features/wallet/commands/parse-pay-command.ts";
import { draftOf, fillFromLink } from "#renderer/features/wallet/send/send-draft.ts";
import { isRefusal } from "#renderer/lib/transactions/use-send-intent.ts";
import { HttpError } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const KEY = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";
const ADDRESS = formatAddress(KEY);

describe("the form of a payment", () => {
  it("is filled by what it was opened with", () => {
    expect(draftOf({ to: ADDRESS, amount: "5" }, "en")).toEqual({ recipient: ADDRESS, amount: "5", memo: "", feeUt: 1000 });
    expect(draftOf({}, "en")).toEqual({ recipient: "", amount: "", memo: "", feeUt: 1000 });
  });

  it("writes the amount of a link the way of the language, where a point would be read as thousands", () => {
    expect(draftOf({ to: ADDRESS, amount: "1.255" }, "de").amount).toBe("1,255");
    expect(draftOf({ to: ADDRESS, amount: "much" }, "de").amount).toBe("much");
    expect(fillFromLink({ ...draftOf({}, "de"), recipient: `parley:pay?to=${ADDRESS}&amount=1.255` }, "de").amount).toBe("1,255");
  });

  it("takes amount and memo of a pasted link, and keeps what was typed where the link says nothing", () => {
    const typed = { recipient: "", amount: "9", memo: "mine", feeUt: 1000 };
    const link = `parley:pay?to=${ADDRESS}&amount=1.5`;
    expect(fillFromLink({ ...typed, recipient: link }, "en")).toEqual({ recipient: link, amount: "1.5", memo: "mine", feeUt: 1000 });
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

  it.each(["pay", "pay anna 5", `pay ${ADDRESS} 1,500`, `pay ${ADDRESS} 5 6`, ADDRESS, "lock", `pay ${ADDRESS.slice(0, -1)} 5`])(
    "guesses nothing from %s",
    (query) => {
      expect(parsePayCommand(query, "en")).toBeUndefined();
    },
  );
});

describe("a payment without an answer", () => {
  it.each([
    ["a refused transaction", new HttpError(400, "insufficient balance"), true],
    ["a locked wallet", new CodedError("KEYRING_LOCKED", "locked"), true],
    ["an unreachable node", new CodedError("UNAVAILABLE", "gone", { cause: new Error("fetch") }), false],
    ["a failing node", new HttpError(500, "oops"), false],
    ["a node that asks to slow down", new HttpError(429, "slow"), false],
    ["an unknown failure", new Error("?"), false],
  ])("is distinguished from %s", (_, error, refused) => {
    expect(isRefusal(error)).toBe(refused);
  });
});
