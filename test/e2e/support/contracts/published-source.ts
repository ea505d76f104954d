// A contract whose deployer published its source, with characters that hide something, and lines; its one method breaks off.
import { deflateRawSync } from "node:zlib";
import { parseModule } from "#node/vm/module/parse-module.ts";
import { LINES_SECTION } from "#shared/content/contract-lines.ts";
import { BUILD_SECTION, SOURCE_SECTION, sourceHash, sourcesJson, withCustomSection } from "#shared/content/contract-source.ts";
import type { ContractAbi, ContractId } from "#shared/protocol/transactions/contracts.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { RunningNode } from "../../../support/nodes/start-node.ts";
import { buildModule } from "../../../support/vm/wasm-builder.ts";
import { openDeployer } from "./deployer.ts";

const ABI: ContractAbi = { contract: "open-book", version: "1.0.0", methods: [{ name: "fail", args: [], view: true }] };
const FILES = new Map([
  [
    "contract.ts",
    'export const NAME = "open-book";\n// <img src=x onerror=alert(1)> \u202e hidden\nexport function fail(): void { unreachable(); }\n',
  ],
  ["lib/sums.ts", `export const ROWS = [\n${"  1,\n".repeat(400)}];\n`],
]);
const UNREACHABLE = 0x00;

/** Deploys it; with `isChanged`, what it brings along is another source than its manifest names. */
export async function deployPublished(node: RunningNode, isChanged = false): Promise<ContractId> {
  const manifest = {
    ...{ format: 1, language: "as", compiler: "assemblyscript 0.28.20", options: ["-Oz"], memory_pages: 8, sdk: "ab".repeat(32) },
    sources: Object.fromEntries([...FILES].map(([path, text]) => [path, sourceHash(text)])),
  };
  const module = buildModule({ functions: [{ code: [UNREACHABLE], export: "fail" }] });
  const lines = {
    format: 1,
    functions: [[0, "fail", parseModule(module).bodies[0]?.at ?? 0]],
    files: ["contract.ts"],
    rows: [[parseModule(module).bodies[0]?.at ?? 0, 0, 3, 32]],
  };
  const files = isChanged ? new Map([...FILES, ["contract.ts", "another one"]]) : FILES;
  const described = withCustomSection(module, BUILD_SECTION, utf8(JSON.stringify(manifest)));
  const open = withCustomSection(described, SOURCE_SECTION, deflateRawSync(sourcesJson(files)));
  const whole = withCustomSection(open, LINES_SECTION, deflateRawSync(utf8(JSON.stringify(lines))));
  return await (await openDeployer(node)).deploy(whole, ABI);
}
