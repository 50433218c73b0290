import { describe, expect, it } from 'vitest';
import { lookupTableData } from '../../../test/ports/lookup-table-data.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { checkLookupTable, chooseLookupTable } from './draft-from-base.ts';

const TABLE = 'AZiCUhDtxiah3eVWft1gJTLuabLDQ9J7K6YmS7VX9r2G' as Address;

const accountOf = (data: Uint8Array, owner = ADDRESS_LOOKUP_TABLE_PROGRAM): Account => ({
  lamports: 1n,
  owner,
  data,
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
});

describe('checkLookupTable', () => {
  it('returns the table in the account', () => {
    expect(checkLookupTable(TABLE, accountOf(lookupTableData([USDC_MINT])))).toEqual({
      address: TABLE,
      addresses: [USDC_MINT],
    });
  });

  it.each<[string, Account | null]>([
    ['does not exist', null],
    [`belongs to program ${TOKEN_PROGRAM}`, accountOf(lookupTableData([USDC_MINT]), TOKEN_PROGRAM)],
    ['is malformed', accountOf(new Uint8Array(56))],
    ['is being deactivated', accountOf(lookupTableData([USDC_MINT], 1n))],
  ])('notes that a table is not used because it %s', (why, account) => {
    expect(checkLookupTable(TABLE, account)).toBe(why);
    const { lookupTable, notes } = chooseLookupTable(TABLE, account);
    expect(lookupTable).toBeNull();
    expect(notes).toEqual([
      `The transaction does not use lookup table ${TABLE} from the operator's setting, because it ${why}.`,
    ]);
  });
});

describe('chooseLookupTable', () => {
  it('returns no note if no table is configured', () => {
    expect(chooseLookupTable(null, null)).toEqual({ lookupTable: null, notes: [] });
  });
});
