import { describe, expect, it } from "vitest";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { de } from "#renderer/lib/messages/de.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import { kindLabel, kindOfIntent, kindOfType } from "#renderer/lib/transactions/transaction-kind.ts";
import { FAILURE_CODES } from "#shared/protocol/transactions/failure-codes.ts";
import { TRANSACTION_TYPES } from "#shared/protocol/transactions/transaction.ts";

const t = createTranslate("en", en);

describe("the reason of a failure", () => {
  it("has words for every code of the protocol, never the bare code", () => {
    for (const code of Object.keys(FAILURE_CODES)) {
      const words = failureInWords(t, code);
      expect(words).toMatch(/^[A-Z].+\.$/);
      expect(words).not.toContain(code);
    }
  });

  it("is in the words of the catalogue when the node tells it in its own", () => {
    const german = createTranslate("de", de);
    for (const [code, sentence] of Object.entries(FAILURE_CODES))
      expect(failureInWords(german, sentence)).toBe(failureInWords(german, code));
    expect(failureInWords(german, FAILURE_CODES.CONTRACT_OUT_OF_GAS)).toMatch(/Gaslimit .* Simuliere den Aufruf/u);
  });

  it("says of a call out of gas how to continue", () => {
    expect(failureInWords(t, "CONTRACT_OUT_OF_GAS")).toMatch(/Simulate the call/u);
    expect(FAILURE_CODES.CONTRACT_OUT_OF_GAS).toMatch(/estimate-contract.*--gas/u);
  });

  it("keeps a sentence of the node, and is absent where there is none", () => {
    expect(failureInWords(t, "The contract refused.")).toBe("The contract refused.");
    expect(failureInWords(t, "toString")).toBe("toString");
    expect(failureInWords(t, "")).toBeUndefined();
    expect(failureInWords(t, undefined)).toBeUndefined();
  });
});

describe("the kind of a transaction", () => {
  it("is the same for an intent and for the type that it becomes", () => {
    expect(kindOfType("TRANSFER")).toBe(kindOfIntent("pay"));
    expect(kindOfType("CONTACT_REQUEST")).toBe(kindOfIntent("requestContact"));
    expect(kindOfType("LINK_DEVICE")).toBe(kindOfIntent("linkDevice"));
  });

  it("knows every type of the protocol", () => {
    for (const type of TRANSACTION_TYPES) expect(kindOfType(type), type).not.toBe("other");
  });

  it("has a name, also when the type is of a later version or is no type at all", () => {
    expect(kindLabel(t, kindOfType("BLOCK_REWARD"))).toBe("Block reward");
    for (const type of ["SOMETHING_NEW", "constructor", ""]) expect(kindLabel(t, kindOfType(type))).toBe("Transaction");
  });
});
