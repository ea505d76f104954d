// The machine-readable description: current in docs/, complete, and without dangling references.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { api } from "#shared/api/api.ts";
import type { Json } from "#shared/api/json.ts";
import { createOpenApiDocument } from "#shared/api/openapi.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}

const document = createOpenApiDocument() as unknown as {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
};

describe("the OpenAPI document", () => {
  it("in docs/ is the one of the table: npm run openapi writes it", () => {
    const written: unknown = JSON.parse(readFileSync("docs/openapi.json", "utf8"));
    expect(written).toEqual(createOpenApiDocument());
  });

  it("has the title and version of the contract", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Node API", version: "0.4.0" } });
  });

  it("has every operation with its parameters, body and errors", () => {
    for (const [name, endpoint] of Object.entries(api)) {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
      const operation = document.paths[path]?.[endpoint.method.toLowerCase()];
      const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter);
      expect(operation?.operationId).toBe(name);
      expect(operation?.parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name)).toEqual(inPath);
      expect(operation?.parameters.every((parameter) => parameter.in === "query" || parameter.required)).toBe(true);
      expect(operation?.requestBody !== undefined).toBe(endpoint.method === "POST" || endpoint.method === "PUT");
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(["200", "default", ...endpoint.errors.map(String)]));
    }
  });

  it("refers only to components that exist, each by its own name", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(50);
    expect(references.filter((name) => document.components.schemas[name ?? ""] === undefined)).toEqual([]);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(["Error", "NetworkStats", "TransactionDetail", "Inbox"]),
    );
  });
});
