import type { Layout } from '../../src/chain/chain.ts';
import { LOCALNET_VALIDATOR, NOOP_PROGRAM } from '../../src/programs/addresses.ts';
import { deriveValidatorFeesVault } from '../../src/programs/delegation/pdas.ts';
import { readBaseLayout } from './base-layout.ts';
import type { Fact } from './probe.ts';
import { callRpc } from './rpc.ts';
import type { ValidatorVersion } from './versions.ts';

/** Minimum balance of the validator on its base chain, lamports. With less, it ends shortly after startup. */
const LAMPORTS_MIN = 5_000_000_000;

/** The findings about a base chain. */
interface FoundBase {
  readonly facts: readonly Fact[];
  /** The layout; null if it is unknown or the base chain does not respond. */
  readonly layout: Layout | null;
}

/** Detects the layout of a node's programs. */
export async function askLayout(url: string): Promise<FoundBase> {
  try {
    // Fails at once if no node is there. `readBaseLayout` would retry.
    await callRpc(url, 'getHealth');
    const layout = await readBaseLayout(url);
    if (layout !== null)
      return { layout, facts: [found(true, `programs of layout ${layout.toUpperCase()}`)] };
    const text = 'it has not all programs of private payments, or of no version that is known';
    return { layout, facts: [found(false, text)] };
  } catch (error) {
    return { layout: null, facts: [found(false, `${url} does not answer (${describe(error)})`)] };
  }
}

/** Checks whether a base chain has what the validator needs with its public development key. */
export async function checkBase(url: string, version: ValidatorVersion): Promise<readonly Fact[]> {
  const vault = deriveValidatorFeesVault(LOCALNET_VALIDATOR).address;
  try {
    const { value: lamports } = await callRpc<{ value: number }>(url, 'getBalance', [LOCALNET_VALIDATOR]);
    const hasVault = await exists(url, vault);
    const facts = [
      found(
        lamports >= LAMPORTS_MIN,
        `${LOCALNET_VALIDATOR} holds ${lamports / 1e9} SOL of the ${LAMPORTS_MIN / 1e9} it needs`,
      ),
      found(
        hasVault,
        `its fees vault ${vault} is ${hasVault ? 'in place' : 'missing; without it nothing can be committed'}`,
      ),
    ];
    return version.hasMagicFeeVault ? [...facts, await checkNoop(url)] : facts;
  } catch (error) {
    return [found(false, `${url} does not answer (${describe(error)})`)];
  }
}

/** Checks for the no-op program, which every undelegation of 0.14.10 calls. */
async function checkNoop(url: string): Promise<Fact> {
  const hasNoop = await exists(url, NOOP_PROGRAM);
  const mend = 'missing; a new ledger of a node with ROLLUP=external has it';
  return found(hasNoop, `the no-op program ${NOOP_PROGRAM} is ${hasNoop ? 'in place' : mend}`);
}

/** Checks whether a version supports the programs of a base chain. */
export function judgeLayout({ version, layout }: ValidatorVersion, ofBase: Layout | null): Fact {
  const wanted = `validator ${version} supports programs of layout ${layout.toUpperCase()}`;
  return found(layout === ofBase, wanted);
}

async function exists(url: string, account: string): Promise<boolean> {
  const config = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } };
  return (await callRpc<{ value: object | null }>(url, 'getAccountInfo', [account, config])).value !== null;
}

const found = (isMet: boolean, text: string): Fact => ({ isMet, text: `base chain: ${text}` });

function describe(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
