import type { Fault } from './fault.ts';

/**
 * The calls one process offers to another, by name. Arguments and results are what `node:v8` can serialise:
 * values, bigints, bytes, arrays and plain objects. Arrays cost a third of objects, which carry their member
 * names.
 */
export type CallTable<Calls> = {
  readonly [Name in keyof Calls]: (...args: never[]) => unknown;
};

/** One call in a message: its id, name and arguments. */
export type WireCall = readonly [id: number, name: string, ...args: unknown[]];

/**
 * The answer to the call with that id. A failed call has a third member: the fault, or null for a bug, which
 * the called process has logged.
 */
export type WireAnswer =
  | readonly [id: number, value: unknown]
  | readonly [id: number, value: undefined, fault: Fault | null];
