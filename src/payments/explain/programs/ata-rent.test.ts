import { describe, expect, it } from 'vitest';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../../programs/associated-token.ts';
import { mintData, withExtensions } from '../../../rpc/testing/token-accounts.ts';
import { type Account, rentExemptMinimum } from '../../../solana/account.ts';
import { accountOf, explainInstructions, key, OWNER } from '../testing/explain-instructions.ts';

const mint = key(33);
const plain = accountOf(TOKEN_2022_PROGRAM, mintData({}));
const withFee = accountOf(TOKEN_2022_PROGRAM, withExtensions(mintData({}), 1, [[1, new Uint8Array(108)]]));

const toldFor = (tokenProgram: typeof TOKEN_PROGRAM, account?: Account): (bigint | null)[] => {
  const { address: ata } = deriveAta(OWNER, mint, tokenProgram);
  const create = createAtaIdempotent({ payer: OWNER, ata, owner: OWNER, mint, tokenProgram });
  const accounts = new Map(account === undefined ? [] : [[mint, account]]);
  return explainInstructions([create], { accounts }).effects.creations.map(({ lamports }) => lamports);
};

describe('the reported rent of a created token account', () => {
  it.each([
    ['SPL Token', TOKEN_PROGRAM, accountOf(TOKEN_PROGRAM, mintData({})), 165],
    ['Token-2022', TOKEN_2022_PROGRAM, plain, 170],
    ['Token-2022 with a fee', TOKEN_2022_PROGRAM, withFee, 182],
    ['Token-2022, unread, at most', TOKEN_2022_PROGRAM, undefined, 195],
  ])('is that of an account of %s', (_, program, account, bytes) => {
    expect(toldFor(program, account)).toEqual([rentExemptMinimum(bytes)]);
  });
});
