import { expect, it } from "vitest";
import { apiOptions } from "#node/composition/node-start.ts";
import { mergeNodeConfig } from "#node/config/node-config.ts";

it("serves the interface, built or not, unless that is switched off", () => {
  const optionsFor = (disableUi: boolean): unknown =>
    apiOptions(mergeNodeConfig({ flags: {}, environment: { isLaunched: false, disableUi }, defaultDataDir: "/default" }, {})).interfaceDir;
  expect([optionsFor(false), optionsFor(true)]).toEqual([expect.stringMatching(/dist.renderer$/), undefined]);
});
