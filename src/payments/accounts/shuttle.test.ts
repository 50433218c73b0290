import { describe, expect, it } from 'vitest';
import { HOLDER } from '../../../test/ports/holder.ts';
import { shuttleTransferOf } from '../../../test/vectors/derived-accounts.ts';
import { scriptedRandom } from '../../../test/vectors/scripted-random.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { deriveShuttle, drawShuttle, isShuttleTaken, readWithFreshShuttle } from './deposit-accounts.ts';

const owner = { owner: HOLDER, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM };

describe('drawShuttle', () => {
  it.each([
    ['00000000', 0],
    ['01000000', 1],
    ['ffffffff', 0x7fff_ffff],
    ['00000080', 0],
    ['bc55d3f7', 0x77d3_55bc],
  ])('reads %s as the 31-bit id %i', (bytes, id) => {
    expect(drawShuttle(owner, scriptedRandom([bytes])).id).toBe(id);
  });
});

describe('deriveShuttle', () => {
  it('derives the same accounts as the MagicBlock SDK', () => {
    const { shuttle, delegation } = shuttleTransferOf({ ...owner, payer: HOLDER, shuttleId: 7 });
    expect(deriveShuttle(owner, 7)).toEqual({ id: 7, accounts: shuttle, delegation });
  });
});

describe('isShuttleTaken', () => {
  const accountOf = (program: typeof SYSTEM_PROGRAM) => ({
    lamports: 1n,
    owner: program,
    data: new Uint8Array(72),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  });

  const taken = (shuttle: typeof SYSTEM_PROGRAM | null, shuttleEata: typeof SYSTEM_PROGRAM | null) =>
    isShuttleTaken({
      shuttle: shuttle && accountOf(shuttle),
      shuttleEata: shuttleEata && accountOf(shuttleEata),
    });

  it('is true for an account of the program, and false for lamports sent to the address', () => {
    expect(taken(null, null)).toBe(false);
    expect(taken(SYSTEM_PROGRAM, SYSTEM_PROGRAM)).toBe(false);
    expect(taken(EPHEMERAL_TOKEN_PROGRAM, null)).toBe(true);
  });

  it('is true for a delegated eATA, and false for one on base', () => {
    expect(taken(null, EPHEMERAL_TOKEN_PROGRAM)).toBe(false);
    expect(taken(null, DELEGATION_PROGRAM)).toBe(true);
  });
});

describe('readWithFreshShuttle', () => {
  const takenUpTo = (id: number) => (shuttle: { id: number }) =>
    Promise.resolve({ shuttleTaken: shuttle.id <= id });

  it('draws again while the shuttle exists, because a repeated id moves nothing', async () => {
    const random = scriptedRandom(['01000000', '02000000', '03000000']);
    const { shuttle } = await readWithFreshShuttle(owner, random, takenUpTo(2));
    expect(shuttle.id).toBe(3);
  });

  it('gives up on a random source that repeats itself', async () => {
    const stuck = { bytes: () => new Uint8Array(4) };
    await expect(readWithFreshShuttle(owner, stuck, takenUpTo(0))).rejects.toThrow('repeats itself');
  });
});
