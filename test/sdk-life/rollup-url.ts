import type { StackProcess } from '../stack-process.ts';

/** Returns the URL of a stack's embedded rollup from its banner. */
export function rollupUrlOf(stack: StackProcess): string {
  const { stdout } = stack.output();
  const url = /Rollup +(http:\/\/\S+)/.exec(stdout)?.[1];
  if (url === undefined) throw new Error(`the banner names no rollup:\n${stdout}`);
  return url;
}
