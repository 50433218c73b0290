import type { AccountView } from '../../ledger/state/account-state.ts';
import { readTokenAmount } from '../../ledger/state/token-keys.ts';
import { deriveDelegationMetadata } from '../../programs/delegation/pdas.ts';
import { decodeDelegationMetadata } from '../../programs/delegation/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { eataAmount, eataDataWith, type Projection } from '../projection/projection.ts';
import { readSolvency, UnreadableVault } from './solvency.ts';

/** One eATA that is to become on base what it is on the rollup. */
export interface Step {
  readonly projection: Projection;
  /** Its bytes on base afterwards, and its lamports, which stay. */
  readonly data: Uint8Array;
  readonly lamports: bigint;
  /** The delegation metadata of the eATA. */
  readonly metadata: Address;
  /** Nonce of the commit. */
  readonly nonce: bigint;
  /** Who gets the rents of the delegation back. */
  readonly rentPayer: Address;
  readonly isGivenBack: boolean;
}

/**
 * What brings all eATAs of a mint to one moment of the rollup. Lessening what is owed comes before adding to it, so that
 * at no time more is owed on base than the vault has.
 */
export interface Batch {
  readonly lessening: readonly Step[];
  readonly adding: readonly Step[];
  /** Base units in the vault that nobody is owed: anybody can send some there. */
  readonly surplus: bigint;
}

/** A mint and the token program it belongs to. */
export type MintKeys = Pick<Projection, 'mint' | 'tokenProgram'>;

/** Something is not as it has to be; nothing may be submitted. */
export class Doubt extends Error {
  override readonly name = 'Doubt';
}

/**
 * Plans the settlement of a mint as of now. `wanted` are the eATAs to be given back; all others that hold something else
 * than on base are settled with them, so that what is owed in all stays the same.
 *
 * @throws {Doubt} saying why nothing may be submitted.
 */
export function planBatch(
  mint: MintKeys,
  projections: Iterable<Projection>,
  wanted: ReadonlySet<Address>,
  rollup: Pick<AccountView, 'get'>,
  base: AccountView,
): Batch {
  const lessening: Step[] = [];
  const adding: Step[] = [];
  const amounts = new Map<Address, bigint>();
  for (const projection of projections) {
    const amount = readTokenAmount((rollup.get(projection.ata) as Account).data);
    const account = base.get(projection.eata);
    const before = eataAmount(account);
    if (account === undefined || before === null) throw new Doubt('an eATA on base cannot be read');
    amounts.set(projection.eata, amount);
    const isGivenBack = wanted.has(projection.eata);
    if (amount === before && !isGivenBack) continue;
    const address = deriveDelegationMetadata(projection.eata).address;
    const metadata = decodeDelegationMetadata(base.get(address)?.data ?? new Uint8Array(0));
    if (metadata === null) throw new Doubt('the metadata of a delegation cannot be read');
    (amount > before ? adding : lessening).push({
      projection,
      data: eataDataWith(account.data, amount),
      lamports: account.lamports,
      metadata: address,
      nonce: metadata.commitNonce + 1n,
      rentPayer: metadata.rentPayer,
      isGivenBack,
    });
  }
  return { lessening, adding, surplus: surplusOf(mint, amounts, base) };
}

/**
 * Base units of a mint that its vault on base has beyond what is owed, where `amounts` are those of the eATAs on the
 * rollup; with none of them, as base alone sees it.
 *
 * @throws {Doubt} when the vault has less than what is owed, or cannot be read.
 */
export function surplusOf(
  { mint, tokenProgram }: MintKeys,
  amounts: ReadonlyMap<Address, bigint>,
  base: AccountView,
): bigint {
  try {
    const { owed, vault } = readSolvency(base, mint, tokenProgram, (eata) => amounts.get(eata));
    if (owed > vault) throw new Doubt(`the vault on base has ${owed - vault} base units less than is owed`);
    return vault - owed;
  } catch (error) {
    if (error instanceof UnreadableVault) throw new Doubt(error.message);
    throw error;
  }
}
