// Runs around every file of integration and browser tests, also where files share a process: no process outlives the file that started it.
import { afterAll } from "vitest";
import { endRunning } from "./end-with-tests.ts";

afterAll(endRunning);
