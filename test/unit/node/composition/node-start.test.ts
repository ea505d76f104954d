import { existsSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { apiOptions } from "#node/composition/node-start.ts";
import { mergeNodeConfig } from "#node/config/node-config.ts";

vi.mock("node:fs", { spy: true });

it("serves the built interface unless that is switched off", () => {
  const optionsFor = (disableUi: boolean): unknown =>
    apiOptions(mergeNodeConfig({ flags: {}, environment: { isLaunched: false, disableUi }, defaultDataDir: "/default" }, {})).interfaceDir;
  vi.mocked(existsSync).mockReturnValue(true);
  expect([optionsFor(false), optionsFor(true)]).toEqual([expect.stringMatching(/dist.renderer$/), undefined]);
  vi.mocked(existsSync).mockReturnValue(false);
  expect(optionsFor(false)).toBeUndefined();
});
