import type { Terminal } from './terminal.ts';

/** Asks at the terminal; anything but a yes is a no. */
export const saysYes = async (terminal: Terminal, question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await terminal.ask(`${question} [y/N] `)).trim());
