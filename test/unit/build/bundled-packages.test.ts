// What the list of a release holds: the packages whose code is in it, and no other.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { billOfMaterials, bundledPackages, FONT_PACKAGES, noticesText } from "#build/scripts/release/bundled-packages.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const LIST = {
  metadata: { component: { "bom-ref": "parley@1" } },
  components: [
    { name: "react", version: "19.3.1", "bom-ref": "react@19.3.1" },
    { name: "vitest", version: "5.1.1", "bom-ref": "vitest@5.1.1" },
  ],
  dependencies: [
    { ref: "parley@1", dependsOn: ["react@19.3.1", "vitest@5.1.1"] },
    { ref: "react@19.3.1" },
    { ref: "vitest@5.1.1", dependsOn: ["react@19.3.1"] },
  ],
};

it("finds the packages in source maps, scoped and nested ones too, wherever the bundler stood", async () => {
  await using folder = await createTemporaryFolder();
  mkdirSync(join(folder.path, "below"));
  const sources = ["../../shared/a.ts", "../node_modules/react/index.js", "../../../../node_modules/@scure/base/index.js"];
  writeFileSync(join(folder.path, "one.js.map"), JSON.stringify({ sources }));
  writeFileSync(join(folder.path, "below/two.js.map"), JSON.stringify({ sources: ["node_modules/react/jsx-runtime.js"] }));
  const packages = bundledPackages([folder.path]);
  expect(packages.map(({ name }) => name)).toEqual(["@scure/base", "react"]);
  expect(noticesText(packages)).toMatch(/^@scure\/base \d.+ \(MIT\)\n\n[\s\S]+\n-{80}\n\nreact 19\.[\s\S]+Permission is hereby granted/);
});

it("knows the packages of every font that the style sheet and the build name, with their licence", () => {
  const sheet = readFileSync(join(ROOT, "renderer/components/styles/fonts.css"), "utf8");
  const cutter = readFileSync(join(ROOT, "build/vite/emoji/emoji-fonts.ts"), "utf8");
  const named = new Set([...`${sheet}${cutter}`.matchAll(/(?:url\("|node_modules\/)(@fontsource[^/]*\/[^/]+)\//g)].map(([, name]) => name));
  const packages = bundledPackages([], FONT_PACKAGES);
  expect(packages.map(({ name }) => name).sort()).toEqual([...named].sort());
  expect(noticesText(packages).match(/SIL OPEN FONT LICENSE Version 1\.1/gi)).toHaveLength(named.size);
});

it("leaves out of the list what is in no bundle", () => {
  const react = { name: "react", version: "19.3.1", license: "MIT", folder: "" };
  expect(JSON.parse(billOfMaterials(JSON.stringify(LIST), [react]))).toEqual({
    metadata: LIST.metadata,
    components: [LIST.components[0]],
    dependencies: [
      { ref: "parley@1", dependsOn: ["react@19.3.1"] },
      { ref: "react@19.3.1", dependsOn: [] },
    ],
  });
  expect(() => billOfMaterials(JSON.stringify(LIST), [{ ...react, version: "20.0.0" }])).toThrow("lacks react@20.0.0");
});
