// An agent as a linked device: a person lets it in at the window, it gets and writes their messages, and never pays.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkAgent } from "#agent/commands/link.ts";
import { nodeSourceOf } from "#agent/commands/node-source.ts";
import { AGENT_PASSWORD, RunningAgent } from "#test/support/nodes/running-agent.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { acceptContact, createIdentity, openView, PASSWORD, requestContact, write } from "./support/person.ts";

const CODE = /[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}/;

describe("linking an agent", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;
  let agent: RunningAgent;
  let aliceAddress: string;
  let bobAddress: string;

  beforeAll(async () => {
    world = await startWorld("agent-link");
    [alice, bob] = await Promise.all([world.enter("alice"), world.enter("bob")]);
    ({ address: aliceAddress } = await createIdentity(alice.page, world.node.baseUrl, "Alice"));
    ({ address: bobAddress } = await createIdentity(bob.page, world.node.baseUrl, "Bob"));
    await requestContact(bob.page, aliceAddress, "It is Bob.");
    await acceptContact(alice.page, "Bob");
    agent = new RunningAgent(join(world.folder, "agent"), world.node.baseUrl);
    writeFileSync(`${agent.dir}.password`, `${AGENT_PASSWORD}\n`, { mode: 0o600 });
  });

  afterAll(async () => {
    await agent?.stop();
    await world?.[Symbol.asyncDispose]();
  });

  /** The code that Alice's window shows for one more device. */
  async function shownCode(): Promise<string> {
    await openView(alice.page, "Settings");
    await alice.page.getByRole("link", { name: "Devices" }).click();
    await alice.page.getByRole("button", { name: "Link a device" }).click();
    return CODE.exec((await alice.page.getByRole("dialog").getByText(CODE).textContent()) ?? "")?.[0] ?? "";
  }

  /** Runs the command as a person would: types the code of the window at the terminal, and the digits of the terminal at the window. */
  async function link(code: string, change: (digits: string) => string = (digits) => digits): Promise<{ readonly address: string }> {
    const said: string[] = [];
    const digits = Promise.withResolvers<string>();
    const linked = linkAgent(
      { dir: agent.dir, name: "Shop", node: nodeSourceOf({ node: world.node.baseUrl }) },
      {
        passwordFile: `${agent.dir}.password`,
        environment: {},
        terminal: {
          out: (line) => void said.push(line),
          err: (line) => {
            said.push(line);
            const shown = /\b\d\d\b/.exec(line)?.[0];
            if (shown !== undefined) digits.resolve(shown);
          },
          progress: () => undefined,
          askSecret: () => Promise.resolve(code),
        },
      },
    );
    linked.catch(digits.reject);
    await alice.page.getByRole("textbox", { name: "Digits shown on the new device" }).fill(change(await digits.promise));
    await alice.page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await alice.page.getByRole("button", { name: "Link this device" }).click();
    const made = await linked;
    expect(said.join("\n")).not.toContain(code);
    return made;
  }

  it("needs the code, the digits and the password; then reads and writes as its person, and never pays", async () => {
    await world.step("refuse wrong digits, and leave the folder empty", async () => {
      const wrong = link(await shownCode(), (digits) => (digits === "00" ? "01" : "00"));
      await expect(wrong).rejects.toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("begin again") });
      await alice.page.keyboard.press("Escape");
      await alice.page.getByRole("dialog").waitFor({ state: "detached" });
    });

    await world.step("link it", async () => {
      expect(await link(await shownCode())).toMatchObject({ address: aliceAddress });
      await alice.page.getByRole("listitem").filter({ hasText: "Shop" }).waitFor();
    });

    await world.step("refuse a second identity in the folder", async () => {
      expect(await agent.attempt(["init", "--phrase-out", `${agent.dir}.phrase`])).toMatchObject({
        stderr: expect.stringContaining("has an agent already"),
      });
    });

    await world.step("get what Bob writes and answer him as Alice", async () => {
      const token = await agent.allow("bot", ["messages.read:in=chosen", "messages.send:to=chosen,rate=50/day"], [bobAddress]);
      const till = await agent.allow("till", ["pay:each=2T,total=3T/day,to=any"]);
      await agent.start("messages");
      await openView(bob.page, "Inbox");
      await bob.page.getByRole("link", { name: /^Alice/ }).click();
      await write(bob.page, "Alice", "Is the shop open?");
      const isMessage = ({ type }: { readonly type: string }): boolean => type === "message";
      const events = await agent.eventsUntil(token, (all) => all.some(isMessage));
      const { body } = await agent.send(`/apps/v1/messages/${events.find(isMessage)?.id}`, { token });
      expect(body.text).toBe("Is the shop open?");
      const notAfter = Math.floor(Date.now() / 1000) + 3_600;
      const answer = { to: bobAddress, text: "Until six.", idempotency_key: "answer-000000001", not_after: notAfter };
      expect(await agent.order("/apps/v1/messages", token, answer)).toMatchObject({ status: 200 });
      await bob.page.getByRole("article").filter({ hasText: "Until six." }).waitFor();
      await openView(alice.page, "Inbox");
      await alice.page.getByRole("link", { name: /^Bob/ }).click();
      for (const text of ["Is the shop open?", "Until six."]) await alice.page.getByRole("article").filter({ hasText: text }).waitFor();
      const payment = { to: bobAddress, amount_ut: 1_000, idempotency_key: "payment-00000001", not_after: notAfter };
      const refused = await agent.order("/apps/v1/payments", till, payment);
      expect(refused).toMatchObject({ status: 423, body: { code: "APP_LOCKED", details: { wallet: true } } });
    });

    await world.step("end, and say why, when it is unlinked at the window", async () => {
      await openView(alice.page, "Settings");
      await alice.page.getByRole("link", { name: "Devices" }).click();
      await alice.page.getByRole("listitem").filter({ hasText: "Shop" }).getByRole("button", { name: "Unlink" }).click();
      await alice.page.locator("[data-confirmation]").getByRole("button", { name: "Unlink" }).click();
      expect(await agent.ended()).toContain("This agent was unlinked");
      expect(await agent.attempt(["run", "--node", world.node.baseUrl])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("link a new folder"),
      });
    });

    expect(alice.errors).toEqual([]);
  });
});
