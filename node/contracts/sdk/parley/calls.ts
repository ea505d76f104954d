// Calls of other contracts.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { demand, quote } from "../parley";
import { envCall, envResultRead } from "../parley-host";

/** Arguments of a call, one after the other. */
export class Args {
  private list: string = "";

  /** Of a JSON list, as an argument of type `Json` has it. */
  static of(list: string): Args {
    const text = list.trim();
    demand(text.startsWith("[") && text.endsWith("]"), "arguments are a list");
    const args = new Args();
    args.list = text.slice(1, text.length - 1).trim();
    return args;
  }

  /** All of the other ones. */
  with(others: Args): Args {
    return others.list.length == 0 ? this : this.append(others.list);
  }

  string(text: string): Args {
    return this.append(quote(text));
  }

  u64(integer: u64): Args {
    return this.append(integer.toString());
  }

  bool(flag: bool): Args {
    return this.append(flag ? "true" : "false");
  }

  /** Any JSON: of integers above 64 bits their digits as a text. */
  json(text: string): Args {
    return this.append(text);
  }

  toJson(): string {
    return "[" + this.list + "]";
  }

  private append(json: string): Args {
    this.list = this.list.length == 0 ? json : this.list + "," + json;
    return this;
  }
}

/** How a call of another contract ended. */
export class CallResult {
  constructor(
    /** 0 done, 1 refused, 2 broke off, 3 not callable, 4 too deep. */
    readonly status: i32,
    /** What it returned, or why it failed. */
    readonly text: string,
  ) {}

  get isOk(): bool {
    return this.status == 0;
  }
}

/** Calls another contract with µT attached, and gas (0 for all that may be given). What it did is undone when it fails. */
export function callContract(id: string, method: string, args: Args, amount: u64 = 0, gas: u32 = 0): CallResult {
  const name = String.UTF8.encode(id);
  const methodName = String.UTF8.encode(method);
  const json = String.UTF8.encode(args.toJson());
  const status = envCall(
    changetype<usize>(name),
    name.byteLength,
    changetype<usize>(methodName),
    methodName.byteLength,
    changetype<usize>(json),
    json.byteLength,
    amount,
    gas,
  );
  const length = envResultRead(0, 0, 0);
  const result = new ArrayBuffer(length);
  envResultRead(changetype<usize>(result), 0, length);
  return new CallResult(status, String.UTF8.decode(result));
}
