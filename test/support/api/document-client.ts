// A client made from the OpenAPI document alone, as a generator makes one, and a small check of JSON Schema for what it sends and gets:
// nothing here knows the program's own schemas.

/** A JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** What a call is given, by the names of the document. */
export interface DocumentCall {
  /** Parameters of path, query and header. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** Object for JSON bodies, bytes for others. */
  readonly body?: unknown;
  /** Media type of a body that is no JSON. */
  readonly mediaType?: string;
}

/** An operation of the document. */
export interface DocumentOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: JsonRecord }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: JsonRecord }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: JsonRecord }>> }>>;
}

/** A request that the document allows. */
export interface DocumentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** A document with its operations by id. */
export interface DocumentClient {
  readonly operations: ReadonlyMap<string, DocumentOperation>;
  /** @throws Error when the document does not know what the call brings, or misses what it does not. */
  request(operationId: string, call: DocumentCall): DocumentRequest;
  /** What the document finds wrong with a response; undefined when it fits. */
  problemOf(
    operationId: string,
    response: { readonly status: number; readonly contentType: string; readonly body: string },
  ): string | undefined;
}

/** Client of a document. */
export function createDocumentClient(document: JsonRecord): DocumentClient {
  const operations = readOperations(document);
  const find = (operationId: string): DocumentOperation => {
    const operation = operations.get(operationId);
    if (operation === undefined) throw new Error(`The document has no operation ${operationId}`);
    return operation;
  };
  return {
    operations,
    request: (operationId, call) => requestOf(document, find(operationId), call),
    problemOf: (operationId, { status, contentType, body }): string | undefined => {
      const { responses } = find(operationId);
      const content = responses[String(status)]?.content;
      if (responses[String(status)] === undefined) return `the status ${status} is not documented`;
      const mediaType = contentType.split(";")[0] ?? "";
      if (content?.[mediaType] === undefined) return `the media type ${mediaType} is not documented`;
      const { schema } = content[mediaType];
      return mediaType === "application/json" && schema !== undefined ? problemIn(document, schema, JSON.parse(body)) : undefined;
    },
  };
}

function readOperations(document: JsonRecord): ReadonlyMap<string, DocumentOperation> {
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [operation.operationId, { ...operation, method: method.toUpperCase(), path }] as const,
      ),
    ),
  );
}

function requestOf(
  document: JsonRecord,
  operation: DocumentOperation,
  { parameters = {}, body, mediaType }: DocumentCall,
): DocumentRequest {
  const left = new Map(Object.entries(parameters));
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let { path } = operation;
  for (const { name, in: location, required, schema } of operation.parameters) {
    const value = left.get(name);
    left.delete(name);
    if (value === undefined) {
      if (required) throw new Error(`${operation.operationId} needs ${name}`);
      continue;
    }
    const problem = problemIn(document, schema, value);
    if (problem !== undefined) throw new Error(`${operation.operationId}: ${name} ${problem}`);
    if (location === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (location === "query") query.set(name, String(value));
    else headers[name] = String(value);
  }
  if (left.size > 0) throw new Error(`${operation.operationId} does not take ${[...left.keys()].join(", ")}`);
  const search = query.size === 0 ? "" : `?${query}`;
  return { method: operation.method, path: `${path}${search}`, headers, ...bodyOf(document, operation, { body, mediaType, headers }) };
}

function bodyOf(
  document: JsonRecord,
  { operationId, requestBody }: DocumentOperation,
  call: { readonly body: unknown; readonly mediaType: string | undefined; readonly headers: Record<string, string> },
): Pick<DocumentRequest, "body"> {
  if ((requestBody === undefined) !== (call.body === undefined))
    throw new Error(`${operationId}: the document and the call disagree about a body`);
  if (requestBody === undefined) return { body: undefined };
  const mediaType = call.mediaType ?? "application/json";
  const content = requestBody.content[mediaType];
  if (content === undefined) throw new Error(`${operationId} takes no body of ${mediaType}`);
  call.headers["content-type"] = mediaType;
  if (mediaType !== "application/json") return { body: call.body as Uint8Array };
  const problem = content.schema === undefined ? undefined : problemIn(document, content.schema, call.body);
  if (problem !== undefined) throw new Error(`${operationId}: the body ${problem}`);
  return { body: JSON.stringify(call.body) };
}

/** What a JSON Schema finds wrong with a value, as far as the document uses JSON Schema; an unknown keyword is a fault of the check. */
export function problemIn(document: JsonRecord, schema: JsonRecord, value: unknown, location = "value"): string | undefined {
  const { $ref, ...keywords } = schema;
  if (typeof $ref === "string") return problemIn(document, componentOf(document, $ref), value, location);
  for (const [keyword, argument] of Object.entries(keywords)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const rule = RULES[keyword];
    if (rule === undefined) throw new Error(`The document uses the keyword ${keyword}, which no client would expect`);
    const problem = rule({ document, schema, argument, value, location });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface RuleInput {
  readonly document: JsonRecord;
  readonly schema: JsonRecord;
  readonly argument: unknown;
  readonly value: unknown;
  readonly location: string;
}

const ANNOTATIONS = new Set(["examples", "description", "default", "format", "title", "x-clamp"]);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isRecord,
};

const RULES: Readonly<Record<string, (input: RuleInput) => string | undefined>> = {
  type: ({ argument, value, location }) =>
    TYPES[String(argument)]?.(value) === true ? undefined : `${location} is no ${String(argument)}`,
  const: ({ argument, value, location }) => (value === argument ? undefined : `${location} is not ${JSON.stringify(argument)}`),
  enum: ({ argument, value, location }) =>
    (argument as readonly unknown[]).includes(value) ? undefined : `${location} is none of ${JSON.stringify(argument)}`,
  minimum: ({ argument, value, location }) => (Number(value) >= Number(argument) ? undefined : `${location} is below ${String(argument)}`),
  maximum: ({ argument, value, location }) => (Number(value) <= Number(argument) ? undefined : `${location} is above ${String(argument)}`),
  minLength: ({ argument, value, location }) => (String(value).length >= Number(argument) ? undefined : `${location} is too short`),
  maxLength: ({ argument, value, location }) => (String(value).length <= Number(argument) ? undefined : `${location} is too long`),
  minItems: ({ argument, value, location }) =>
    (value as readonly unknown[]).length >= Number(argument) ? undefined : `${location} has too few`,
  maxItems: ({ argument, value, location }) =>
    (value as readonly unknown[]).length <= Number(argument) ? undefined : `${location} has too many`,
  pattern: ({ argument, value, location }) => (new RegExp(String(argument)).test(String(value)) ? undefined : `${location} does not match`),
  required: ({ argument, value, location }) => {
    const missing = (argument as readonly string[]).find((name) => !Object.hasOwn(value as object, name));
    return missing === undefined ? undefined : `${location} has no ${missing}`;
  },
  properties: ({ document, argument, value, location }) =>
    Object.entries(argument as Readonly<Record<string, JsonRecord>>)
      .filter(([name]) => isRecord(value) && Object.hasOwn(value as object, name))
      .map(([name, schema]) => problemIn(document, schema, (value as JsonRecord)[name], `${location}.${name}`))
      .find((problem) => problem !== undefined),
  additionalProperties: ({ schema, argument, value, location }) => {
    if (argument !== false) return undefined;
    const known = Object.keys((schema.properties ?? {}) as object);
    const extra = Object.keys(value as object).find((name) => !known.includes(name));
    return extra === undefined ? undefined : `${location} has ${extra}, which is not documented`;
  },
  patternProperties: ({ document, argument, value, location }) =>
    Object.entries(argument as Readonly<Record<string, JsonRecord>>)
      .flatMap(([pattern, schema]) =>
        Object.entries(value as JsonRecord).map(([name, item]) =>
          new RegExp(pattern).test(name) ? problemIn(document, schema, item, `${location}.${name}`) : undefined,
        ),
      )
      .find((problem) => problem !== undefined),
  items: ({ document, argument, value, location }) =>
    (value as readonly unknown[])
      .map((item, index) => problemIn(document, argument as JsonRecord, item, `${location}[${index}]`))
      .find((problem) => problem !== undefined),
  anyOf: ({ document, argument, value, location }) => {
    const problems = (argument as readonly JsonRecord[]).map((schema) => problemIn(document, schema, value, location));
    return problems.includes(undefined) ? undefined : problems.join(" and ");
  },
};

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function componentOf(document: JsonRecord, reference: string): JsonRecord {
  const [, name = ""] = /^#\/components\/schemas\/(\w+)$/.exec(reference) ?? [];
  const component = ((document.components as JsonRecord).schemas as Readonly<Record<string, JsonRecord>>)[name];
  if (component === undefined) throw new Error(`The document refers to ${reference}, which is not in it`);
  return component;
}
