// The order of folders: what breaks it is found, and the sources keep it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLayers } from "#build/layers/check-layers.ts";
import { FOLDER_ORDER } from "#build/layers/folder-order.ts";
import { findCircles, type ImportGraph, readImportGraph } from "#build/layers/import-graph.ts";
import { ROOT } from "#build/scripts/process.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const ORDER = { node: ["ledger", "engine mempool", "api"] };

/** A graph from lines such as `a.ts > b.ts c.ts`. */
function graphOf(...lines: readonly string[]): ImportGraph {
  return new Map(
    lines.map((line) => {
      const [file = "", targets = ""] = line.split(" > ");
      return [file, new Set(targets.split(" ").filter((target) => target !== ""))] as const;
    }),
  );
}

const check = (...lines: readonly string[]): readonly string[] => checkLayers(graphOf(...lines), ORDER, {});

describe("the order of folders", () => {
  it("lets folders import those below them", () => {
    expect(check("node/ledger/a.ts", "node/engine/b.ts > node/ledger/a.ts", "node/api/c.ts > node/engine/b.ts node/ledger/a.ts")).toEqual(
      [],
    );
  });

  it("refuses an import of a folder above", () => {
    expect(check("node/ledger/a.ts > node/api/c.ts", "node/api/c.ts")).toEqual([
      "node/ledger/a.ts imports node/api/c.ts, which is above it or beside it",
    ]);
  });

  it("refuses an import of a folder beside", () => {
    expect(check("node/engine/a.ts > node/mempool/c.ts", "node/mempool/c.ts")).toEqual([
      "node/engine/a.ts imports node/mempool/c.ts, which is above it or beside it",
    ]);
  });

  it("refuses a folder without a position", () => {
    expect(check("node/misc/a.ts")).toEqual(["node/misc has no position in the order of folders"]);
  });

  it("finds circles of files", () => {
    expect(check("node/api/a.ts > node/api/b.ts", "node/api/b.ts > node/api/c.ts", "node/api/c.ts > node/api/a.ts")).toContain(
      "Files import each other in a circle: node/api/a.ts, node/api/b.ts, node/api/c.ts",
    );
  });

  it("finds circles of folders whose files are in none", () => {
    const faults = checkLayers(
      graphOf("shared/x/a.ts > shared/y/b.ts", "shared/y/b.ts", "shared/y/c.ts > shared/x/d.ts", "shared/x/d.ts"),
      {},
    );
    expect(faults).toEqual(["shared/ has a circle: x (shared/x/a.ts → shared/y/b.ts), y (shared/y/c.ts → shared/x/d.ts)"]);
  });

  it("refuses a folder that holds more than fifteen", () => {
    const files = (count: number): string[] => Array.from({ length: count }, (_, index) => `node/api/f${index}.ts`);
    expect(check(...files(15))).toEqual([]);
    expect(check(...files(16))).toEqual(["node/api/ holds 16 files and folders, more than 15"]);
  });

  it("finds two circles that share no file", () => {
    expect(findCircles(graphOf("a > b", "b > a c", "c > d", "d > c", "e > a"))).toEqual([
      ["c", "d"],
      ["a", "b"],
    ]);
  });
});

describe("the import graph", () => {
  it("counts imports of types and those by import(), in both forms of a path", async () => {
    await using folder = await createTemporaryFolder();
    const files = {
      "shared/a.ts":
        'import type { B } from "#node/b.ts";\nimport { c } from "./c.ts";\nexport const later = () => import("./d.ts");\nimport "zod";\n',
      "shared/c.ts": 'export type { B } from "../node/b.ts";\n',
      "shared/d.ts": 'export const text = "imported from nowhere";\n',
      "client/index.ts": "",
      "node/b.ts": 'import { connect } from "#client/index.ts";\n',
      "renderer/e.css": "",
      "electron/f.json": "",
      "agent/g.json": "",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      writeFileSync(join(folder.path, path), text);
    }
    const graph = readImportGraph(folder.path);
    expect([...graph].map(([file, targets]) => [file, [...targets].toSorted()])).toEqual([
      ["shared/a.ts", ["node/b.ts", "shared/c.ts", "shared/d.ts"]],
      ["shared/c.ts", ["node/b.ts"]],
      ["shared/d.ts", []],
      ["client/index.ts", []],
      ["node/b.ts", ["client/index.ts"]],
    ]);
  });

  it("holds the sources of this project, whose order nothing breaks", () => {
    const graph = readImportGraph(ROOT);
    expect(graph.size).toBeGreaterThan(1_000);
    expect([...graph.values()].reduce((sum, targets) => sum + targets.size, 0)).toBeGreaterThan(5_000);
    expect(checkLayers(graph)).toEqual([]);
  });

  it("has a position only for folders that exist", () => {
    const graph = readImportGraph(ROOT);
    for (const [folder, lines] of Object.entries(FOLDER_ORDER)) {
      const missing = lines
        .flatMap((line) => line.split(" "))
        .filter((name) => ![...graph.keys()].some((file) => file.startsWith(`${folder}/${name}/`)));
      expect([folder, missing]).toEqual([folder, []]);
    }
  });
});
