// Views that write: found where the source shows it, through functions that call each other. The network refuses the rest at the call.
import type { ContractInterface } from "./read-interface.ts";
import { importedPath, type ReadFile } from "./read-sources.ts";
import {
  type AstNode,
  type FieldNode,
  type FunctionNode,
  type Identifier,
  type ImportNode,
  NODE,
  nodesOf,
  type ParsedSource,
  SourceError,
  type VariableStatement,
  visit,
} from "./syntax-tree.ts";

const SDK = "parley";
const WRITERS: ReadonlySet<string> = new Set(["transfer", "burn", "log", "emit"]);
const STORAGE_WRITERS: ReadonlySet<string> = new Set(["set", "setU64", "setBytes", "remove"]);
const COLLECTIONS: ReadonlySet<string> = new Set(["StorageValue", "StorageMap", "StorageSet", "StorageQueue"]);
const COLLECTION_WRITERS: ReadonlySet<string> = new Set(["set", "remove", "add", "push", "pop"]);

/** What the names at the top of a source stand for. */
interface Scope {
  readonly source: ParsedSource;
  /** Of the SDK: the name here, the name there. */
  readonly sdk: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<string, FunctionNode>;
  /** Functions of other files: the name here, the file and the name there. */
  readonly imported: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
  /** Files that were imported whole, by the name here. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly collections: ReadonlyMap<string, FieldNode>;
}

interface Reached {
  readonly scope: Scope;
  readonly node: FunctionNode;
  /** How it was reached from the view, for the message. */
  readonly via: string;
}

/** @throws SourceError at the view that writes */
export function checkViews({ sources, methods }: ContractInterface, read: ReadFile): void {
  const scopes = new Map(sources.map((source) => [source.path, scopeOf(source, read)]));
  const [entry] = sources;
  const scope = entry === undefined ? undefined : scopes.get(entry.path);
  if (scope === undefined) return;
  for (const { node, name, isView } of methods) if (isView) checkView(name, { scope, node, via: "" }, scopes);
}

/** Two collections of one name would write into each other. @throws SourceError */
export function checkCollections({ sources }: ContractInterface, read: ReadFile): void {
  const names = new Map<string, string>();
  for (const source of sources)
    for (const [variable, { initializer }] of scopeOf(source, read).collections) {
      const name = firstText(initializer);
      if (name === undefined || initializer === null) continue;
      const other = names.get(name);
      if (other !== undefined)
        throw new SourceError(source, initializer.range.start, `${other} and ${variable} are two collections of the name "${name}"`);
      names.set(name, variable);
    }
}

function checkView(name: string, start: Reached, scopes: ReadonlyMap<string, Scope>): void {
  const seen = new Set<FunctionNode>([start.node]);
  const open = [start];
  for (let reached = open.pop(); reached !== undefined; reached = open.pop()) {
    const { scope, via, node } = reached;
    visit(node, (found) => {
      if (found.kind !== NODE.call || !("expression" in found)) return;
      const callee = found.expression as AstNode;
      const written = writes(scope, callee);
      if (written !== undefined)
        throw new SourceError(scope.source, found.range.start, `the view ${name} changes something: it calls ${via}${written}`);
      const next = calledFunction(scope, callee, scopes);
      if (next === undefined || seen.has(next.node)) return;
      seen.add(next.node);
      open.push({ ...next, via: `${via}${next.node.name.text} → ` });
    });
  }
}

/** What a call writes with, if it does. */
function writes({ sdk, collections }: Scope, callee: AstNode): string | undefined {
  if (isIdentifier(callee)) return WRITERS.has(sdk.get(callee.text) ?? "") ? callee.text : undefined;
  const member = memberOf(callee);
  if (member === undefined) return undefined;
  const { object, property } = member;
  const isStorage = sdk.get(object) === "storage" && STORAGE_WRITERS.has(property);
  return isStorage || (collections.has(object) && COLLECTION_WRITERS.has(property)) ? `${object}.${property}` : undefined;
}

function calledFunction(scope: Scope, callee: AstNode, scopes: ReadonlyMap<string, Scope>): Omit<Reached, "via"> | undefined {
  const own = isIdentifier(callee) ? scope.functions.get(callee.text) : undefined;
  if (own !== undefined) return { scope, node: own };
  const { path = "", name = "" } = foreignFunction(scope, callee) ?? {};
  const other = scopes.get(path);
  const node = other?.functions.get(name);
  return other === undefined || node === undefined ? undefined : { scope: other, node };
}

/** File and name of a function that was imported by its name, or with all of its file. */
function foreignFunction({ imported, namespaces }: Scope, callee: AstNode): { readonly path: string; readonly name: string } | undefined {
  if (isIdentifier(callee)) return imported.get(callee.text);
  const { object = "", property = "" } = memberOf(callee) ?? {};
  const path = namespaces.get(object);
  return path === undefined ? undefined : { path, name: property };
}

function scopeOf(source: ParsedSource, read: ReadFile): Scope {
  const sdk = new Map<string, string>();
  const imported = new Map<string, { readonly path: string; readonly name: string }>();
  const namespaces = new Map<string, string>();
  for (const statement of nodesOf<ImportNode>(source.statements, NODE.import)) {
    const path = importedPath(source, statement, read);
    if (path !== undefined && statement.namespaceName !== null) namespaces.set(statement.namespaceName.text, path);
    for (const { name, foreignName } of statement.declarations ?? [])
      if (path !== undefined) imported.set(name.text, { path, name: foreignName.text });
      else if (statement.path.value === SDK) sdk.set(name.text, foreignName.text);
  }
  const functions = new Map(nodesOf<FunctionNode>(source.statements, NODE.function).map((node) => [node.name.text, node]));
  const variables = nodesOf<VariableStatement>(source.statements, NODE.variable).flatMap(({ declarations }) => declarations);
  const collections = new Map(
    variables.filter((variable) => isCollection(variable, sdk)).map((variable) => [variable.name.text, variable]),
  );
  return { source, sdk, functions, imported, namespaces, collections };
}

function isCollection({ initializer }: FieldNode, sdk: ReadonlyMap<string, string>): boolean {
  if (initializer?.kind !== NODE.new) return false;
  const { typeName } = initializer as AstNode & { readonly typeName: { readonly identifier: Identifier } };
  return COLLECTIONS.has(sdk.get(typeName.identifier.text) ?? "");
}

/** The first argument of a call, when it is a text. */
function firstText(node: AstNode | null): string | undefined {
  const [first] = node !== null && "args" in node ? (node.args as readonly AstNode[]) : [];
  return first !== undefined && "value" in first && typeof first.value === "string" ? first.value : undefined;
}

function memberOf(node: AstNode): { readonly object: string; readonly property: string } | undefined {
  if (node.kind !== NODE.propertyAccess) return undefined;
  const { expression, property } = node as AstNode & { readonly expression: AstNode; readonly property: Identifier };
  return isIdentifier(expression) ? { object: expression.text, property: property.text } : undefined;
}

function isIdentifier(node: AstNode): node is Identifier {
  return node.kind === NODE.identifier;
}
