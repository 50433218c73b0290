import type { StackProcess } from '../stack-process.ts';

/** Where the embedded rollup of a stack listens, by its banner. */
export function rollupUrlOf(stack: StackProcess): string {
  const { stdout } = stack.output();
  const url = /Rollup +(http:\/\/\S+)/.exec(stdout)?.[1];
  if (url === undefined) throw new Error(`the banner names no rollup:\n${stdout}`);
  return url;
}
