// parley/client as a module: its types are those of the endpoint table, and it is plain code that needs nothing installed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createClientTypes } from "#build/scripts/documents/client-types.ts";
import { ROOT } from "#build/scripts/process.ts";
import { type Operations, ROUTES } from "#client/api-types.ts";
import { APP_ENDPOINTS, type AppBody, type AppOperation, type AppResponse } from "#shared/apps/api/apps-endpoints.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

/** The same without the difference between lists that may be changed and those that may not. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

describe("the types of the client", () => {
  it("are made of the table as it is", () => {
    expect(readFileSync(join(ROOT, "client/api-types.ts"), "utf8")).toBe(createClientTypes());
    expect(Object.entries(ROUTES)).toEqual(Object.entries(APP_ENDPOINTS).map(([name, { route }]) => [name, [...route]]));
  });

  it("are those that the compiler reads from the table", () => {
    expectTypeOf<Frozen<AppResponse<"getMe">>>().toExtend<Frozen<Operations["getMe"]["response"]>>();
    expectTypeOf<Frozen<AppResponse<"pay">>>().toExtend<Frozen<Operations["pay"]["response"]>>();
    expectTypeOf<Frozen<AppResponse<"getHistory">["entries"][number]["amount_ut"]>>().toEqualTypeOf<number>();
    expectTypeOf<Operations["pay"]["body"]["amount_ut"]>().toEqualTypeOf<AppBody<"pay">["amount_ut"]>();
    expectTypeOf<Operations["getInvoice"]["response"]["state"]>().toEqualTypeOf<AppResponse<"getInvoice">["state"]>();
    expectTypeOf<keyof Operations>().toEqualTypeOf<AppOperation>();
  });
});

describe("the module", () => {
  it("names in its public types nothing but its own files", () => {
    const folder = join(ROOT, ".cache/types/client");
    const declarations = readdirSync(folder).filter((name) => name.endsWith(".d.ts"));
    expect(declarations).toContain("index.d.ts");
    for (const name of declarations) {
      const imported = [...readFileSync(join(folder, name), "utf8").matchAll(/from "([^"]+)"|import\("([^"]+)"\)/g)].map(
        ([, one, two]) => one ?? two,
      );
      expect(imported.filter((path) => !/^\.\/[\w-]+\.ts$|^node:/.test(path ?? ""))).toEqual([]);
    }
  });

  it("is bundled to one file of plain JavaScript that imports only what every runtime brings", async () => {
    await using folder = await createTemporaryFolder();
    await build({
      configFile: false,
      logLevel: "error",
      root: ROOT,
      build: { ssr: "client/index.ts", outDir: folder.path, emptyOutDir: true, minify: false, target: "node20" },
    });
    const [file = "", ...others] = readdirSync(folder.path);
    expect(others).toEqual([]);
    const text = readFileSync(join(folder.path, file), "utf8");
    const imports = [...text.matchAll(/^import [^;]*?"([^"]+)";/gm)].map(([, specifier]) => specifier);
    expect(imports.length).toBeGreaterThan(3);
    expect(imports.filter((specifier) => specifier?.startsWith("node:") !== true)).toEqual([]);
    expect(text.length).toBeLessThan(80_000);
    const module = (await import(pathToFileURL(join(folder.path, file)).href)) as object;
    expect(Object.keys(module).sort()).toEqual(["ParleyError", "connect", "isParleyError"]);
  });
});
