import { describe, expect, it } from 'vitest';
import { lookupTableData } from '../../../../test/ports/lookup-table-data.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { usableLookupTable } from './lookup-table.ts';

const TABLE = 'AZiCUhDtxiah3eVWft1gJTLuabLDQ9J7K6YmS7VX9r2G' as Address;

const accountOf = (data: Uint8Array, owner = ADDRESS_LOOKUP_TABLE_PROGRAM): Account => ({
  lamports: 1n,
  owner,
  data,
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
});

describe('usableLookupTable', () => {
  it('is what the account holds', () => {
    expect(usableLookupTable(TABLE, accountOf(lookupTableData([USDC_MINT])))).toEqual({
      address: TABLE,
      addresses: [USDC_MINT],
    });
  });

  it.each([
    ['there is no account', null],
    ['another program owns it', accountOf(lookupTableData([USDC_MINT]), TOKEN_PROGRAM)],
    ['it is no table', accountOf(new Uint8Array(56))],
    ['it is being taken away', accountOf(lookupTableData([USDC_MINT], 1n))],
  ])('is null when %s', (_, account) => {
    expect(usableLookupTable(TABLE, account)).toBeNull();
  });
});
