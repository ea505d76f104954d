import { describe, expect, it } from "vitest";
import { exitCodeOf } from "#node/cli/session/exit-codes.ts";
import { explainError } from "#node/cli/session/explain-error.ts";
import { HttpError } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

describe("explainError", () => {
  it.each([
    [429, "x", "Too many requests: wait a moment and try again."],
    [400, "timestamp is outside one hour", /clock must be right to within about one hour \(timestamp is outside one hour\)/],
    [400, "signature does not verify", /rejected the signature: check the key file/],
    [400, "The sender cannot pay", "The node rejected the request: The sender cannot pay."],
    [401, "x", /requires an API token: give it with --token-file FILE or SVC_API_TOKEN/],
    [404, "no such transaction", "Not found: no such transaction."],
    [503, "The mailbox is full", "The node cannot do that now: The mailbox is full."],
    [500, "disk", "The node failed: disk. Try again later."],
  ])("puts %i %j into words", (status, message, words) => {
    expect(explainError(new HttpError(status, message))).toMatch(words);
  });

  it("says how to name another node when one does not answer", () => {
    const error = new CodedError("UNAVAILABLE", "The node at http://127.0.0.1:1 cannot be reached");
    expect(explainError(error)).toBe("The node at http://127.0.0.1:1 cannot be reached. Is it running? Use --node URL for another one.");
  });

  it("keeps the sentence of a coded error and marks any other as unexpected", () => {
    expect(explainError(new CodedError("STORAGE_LOCKED", "Another node uses it: stop it"))).toBe("Another node uses it: stop it.");
    expect(explainError(new TypeError("x is undefined"))).toBe("Unexpected failure: x is undefined.");
  });
});

describe("exitCodeOf", () => {
  it.each([
    [new CodedError("CONFIG_INVALID", ""), 2],
    [new CodedError("BAD_REQUEST", ""), 2],
    [new HttpError(400, ""), 1],
    [new HttpError(503, ""), 1],
    [new CodedError("STORAGE_LOCKED", ""), 3],
    [new CodedError("STORAGE_FULL", ""), 3],
    [new CodedError("VALIDATOR_UNSAFE", ""), 6],
    [new CodedError("ADDRESS_IN_USE", ""), 4],
    [new CodedError("UNAVAILABLE", ""), 5],
    [new CodedError("VAULT_WRONG_PASSWORD", ""), 1],
    [new Error("x"), 1],
  ])("gives %o the code %i", (error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});
