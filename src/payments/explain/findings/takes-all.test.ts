import { describe, expect, it } from 'vitest';
import { tokenAccountData } from '../../../../test/ports/map-chain.ts';
import { NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { transferLamports } from '../../../programs/system.ts';
import { closeTokenAccount, transferTokens } from '../../../programs/token/instructions.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { inLightOfRequest } from '../../explain-transaction.ts';
import type { RequestVerdict } from '../request/check-request.ts';
import { accountOf, explainInstructions, key, OWNER, THIEF } from '../testing/explain-instructions.ts';

const SOL = 1_000_000_000n;
const ataOf = (owner: Address, mint = USDC_MINT): Address => deriveAta(owner, mint, TOKEN_PROGRAM).address;
const tokens = (mint: Address, amount: bigint) =>
  accountOf(TOKEN_PROGRAM, tokenAccountData(mint, OWNER, amount), 2_039_280n + amount);
const accounts = new Map([
  [OWNER, accountOf(SYSTEM_PROGRAM, new Uint8Array(), SOL)],
  [ataOf(OWNER), tokens(USDC_MINT, 500n)],
  [ataOf(OWNER, NATIVE_MINT), tokens(NATIVE_MINT, SOL)],
]);
const payTokens = (amount: bigint, to = THIEF): Instruction =>
  transferTokens(TOKEN_PROGRAM, { source: ataOf(OWNER), destination: ataOf(to), authority: OWNER }, amount);

/** The findings about taken balances. */
const taken = (...instructions: Instruction[]): string[] =>
  explainInstructions(instructions, { accounts, owners: [THIEF, key(5)], mints: [USDC_MINT, NATIVE_MINT] })
    .findings.filter(({ code }) => code === 'TAKES_ALL')
    .map(({ level, message }) => `${level}: ${message}`);

describe('a transaction that takes the whole balance of a signer', () => {
  it('of a mint is a caution (bug: it was clear)', () => {
    expect(taken(payTokens(500n))).toEqual([
      `caution: The whole balance of ${OWNER} leaves it: 0.0005 USDC (500 base units of mint ${USDC_MINT}).`,
    ]);
    expect(taken(payTokens(200n), payTokens(300n, key(5)))).toHaveLength(1);
    expect(taken(payTokens(499n))).toEqual([]);
    expect(taken(payTokens(501n))).toEqual([
      expect.stringMatching(/^caution: More than the whole balance of .* The balance is 0\.0005 USDC/),
    ]);
  });

  it('of SOL is a caution, also if a little is left for fees', () => {
    expect(taken(transferLamports(OWNER, THIEF, (SOL * 99n) / 100n))).toHaveLength(1);
    expect(taken(transferLamports(OWNER, THIEF, SOL / 2n))).toEqual([]);
  });

  it('is not reported if the signer keeps the unwrapped lamports', () => {
    const account = ataOf(OWNER, NATIVE_MINT);
    const close = closeTokenAccount(TOKEN_PROGRAM, { account, destination: OWNER, authority: OWNER });
    expect(taken(close)).toEqual([]);
  });

  it('is no danger if requested', () => {
    const [finding] = explainInstructions([payTokens(500n)], { accounts, mints: [USDC_MINT] }).findings;
    const verdict = {
      operation: 'transfer',
      satisfied: 'yes',
      claims: [],
      differences: [],
    } as RequestVerdict;
    expect(finding?.code).toBe('TAKES_ALL');
    expect(inLightOfRequest(finding as never, verdict)).toBeNull();
    expect(inLightOfRequest(finding as never, { ...verdict, satisfied: 'no' })).toBe(finding);
  });
});
