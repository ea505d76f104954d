// The forms of tokens, NFTs, deals, multisigs, contracts and names in German: their words, and amounts with a decimal comma that reach the
// chain as they were meant. At half the width of a window, where nothing may be cut off.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatAddress, parseAccount } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { buildModule } from "../support/vm/wasm-builder.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { unreachableInLowWindow } from "./support/low-window.ts";
import { createIdentity } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo } from "./support/robin.ts";
import { seededPerson } from "./support/seeded-people.ts";
import { sign } from "./support/signing.ts";

/** As long as a name may be, nearly, with no place to break. */
const LONG_NAME = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen";
const OTHER = formatAddress(seededPerson(3).account.publicKey);

describe("the forms in German", WHOLE_ONLY, () => {
  let world: BrowserWorld;
  let anna: BrowserProfile;
  let page: Page;
  let annasKey: string;

  beforeAll(async () => {
    world = await startWorld("german");
    anna = await world.enter("anna");
    page = anna.page;
    const { address } = await createIdentity(page, world.node.baseUrl, "Anna");
    annasKey = parseAccount(address);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await goTo(page, "/settings/appearance");
    await page.getByRole("combobox", { name: "Language" }).click();
    await page.getByRole("option", { name: "Deutsch" }).click();
    await page.getByRole("heading", { level: 1, name: "Aussehen und Sprache" }).waitFor();
    await page.setViewportSize({ width: 800, height: 700 });
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  const field = (name: string | RegExp): ReturnType<Page["getByRole"]> => page.getByRole("textbox", { name });
  const press = (name: string): Promise<void> => page.getByRole("button", { name, disabled: false }).click();
  /** From the form to its sheet, which is photographed and signed. */
  const review = async (picture: string, label: string, sentence: RegExp): Promise<void> => {
    await photograph(page, `german-${picture}`);
    expect(await unreachableInLowWindow(page), "at 200 % zoom").toEqual([]);
    await press("Prüfen");
    await page.locator("[data-confirmation]").getByText(sentence).waitFor();
    await page.locator("[data-confirmation]").getByRole("button", { name: label, disabled: false }).waitFor();
    await photograph(page, `german-${picture}-review`);
    expect(await cutOff()).toEqual([]);
    await sign(page, label, sentence);
  };
  /** What is wider than the room that it has: words of buttons and headings, dialogs, the page. */
  const cutOff = (): Promise<readonly string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll("html, main, button, h1, h2, h3, label, [role=dialog]")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline")
        .map((element) => `${element.tagName} ${element.textContent?.slice(0, 80) ?? ""}`),
    );

  it("issue a token and send some of it", async () => {
    await goTo(page, "/wallet/assets");
    await press("Token ausgeben");
    await field("Name").fill("Gold vom Hügel");
    await field("Token-ID").fill("gold");
    await page.getByText("Diese ID ist frei.").waitFor();
    await field("Symbol").fill("GÖLD");
    await page.getByText("1 bis 12 Buchstaben (ohne Umlaute) oder Ziffern.").waitFor();
    await field("Symbol").fill("GOLD");
    await field("Menge").fill("1,005");
    await page.getByText("höchstens 2 Nachkommastellen").waitFor();
    await field("Menge").fill("1.000");
    await page.getByText("Das kann 1 oder 1000 bedeuten").waitFor();
    await field("Menge").fill("1.000.000,50");
    await review("issue", "Signieren und ausgeben", /Du gibst 1.000.000,5.GOLD des neuen Tokens „Gold vom Hügel“ aus/);
    await page.getByRole("region", { name: "Meine Token" }).getByText("Gold vom Hügel").waitFor();
    expect(await world.node.client.getToken({ id: "gold" })).toMatchObject({ supply: 100_000_050, decimals: 2, name: "Gold vom Hügel" });
    await goTo(page, "/wallet/tokens/gold");
    await field("An").fill(OTHER);
    await press("Max.");
    expect(await field("Betrag").inputValue()).toBe("1000000,5");
    await field("Betrag").fill(" 12,25 ");
    await review("token-send", "Signieren und senden", /Du sendest 12,25.GOLD an/);
    await expect
      .poll(async () => (await world.node.client.getTokenBalance({ id: "gold", pubkey: parseAccount(OTHER) })).balance)
      .toBe(1_225);
    expect(await cutOff()).toEqual([]);
  });

  it("name a source of rates, which a node asks for its owner alone", async () => {
    await goTo(page, "/settings/currency");
    await field("Adresse der Quelle").fill("https://rates.example/latest");
    await field("Pfad zur Zahl").fill("rates.EUR");
    await field("Kürzel der Währung").fill("eur");
    await press("Prüfen und speichern");
    await page.getByText("Dieser Knoten ruft Kurse nur für seinen Besitzer ab").waitFor();
    const asked: unknown[] = [];
    let isUp = false;
    await page.route("**/api/node/rate", (route) => {
      asked.push(route.request().postDataJSON());
      return isUp ? route.fulfill({ json: { rate: 2.5, at: new Date().toISOString() } }) : route.fulfill({ status: 502, body: "" });
    });
    await press("Prüfen und speichern");
    await page.getByText("Die Quelle hat nicht geantwortet, oder an diesem Pfad steht keine Zahl.").waitFor();
    isUp = true;
    await press("Prüfen und speichern");
    await page.getByText(/^≈ 2,50.€ · Kurs von \d/).waitFor();
    // What was found when it was saved is shown, and the source not asked again for it.
    expect(asked).toEqual(Array.from({ length: 2 }, () => ({ url: "https://rates.example/latest", path: "rates.EUR" })));
    await photograph(page, "german-currency");
    expect(await unreachableInLowWindow(page), "at 200 % zoom").toEqual([]);
    await goTo(page, "/wallet");
    await page
      .getByRole("region", { name: "Guthaben" })
      .getByText(/^≈ [\d.]+,\d\d.€ · Kurs von \d/)
      .waitFor();
    await photograph(page, "german-balance-value");
    await goTo(page, "/settings/currency");
    // By keyboard: toasts of what was signed before may lie above the button.
    await page.getByRole("button", { name: "Keine Währung zeigen" }).press("Enter");
    await page.getByText(/Kurs von/).waitFor({ state: "detached" });
    await page.unroute("**/api/node/rate");
  });

  it("mint an NFT", async () => {
    await goTo(page, "/wallet/assets");
    await press("NFT prägen");
    await field("Name").fill(LONG_NAME);
    await field("NFT-ID").fill("eiche");
    await field(/^Text/).fill("ä".repeat(2_049));
    await page.getByText("Zu lang: 4.098 von 4.096").waitFor();
    await field(/^Text/).fill("Hinter dem Haus.");
    await page.getByText("Diese ID ist frei.").waitFor();
    await review("mint", "Signieren und prägen", new RegExp(`Du prägst „${LONG_NAME}“`));
    await page.getByRole("region", { name: "Meine NFTs" }).getByText(LONG_NAME).waitFor();
    await photograph(page, "german-assets");
    expect(await world.node.client.getNft({ id: "eiche" })).toMatchObject({ owner_pub: annasKey });
  });

  it("open a deal", async () => {
    await goTo(page, "/wallet/escrow");
    await page.getByText("Keine Geschäfte", { exact: true }).waitFor();
    await photograph(page, "german-escrow-empty");
    await press("Geschäft eröffnen");
    await field("Verkäufer").fill(OTHER);
    await field("Betrag").fill("2.500");
    await page.getByText("Das kann 2,5 oder 2500 bedeuten").waitFor();
    await page.getByRole("button", { name: "Prüfen", disabled: true }).waitFor();
    await field("Betrag").fill("2,5");
    await field("Geschäfts-ID").fill("fahrrad");
    await review("escrow-open", "Signieren und öffnen", /Du sperrst 2,5.T für .*; ohne Schiedsperson kann es ab \d+\. \p{L}+ \d{4}/u);
    await page.getByRole("heading", { name: /^Du kaufst von/ }).waitFor();
    await photograph(page, "german-escrow");
    const { value_u64: amount } = await world.node.client.getContractState({ contractID: nativeContractId("escrow"), key: "e:fahrrad:v" });
    expect(amount).toBe(2_500_000);
    expect(await cutOff()).toEqual([]);
  });

  it("make a multisig and pay into it", async () => {
    await goTo(page, "/wallet/multisig");
    await press("Multisig anlegen");
    await review("multisig-create", "Signieren und anlegen", /Du legst ein Multisig mit 1 Mitglied an, das allein/);
    await page.getByRole("heading", { name: "1 von 1 Mitglied stimmt zu" }).waitFor();
    await press("Einzahlen");
    await field("Betrag").fill("1,25");
    await review("multisig-deposit", "Signieren und einzahlen", /Du zahlst 1,25.T in das Multisig ein/);
    const { contracts } = await world.node.client.listContracts({});
    const id = contracts.find(({ abi }) => abi.contract === "multisig")?.contract_id ?? "";
    await expect.poll(async () => (await world.node.client.getContract({ contractID: id })).balance_ut).toBe(1_250_000);
    await photograph(page, "german-multisig");
    expect(await cutOff()).toEqual([]);
  });

  it("deploy a contract", async () => {
    await goTo(page, "/explorer/deploy");
    await page.getByRole("button", { name: /^Modul/ }).setInputFiles({
      name: "Klingel.wasm",
      mimeType: "application/wasm",
      buffer: Buffer.from(buildModule({ functions: [{ export: "ring", code: [] }] })),
    });
    await page.getByText("Gebühr, nach Größe").waitFor();
    await review("deploy", "Signieren und bereitstellen", /Du stellst den Vertrag „klingel“ bereit/);
    await page.getByText("Der Vertrag ist bereitgestellt").waitFor();
    await photograph(page, "german-deploy-done");
    expect(await cutOff()).toEqual([]);
  });

  it("register a name", async () => {
    await goTo(page, "/settings/profile");
    await field("Benutzername").fill("anna-vom-berg");
    await page.getByText(/@anna-vom-berg ist verfügbar\. Einmaliger Preis: [\d,]+.T\./).waitFor();
    await press("Registrieren");
    await photograph(page, "german-username-review");
    await sign(page, "Signieren und registrieren", /Der Name @anna-vom-berg gehört dann dir/);
    await page.getByText("@anna-vom-berg", { exact: true }).waitFor();
    await photograph(page, "german-username");
    expect(await cutOff()).toEqual([]);
  });

  it("select messages, narrow the search, and look at notices, storage and backups", async () => {
    await goTo(page, `/inbox/${annasKey}`);
    const note = page.getByRole("main").getByRole("textbox").last();
    for (const text of ["Brot und https://brot.example", "Milch"]) {
      await note.fill(text);
      await note.press("Enter");
      await page.getByRole("article").filter({ hasText: text }).waitFor();
    }
    await page
      .getByRole("article")
      .filter({ hasText: "Milch" })
      .locator("time")
      .click({ modifiers: ["Control"] });
    await page.getByText("1 Nachricht ausgewählt").waitFor();
    await page.keyboard.press("Shift+ArrowUp");
    await page.getByText("2 Nachrichten ausgewählt").waitFor();
    await photograph(page, "german-select");
    expect(await cutOff()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+f");
    await page.getByRole("searchbox", { name: "In diesem Chat suchen" }).waitFor();
    await page.getByRole("main").getByRole("button", { name: "Suchfilter" }).last().click();
    await page.getByRole("dialog", { name: "Suchfilter" }).getByRole("checkbox", { name: "Links" }).click();
    await photograph(page, "german-search-filters");
    expect(await cutOff()).toEqual([]);
    expect(await unreachableInLowWindow(page), "at 200 % zoom").toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByText("1 von 1").waitFor();
    for (const [section, text] of [
      ["notifications", "Kein Chat ist stumm."],
      ["storage", /^2 Nachrichten$/],
      ["backup", "Noch keines"],
    ] as const) {
      await goTo(page, `/settings/${section}`);
      await page.getByText(text).first().waitFor();
      await photograph(page, `german-settings-${section}`);
      expect(await cutOff()).toEqual([]);
      expect(await unreachableInLowWindow(page), "at 200 % zoom").toEqual([]);
    }
  });

  it("choose a list of contacts and unlock in a window of 360 px", async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    await goTo(page, "/contacts");
    const lists = page.getByRole("group", { name: "Anzeigen" });
    await lists.waitFor();
    await photograph(page, "german-narrow-contacts");
    expect(await lists.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), "cut off").toBeLessThanOrEqual(0);
    await page.reload();
    const forgot = page.getByRole("button", { name: "Passwort vergessen?" });
    await forgot.waitFor();
    await photograph(page, "german-narrow-lock");
    const [card, button] = [await page.locator("form").boundingBox(), await forgot.boundingBox()];
    expect((button?.x ?? 0) - (card?.x ?? 0), "within the card").toBeGreaterThan(0);
  });
});
