import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveEata, deriveVault } from '../programs/ephemeral-token/pdas.ts';
import { type Address, addressBytes } from '../solana/address.ts';
import { decodeAccount } from './decode.ts';

const OWNER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;

const OWNERS = [
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  DELEGATION_PROGRAM,
  PERMISSION_PROGRAM,
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  BPF_LOADER_2,
  OWNER,
];

/** Sizes at which an account may be something. */
const SIZES = [0, 8, 32, 36, 37, 45, 48, 56, 65, 72, 80, 82, 88, 96, 125, 165, 192, 567, 619];

const UNKNOWN = { kind: 'unknown', title: 'Account', bytes: 72 };

const eata = Uint8Array.of(...addressBytes(OWNER), ...addressBytes(USDC_MINT), 64, 66, 15, 0, 0, 0, 0, 0);

it('decodes an eATA at the one address that its bytes lead to, delegated or not', () => {
  const { address } = deriveEata(OWNER, USDC_MINT);
  for (const owner of [EPHEMERAL_TOKEN_PROGRAM, DELEGATION_PROGRAM]) {
    expect(decodeAccount({ address, owner, data: eata })).toEqual({
      kind: 'eata',
      title: 'Ephemeral token account',
      fields: [
        { name: 'owner', label: 'Owner', value: OWNER, type: 'address' },
        { name: 'mint', label: 'Mint', value: USDC_MINT, type: 'address' },
        { name: 'amount', label: 'Balance', value: '1000000', type: 'amount' },
      ],
    });
  }
  const elsewhere = { address: OWNER, owner: EPHEMERAL_TOKEN_PROGRAM, data: eata };
  expect(decodeAccount(elsewhere)).toEqual(UNKNOWN);
  expect(decodeAccount({ address, owner: TOKEN_PROGRAM, data: eata })).toEqual(UNKNOWN);
});

it('decodes a vault of either layout', () => {
  const { address } = deriveVault(USDC_MINT);
  const mint = addressBytes(USDC_MINT);
  const owner = EPHEMERAL_TOKEN_PROGRAM;
  expect(decodeAccount({ address, owner, data: mint })).toMatchObject({ kind: 'vault' });
  const layoutB = Uint8Array.of(...mint, ...addressBytes(OWNER), 255);
  expect(decodeAccount({ address, owner, data: layoutB })).toMatchObject({
    kind: 'vault',
    fields: [{ value: USDC_MINT }, { value: OWNER, label: 'Held in' }],
  });
});

it('returns the size of unknown and hostile bytes', () => {
  const size = fc.oneof(fc.constantFrom(...SIZES), fc.nat(700));
  const bytes = size.chain((length) =>
    fc.oneof(
      fc.uint8Array({ minLength: length, maxLength: length }),
      // Small numbers are tags, counts and options more often than not.
      fc.array(fc.oneof(fc.constant(0), fc.nat(3), fc.nat(255)), { minLength: length, maxLength: length }),
      fc
        .constantFrom(100, 101, 102, 104)
        .map((tag) => [tag, ...Array.from({ length }, () => 0)].slice(0, length)),
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...OWNERS), bytes, (owner, data) => {
      const decoded = decodeAccount({ address: OWNER, owner, data: Uint8Array.from(data) });
      if (decoded.kind === 'unknown') expect(decoded).toMatchObject({ bytes: data.length });
      else expect(decoded).toHaveProperty('fields');
    }),
    { numRuns: 5_000 },
  );
});
