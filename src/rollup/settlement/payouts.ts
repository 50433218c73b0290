import { readTokenAmount } from '../../ledger/state/token-keys.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';
import type { Intent } from '../books/intent.ts';
import type { Entry } from '../books/item.ts';
import { eataDataWith, type Projection } from '../projection/projection.ts';
import type { Ledgers } from './claim.ts';

/** Tag of `ExecuteReadyQueuedTransfer`; data: tag u8, escrow index u8, amount u64, flags u8, ... */
const PAYOUT = 202;
const AMOUNT_AT = 2;
const FLAGS_AT = 10;
/** Accounts of it: vault, mint, ... */
const MINT_AT = 1;

/** What the vault pays for a queue. */
interface Payout {
  readonly queue: Address;
  readonly mint: Address;
  /** Base units. */
  readonly amount: bigint;
}

/**
 * What an intent has the vaults pay out of queues. The ephemeral token program carries it out for nobody but
 * itself, so that the actions of other programs are no payouts.
 */
export function payoutsOf({ source, actions }: Pick<Intent, 'source' | 'actions'>): readonly Payout[] {
  if (source !== EPHEMERAL_TOKEN_PROGRAM) return [];
  return actions.flatMap(({ program, escrowAuthority, data, accounts }) => {
    const mint = accounts[MINT_AT]?.address;
    const isPayout = program === EPHEMERAL_TOKEN_PROGRAM && data[0] === PAYOUT && data.length > FLAGS_AT;
    if (!isPayout || mint === undefined) return [];
    return [{ queue: escrowAuthority, mint, amount: viewOf(data).getBigUint64(AMOUNT_AT, true) }];
  });
}

/** The projection in which a queue has the tokens it pays; undefined where it has none. */
export function projectionOfQueue(
  { queue, mint }: Payout,
  projections: Ledgers['projections'],
): Projection | undefined {
  return projections.ofEata(deriveEata(queue, mint).address);
}

/**
 * The queues' tokens on the rollup once the vault has paid: by what it paid they are fewer, so that the vault
 * has what all projections have together. Null when a queue has less than it is to pay.
 */
export function paidOutEntries(
  payouts: readonly Payout[],
  { rollup, projections }: Pick<Ledgers, 'rollup' | 'projections'>,
): readonly Entry[] | null {
  const left = new Map<Projection, bigint>();
  for (const payout of payouts) {
    const projection = projectionOfQueue(payout, projections);
    const held = projection && (left.get(projection) ?? tokensIn(rollup.get(projection.ata)));
    if (projection === undefined || held === undefined || held < payout.amount) return null;
    left.set(projection, held - payout.amount);
  }
  return [...left].flatMap(([{ ata, eata }, amount]) =>
    [ata, eata].flatMap((address) => {
      const account = rollup.get(address);
      return account === undefined ? [] : [[address, withAmount(account, amount)] as const];
    }),
  );
}

const tokensIn = (account: Account | undefined): bigint =>
  account === undefined ? 0n : readTokenAmount(account.data);

/** Token accounts and eATAs have their amount at the same place. */
const withAmount = (account: Account, amount: bigint): Account => ({
  ...account,
  data: eataDataWith(account.data, amount),
});
