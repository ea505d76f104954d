// The small picture that people give themselves. It travels beside their name, sealed like it.

/** Longest picture, bytes: with name and frame it fits the second size class of envelopes. */
export const MAX_PROFILE_PICTURE_BYTES = 8_192;

/** A picture and when its author chose it. */
export interface ProfilePicture {
  /** Milliseconds since 1970, the author's clock. */
  readonly at: number;
  /** A WebP of at most 128 pixels a side; nothing takes the picture back. Absent in what only says which picture a contact was sent. */
  readonly data?: Uint8Array;
}
