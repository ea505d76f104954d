// MessageChannelMain over ports of this process.
import type * as Electron from "electron";
import { StandInPort } from "./ports.ts";

class StandInChannel {
  readonly port1: StandInPort;
  readonly port2: StandInPort;
  constructor() {
    [this.port1, this.port2] = StandInPort.pair();
  }
}

/** Stands for `MessageChannelMain`. */
export const MessageChannelMain = StandInChannel as unknown as typeof Electron.MessageChannelMain;
