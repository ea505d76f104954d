// Makes a generator of fast-check reach the length that it names: by default `array({ maxLength: 200 })` stops at ten elements. Runs
// before every file of unit tests. A generator without a maximum keeps fast-check's small default.
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), defaultSizeToMaxWhenMaxSpecified: true });
