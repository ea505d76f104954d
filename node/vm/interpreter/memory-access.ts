// Loads and stores by their opcodes, at addresses that were checked.

interface Access<Run> {
  readonly bytes: number;
  readonly run: Run;
}

type Load = (view: DataView, at: number) => number | bigint;
type Store32 = (view: DataView, at: number, value: number) => void;
type Store64 = (view: DataView, at: number, value: bigint) => void;

/** What they read, as i32 or i64. */
export const LOADS: Readonly<Record<number, Access<Load>>> = {
  40: { bytes: 4, run: (view, at) => view.getInt32(at, true) },
  41: { bytes: 8, run: (view, at) => view.getBigInt64(at, true) },
  44: { bytes: 1, run: (view, at) => view.getInt8(at) },
  45: { bytes: 1, run: (view, at) => view.getUint8(at) },
  46: { bytes: 2, run: (view, at) => view.getInt16(at, true) },
  47: { bytes: 2, run: (view, at) => view.getUint16(at, true) },
  48: { bytes: 1, run: (view, at) => BigInt(view.getInt8(at)) },
  49: { bytes: 1, run: (view, at) => BigInt(view.getUint8(at)) },
  50: { bytes: 2, run: (view, at) => BigInt(view.getInt16(at, true)) },
  51: { bytes: 2, run: (view, at) => BigInt(view.getUint16(at, true)) },
  52: { bytes: 4, run: (view, at) => BigInt(view.getInt32(at, true)) },
  53: { bytes: 4, run: (view, at) => BigInt(view.getUint32(at, true)) },
};

/** What they write of an i32. */
export const STORES_32: Readonly<Record<number, Access<Store32>>> = {
  54: { bytes: 4, run: (view, at, value) => view.setInt32(at, value, true) },
  58: { bytes: 1, run: (view, at, value) => view.setInt8(at, value) },
  59: { bytes: 2, run: (view, at, value) => view.setInt16(at, value, true) },
};

/** What they write of an i64. */
export const STORES_64: Readonly<Record<number, Access<Store64>>> = {
  55: { bytes: 8, run: (view, at, value) => view.setBigInt64(at, value, true) },
  60: { bytes: 1, run: (view, at, value) => view.setInt8(at, Number(BigInt.asIntN(8, value))) },
  61: { bytes: 2, run: (view, at, value) => view.setInt16(at, Number(BigInt.asIntN(16, value)), true) },
  62: { bytes: 4, run: (view, at, value) => view.setInt32(at, Number(BigInt.asIntN(32, value)), true) },
};
