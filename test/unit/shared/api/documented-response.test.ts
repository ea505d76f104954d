// The check that tests hold every response to notices what is not in the document.
import { describe, expect, it } from "vitest";
import { assertDocumented, type ReceivedResponse } from "#test/support/api/documented-response.ts";

const COUNT: ReceivedResponse = {
  method: "GET",
  url: `/relay/inbox/count?pub=${"a".repeat(64)}`,
  status: 200,
  contentType: "application/json; charset=utf-8",
  body: JSON.stringify({ pub: "a".repeat(64), count: 0 }),
};

describe("the check of responses", () => {
  it.each<[string, Partial<ReceivedResponse>]>([
    ["a documented one", {}],
    ["a whole address", { url: `http://127.0.0.1:8080${COUNT.url}` }],
    ["an error", { status: 400, body: '{"error":"pub is required"}' }],
    ["an error that applies everywhere", { status: 429, body: '{"error":"wait"}' }],
    ["a page of the interface", { url: "/wallet", contentType: "text/html", body: "<p>" }],
    ["metrics", { url: "/metrics", contentType: "text/plain; version=0.0.4", body: "a 1" }],
  ])("passes %s", (_name, over) => expect(() => assertDocumented({ ...COUNT, ...over })).not.toThrow());

  it.each<[string, Partial<ReceivedResponse>]>([
    ["a field of another type", { body: JSON.stringify({ pub: "a", count: "0" }) }],
    ["a negative count", { body: JSON.stringify({ pub: "a", count: -1 }) }],
    ["a missing field", { body: JSON.stringify({ pub: "a" }) }],
    ["a status that is not documented", { status: 201 }],
    ["an error without its text", { status: 400, body: '{"message":"no"}' }],
    ["an error that is no JSON", { status: 500, contentType: "text/plain", body: "oops" }],
    ["another media type", { contentType: "text/html" }],
    ["a path that is not documented", { url: "/api/secret", body: "{}" }],
    ["a nested field of another type", { url: "/api/blocks", body: '[{"index":"1"}]' }],
  ])("refuses %s", (_name, over) => expect(() => assertDocumented({ ...COUNT, ...over })).toThrow(/not the documented one/));
});
