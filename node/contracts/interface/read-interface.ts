// The interface that a source declares: exported functions are methods, decorators say what they are.
import { type AbiType, chainTypeOf, formatAbiType } from "#shared/protocol/transactions/abi-types.ts";
import type { ContractAbi, EventAbi, FieldAbi, MethodAbi, StructAbi } from "#shared/protocol/transactions/contracts.ts";
import { INIT_METHOD, MAX_ABI, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { isStruct, TypeReader } from "./read-types.ts";
import {
  type AstNode,
  type ClassNode,
  type Declaration,
  type FieldNode,
  type FunctionNode,
  NODE,
  nodesOf,
  type ParsedSource,
  SourceError,
  type VariableStatement,
} from "./syntax-tree.ts";

export interface TypedParameter {
  readonly name: string;
  readonly type: AbiType;
}

/** A method with what its wrapper needs. */
export interface TypedMethod {
  readonly node: FunctionNode;
  readonly name: string;
  readonly parameters: readonly TypedParameter[];
  /** Undefined for none. */
  readonly returns: AbiType | undefined;
  readonly isView: boolean;
  readonly isPayable: boolean;
}

export interface TypedField extends TypedParameter {
  readonly isIndexed: boolean;
}

/** A struct or an event. */
export interface TypedClass {
  readonly source: ParsedSource;
  readonly node: ClassNode;
  readonly name: string;
  readonly fields: readonly TypedField[];
}

/** All that a contract declares. */
export interface ContractInterface {
  readonly sources: readonly ParsedSource[];
  readonly methods: readonly TypedMethod[];
  readonly structs: readonly TypedClass[];
  readonly events: readonly TypedClass[];
  readonly abi: ContractAbi;
}

const METHOD_DECORATORS = ["view", "payable"];
const COMPILER_DECORATORS = ["inline", "unsafe"];
const OWN_NAME = "__parley";
const FLAG_STATIC = 32;
const FLAG_READONLY = 64;

/** The interface of sources, the entry first; undefined when the entry names no contract, so that abi.json says what it offers. */
export function readInterface(sources: readonly ParsedSource[], hasAbi: boolean): ContractInterface | undefined {
  const [entry] = sources;
  const name = entry === undefined ? undefined : constantText(entry, "NAME");
  if (entry === undefined || name === undefined) {
    if (entry !== undefined) refuseTypedMethods(entry, hasAbi);
    return undefined;
  }
  const types = new TypeReader(sources);
  const methods = methodsOf(entry, types);
  const structs = classesOf(sources, types, "struct");
  const events = classesOf(sources, types, "event");
  const version = constantText(entry, "VERSION") ?? "1.0.0";
  const abi = abiOf(name, version, { methods, structs, events });
  if (parseContractAbi(JSON.stringify(abi)) === undefined)
    throw new SourceError(
      entry,
      0,
      "the network would refuse the interface: a name has 1 to 64 of a-z 0-9 _ . -, a version 32 characters, 16 KiB hold it all",
    );
  return { sources, methods, structs, events, abi };
}

/** Decorators would mean nothing, and parameters without an abi.json that leaves the function out. */
function refuseTypedMethods(entry: ParsedSource, hasAbi: boolean): void {
  const typed = functionsOf(entry).find(
    (node) =>
      (!hasAbi && node.signature.parameters.length > 0) ||
      (node.decorators ?? []).some(({ name }) => METHOD_DECORATORS.includes(name.text)),
  );
  if (typed !== undefined)
    throw new SourceError(entry, typed.name.range.start, 'a contract with typed methods says its name: export const NAME = "my-contract"');
}

/** Text of an exported constant. */
function constantText(source: ParsedSource, name: string): string | undefined {
  const declarations = nodesOf<VariableStatement>(source.statements, NODE.variable).flatMap((statement) => statement.declarations);
  const found = declarations.find((declaration) => declaration.name.text === name);
  const initializer: unknown = found?.initializer;
  if (typeof initializer !== "object" || initializer === null || !("value" in initializer)) return undefined;
  return typeof initializer.value === "string" ? initializer.value : undefined;
}

/** Exported functions; what else is exported is no method. */
function functionsOf(source: ParsedSource): readonly FunctionNode[] {
  return nodesOf<FunctionNode>(source.statements, NODE.function).filter((node) => isExported(source, node));
}

function isExported({ text }: ParsedSource, { range, name }: Declaration): boolean {
  return /\bexport\s+function\s*$/.test(text.slice(range.start, name.range.start));
}

function methodsOf(entry: ParsedSource, types: TypeReader): readonly TypedMethod[] {
  for (const statement of entry.statements)
    if (statement.kind === NODE.export || statement.kind === NODE.exportDefault)
      throw new SourceError(entry, statement.range.start, "methods are exported where they are written: export function name()");
  const nodes = nodesOf<FunctionNode>(entry.statements, NODE.function);
  const hidden = nodes.find((node) => !isExported(entry, node) && methodDecorators(entry, node).length > 0);
  if (hidden !== undefined) throw new SourceError(entry, hidden.name.range.start, `${hidden.name.text} is no method: export it`);
  const methods = functionsOf(entry).map((node) => methodOf(entry, node, types));
  for (const [index, { name, node }] of methods.entries())
    if (methods.findIndex((other) => other.name === name) !== index)
      throw new SourceError(entry, node.name.range.start, `two methods have the name ${name}`);
  const tooMany = methods[MAX_ABI.methods];
  if (tooMany !== undefined) throw new SourceError(entry, tooMany.node.range.start, `a contract has at most ${MAX_ABI.methods} methods`);
  return methods;
}

function methodOf(entry: ParsedSource, node: FunctionNode, types: TypeReader): TypedMethod {
  const name = node.name.text;
  const wrong = (at: AstNode, message: string): SourceError => new SourceError(entry, at.range.start, message);
  if (name.startsWith(OWN_NAME) || name === "_start" || name === "_initialize" || name.length > MAX_ABI.nameChars)
    throw wrong(node.name, `a method cannot have the name ${name}`);
  if ((node.typeParameters ?? []).length > 0) throw wrong(node.name, "a method has no type parameters");
  const decorators = methodDecorators(entry, node);
  const [isView, isPayable] = [decorators.includes("view"), decorators.includes("payable")];
  if (isView && isPayable) throw wrong(node.name, "a view takes no µT: it is @view or @payable");
  const { parameters, returnType } = node.signature;
  const returns = returnTypeOf(entry, returnType, types);
  if (name === INIT_METHOD && (isView || returns !== undefined)) throw wrong(node.name, "init is no view and returns nothing");
  const tooMany = parameters[MAX_ABI.arguments];
  if (tooMany !== undefined) throw wrong(tooMany, `a method has at most ${MAX_ABI.arguments} arguments`);
  for (const parameter of parameters)
    if (parameter.parameterKind !== 0 || parameter.initializer !== null)
      throw wrong(parameter, "a caller gives every argument: no defaults, no rest; use a type | null");
  const typed = parameters.map((parameter) => ({ name: parameter.name.text, type: types.read(entry, parameter.type) }));
  return { node, name, parameters: typed, returns, isView, isPayable };
}

function returnTypeOf(entry: ParsedSource, node: FunctionNode["signature"]["returnType"], types: TypeReader): AbiType | undefined {
  const name = node.name?.identifier.text;
  if (name === "") throw new SourceError(entry, node.range.start, "a method says what it returns: void for nothing");
  return name === "void" ? undefined : types.read(entry, node);
}

/** Decorators of the interface; one that is unknown is a mistake. */
function methodDecorators(source: ParsedSource, { decorators }: Declaration): readonly string[] {
  return (decorators ?? []).flatMap((decorator) => {
    const name = decorator.name.text;
    if (COMPILER_DECORATORS.includes(name)) return [];
    if (!METHOD_DECORATORS.includes(name))
      throw new SourceError(source, decorator.range.start, `there is no decorator @${name}: a method has @view, @payable or none`);
    return [name];
  });
}

function classesOf(sources: readonly ParsedSource[], types: TypeReader, decorator: "struct" | "event"): readonly TypedClass[] {
  const found = sources.flatMap((source) =>
    nodesOf<ClassNode>(source.statements, NODE.class)
      .filter((node) => (decorator === "struct" ? isStruct(node) : node.decorators?.some(({ name }) => name.text === "event")))
      .map((node) => classOf(source, node, { types, isEvent: decorator === "event" })),
  );
  for (const [index, { source, node, name }] of found.entries())
    if (found.findIndex((other) => other.name === name) !== index)
      throw new SourceError(source, node.name.range.start, `two classes with @${decorator} have the name ${name}`);
  return found;
}

function classOf(source: ParsedSource, node: ClassNode, { types, isEvent }: { types: TypeReader; isEvent: boolean }): TypedClass {
  const wrong = (at: AstNode, message: string): SourceError => new SourceError(source, at.range.start, message);
  if ((node.typeParameters ?? []).length > 0) throw wrong(node.name, "a struct or event has no type parameters");
  for (const member of node.members)
    if (member.kind === NODE.method && ["constructor", "encodeJson", "decodeJson", "encodeEvent"].includes(member.name.text))
      throw wrong(member, `${member.name.text} is added by the build: the constructor takes the fields in their order`);
  const fields = nodesOf<FieldNode & { readonly flags: number }>(node.members, NODE.field).filter(
    ({ flags }) => (flags & FLAG_STATIC) === 0,
  );
  const tooMany = fields[MAX_ABI.fields];
  if (tooMany !== undefined) throw wrong(tooMany, `a struct or event has at most ${MAX_ABI.fields} fields`);
  const typed = fields.map((field) => {
    if (field.type === null) throw wrong(field, `the field ${field.name.text} has no type`);
    if ((field.flags & FLAG_READONLY) !== 0 || field.initializer !== null)
      throw wrong(field, "a field is name: type, without readonly and value");
    return { name: field.name.text, type: types.read(source, field.type), isIndexed: isIndexed(source, field, isEvent) };
  });
  if (isEvent) checkIndexed(source, node, typed);
  return { source, node, name: node.name.text, fields: typed };
}

function isIndexed(source: ParsedSource, field: FieldNode, isEvent: boolean): boolean {
  for (const { name, range } of field.decorators ?? [])
    if (!isEvent || name.text !== "indexed")
      throw new SourceError(source, range.start, `there is no decorator @${name.text} here: a field of an event has @indexed or none`);
  return (field.decorators ?? []).length > 0;
}

function checkIndexed(source: ParsedSource, node: ClassNode, fields: readonly TypedField[]): void {
  const wrong = (message: string): SourceError => new SourceError(source, node.name.range.start, message);
  const indexed = fields.filter((field) => field.isIndexed);
  if (indexed.length > MAX_ABI.indexedFields) throw wrong(`an event has at most ${MAX_ABI.indexedFields} indexed fields`);
  const unfit = indexed.find(({ type }) => type.kind !== "scalar" || type.name === "json");
  if (unfit !== undefined) throw wrong(`${unfit.name} cannot be indexed: it is a ${formatAbiType(unfit.type)}`);
  const long = [node.name.text, ...indexed.map(({ name }) => name)].find((name) => name.length > MAX_ABI.eventNameChars);
  if (long !== undefined)
    throw wrong(`${long} is longer than ${MAX_ABI.eventNameChars} characters, which events and indexed fields have at most`);
}

function abiOf(
  contract: string,
  version: string,
  { methods, structs, events }: Pick<ContractInterface, "methods" | "structs" | "events">,
): ContractAbi {
  return {
    contract,
    version,
    methods: methods.map(methodAbi),
    ...(structs.length === 0 ? {} : { structs: structs.map(structAbi) }),
    ...(events.length === 0 ? {} : { events: events.map(eventAbi) }),
  };
}

function methodAbi({ name, parameters, returns, isView, isPayable }: TypedMethod): MethodAbi {
  const args = parameters.map((parameter) => {
    const type = chainTypeOf(parameter.type);
    const format = formatAbiType(parameter.type);
    return { name: parameter.name, type, ...(type === format ? {} : { format }) };
  });
  return {
    name,
    args,
    ...(isPayable ? { payable: true } : {}),
    ...(isView ? { view: true } : {}),
    ...(returns === undefined ? {} : { returns: formatAbiType(returns) }),
  };
}

function structAbi({ name, fields }: TypedClass): StructAbi {
  return { name, fields: fields.map((field): FieldAbi => ({ name: field.name, type: formatAbiType(field.type) })) };
}

function eventAbi({ name, fields }: TypedClass): EventAbi {
  const eventFields = fields.map((field) => ({
    name: field.name,
    type: formatAbiType(field.type),
    ...(field.isIndexed ? { indexed: true } : {}),
  }));
  return { name, fields: eventFields };
}
