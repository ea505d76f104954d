// Deploying a contract through the interface: what is refused before anything is paid, what it costs, and the page that it leads to.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { add, br, brIf, buildModule, i32c, i64c, load, loop, store, W } from "../support/vm/wasm-builder.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { expectFocus, pressEnter, signByKeyboard, tabTo } from "./support/keyboard.ts";
import { createIdentity } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo } from "./support/robin.ts";
import { sign } from "./support/signing.ts";

/** `i32.lt_u` */
const LESS = 0x49;
const MODULE = buildModule({
  functions: [
    { export: "ring", code: [] },
    { export: "init", code: [] },
  ],
});
const FLOATS = buildModule({ functions: [{ export: "scale", code: [0x43, 0, 0, 0x80, 0x3f, 0x1a] }] });
/** Counts to 40,000 in its `init`. */
const COUNTING = buildModule({
  functions: [
    { export: "ring", code: [] },
    {
      export: "init",
      code: loop(W.void, [i32c(0), i32c(0), load(), i32c(1), add, store(), i32c(0), load(), i32c(40_000), LESS, brIf(0)]),
    },
  ],
});
const ENDLESS = buildModule({
  functions: [
    { export: "ring", code: [] },
    { export: "init", code: loop(W.void, [br(0)]) },
  ],
});
const TOO_LITTLE_GAS = 3_200_000;
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
      await page.getByText("This isn't a WebAssembly module").waitFor();
      await chooseModule("large.wasm", new Uint8Array(262_145));
      await page.getByText("The file has 262,145 bytes; a module can have up to 262,144.").waitFor();
      await refused();
    });
    await world.step("refuse a module with floats", async () => {
      await chooseModule("scale.wasm", FLOATS);
      await page.getByText(/floats are not allowed.*in scale .*instruction 0x43/).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, "deploy-refused");
      await refused();
    });
    await world.step("refuse a module whose init never ends, without advice to try what was just tried", async () => {
      await chooseModule("endless.wasm", ENDLESS);
      await chooseAbi(JSON.stringify(ABI));
      await page.getByRole("textbox", { name: "volume" }).fill("1");
      await page.getByText(/or never ends\. Cause: the gas ran out, in init/).waitFor();
      expect(await page.getByText(/Simulate the call/).count()).toBe(0);
      await refused();
    });
    await world.step("refuse an interface that does not fit", async () => {
      await chooseModule("bell.wasm", MODULE);
      await chooseAbi("{}");
      await page.getByText("This isn't an interface file").waitFor();
      await chooseAbi(JSON.stringify({ ...ABI, methods: [{ name: "knock", args: [] }] }));
      await page.getByText(/The ABI lists the method knock/).waitFor();
      await refused();
    });
  });

  it("deploys a module with its interface, and leads to its page", async () => {
    await chooseAbi(JSON.stringify(ABI));
    await page.getByRole("textbox", { name: "volume" }).fill("loud");
    await page.getByText("Enter a whole number from 0 to").first().waitFor();
    await page.getByRole("textbox", { name: "volume" }).fill("11");
    await page.getByText("Fee, by size").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "deploy");
    await page.getByRole("button", { name: "Review", disabled: false }).press("Enter");
    await photograph(page, "deploy-review");
    await sign(page, "Sign and deploy", /You deploy the contract “door-bell”/);
    await page.getByText("The contract is deployed").waitFor();
    await photograph(page, "deploy-done");
    await page.getByRole("link", { name: "View contract" }).click();
    await page
      .getByRole("heading", { name: /door-bell/ })
      .first()
      .waitFor();
    const { contracts } = await world.node.client.listContracts({});
    expect(contracts.map(({ abi }) => abi.contract)).toContain("door-bell");
  });

  it("keeps what was chosen after a deployment that failed, which then goes through", WHOLE_ONLY, async () => {
    await goTo(page, "/explorer/deploy");
    // More gas than the node gives to try what is submitted, and less than it takes: it is admitted, and fails in its block.
    await page.route("**/api/deployments/estimate", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), gas_limit: TOO_LITTLE_GAS } });
    });
    await chooseModule("slow.wasm", COUNTING);
    await chooseAbi(JSON.stringify({ ...ABI, contract: "second-bell" }));
    await page.getByRole("textbox", { name: "volume" }).fill("7");
    await page.getByText("Fee, by size").waitFor();
    await page.getByRole("button", { name: "Review", disabled: false }).click();
    await sign(page, "Sign and deploy", /“second-bell”/);
    await page.getByText("The contract was not deployed").waitFor();
    await photograph(page, "deploy-failed");
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await page.getByText("slow.wasm", { exact: true }).waitFor();
    await page.getByText("abi.json", { exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "volume" }).inputValue()).toBe("7");
    await page.getByRole("button", { name: "Review", disabled: false }).click();
    await sign(page, "Sign and deploy", /“second-bell”/);
    await page.getByText("The contract is deployed").waitFor();
  });

  it("takes the file that was chosen last, however late an earlier one is read", WHOLE_ONLY, async () => {
    await goTo(page, "/explorer/contracts");
    await goTo(page, "/explorer/deploy");
    await page.evaluate(() => {
      const read = File.prototype.arrayBuffer;
      File.prototype.arrayBuffer = async function slowly(this: File): Promise<ArrayBuffer> {
        if (this.name.startsWith("late")) await new Promise((resolve) => addEventListener("late-files", resolve, { once: true }));
        return await read.call(this);
      };
    });
    await chooseModule("late.wasm", "no module");
    await choose(/^Interface/, "late.json", "{}");
    await chooseModule("bell.wasm", MODULE);
    await chooseAbi(JSON.stringify(ABI));
    await page.getByRole("textbox", { name: "volume" }).fill("7");
    await page.getByText("Fee, by size").waitFor();
    await page.evaluate(() => dispatchEvent(new Event("late-files")));
    await page.getByRole("button", { name: "Review", disabled: false }).click();
    const sheet = page.locator("[data-confirmation]");
    await sheet.getByText(/“door-bell”/).waitFor();
    await sheet.getByText(/^bell\.wasm/).waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(await page.getByText(/late\.|This is not/).count(), "nothing of the late files").toBe(0);
  });

  it("deploys a module without an interface under the name of its file, by keyboard alone", async () => {
    await goTo(page, "/explorer/contracts");
    await pressEnter(page, page.getByRole("link", { name: "Deploy a contract" }));
    // Waited for from here on: the browser needs a moment before it reports what a page opens.
    const choosing = page.waitForEvent("filechooser");
    await pressEnter(page, page.getByRole("button", { name: /^Module/ }));
    const chooser = await choosing;
    const module = buildModule({ functions: [{ export: "ring", code: [i64c(1), W.drop] }] });
    await chooser.setFiles({ name: "My Bell.wasm", mimeType: "application/wasm", buffer: Buffer.from(module) });
    await page.getByText("Fee, by size").waitFor();
    await page.getByRole("button", { name: "Review", disabled: false }).waitFor();
    const review = page.getByRole("button", { name: "Review" });
    await pressEnter(page, review);
    await page.locator("[data-confirmation]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("[data-confirmation]").waitFor({ state: "detached" });
    await expectFocus(review);
    await page.keyboard.press("Enter");
    await signByKeyboard(page, "Sign and deploy", /“my-bell”/);
    await page.getByText("The contract is deployed").waitFor();
    // What was made stands where the form was: its first link is the next stop, if it is not this one.
    await tabTo(page, page.getByRole("link", { name: "View contract" }), 1);
    const { contracts } = await world.node.client.listContracts({});
    expect(contracts.map(({ abi }) => abi.contract)).toContain("my-bell");
    await page.keyboard.press("Enter");
    await page
      .getByRole("heading", { name: /my-bell/ })
      .first()
      .waitFor();
  });
});
