import { LOCALNET_VALIDATOR } from '../../src/programs/addresses.ts';
import { deriveValidatorFeesVault } from '../../src/programs/delegation/pdas.ts';
import type { Fact } from './probe.ts';
import { callRpc } from './rpc.ts';

/**
 * What the validator must hold on its base chain, lamports: it answers for a moment and then ends where it
 * has less.
 */
const LAMPORTS_MIN = 5_000_000_000;

/** Looks whether a node has what the validator, under its public development key, needs of its base chain. */
export async function checkBase(url: string): Promise<readonly Fact[]> {
  const vault = deriveValidatorFeesVault(LOCALNET_VALIDATOR).address;
  try {
    const { value: lamports } = await callRpc<{ value: number }>(url, 'getBalance', [LOCALNET_VALIDATOR]);
    const { value: kept } = await callRpc<{ value: object | null }>(url, 'getAccountInfo', [
      vault,
      { encoding: 'base64' },
    ]);
    return [
      {
        isMet: lamports >= LAMPORTS_MIN,
        text: `base chain: ${LOCALNET_VALIDATOR} holds ${lamports / 1e9} SOL of the ${LAMPORTS_MIN / 1e9} it needs`,
      },
      {
        isMet: kept !== null,
        text: `base chain: its fees vault ${vault} is ${kept === null ? 'missing; without it nothing can be committed' : 'in place'}`,
      },
    ];
  } catch (error) {
    return [{ isMet: false, text: `base chain: ${url} does not answer (${describe(error)})` }];
  }
}

function describe(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
