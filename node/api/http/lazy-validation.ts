// Validation of input by the schemas of the table. Each is compiled with its first request: a node has more endpoints than most people use,
// and compiling all of them took a third of its start.
import type { FastifyServerOptions } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

type CompilersFactory = NonNullable<NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]>;
type ValidationResult = true | { readonly error: ReturnType<ReturnType<typeof Compile>["Errors"]> };

/** Validator of a schema: true, or what is wrong. */
function compileLazily({ schema }: { readonly schema: unknown }): (value: unknown) => ValidationResult {
  let compiled: ReturnType<typeof Compile> | undefined;
  return (value) => {
    compiled ??= Compile(schema as TSchema);
    return compiled.Check(value) || { error: compiled.Errors(value) };
  };
}

/** Responses are written as they are: handlers give what the types of the table say, and tests hold every response to the document. */
function writeJson(): (value: unknown) => string {
  return (value) => JSON.stringify(value);
}

/** What the server validates and writes with, instead of what it would compile at its start. */
export const lazyCompilers = { buildValidator: () => compileLazily, buildSerializer: () => writeJson } as unknown as CompilersFactory;
