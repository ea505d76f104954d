// The part of the AssemblyScript compiler's syntax tree that is read. Its package is an author's tool and is loaded when it is needed.
import { CodedError } from "#shared/errors/coded-error.ts";

/** What an author does who has no compiler. */
export const COMPILER_MISSING = "The AssemblyScript compiler is not installed: npm install assemblyscript@0.28.20 beside Parley brings it";

/** Kinds of nodes, as the compiler numbers them. */
export const NODE = {
  namedType: 1,
  identifier: 7,
  call: 10,
  literal: 17,
  new: 18,
  propertyAccess: 22,
  export: 36,
  exportDefault: 37,
  import: 43,
  variable: 48,
  class: 52,
  field: 55,
  function: 56,
  method: 59,
  type: 61,
} as const;

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface AstNode {
  readonly kind: number;
  readonly range: Range;
}

export interface Named extends AstNode {
  readonly name: Identifier;
}

export interface Identifier extends AstNode {
  readonly text: string;
}

export interface Decorator extends AstNode {
  readonly name: Identifier;
  readonly args: readonly AstNode[] | null;
}

export interface TypeNode extends AstNode {
  readonly isNullable: boolean;
  readonly name?: { readonly identifier: Identifier; readonly next: unknown };
  readonly typeArguments?: readonly TypeNode[] | null;
}

export interface Declaration extends Named {
  readonly decorators: readonly Decorator[] | null;
  readonly typeParameters?: readonly AstNode[] | null;
}

export interface Parameter extends Named {
  /** 0 for one that must be given. */
  readonly parameterKind: number;
  readonly type: TypeNode;
  readonly initializer: AstNode | null;
}

export interface FunctionNode extends Declaration {
  readonly signature: { readonly parameters: readonly Parameter[]; readonly returnType: TypeNode };
  readonly body: AstNode | null;
}

export interface FieldNode extends Declaration {
  readonly type: TypeNode | null;
  readonly initializer: AstNode | null;
}

export interface ClassNode extends Declaration {
  readonly members: readonly Declaration[];
}

export interface TypeAlias extends Declaration {
  readonly type: TypeNode;
}

export interface VariableStatement extends AstNode {
  readonly declarations: readonly FieldNode[];
}

export interface ImportNode extends AstNode {
  readonly declarations: readonly { readonly name: Identifier; readonly foreignName: Identifier }[] | null;
  /** Of `import * as name`. */
  readonly namespaceName: Identifier | null;
  readonly path: { readonly value: string };
}

/** A source with its statements. */
export interface ParsedSource {
  /** Path in the folder of the contract. */
  readonly path: string;
  readonly text: string;
  readonly statements: readonly AstNode[];
}

interface Diagnostic {
  readonly message: string;
  readonly range: Range | null;
}

interface ParserPackage {
  readonly Parser: new (
    diagnostics: Diagnostic[],
  ) => {
    parseFile(text: string, path: string, isEntry: boolean): void;
    readonly sources: readonly { readonly statements: readonly AstNode[] }[];
  };
}

export type Parse = (path: string, text: string) => ParsedSource;

/** Something that is wrong at a place of a source. */
export class SourceError extends CodedError {
  constructor({ path, text }: Pick<ParsedSource, "path" | "text">, at: number, message: string) {
    const before = text.slice(0, at).split("\n");
    super("CONFIG_INVALID", `${path}:${before.length}:${(before.at(-1) ?? "").length + 1}: ${message}`);
  }
}

/** The compiler's parser. @throws CodedError when the compiler is not installed */
export async function loadParser(): Promise<Parse> {
  const { Parser } = await importParser();
  return (path, text) => {
    const diagnostics: Diagnostic[] = [];
    const parser = new Parser(diagnostics);
    parser.parseFile(text, path, true);
    const [wrong] = diagnostics;
    if (wrong !== undefined) throw new SourceError({ path, text }, wrong.range?.start ?? 0, wrong.message);
    return { path, text, statements: parser.sources[0]?.statements ?? [] };
  };
}

async function importParser(): Promise<ParserPackage> {
  const name = "assemblyscript";
  try {
    return (await import(name)) as ParserPackage;
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", COMPILER_MISSING, { cause });
  }
}

/** Statements of a kind. The caller says what nodes of that kind are. */
export function nodesOf<T extends AstNode>(nodes: readonly AstNode[], kind: number): readonly T[] {
  return nodes.filter((node): node is T => node.kind === kind);
}

/** Visits a node and all below it. */
export function visit(node: AstNode, see: (node: AstNode) => void): void {
  see(node);
  for (const [name, value] of Object.entries(node)) {
    if (name === "range") continue;
    for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value]) if (isNode(item)) visit(item, see);
  }
}

function isNode(value: unknown): value is AstNode {
  return typeof value === "object" && value !== null && "kind" in value && "range" in value && typeof value.kind === "number";
}
