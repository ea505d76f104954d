// Where what was sent lies, by the device that it went to and its position in a chain.

/** A position in the chain of a pair. */
export interface PairPosition {
  readonly device: string;
  readonly instance: string;
  readonly position: number;
}

/** Parts of the key of what was sent at a position of a sender chain, or of the chain that an instance names. */
export function sentParts(device: string, position: number, instance?: string): readonly string[] {
  return instance === undefined ? ["sent", device, String(position)] : ["sent", device, instance, String(position)];
}
