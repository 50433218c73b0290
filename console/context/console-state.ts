import type { ConsoleState } from '../../src/console/answers.ts';
import { withPlainSymbol } from '../parts/pieces.ts';
import { getJson } from '../parts/service-api.ts';

export type { ConsoleState };

/** A mint in the service's table. */
export type TableMint = ConsoleState['mints'][number];

/** The mint of the tour: the first in the table that the faucet mints, else the first. */
export const playMint = (state: ConsoleState | null): TableMint | null =>
  state === null ? null : (state.mints.find(({ faucet }) => faucet) ?? state.mints[0] ?? null);

/** Loads the state of the service. @throws {ServiceFailure} if the request fails. */
export async function readState(): Promise<ConsoleState> {
  const state = await getJson<ConsoleState>('/console/api/state');
  return { ...state, mints: state.mints.map(withPlainSymbol) };
}
