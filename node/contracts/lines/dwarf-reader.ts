// Reads the scalars of DWARF sections: little-endian integers, LEB128, texts that end with 0.

export class DwarfReader {
  readonly #view: DataView;
  at: number;
  readonly end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = at;
    this.end = end;
  }

  u8(): number {
    return this.#view.getUint8(this.#pass(1));
  }

  i8(): number {
    return this.#view.getInt8(this.#pass(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#pass(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#pass(4), true);
  }

  skip(bytes: number): void {
    this.#pass(bytes);
  }

  uleb(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  sleb(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return (byte & 0x40) === 0 ? value : value - scale * 128;
    }
  }

  text(): string {
    const bytes: number[] = [];
    for (let byte = this.u8(); byte !== 0; byte = this.u8()) bytes.push(byte);
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }

  #pass(bytes: number): number {
    const { at } = this;
    this.at += bytes;
    return at;
  }
}
