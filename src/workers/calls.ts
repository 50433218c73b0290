import type { Fault } from './fault.ts';

/**
 * What one process offers another to call, by name. Arguments and results are what `node:v8` can serialise: values,
 * bigints, bytes, arrays and plain objects. Arrays are a third of the work of objects, whose members go with their names.
 */
export type CallTable<Calls> = {
  readonly [Name in keyof Calls]: (...args: never[]) => unknown;
};

/** One call on its way: a number of the caller's, the name, and the arguments. */
export type WireCall = readonly [id: number, name: string, ...args: unknown[]];

/**
 * What came of the call with that number. A third member, there when it failed, is the fault, or null for a bug, which the
 * process that was called has logged.
 */
export type WireAnswer =
  | readonly [id: number, value: unknown]
  | readonly [id: number, value: undefined, fault: Fault | null];
