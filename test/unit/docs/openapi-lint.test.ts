// docs/openapi.json by the rules of Redocly (the engine of `redocly lint`, with its recommended set): no error, no warning.
import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { APP_ENDPOINTS } from "#shared/apps/api/apps-endpoints.ts";
import { createAppsDocument } from "#shared/apps/api/apps-openapi.ts";
import { DocumentValidator } from "#test/support/api/document-validator.ts";

const text = readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8");

interface Parameter {
  readonly name: string;
  readonly example?: unknown;
  readonly schema: object;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: object;
}
interface ApiDocument {
  readonly servers?: unknown;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>> };
}

const appsText = readFileSync(new URL("../../../docs/apps-openapi.json", import.meta.url), "utf8");
const document = JSON.parse(text) as ApiDocument;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

async function problemsOf(source: string): Promise<readonly string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
}

describe("docs/openapi.json", () => {
  it("has nothing that the linter finds wrong", async () => {
    expect(await problemsOf(text)).toEqual([]);
  });

  it("is looked at by a linter that finds what is wrong", async () => {
    const { servers: _, ...without } = document;
    expect(await problemsOf(JSON.stringify(without))).toEqual([expect.stringContaining("no-empty-servers")]);
    const [path = "", methods] = Object.entries(document.paths)[0] ?? [];
    const dangling = { ...methods, get: { ...methods?.get, responses: { 200: { $ref: "#/components/responses/None" } } } };
    const broken = { ...document, paths: { ...document.paths, [path]: dangling } };
    expect((await problemsOf(JSON.stringify(broken))).join("\n")).toContain("no-unresolved-refs");
  });

  it("has summaries, tags that it describes, and errors for every operation", () => {
    const tags = document.tags.map(({ name }) => name);
    expect([...new Set(operations.flatMap((operation) => operation.tags))].sort()).toEqual([...tags].sort());
    for (const { operationId, summary, responses } of operations) {
      expect(summary, operationId).not.toBe("");
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(["401", "403", "429", "500", "default"]));
    }
  });

  it("has examples that fit what they are examples of", () => {
    const validator = new DocumentValidator(document);
    const wrong: string[] = [];
    const check = (name: string, schema: object, example: unknown): void => {
      const problem = validator.problemOf(schema, example);
      if (problem !== undefined) wrong.push(`${name}: ${problem}`);
    };
    const named = Object.entries(document.components.schemas).filter(([, { examples }]) => examples !== undefined);
    for (const [name, { examples = [] }] of named) check(name, { $ref: `#/components/schemas/${name}` }, examples[0]);
    const parameters = operations.flatMap(({ parameters: all }) => all.filter(({ example }) => example !== undefined));
    for (const { name, schema, example } of parameters) check(name, schema, example);
    expect(wrong).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
    expect(parameters.length).toBeGreaterThan(20);
  });

  it("has examples of every body that a request may have, and words for types of transactions", () => {
    const bodies = [...text.matchAll(/"requestBody": \{[^}]*?"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(([, name = ""]) => name);
    expect(bodies.length).toBeGreaterThan(8);
    expect(bodies.filter((name) => document.components.schemas[name]?.examples === undefined)).toEqual([]);
    const { properties } = document.components.schemas.SubmittedTransaction as unknown as {
      readonly properties: { readonly type: { readonly enum: readonly string[] } };
    };
    expect(properties.type.enum).toEqual(expect.arrayContaining(["TRANSFER", "CALL_CONTRACT", "LINK_DEVICE"]));
  });
});

describe("docs/apps-openapi.json", () => {
  it("is what the table says, and has nothing that the linter finds wrong", async () => {
    expect(`${JSON.stringify(createAppsDocument(), null, 2)}\n`).toBe(appsText);
    expect(await problemsOf(appsText)).toEqual([]);
  });

  it("has every operation once, with its errors and who may call it", () => {
    const { paths } = JSON.parse(appsText) as ApiDocument;
    const all = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(all.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(APP_ENDPOINTS).sort());
    for (const { operationId, responses, summary } of all) {
      expect(summary, operationId).not.toBe("");
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(["400", "401", "403", "423", "429", "503"]));
    }
  });
});
