import { describe, expect, it } from 'vitest';
import { readJson } from '../../json/read-json.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { CallParams } from '../rpc-method.ts';
import { addressFilledWith as at, transferWire, v0Wire } from '../testing/transactions.ts';
import { accountsOfCall } from './forked-methods.ts';

const of = (method: string, params: unknown) =>
  accountsOfCall(method, readJson(JSON.stringify(params)).value as CallParams);

/** The ATAs of owner 1 for mint 2, under both token programs. */
const ATAS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => deriveAta(at(1), at(2), program).address);

const base64 = (wire: Uint8Array): string => Buffer.from(wire).toString('base64');

describe('accountsOfCall', () => {
  it.each<[string, unknown, unknown[]]>([
    ['getAccountInfo', [at(1), { encoding: 'base64' }], [at(1)]],
    ['getMultipleAccounts', [[at(1), at(2)]], [at(1), at(2)]],
    ['getTokenAccountsByOwner', [at(1), { mint: at(2) }], [at(1), at(2), ...ATAS]],
    ['getTokenAccountsByOwner', [at(1), { programId: at(2) }], [at(1), at(2)]],
    ['requestTokenAirdrop', [at(1), at(2), 5], [at(1), at(2), ...ATAS]],
    ['surfnet_setTokenAccount', [at(1), at(2), { delegate: at(3) }], [at(1), at(2), at(3), ...ATAS]],
    ['requestTokenAirdrop', [5, at(2)], [at(2)]],
    ['requestAirdrop', [at(1), 5], [at(1)]],
    ['getSlot', [], []],
    ['getAccountInfo', ['not an address', null, 7, true], []],
    ['getTransaction', [encodeBase58(new Uint8Array(64).fill(1))], []],
    ['isBlockhashValid', [at(1)], []],
    ['getSignaturesForAddress', [at(1)], []],
  ])('finds the addresses in %s %j', (method, params, addresses) => {
    expect(of(method, params)).toEqual({ addresses, lookups: [] });
  });

  it('finds nothing without parameters or with named ones', () => {
    expect(accountsOfCall('getSlot', undefined).addresses).toEqual([]);
    expect(of('getAccountInfo', { pubkey: at(1) }).addresses).toEqual([]);
  });

  it.each([
    ['sendTransaction', [encodeBase58(transferWire())]],
    ['sendTransaction', [base64(transferWire()), { encoding: 'base64' }]],
    ['simulateTransaction', [base64(transferWire()), { encoding: 'base64', sigVerify: false }]],
  ])('finds the keys of the transaction of %s %j', (method, params) => {
    expect(of(method, params).addresses).toEqual([at(1), at(2), SYSTEM_PROGRAM]);
  });

  it('finds lookup tables, and the accounts whose later state is requested', () => {
    const wire = v0Wire({
      keys: [at(1), at(3)],
      header: [1, 0, 1],
      instructions: [{ programIdIndex: 1, accounts: [0], data: new Uint8Array(0) }],
      lookups: [{ table: at(9), writable: [4], readonly: [0, 5] }],
    });
    const config = { encoding: 'base64', accounts: { addresses: [at(7)] } };
    expect(of('simulateTransaction', [base64(wire), config])).toEqual({
      addresses: [at(7), at(1), at(3), at(9)],
      lookups: [{ table: at(9), writable: Uint8Array.of(4), readonly: Uint8Array.of(0, 5) }],
    });
  });

  it.each([
    [[]],
    [[5]],
    [['!!']],
    [['AQID', { encoding: 'base64' }]],
    [['AQID', { encoding: 'none' }]],
    [['AQID', { encoding: 7 }]],
  ])('leaves errors in %j to the method', (params) => {
    expect(of('sendTransaction', params)).toEqual({ addresses: [], lookups: [] });
  });

  it('collects no more addresses than any method accepts', () => {
    const many = Array.from({ length: 1_000 }, () => at(1));
    expect(of('getMultipleAccounts', [many]).addresses).toHaveLength(256);
  });
});
