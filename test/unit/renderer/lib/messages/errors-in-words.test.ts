import { describe, expect, it } from "vitest";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { errorInWords, isOffline } from "#renderer/lib/messages/errors-in-words.ts";
import { HttpError } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

const t = createTranslate("en", en);
const unreachable = new CodedError("UNAVAILABLE", "The node cannot be reached", { cause: new TypeError("fetch failed") });

describe("errorInWords", () => {
  it.each([
    ["an answer of 429", new HttpError(429, "slow down"), en["errors.rateLimitedTitle"]],
    ["a 400 about the timestamp", new HttpError(400, "the timestamp is outside the window"), en["errors.clockTitle"]],
    ["a 400 about the signature", new HttpError(400, "The signature does not verify"), en["errors.signatureTitle"]],
    ["any other 400", new HttpError(400, "The recipient has blocked you"), en["errors.rejectedTitle"]],
    ["a 500", new HttpError(500, "disk"), en["errors.serverTitle"]],
    ["a 503", new HttpError(503, "full"), en["errors.unavailableTitle"]],
    ["a node out of reach", unreachable, en["errors.offlineTitle"]],
    ["a wrong password", new CodedError("VAULT_WRONG_PASSWORD", "no"), en["errors.wrongPasswordTitle"]],
    ["a keychain that fails", new CodedError("KEYCHAIN_FAILED", "no"), en["errors.keychainTitle"]],
    ["a defect", new TypeError("undefined is not a function"), en["errors.title"]],
    ["something thrown that is no error", "oops", en["errors.title"]],
  ])("has words for %s", (_, error, title) => {
    expect(errorInWords(t, error).title).toBe(title);
  });

  it("keeps the node's own sentence where it says more", () => {
    expect(errorInWords(t, new HttpError(400, "The recipient has blocked you")).text).toBe("The recipient has blocked you");
  });

  it("offers another try only where it can help", () => {
    expect(errorInWords(t, new HttpError(429, "")).canRetry).toBe(true);
    expect(errorInWords(t, new CodedError("TX_INSUFFICIENT_BALANCE", "")).canRetry).toBe(false);
  });
});

describe("isOffline", () => {
  it("tells a node out of reach from one that refuses for now", () => {
    expect(isOffline(unreachable)).toBe(true);
    expect(isOffline(new HttpError(503, "full"))).toBe(false);
  });
});
