// A place in an author's module, and its words.

/** A place in an author's module. */
export interface CodePlace {
  /** Index of the function in the module. */
  readonly functionIndex: number;
  /** Name of the function, or its number. */
  readonly name: string;
  /** Position of the instruction in the bytes of the module; undefined where it is not known. */
  readonly at: number | undefined;
  /** Positions of the function's body. */
  readonly body: { readonly start: number; readonly end: number };
}

/** A line of a source. */
export interface SourceLine {
  /** Like "contract.ts:12:3". */
  readonly text: string;
  /** The source is the author's own, not of the SDK or a library. */
  readonly isOwn: boolean;
}

/** A module, and what is known of its source. */
export interface FaultSource {
  readonly code: Uint8Array;
  /** The module with its names, where they are not in its code. */
  readonly named?: Uint8Array | undefined;
  readonly lineOf?: ((place: CodePlace) => SourceLine | undefined) | undefined;
}

/** "add (contract.ts:12:3)", or with the position of the instruction where the line is not known. */
export function describePlace(place: CodePlace, { lineOf }: FaultSource): string {
  const line = lineOf?.(place);
  if (line !== undefined) return `${place.name} (${line.text})`;
  return place.at === undefined ? place.name : `${place.name} (offset 0x${place.at.toString(16)})`;
}
