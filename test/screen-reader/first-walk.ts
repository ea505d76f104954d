// The first walk: the first run with the words, lock and unlock, contacts, a chat with reply and reaction, a payment, the palette, Settings.
import { acceptContact, createIdentity, openView, PASSWORD, requestContact } from "../e2e/support/person.ts";
import type { Scene } from "./scene.ts";

/** Ends with two contacts who have a chat. */
export async function walkFirst({ walk, desk, bob, baseUrl }: Scene): Promise<void> {
  const { page, press, type } = desk;
  const field = (name: string | RegExp): ReturnType<typeof page.getByRole> => page.getByRole("textbox", { name, exact: true });

  await walk.step("First run", () => page.getByRole("button", { name: /^Create a new/ }).waitFor());
  await walk.pressAt("First run: create an identity", /^Create a new/);
  await field(/^Name/).fill("Ann");
  await walk.pressAt("First run: continue", /^Continue/);
  await press("Tab", "shift+Tab");
  await walk.step("First run: a weak password", () => type("abc"));
  await field("Password").fill(PASSWORD);
  await walk.reach(/^Repeat/);
  await walk.step("First run: a different repetition", () => type("x"));
  await walk.step("First run: it is submitted", () => press("Return"));
  await field("Repeat the password").fill(PASSWORD);
  await walk.pressAt("First run: make the keys", /^Create my keys/);
  await page.getByRole("button", { name: "Show the words" }).waitFor();
  await walk.pressAt("First run: show the words", /^Show the words/);
  await walk.step("First run: two lines down", () => press("Down", "Down"));
  const words = (await page.getByRole("listitem").allTextContents()).map((item) => item.replace(/^\s*\d+\s*/, "").trim());
  await walk.pressAt("First run: they are written down", /^I wrote them/);
  await field(/^Word \d+/)
    .first()
    .waitFor();
  for (const box of await field(/^Word \d+/).all()) {
    const label = await box.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent ?? input.ariaLabel ?? "");
    await box.fill(words[Number(/\d+/.exec(label)?.[0]) - 1] ?? "");
  }
  await walk.pressAt("First run: check the copy", /^Check/);
  const address =
    /pl1[a-z0-9]{58}/.exec(
      (await page
        .getByText(/pl1[a-z0-9]{58}/)
        .first()
        .textContent()) ?? "",
    )?.[0] ?? "";
  await walk.pressAt("First run: test tokens", /^Get test tokens/);
  await walk.pressAt("First run: open Parley", /^Open Parley/);
  await createIdentity(bob, baseUrl, "Bob");
  await walk.step("A contact request comes", () => requestContact(bob, address, "It is Bob."));
  await acceptContact(page, "Bob");
  await desk.heard();
  await walk.pressAt("Lock", /^Lock now/);
  await walk.step("Unlock: a wrong password", async () => {
    await type("wrong");
    await press("Return");
  });
  await field("Password").fill(PASSWORD);
  await walk.step("Unlock", () => press("Return"));
  await walk.pressAt("Inbox", /^Inbox/);
  await walk.reach(/^Search messages/);
  await walk.tabThrough("The list of chats", 3);
  await walk.pressAt("Open the chat", /^Bob/);
  await field(/^Message to/).waitFor();
  await openView(bob, "Inbox");
  await bob.getByRole("link", { name: /^Ann/ }).first().click();
  await walk.step("Bob writes", async () => {
    await bob.getByRole("textbox", { name: /^Message to/ }).fill("Lunch at noon? 😀");
    await bob.keyboard.press("Enter");
    await page.getByRole("article").filter({ hasText: "Lunch at noon?" }).waitFor();
  });
  await walk.step("An answer is typed and sent", async () => {
    await type("Yes, at the harbour");
    await press("Return");
  });
  await walk.tabThrough("From the field back through the messages", 8, "shift+Tab");
  await walk.pressAt("Reply", /^Reply$/, "shift+Tab");
  await walk.step("The reply ends", () => press("Escape"));
  await walk.pressAt("React", /^React$/, "shift+Tab");
  await walk.tabThrough("React", 2);
  await walk.step("React: one is picked", () => press("Return"));
  await walk.pressAt("Pay: the form", /^Pay or request/);
  await page.getByRole("textbox", { name: "Amount" }).waitFor();
  await walk.step("Pay: an amount", () => type("2"));
  await walk.tabThrough("Pay", 3);
  await walk.pressAt("Pay: review", /^Review payment/);
  await page.getByRole("button", { name: /^(Sign|Unlock) and send/ }).waitFor();
  await walk.tabThrough("Pay: review", 3);
  await walk.pressAt("Pay: sign", /^(Sign|Unlock) and send/);
  await walk.step("The palette", () => press("ctrl+k"));
  await walk.step("The palette: a word", () => type("set"));
  await walk.tabThrough("The palette", 2, "Down");
  await walk.step("The palette closes", () => press("Escape"));
  await walk.pressAt("Settings", /^Settings/);
  await walk.tabThrough("Settings", 5);
}
