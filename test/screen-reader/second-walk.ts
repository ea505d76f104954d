// The second walk: a group, a poll, a voice message, a confirmation, the Explorer, linking of a device, and a part of it in German.
import { openView } from "../e2e/support/person.ts";
import type { Scene } from "./scene.ts";

/** Begins in the app, with Bob as a contact. */
export async function walkSecond(scene: Scene): Promise<void> {
  const { walk } = scene;
  await walk.topic("Group", () => makeGroup(scene));
  await walk.topic("Poll", () => takePoll(scene));
  await walk.topic("Voice", () => recordVoice(scene));
  await walk.topic("Confirmation", () => confirmOnce(scene));
  await walk.topic("Explorer", () => lookAround(scene));
  await walk.topic("Device", () => linkDevice(scene));
  await walk.topic("German", () => speakGerman(scene));
}

async function makeGroup({ walk, desk: { page, press, type }, bob }: Scene): Promise<void> {
  await walk.pressAt("Inbox", /^Inbox/);
  await walk.pressAt("New message", /^New message/);
  await walk.pressAt("New group", /^New group/);
  await page.getByRole("textbox", { name: "Group name" }).waitFor();
  await walk.reach(/^Group name/);
  await walk.step("Group: its name is typed", () => type("Hikes"));
  await walk.reach(/^Bob/);
  await walk.step("Group: Bob is chosen", () => press("space"));
  await walk.pressAt("Group: it is made", /^Create group/);
  await page.getByText("You created the group").first().waitFor();
  await openView(bob, "Inbox");
  await bob.getByRole("link", { name: /^Hikes/ }).click();
  await walk.step("Group: Bob writes", async () => {
    await bob.getByRole("textbox", { name: /^Message to/ }).fill("Up the ridge?");
    await bob.keyboard.press("Enter");
    await page.getByRole("article").filter({ hasText: "Up the ridge?" }).waitFor();
  });
}

async function takePoll({ walk, desk: { page, press, type }, bob }: Scene): Promise<void> {
  await walk.pressAt("Poll: Attach", /^Attach/);
  await walk.reach(/^Poll/, "Down");
  await walk.step("Poll: the form", () => press("Return"));
  await page.getByRole("dialog", { name: "New poll" }).waitFor();
  await walk.reach(/^Question/);
  await walk.step("Poll: the question", () => type("Which day?"));
  await walk.reach(/^Answer 1/);
  await walk.step("Poll: an answer", () => type("Saturday"));
  await walk.reach(/^Answer 2/);
  await walk.step("Poll: the same answer", () => type("Saturday"));
  await page.getByRole("textbox", { name: "Answer 2" }).fill("Sunday");
  await walk.pressAt("Poll: it is sent", /^Send poll/);
  const poll = bob.getByRole("article").filter({ hasText: "Which day?" });
  await poll.getByRole("button", { name: "Sunday" }).waitFor();
  await walk.step("Poll: Bob votes", () => poll.getByRole("button", { name: "Sunday" }).click());
  await walk.reach(/^Sunday/, "shift+Tab");
  await walk.tabThrough("Poll: an answer", 1, "shift+Tab");
  await walk.step("Poll: a vote", () => press("Return"));
  await walk.pressAt("Poll: it is closed", /^Close poll/);
}

async function recordVoice({ walk, desk: { page, press } }: Scene): Promise<void> {
  await walk.pressAt("Voice: it is recorded", /^Record a voice message/);
  const recorder = page.getByRole("group", { name: /^Voice message/ });
  await recorder.getByText(/^0:0[2-9]$/).waitFor();
  await walk.tabThrough("Voice: while it is recorded", 2);
  await walk.pressAt("Voice: it is sent", /^Send voice message/);
  const position = page.getByRole("article").getByRole("slider", { name: "Position" }).last();
  await position.waitFor();
  await walk.reach(/^Position/, "shift+Tab");
  await walk.step("Voice: the place in it", () => press("Right"));
  await walk.pressAt("Voice: it is played", /^Play/, "shift+Tab");
}

async function confirmOnce({ walk, desk: { page, press } }: Scene): Promise<void> {
  await walk.reach(/^Actions for this message/, "shift+Tab");
  await press("Return");
  await walk.reach(/^Delete for me/, "Down");
  await walk.step("Confirmation: it opens", () => press("Return"));
  await page.locator("[data-confirmation]").waitFor();
  await walk.tabThrough("Confirmation", 2);
  await walk.step("Confirmation: Escape", () => press("Escape"));
}

async function lookAround({ walk, desk: { page, press } }: Scene): Promise<void> {
  await walk.pressAt("Explorer", /^Explorer/);
  await walk.tabThrough("Explorer", 6);
  await walk.reach(/^All blocks/);
  await walk.step("Explorer: all blocks", () => press("Return"));
  await page.getByRole("heading", { level: 1, name: "Blocks" }).waitFor();
  await walk.tabThrough("Explorer: blocks", 3);
}

async function linkDevice({ walk, desk: { page, press } }: Scene): Promise<void> {
  await walk.pressAt("Settings", /^Settings/);
  await walk.pressAt("Devices", /^Devices/);
  await walk.pressAt("Devices: link one", /^Link a device/);
  await page.getByRole("dialog").waitFor();
  await walk.tabThrough("Devices: the code", 3);
  await walk.step("Devices: Escape", () => press("Escape"));
}

async function speakGerman({ walk, desk: { page, press } }: Scene): Promise<void> {
  await page.evaluate(() => {
    history.pushState(null, "", "/settings/appearance");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await page.getByRole("combobox", { name: "Language" }).click();
  await page.getByRole("option", { name: "Deutsch" }).click();
  await page.getByRole("heading", { level: 1, name: "Aussehen und Sprache" }).waitFor();
  await walk.pressAt("German: the wallet", /^Wallet/);
  await walk.pressAt("German: a payment", /^Senden/);
  await walk.tabThrough("German: a payment", 3);
  await walk.step("German: it closes", () => press("Escape"));
  await walk.pressAt("German: the inbox", /^Inbox/);
  await walk.pressAt("German: a chat", /^Bob/);
  await walk.tabThrough("German: a chat", 3, "shift+Tab");
}
