// Escrow deals of three people through the forms of the interface: released, returned, disputed and decided, and what is refused.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { createIdentity, unlock } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo } from "./support/robin.ts";
import { review, sign } from "./support/signing.ts";

describe("escrow", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;
  let carol: BrowserProfile;
  let aliceAddress: string;
  let bobAddress: string;
  let carolAddress: string;

  beforeAll(async () => {
    world = await startWorld("escrow");
    [alice, bob, carol] = await Promise.all([world.enter("alice"), world.enter("bob"), world.enter("carol")]);
    const { baseUrl } = world.node;
    ({ address: aliceAddress } = await createIdentity(alice.page, baseUrl, "Alice"));
    ({ address: bobAddress } = await createIdentity(bob.page, baseUrl, "Bob"));
    ({ address: carolAddress } = await createIdentity(carol.page, baseUrl, "Carol"));
    for (const { page } of [alice, bob, carol]) {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await goTo(page, "/wallet/escrow");
      await page.getByText("No deals", { exact: true }).waitFor();
    }
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  const stateOf = async (id: string): Promise<string> => {
    const { value_hex: hex } = await world.node.client.getContractState({ contractID: nativeContractId("escrow"), key: `e:${id}:x` });
    return Buffer.from(hex ?? "", "hex").toString();
  };
  const balanceOf = async (address: string): Promise<number> =>
    (await world.node.client.getAddress({ addr: parseAccount(address) })).balance_ut;

  it("refuses a deal that the chain would refuse, with words", async () => {
    const { page } = alice;
    await page.getByRole("button", { name: "Open a deal" }).press("Enter");
    await page.getByRole("textbox", { name: "Seller" }).fill(aliceAddress);
    await page.getByText("This is your own address").waitFor();
    await page.getByRole("textbox", { name: "Seller" }).fill(bobAddress);
    await page.getByRole("checkbox", { name: "Name an arbiter" }).press("Space");
    await page.getByRole("textbox", { name: "Arbiter" }).fill(bobAddress);
    await page.getByText("Seller and arbiter must be different people").first().waitFor();
    await page.getByRole("textbox", { name: "Amount" }).fill("1000000");
    await page.getByText(/You can send at most/).waitFor();
    await page.getByRole("textbox", { name: "Deal ID" }).fill("no spaces");
    await page.getByText("1 to 64 letters, digits and . _ -").waitFor();
    await page.getByRole("button", { name: "Review", disabled: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "escrow-open-refused");
  });

  it("opens a deal with an arbiter, which all three see once it is disputed, and pays as the arbiter decides", async () => {
    const { page } = alice;
    await world.step("open it", async () => {
      await page.getByRole("textbox", { name: "Arbiter" }).fill(carolAddress);
      await page.getByRole("textbox", { name: "Amount" }).fill("2.5");
      await page.getByRole("textbox", { name: "Deal ID" }).fill("bike");
      await photograph(page, "escrow-open");
      await review(page, "Sign and open", /You lock 2\.5.T for Bob.*In a dispute, Carol/);
      await page.getByRole("heading", { name: /^You buy from Bob/ }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, "escrow-active");
      expect(await stateOf("bike")).toBe("a");
    });
    await world.step("refuse its id for another one", async () => {
      await page.getByRole("button", { name: "Open a deal" }).click();
      await page.getByRole("textbox", { name: "Deal ID" }).fill("bike");
      await page.getByText("The ID bike is taken.").waitFor();
      await page.keyboard.press("Escape");
    });
    await world.step("dispute it as the seller", async () => {
      await bob.page.getByRole("heading", { name: /^You sell to Alice/ }).waitFor();
      await bob.page.getByRole("button", { name: "Open a dispute" }).click();
      await sign(bob.page, "Sign and dispute", /alone then decides who gets 2\.5.T/);
      await bob.page.getByText("Disputed", { exact: true }).waitFor();
    });
    await world.step("decide it as the arbiter", async () => {
      await carol.page.getByRole("heading", { name: /^You decide between Alice/ }).waitFor();
      await photograph(carol.page, "escrow-disputed");
      const before = await balanceOf(bobAddress);
      await carol.page.getByRole("button", { name: "Decide for the seller" }).click();
      await sign(carol.page, "Sign decision", /to Bob.*loses it/);
      await page.getByText("Paid to the seller").waitFor();
      expect(await stateOf("bike")).toBe("r");
      expect((await balanceOf(bobAddress)) - before).toBe(2_500_000);
    });
  });

  it("is released by the buyer, returned by the seller, and found by its id", async () => {
    const { page } = alice;
    const open = async (id: string): Promise<void> => {
      await page.getByRole("button", { name: "Open a deal" }).click();
      await page.getByRole("textbox", { name: "Seller" }).fill(bobAddress);
      await page.getByRole("textbox", { name: "Amount" }).fill("0.75");
      await page.getByRole("textbox", { name: "Deal ID" }).fill(id);
      await review(page, "Sign and open", /Without an arbiter/);
      await dealOf(page, id).waitFor();
    };
    await world.step("release one", async () => {
      await open("lamp");
      await dealOf(page, "lamp").getByRole("button", { name: "Release to the seller" }).click();
      await photograph(page, "escrow-release-review");
      await sign(page, "Sign and release", /This pays 0\.75.T to Bob/);
      await dealOf(page, "lamp").getByText("Paid to the seller").waitFor();
      expect(await stateOf("lamp")).toBe("r");
    });
    await world.step("return one", async () => {
      await open("chair");
      const deal = dealOf(bob.page, "chair");
      expect(await deal.getByRole("button", { name: "Open a dispute" }).count()).toBe(0);
      await deal.getByRole("button", { name: "Return to the buyer" }).click();
      await sign(bob.page, "Sign and return", /You give up your claim/);
      await dealOf(page, "chair").getByText("Returned to the buyer").waitFor();
      expect(await stateOf("chair")).toBe("f");
    });
    await world.step("find one of others", async () => {
      await carol.page.getByRole("button", { name: "Find a deal" }).click();
      await carol.page.getByRole("textbox", { name: "Deal ID" }).fill("boat");
      await carol.page.getByText("There is no deal with the ID boat.").waitFor();
      await carol.page.getByRole("textbox", { name: "Deal ID" }).fill("chair");
      await carol.page.getByRole("button", { name: "Show the deal", disabled: false }).click();
      await carol.page.getByRole("heading", { name: "Deal chair" }).waitFor();
      expect(
        await dealOf(carol.page, "chair")
          .getByRole("button", { name: /buyer|seller/ })
          .count(),
      ).toBe(0);
    });
    await world.step("still show it after the window was closed, until it is taken off the list", async () => {
      const { page: carols } = carol;
      await carols.reload();
      await unlock(carols);
      await goTo(carols, "/wallet/escrow");
      await carols.getByRole("heading", { name: "Deal chair" }).waitFor();
      await dealOf(carols, "chair").getByRole("button", { name: "Remove from list" }).press("Enter");
      await carols.getByRole("heading", { name: "Deal chair" }).waitFor({ state: "detached" });
      await carols.getByRole("heading", { name: /^You decide between Alice/ }).waitFor();
    });
  });
});

function dealOf(page: Page, id: string): ReturnType<Page["getByRole"]> {
  return page.getByRole("region").filter({ has: page.getByText(id, { exact: true }) });
}
