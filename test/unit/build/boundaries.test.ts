// A lint configuration that silently stops matching is the real risk: each wall must stop a violation planted behind it.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

interface Planted {
  readonly path: string;
  readonly text: string;
  readonly rule: string;
}

const RESTRICTED = "lint/style/noRestrictedImports";

const PLANTED: readonly Planted[] = [
  { path: "shared/protocol/a.ts", text: 'import "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "shared/codec/p.ts", text: 'import "#shared/protocol/primitives/limits.ts";', rule: RESTRICTED },
  { path: "shared/api/b.ts", text: 'import "#renderer/main.tsx";', rule: RESTRICTED },
  { path: "shared/protocol/c.ts", text: 'import "node:fs";', rule: "lint/correctness/noNodejsModules" },
  { path: "client/c1.ts", text: 'import "#node/config/files/endpoint-file.ts";', rule: RESTRICTED },
  { path: "client/c2.ts", text: 'import "#electron/main/index.ts";', rule: RESTRICTED },
  { path: "renderer/lib/d.ts", text: 'import "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "renderer/lib/e.ts", text: 'import "better-sqlite3";', rule: RESTRICTED },
  { path: "renderer/lib/e2.ts", text: 'import "#renderer/features/wallet/route.tsx";', rule: RESTRICTED },
  { path: "renderer/storage/e3.ts", text: 'import "#renderer/app/router.tsx";', rule: RESTRICTED },
  { path: "renderer/features/wallet/f.ts", text: 'import "#renderer/features/inbox/route.tsx";', rule: RESTRICTED },
  { path: "renderer/features/inbox/g.ts", text: 'import "#renderer/features/wallet/route.tsx";', rule: RESTRICTED },
  { path: "renderer/features/inbox/h.ts", text: 'import "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "electron/main/i.ts", text: 'import "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "electron/main/j.ts", text: 'import { ipcMain } from "electron";\nexport { ipcMain };', rule: RESTRICTED },
  { path: "node/api/k.ts", text: 'import "electron";', rule: RESTRICTED },
  { path: "node/engine/l.ts", text: 'import "better-sqlite3";', rule: RESTRICTED },
  { path: "node/storage/l2.ts", text: 'import "fastify";', rule: RESTRICTED },
  { path: "node/mempool/l3.ts", text: 'import "libp2p";', rule: RESTRICTED },
  { path: "node/sync/l4.ts", text: 'import "@libp2p/gossipsub";', rule: RESTRICTED },
  { path: "node/relay/l5.ts", text: 'import "@multiformats/multiaddr";', rule: RESTRICTED },
  { path: "node/network/l6.ts", text: 'import "better-sqlite3";', rule: RESTRICTED },
  { path: "node/network/l7.ts", text: 'import "fastify";', rule: RESTRICTED },
  { path: "node/consensus/m.ts", text: 'import "#node/storage/open.ts";', rule: RESTRICTED },
  { path: "node/consensus/n.ts", text: "export const now: number = Date.now();", rule: "lint/style/noRestrictedGlobals" },
  { path: "node/consensus/o.ts", text: "export const luck: number = Math.random();", rule: "lint/nursery/noJsRestrictedProperties" },
  { path: "node/ledger/p.ts", text: 'import "node:crypto";', rule: "lint/correctness/noNodejsModules" },
  { path: "node/ledger/q.ts", text: 'import "#node/storage/open.ts";', rule: RESTRICTED },
  { path: "node/ledger/r.ts", text: "export const now: number = Date.now();", rule: "lint/style/noRestrictedGlobals" },
  { path: "node/ledger/s.ts", text: "export const root: number = Math.pow(2, 0.5);", rule: "lint/nursery/noJsRestrictedProperties" },
  { path: "node/ledger/s2.ts", text: 'import "#node/vm/contract-vm.ts";', rule: RESTRICTED },
  {
    path: "node/ledger/s3.ts",
    text: "export const valid: boolean = WebAssembly.validate(new Uint8Array(8));",
    rule: "lint/style/noRestrictedGlobals",
  },
  { path: "node/engine/s4.ts", text: 'import "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "node/storage/s5.ts", text: 'import "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "node/network/s6.ts", text: 'import type { Node } from "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "node/api/s7.ts", text: 'import "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "node/composition/s8.ts", text: 'import "better-sqlite3";', rule: RESTRICTED },
  { path: "node/queries/s9.ts", text: 'import type { Relay } from "#node/relay/relay.ts";', rule: RESTRICTED },
  { path: "node/queries/s10.ts", text: 'import "../api/services.ts";', rule: RESTRICTED },
  { path: "node/queries/s11.ts", text: 'import "fastify";', rule: RESTRICTED },
  { path: "node/light/reads/s12.ts", text: 'import "#node/network/peer-network.ts";', rule: RESTRICTED },
  { path: "node/light/chain/s18.ts", text: 'import "#node/network/libp2p-network.ts";', rule: RESTRICTED },
  { path: "node/light/chain/s13.ts", text: 'import "../peers/submissions.ts";', rule: RESTRICTED },
  { path: "node/light/wire/s14.ts", text: 'import "better-sqlite3";', rule: RESTRICTED },
  { path: "node/light/proofs/s15.ts", text: 'import "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "node/network/flow/s16.ts", text: 'import "@libp2p/interface";', rule: RESTRICTED },
  { path: "node/network/wire/s17-codec.ts", text: 'import type { Stream } from "@libp2p/interface";', rule: RESTRICTED },
  { path: "agent/network/x1.ts", text: 'import "#renderer/main.tsx";', rule: RESTRICTED },
  { path: "agent/keyring/x2.ts", text: 'import "#electron/keyring/main.ts";', rule: RESTRICTED },
  { path: "agent/commands/x3.ts", text: 'import "#node/composition/node.ts";', rule: RESTRICTED },
  { path: "shared/util/t.ts", text: 'export * from "./bytes.ts";', rule: "lint/performance/noReExportAll" },
  { path: "node/api/u.ts", text: "export default 1;", rule: "lint/style/noDefaultExport" },
  {
    path: "node/api/v.ts",
    text: "export async function f(): Promise<void> {}\nexport function g(): void {\n  f();\n}",
    rule: "lint/nursery/noFloatingPromises",
  },
  { path: "node/api/w.ts", text: "export const v: string | undefined = process.env.HOME;", rule: "lint/style/noProcessEnv" },
  {
    path: "test/unit/x.test.ts",
    text: 'import { it } from "vitest";\nit.skip("never", () => undefined);',
    rule: "lint/suspicious/noSkippedTests",
  },
];

/** What only its own folder may import. */
const ALLOWED: readonly Omit<Planted, "rule">[] = [
  { path: "node/network/home.ts", text: 'import "libp2p";\nimport "@libp2p/gossipsub";\nimport "@multiformats/multiaddr";' },
  { path: "node/storage/home.ts", text: 'import "better-sqlite3";' },
  { path: "node/network/wire/home.ts", text: 'import "@libp2p/interface";' },
  { path: "node/api/home.ts", text: 'import "fastify";' },
  { path: "agent/keyring/home.ts", text: 'import "#electron/keyring/file-vault.ts";' },
  { path: "node/composition/home.ts", text: 'import "./node.ts";' },
  { path: "node/main.ts", text: 'import "#node/composition/run-node.ts";' },
  { path: "node/queries/home.ts", text: 'import "#node/ledger/execute.ts";' },
  { path: "node/light/chain/home.ts", text: 'import type { PeerName } from "#node/network/peer-network.ts";' },
  { path: "node/light/peers/home.ts", text: 'import "#node/network/peer-network.ts";' },
];

let folder = "";

function plant(file: Omit<Planted, "rule">): void {
  const path = join(folder, file.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${file.text}\n`);
}

function lintedRules(): Map<string, Set<string>> {
  const args = [
    join(ROOT, "node_modules/@biomejs/biome/bin/biome"),
    "lint",
    "--vcs-enabled=false",
    "--max-diagnostics=none",
    "--reporter=json",
    ".",
  ];
  const result = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const report = JSON.parse(result.stdout) as {
    readonly diagnostics: readonly { readonly category: string; readonly severity: string; readonly location: { readonly path: string } }[];
  };
  const rules = new Map<string, Set<string>>();
  for (const { category, location, severity } of report.diagnostics) {
    if (severity !== "error") continue;
    const found = rules.get(location.path) ?? new Set<string>();
    rules.set(location.path, found.add(category));
  }
  return rules;
}

describe("boundaries between the layers", () => {
  let rules = new Map<string, Set<string>>();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-boundaries-"));
    for (const name of ["biome.jsonc", "package.json"]) cpSync(join(ROOT, name), join(folder, name));
    for (const file of [...PLANTED, ...ALLOWED]) plant(file);
    rules = lintedRules();
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PLANTED)("$path is stopped by $rule", ({ path, rule }) => {
    expect([...(rules.get(path) ?? [])]).toContain(rule);
  });

  it.each(ALLOWED)("$path is at home", ({ path }) => {
    expect([...(rules.get(path) ?? [])]).not.toContain(RESTRICTED);
  });

  it("has an override for every feature folder", () => {
    const config = readFileSync(join(ROOT, "biome.jsonc"), "utf8");
    for (const feature of ["contacts", "explorer", "inbox", "lock", "node", "onboarding", "settings", "wallet"]) {
      expect(config).toContain(`renderer/features/${feature}/**`);
    }
  });
});

describe("project references", () => {
  const VIOLATIONS = [
    { project: "renderer", text: 'import "#node/engine/execution/block-application.ts";', code: "TS6307" },
    { project: "shared", text: "export const folder: string = process.cwd();", code: "TS2591" },
    { project: "shared", text: "export const title: string = document.title;", code: "TS2584" },
    { project: "node/ledger", text: "export const folder: string = process.cwd();", code: "TS2591" },
  ];

  it.each(VIOLATIONS)("$project refuses $code", ({ project, text, code }) => {
    const folder = mkdtempSync(join(tmpdir(), "parley-references-"));
    try {
      symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
      cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
      for (const name of ["shared", "node"]) symlinkSync(join(ROOT, name), join(folder, name));
      writeFileSync(join(folder, "planted.ts"), `${text}\n`);
      const base = join(ROOT, project, "tsconfig.json");
      const options = {
        extends: base,
        compilerOptions: { outDir: join(folder, "out"), rootDir: folder, noEmit: false },
        include: [join(folder, "planted.ts")],
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
      const result = spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
      expect(result.stdout).toContain(code);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
