// JSON Schema validation by the OpenAPI document with ajv, which shares no code with the program's own checks.
import { Ajv2020 } from "ajv/dist/2020.js";

/** Checks values by schemas of one document. */
export class DocumentValidator {
  readonly #ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    keywords: ["x-clamp"],
    formats: { uint64: true },
  });

  constructor(document: { readonly components: { readonly schemas: object } }) {
    this.#ajv.addSchema({ $id: "api", $defs: pointed(document.components.schemas) });
  }

  /** What is wrong with a value; undefined when it fits. */
  problemOf(schema: object, value: unknown): string | undefined {
    return this.#ajv.validate(pointed(schema), value) ? undefined : this.#ajv.errorsText();
  }
}

function pointed(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "api#/$defs/")) as object;
}
