import { describe, expect, it } from 'vitest';
import { createProgramVm } from '../../../test/program-vm.ts';
import { mintData, withExtensions } from '../../rpc/testing/token-accounts.ts';
import { addressOf } from '../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses.ts';
import { createAtaIdempotent, deriveAta } from '../associated-token.ts';
import { ataBytes, decodeMintExtensions } from './mint-extensions.ts';

const OWNER = addressOf(new Uint8Array(32).fill(11));
const MINT = addressOf(new Uint8Array(32).fill(12));

/** Bytes of the ATA that the real programs make for a mint. */
function madeFor(tokenProgram: typeof TOKEN_PROGRAM, data: Uint8Array): number | undefined {
  const vm = createProgramVm([]);
  vm.put(OWNER, { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
  vm.put(MINT, { lamports: 100_000_000n, owner: tokenProgram, data });
  const ata = deriveAta(OWNER, MINT, tokenProgram).address;
  vm.run(OWNER, createAtaIdempotent({ payer: OWNER, ata, owner: OWNER, mint: MINT, tokenProgram }));
  return vm.account(ata)?.data.length;
}

const FEE: [number, Uint8Array] = [1, new Uint8Array(108)];
const CLOSE_AUTHORITY: [number, Uint8Array] = [3, new Uint8Array(32)];
const NON_TRANSFERABLE: [number, Uint8Array] = [9, new Uint8Array(0)];
const DELEGATE: [number, Uint8Array] = [12, new Uint8Array(32)];
const EMPTY_HOOK: [number, Uint8Array] = [14, new Uint8Array(64)];
const HOOK: [number, Uint8Array] = [14, new Uint8Array(64).fill(7)];
const PAUSABLE: [number, Uint8Array] = [26, new Uint8Array(33)];
const ALL = [FEE, NON_TRANSFERABLE, HOOK, PAUSABLE];

describe('ataBytes() is the size that the real programs allocate', () => {
  it('of a mint of SPL Token', () => {
    expect(madeFor(TOKEN_PROGRAM, mintData({}))).toBe(165);
    expect(ataBytes(TOKEN_PROGRAM, null)).toBe(165);
  });

  it.each([
    ['no extension', [], 170],
    ['a close authority and a permanent delegate', [CLOSE_AUTHORITY, DELEGATE], 170],
    ['a fee', [FEE], 182],
    ['a hook', [HOOK], 175],
    ['space for a hook', [EMPTY_HOOK], 175],
    ['non-transferable tokens', [NON_TRANSFERABLE], 174],
    ['a pause', [PAUSABLE], 174],
    ['all extensions', ALL, 195],
  ])('of a mint of Token-2022 with %s', (_, extensions, bytes) => {
    const data = extensions.length === 0 ? mintData({}) : withExtensions(mintData({}), 1, extensions);
    expect(madeFor(TOKEN_2022_PROGRAM, data)).toBe(bytes);
    expect(ataBytes(TOKEN_2022_PROGRAM, decodeMintExtensions(data))).toBe(bytes);
  });

  it('at most, if the mint or its program is unknown', () => {
    expect(ataBytes(TOKEN_2022_PROGRAM, null)).toBe(195);
    expect(ataBytes(null, null)).toBe(195);
  });
});
