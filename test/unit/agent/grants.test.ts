// What the owner of an agent does at the command line is no request of a program: it is not held to their number an hour.
import { join } from "node:path";
import { expect, it } from "vitest";
import { openAgentKeyring } from "#agent/keyring/agent-keyring.ts";
import { createGrants } from "#agent/keyring/grants.ts";
import { MAX_REQUESTS_PER_HOUR } from "#shared/apps/app-limits.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const PASSWORD = "correct horse battery staple";

it("lets in more programs at once than may ask in an hour", async () => {
  const folder = await createTemporaryFolder();
  const agent = await openAgentKeyring(join(folder.path, "agent"));
  await agent.keyring.create({ password: PASSWORD });
  await agent.apps.observe({ chainId: "test-chain", height: 1, blockTimeMs: Date.now() });
  const grants = createGrants(agent);
  const allow = (name: string): ReturnType<typeof grants.allow> =>
    grants.allow({ name, scopes: ["read"], names: [], chosen: [], days: 30, password: PASSWORD });
  const names = Array.from({ length: MAX_REQUESTS_PER_HOUR + 1 }, (_, number) => `Program ${number}`);
  const allowed = await Promise.all(names.map(allow));
  expect(allowed.map(({ connection }) => connection.name)).toEqual(names);
  expect(new Set(allowed.map(({ token }) => token)).size).toBe(names.length);
  expect(await grants.list()).toHaveLength(MAX_REQUESTS_PER_HOUR + 1);
  // Programs that ask are counted as before.
  const input = { name: "Asks", reason: "", grant: ["read"], names: [] };
  await agent.apps.openRequest(input);
  await expect(agent.apps.openRequest(input)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  await agent.close();
  await folder.remove();
});
