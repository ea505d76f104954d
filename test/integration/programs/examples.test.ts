// Every program of examples/, as a process against a real node, gateway and keyring; the test is the person.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { messagesLink } from "#shared/messenger/serve-programs.ts";
import { endWithTests } from "#test/support/host/end-with-tests.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { cleanEnvironment, projectRoot } from "#test/support/nodes/run-program.ts";
import { keyOf } from "#test/support/worlds/app-world.ts";
import { ProgramWorld } from "#test/support/worlds/program-world.ts";
import { RealDevice } from "#test/support/worlds/real-device.ts";

const [BOB, CAROL] = [keyOf(1), keyOf(2)];

let world: ProgramWorld;
const programs: Program[] = [];

beforeAll(async () => {
  world = await ProgramWorld.create();
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.kill();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** A running example. */
class Program {
  readonly child: ChildProcess;
  text = "";

  constructor(name: string, ...args: readonly string[]) {
    const env = { ...cleanEnvironment(), PARLEY_ENDPOINT: world.endpointFile, PARLEY_TOKEN_FILE: world.path(`tokens/${name}`) };
    this.child = spawn(process.execPath, ["--conditions=parley-source", join("examples", `${name}.ts`), ...args], {
      cwd: projectRoot,
      env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    endWithTests(this.child);
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.text += text;
      });
    programs.push(this);
  }

  /** What it printed, once it fits. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    return await pollUntil(() => pattern.exec(this.text) ?? this.#ended(pattern), { what: `${pattern} in ${this.text}` });
  }

  /** The person types what the program shows. */
  async letIn(chosen: readonly string[] = []): Promise<void> {
    const [, first = "", second = ""] = await this.says(/type (\d{3}) (\d{3})/i);
    await world.letIn(first + second, { chosen });
  }

  async exit(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
    return this.child.exitCode;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.exit();
  }

  #ended(pattern: RegExp): undefined {
    if (this.child.exitCode !== null && this.child.exitCode !== 0 && !pattern.test(this.text)) throw new Error(this.text);
    return undefined;
  }
}

it("shop: an order is delivered once when its invoice is paid, over a kill of shop and gateway", async () => {
  const [file, port] = [world.path("orders.json"), await findFreePort()];
  const shop = new Program("shop", file, String(port));
  await shop.letIn();
  await shop.says(/The shop is open/);
  const request = async (path: string, method = "GET"): Promise<Record<string, unknown>> =>
    (await (await fetch(`http://127.0.0.1:${port}${path}`, { method })).json()) as Record<string, unknown>;
  const [one, two] = [await request("/orders", "POST"), await request("/orders", "POST")];
  expect(one).toMatchObject({ number: "1", state: "open", amount_ut: 1_500_000, address: world.address });
  await world.receive("0.5T", String(one.invoice));
  await shop.says(/Order 1 is partial/);
  await world.receive("1T", String(one.invoice));
  await shop.says(/Order 1 is delivered/);
  await shop.kill();
  await world.stopGateway();
  await world.receive("1.5T", String(two.invoice));
  await world.startGateway();
  const again = new Program("shop", file, String(port));
  await again.says(/Order 2 is delivered/);
  expect(again.text).not.toMatch(/Order 1|type \d/);
  expect(await request("/orders/2")).toMatchObject({ state: "delivered" });
  expect((await fetch(`http://127.0.0.1:${port}/orders/9`)).status).toBe(404);
});

it("payouts: each line is paid once, though the program is killed in the middle and run again", WHOLE_ONLY, async () => {
  const file = world.path("payouts.csv");
  const memos = Array.from({ length: 6 }, (_, index) => `salary ${index + 1}, with thanks`);
  await writeFile(file, ["to,amount,memo", ...memos.map((memo, index) => `${index % 2 === 0 ? BOB : CAROL},0.5T,${memo}`)].join("\n"));
  const first = new Program("payouts", file);
  await first.letIn();
  await first.says(/2: paid/);
  await first.kill();
  const stored = JSON.parse(await readFile(`${file}.state.json`, "utf8")) as { readonly payouts: readonly { readonly state: string }[] };
  expect(stored.payouts.some(({ state }) => state === "paid")).toBe(true);
  expect(stored.payouts.filter(({ state }) => state === "paid").length).toBeLessThan(6);
  const runs = [new Program("payouts", file), new Program("payouts", file), new Program("payouts", file)];
  const codes = await Promise.all(runs.map((run) => run.exit()));
  const [second, ...others] = runs.toSorted((a, b) => (a.child.exitCode ?? 9) - (b.child.exitCode ?? 9));
  expect(codes.toSorted()).toEqual([0, 1, 1]);
  expect(second?.text).toContain("6: paid");
  for (const other of others) expect(other.text).toContain(`Another run pays ${file}`);
  const third = new Program("payouts", file);
  expect([await third.exit(), third.text]).toEqual([0, ""]);
  const { transactions } = await world.client.getAccountFeed({ account_id: world.wallet, limit: 200 });
  const paid = transactions.filter(({ memo }) => memo.startsWith("salary")).map(({ memo }) => memo);
  expect(paid.toSorted()).toEqual(memos);
  expect(await world.balanceOf(BOB)).toBe(1_500_000);
  // What is refused is written down, and the rest is paid.
  await writeFile(file, `${await readFile(file, "utf8")}\n@nobody-has-this,1T,x\n${BOB},0.25T,last`);
  const fourth = new Program("payouts", file);
  expect([await fourth.exit(), fourth.text]).toEqual([1, expect.stringMatching(/7: not paid: .*\n8: paid/)]);
  await writeFile(file, `${BOB},1T,changed`);
  const fifth = new Program("payouts", file);
  expect([await fifth.exit(), fifth.text]).toEqual([1, expect.stringContaining("was changed")]);
});

it("alerts: says large payments and what a contract logs, each once", async () => {
  const { contracts } = await world.client.listWellKnownContracts({});
  const contract = contracts.username_registry?.contract_id ?? "";
  const place = world.path("alerts.place");
  const alerts = new Program("alerts", "2000000", contract, place);
  await alerts.letIn();
  await alerts.says(/Alerts watches/);
  await world.receive("1T", "small");
  await world.receive("2.5T", "large");
  await alerts.says(/2500000 µT from [0-9a-f]{64}/);
  expect(alerts.text).not.toContain("1000000 µT");
  const savedPlace = (): string => (existsSync(place) ? readFileSync(place, "utf8") : "");
  const before = savedPlace();
  await world.registerName("alerted");
  await alerts.says(/Block \d+: .*alerted/);
  // It says a line and then saves its place: killed in between, it says the line once more.
  await pollUntil(() => savedPlace() !== before, { what: "the place" });
  await alerts.kill();
  const again = new Program("alerts", "2000000", contract, place);
  await again.says(/Alerts watches/);
  await world.receive("3T", "larger");
  await again.says(/3000000 µT/);
  expect(again.text).not.toMatch(/alerted|2500000/);
});

it("assistant: lists the tools of the MCP server and calls them", async () => {
  const server = [process.execPath, "node/main.ts", "mcp", "--pay", "each=2T,total=10T/day,to=any"];
  const assistant = new Program("assistant", ...server);
  await assistant.says(/pay: Orders a payment/);
  assistant.child.stdin?.write("balance\n");
  const shows = async (): Promise<RegExpExecArray | undefined> => {
    assistant.child.stdin?.write("balance\n");
    return /type (\d{3}) (\d{3}), then/.exec(assistant.text) ?? undefined;
  };
  const [, first = "", second = ""] = await pollUntil(shows, { intervalMs: 300, what: "the digits" });
  await world.letIn(first + second);
  const works = (): boolean => {
    assistant.child.stdin?.write("balance\n");
    return assistant.text.includes('"balance_ut"');
  };
  await pollUntil(works, { intervalMs: 300, what: "the balance" });
  const before = await world.balanceOf(CAROL);
  assistant.child.stdin?.write("pay {oops}\n");
  assistant.child.stdin?.write(`pay ${JSON.stringify({ to: CAROL, amount: "1T" })}\n`);
  await world.answer(true);
  await pollUntil(async () => (await world.balanceOf(CAROL)) === before + 1_000_000, { what: "the payment" });
  assistant.child.stdin?.end();
  expect(await assistant.exit()).toBe(0);
});

it("echo bot: in 20 lines, answers each message once, also what came while it did not run", async () => {
  expect(readFileSync(join(projectRoot, "examples/echo-bot.ts"), "utf8").trim().split("\n").length).toBeLessThanOrEqual(20);
  const { me, friend } = await friends();
  world.messages = messagesLink(me.messenger);
  await world.stopGateway();
  await world.startGateway();
  const bot = new Program("echo-bot");
  await bot.letIn([friend.account.masterPub]);
  await bot.says(/Echo listens/);
  // The clocks of both devices are the test's: what comes now comes after the connection.
  for (const { time } of [me, friend]) time.advance(600_000);
  await friend.messenger.sendText(me.account.masterPub, "hello");
  await untilChat(["hello", "hello"]);
  await bot.kill();
  await friend.messenger.sendText(me.account.masterPub, "are you there?");
  await untilChat(["hello", "hello", "are you there?"]);
  const again = new Program("echo-bot");
  await untilChat(["hello", "hello", "are you there?", "are you there?"]);
  expect(again.text).toBe("Echo listens.\n");
  await again.kill();
  for (const device of [me, friend]) await device[Symbol.asyncDispose]();

  /** What the friend reads. */
  async function untilChat(expected: readonly string[]): Promise<void> {
    let texts: readonly string[] = [];
    const isThere = async (): Promise<boolean> => {
      for (const { time } of [me, friend]) time.advance(1_000);
      texts = await textsOf(friend, me.account.masterPub);
      return texts.join("|") === expected.join("|");
    };
    await pollUntil(isThere, { intervalMs: 100, what: expected.join("|") }).catch((error: unknown) => {
      throw new Error(`The chat reads ${texts.join("|")}; the bot said ${programs.map(({ text }) => text).join("|")}`, { cause: error });
    });
  }
});

/** The person's messenger and that of a contact, over the real node. */
async function friends(): Promise<{ readonly me: RealDevice; readonly friend: RealDevice }> {
  const { chain_id: chainId } = await world.client.getNetworkInfo({});
  const { baseUrl } = world.node;
  const options = { baseUrl, otherUrl: baseUrl, chainId, weather: { isCalm: true, random: createRandom(17) }, skewMs: 0 };
  const me = await RealDevice.create({ ...options, phrase: world.phrase });
  const friend = await RealDevice.create(options);
  await world.fund(friend.account.masterPub, 10_000_000);
  for (const device of [me, friend])
    await device.submit({ kind: "linkDevice", deviceName: "Laptop", devicePub: device.account.devicePub }, chainId);
  await friend.submit({ kind: "requestContact", to: me.account.masterPub, amountUt: 5_000 }, chainId);
  await me.submit({ kind: "acceptContact", requester: friend.account.masterPub }, chainId);
  for (const { messenger } of [me, friend]) {
    await messenger.start();
    await pollUntil(async () => {
      await messenger.refreshContacts();
      return messenger.getSnapshot().isDevicePublished === true;
    });
  }
  return { me, friend };
}

async function textsOf({ messenger }: RealDevice, conversation: string): Promise<readonly string[]> {
  const view = messenger.openConversation(conversation);
  await view.loadOlder();
  const { messages } = view.getSnapshot();
  view.close();
  return messages.flatMap(({ body }) => ("text" in body ? [body.text] : []));
}
