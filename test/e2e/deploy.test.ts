// Deploying a contract through the interface: what is refused before anything is paid, what it costs, and the page that it leads to.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { buildModule, i64c, W } from "../support/vm/wasm-builder.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { createIdentity } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo } from "./support/robin.ts";
import { sign } from "./support/signing.ts";

const MODULE = buildModule({
  functions: [
    { export: "ring", code: [] },
    { export: "init", code: [] },
  ],
});
const FLOATS = buildModule({ functions: [{ export: "scale", code: [0x43, 0, 0, 0x80, 0x3f, 0x1a] }] });
const ABI: ContractAbi = {
  contract: "door-bell",
  version: "1.2.0",
  methods: [
    { name: "ring", args: [] },
    { name: "init", args: [{ name: "volume", type: "u64" }] },
  ],
};

describe("deploying", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let page: Page;

  beforeAll(async () => {
    world = await startWorld("deploy");
    alice = await world.enter("alice");
    page = alice.page;
    await createIdentity(page, world.node.baseUrl, "Alice");
    await page.emulateMedia({ reducedMotion: "reduce" });
    await goTo(page, "/explorer/contracts");
    await page.getByRole("link", { name: "Deploy a contract" }).press("Enter");
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  const choose = async (field: RegExp, name: string, content: Uint8Array | string): Promise<void> => {
    await page
      .getByRole("button", { name: field })
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
  };
  const chooseModule = (name: string, content: Uint8Array | string): Promise<void> => choose(/^Module/, name, content);
  const chooseAbi = (content: string): Promise<void> => choose(/^Interface/, "abi.json", content);
  const refused = (): Promise<void> => page.getByRole("button", { name: "Review", disabled: true }).waitFor();

  it("refuses what the network would refuse, with the function at which a module breaks a rule", async () => {
    await world.step("refuse a file that is no module", async () => {
      await chooseModule("notes.wasm", "Dear diary");
      await page.getByText("This is not a WebAssembly module").waitFor();
      await chooseModule("large.wasm", new Uint8Array(262_145));
      await page.getByText("The file has 262,145 bytes; a module has at most 262,144.").waitFor();
      await refused();
    });
    await world.step("refuse a module with floats", async () => {
      await chooseModule("scale.wasm", FLOATS);
      await page.getByText(/floats are not allowed.*in scale .*instruction 0x43/).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, "deploy-refused");
      await refused();
    });
    await world.step("refuse an interface that does not fit", async () => {
      await chooseModule("bell.wasm", MODULE);
      await chooseAbi("{}");
      await page.getByText("This is not an interface").waitFor();
      await chooseAbi(JSON.stringify({ ...ABI, methods: [{ name: "knock", args: [] }] }));
      await page.getByText(/The ABI lists the method knock/).waitFor();
      await refused();
    });
  });

  it("deploys a module with its interface, and leads to its page", async () => {
    await chooseAbi(JSON.stringify(ABI));
    await page.getByRole("textbox", { name: "volume" }).fill("loud");
    await page.getByText("A whole number from 0 to").first().waitFor();
    await page.getByRole("textbox", { name: "volume" }).fill("11");
    await page.getByText("Fee, by size").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "deploy");
    await page.getByRole("button", { name: "Review", disabled: false }).press("Enter");
    await photograph(page, "deploy-review");
    await sign(page, "Sign and deploy", /You deploy the contract “door-bell”/);
    await page.getByText("The contract is deployed").waitFor();
    await photograph(page, "deploy-done");
    await page.getByRole("link", { name: "To the contract" }).click();
    await page
      .getByRole("heading", { name: /door-bell/ })
      .first()
      .waitFor();
    const { contracts } = await world.node.client.listContracts({});
    expect(contracts.map(({ abi }) => abi.contract)).toContain("door-bell");
  });

  it("deploys a module without an interface under the name of its file", async () => {
    await goTo(page, "/explorer/deploy");
    await chooseModule("My Bell.wasm", buildModule({ functions: [{ export: "ring", code: [i64c(1), W.drop] }] }));
    await page.getByText("Fee, by size").waitFor();
    await page.getByRole("button", { name: "Review", disabled: false }).click();
    await sign(page, "Sign and deploy", /“my-bell”/);
    await page.getByText("The contract is deployed").waitFor();
    const { contracts } = await world.node.client.listContracts({});
    expect(contracts.map(({ abi }) => abi.contract)).toContain("my-bell");
  });
});
