// A backlog of version 2 in a browser: opened, stored and deleted at a real node, with the keyring in a Worker and the interface left out.
import type { JSHandle, Page } from "playwright-core";
import { openProfile } from "../../e2e/support/browser-profile.ts";
import { createTemporaryFolder } from "../../support/host/temporary-folder.ts";
import { startNode } from "../../support/nodes/start-node.ts";
import type { BacklogPerson } from "./backlog-page.ts";
import { fund, openEngine, processorOfChildren } from "./engine-page.ts";

/** Messages that are written until both write version 2, a second apart. */
const MOST_FIRST = 90;

/** One reading of a backlog. */
export interface BacklogRound {
  /** Until the last message is stored. */
  readonly ms: number;
  /** Processor time of the reader's browser and the node, until a second later. */
  readonly processorMs: number;
}

/** Reads so many messages, which waited while their reader was away, in each round. */
export async function measureBacklog(messages: number, rounds: number): Promise<readonly BacklogRound[]> {
  await using folder = await createTemporaryFolder();
  await using node = await startNode({ dataDir: folder.path });
  await using annProfile = await openProfile();
  await using bobProfile = await openProfile();
  const open = (page: Page): Promise<JSHandle<BacklogPerson>> =>
    openEngine<BacklogPerson>(page, node.baseUrl, "test/bench/browser/backlog-page.ts", "openBacklogPerson");
  const [ann, bob] = [await open(annProfile.page), await open(bobProfile.page)];
  const keys = { ann: await ann.evaluate(({ masterPub }) => masterPub), bob: await bob.evaluate(({ masterPub }) => masterPub) };
  await fund(node, [keys.ann, keys.bob]);
  for (const person of [ann, bob]) {
    await person.evaluate((one) => one.link());
    await person.evaluate((one) => one.start());
  }
  await getAcquainted({ person: ann, page: annProfile.page, peer: keys.bob }, { person: bob, page: bobProfile.page, peer: keys.ann });
  const read: BacklogRound[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await bob.evaluate((one) => one.stop());
    await ann.evaluate((one, [peer, count]) => one.fill(peer, count), [keys.bob, messages] as const);
    const before = processorOfChildren();
    const ms = await bob.evaluate((one, [peer, count]) => one.read(peer, count), [keys.ann, messages] as const);
    // The last ones are deleted at the node.
    await bobProfile.page.waitForTimeout(1_000);
    read.push({ ms, processorMs: processorOfChildren() - before });
  }
  for (const person of [ann, bob]) await person.evaluate((one) => one.stop());
  return read;
}

interface Acquainted {
  readonly person: JSHandle<BacklogPerson>;
  readonly page: Page;
  readonly peer: string;
}

/** Both write until what leaves goes to boxes for one person, which version 2 alone has. */
async function getAcquainted(...people: readonly Acquainted[]): Promise<void> {
  const writes = new Set<Page>();
  for (const { page } of people)
    page.on("request", (request) => {
      if (request.url().endsWith("/relay/broadcast") && request.postData()?.includes('"admit"') === true) writes.add(page);
    });
  for (let count = 0; writes.size < people.length; count += 1) {
    if (count === MOST_FIRST) throw new Error("Two people of the benchmark never wrote version 2");
    for (const { person, peer } of people) await person.evaluate((one, to) => one.write(to, "Hello"), peer);
    await people[0]?.page.waitForTimeout(1_000);
  }
  for (const { page } of people) page.removeAllListeners("request");
}
