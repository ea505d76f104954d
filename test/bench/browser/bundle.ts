// A module of the project as one script for a page or a Worker of the benchmark.
import { build } from "vite";
import { projectRoot } from "../../support/nodes/run-program.ts";

/** Bundles a module with everything it needs. */
export async function bundle(entry: string): Promise<string> {
  const result = await build({
    root: projectRoot,
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: {
      write: false,
      minify: false,
      target: "esnext",
      lib: { entry, formats: ["es"], fileName: "page" },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output !== undefined && "output" in output ? output.output.find(({ type }) => type === "chunk") : undefined;
  if (chunk?.type !== "chunk") throw new Error(`${entry} was not bundled`);
  return chunk.code;
}
