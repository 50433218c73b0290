import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../programs/addresses.ts';
import { EMPTY_TABLE_BYTES } from '../../programs/lookup-table.ts';
import type { Address } from '../../solana/address.ts';
import type { Reading } from './reading.ts';

/** An account created by an instruction of the transaction. */
export interface CreatedAccount {
  readonly payer: Address | null;
  /** Lamports it starts with. */
  readonly lamports: bigint;
  /** Data size, bytes. */
  readonly space: bigint;
  /** Its owner program. */
  readonly program: Address | null;
  /**
   * The holder an instruction sets: owner of the token account, authority of the nonce or of the lookup
   * table; null if none does.
   */
  readonly holder: Address | null;
}

/** Actions that create an account directly. */
export const CREATING = new Set(['createAccount', 'createAccountWithSeed']);

/**
 * The accounts a transaction creates. An account named by an earlier instruction does not count: a wallet can
 * be emptied and then created again with data or for a program, and would be lost to its owner.
 */
export function createdAccounts(readings: readonly Reading[]): Map<Address, CreatedAccount> {
  const holders = new Map<Address, Address>();
  for (const reading of readings) {
    const holding = initializedHolding(reading);
    if (holding !== null && !holders.has(holding.account)) holders.set(holding.account, holding.holder);
  }
  const created = new Map<Address, CreatedAccount>();
  const seen = new Set<Address | null>();
  for (const reading of readings) {
    const account = reading.account('account');
    if (CREATING.has(reading.action) && account !== null && !seen.has(account)) {
      created.set(account, {
        payer: reading.account('payer'),
        lamports: reading.amount('lamports'),
        space: reading.amount('space'),
        program: reading.address('owner'),
        holder: holders.get(account) ?? null,
      });
    }
    const table = reading.account('lookupTable');
    if (reading.action === 'createLookupTable' && table !== null && !seen.has(table)) {
      created.set(table, createdTable(reading));
    }
    for (const { address } of reading.call.accounts) seen.add(address);
  }
  return created;
}

const createdTable = (reading: Reading): CreatedAccount => ({
  payer: reading.account('payer'),
  lamports: reading.rent(EMPTY_TABLE_BYTES) ?? 0n,
  space: BigInt(EMPTY_TABLE_BYTES),
  program: ADDRESS_LOOKUP_TABLE_PROGRAM,
  holder: reading.account('authority'),
});

/**
 * The holder an instruction sets for an account, with the mint of a token account; null for other
 * instructions.
 */
export function initializedHolding(
  reading: Reading,
): { readonly account: Address; readonly holder: Address; readonly mint: Address | null } | null {
  switch (reading.action) {
    case 'initializeAccount':
      return holdingOf(
        reading.account('account'),
        reading.address('owner') ?? reading.account('owner'),
        reading.account('mint'),
      );
    case 'initializeNonce':
      return holdingOf(reading.account('nonceAccount'), reading.address('authority'), null);
    default:
      return null;
  }
}

const holdingOf = (account: Address | null, holder: Address | null, mint: Address | null) =>
  account === null || holder === null ? null : { account, holder, mint };
