import { startChild } from '../child-calls.ts';
import { here } from '../stack.ts';

/** The ledger without a node around it. */
interface InProcess {
  /** Does one of the cases of `in-process.mjs` for so long; CPU time of one turn, us. */
  measure(name: InProcessCase, durationMs: number): Promise<number>;
  stop(): void;
}

export type InProcessCase = 'getAccount' | 'tokenAccounts' | 'programAccounts' | 'simulate' | 'submit';

/** Starts it in a process of its own, in memory, with so many accounts. */
export async function startInProcess(accounts: number): Promise<InProcess> {
  const child = await startChild(here('ledger/in-process.mjs'), [String(accounts)]);
  return {
    measure: async (name, durationMs) => {
      const { turns, cpuMicros } = await child.ask<{ turns: number; cpuMicros: number }>({
        name,
        durationMs,
      });
      return cpuMicros / turns;
    },
    stop: child.stop,
  };
}
