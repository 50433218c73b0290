import type { ConsoleState } from '../parts/console-state.ts';
import { withPlainSymbol } from '../parts/pieces.ts';

export type { ConsoleState };

/** A mint of the service's own table. */
export type TableMint = ConsoleState['mints'][number];

/** The mint that play is about: the first of the table that the faucet mints, else the first. */
export const playMint = (state: ConsoleState | null): TableMint | null =>
  state === null ? null : (state.mints.find(({ faucet }) => faucet) ?? state.mints[0] ?? null);

/** @throws {Error} if the service does not answer with it. */
export async function readState(fetch: typeof globalThis.fetch): Promise<ConsoleState> {
  const response = await fetch('/console/api/state', { cache: 'no-store', redirect: 'error' });
  if (!response.ok) throw new Error(`The service answers ${response.status}.`);
  const state = (await response.json()) as ConsoleState;
  return { ...state, mints: state.mints.map(withPlainSymbol) };
}
