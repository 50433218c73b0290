import { describe, expect, it } from 'vitest';
import { expectHosted, hostedCases } from '../../../test/vectors/hosted-cases.ts';
import { EPHEMERAL_TOKEN_PROGRAM, NATIVE_MINT, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { LOCAL_RENT } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { deriveDepositAccounts, deriveShuttle } from '../accounts/deposit-accounts.ts';
import type { DepositInput } from '../deposit.ts';
import { RENT_PDA_TARGET_LAMPORTS } from '../fees/costs.ts';
import { findWrapNeeds, NO_WRAP } from '../mints/wrapped-sol.ts';
import { depositSwitches } from './draft.ts';
import { ownersPermission, planDeposit } from './plan.ts';

interface HostedDeposit extends Omit<DepositInput, 'amount'> {
  readonly amount: string;
  readonly mint: Address;
  readonly validator: Address;
  readonly shuttleId: number;
  readonly tokenProgram?: Address;
  readonly wrapped?: string;
  readonly rentLamports?: string;
}

function planOf(input: HostedDeposit) {
  const { owner, mint, validator } = input;
  const amount = BigInt(input.amount);
  const { byShuttle, isPrivate, creates } = depositSwitches('b', input);
  const accounts = deriveDepositAccounts(owner, mint, input.tokenProgram ?? TOKEN_PROGRAM);
  const needs = {
    wanted: amount,
    wrapped: BigInt(input.wrapped ?? 0),
    rentPdaLamports: BigInt(input.rentLamports ?? RENT_PDA_TARGET_LAMPORTS),
    rent: LOCAL_RENT,
  };
  return planDeposit('b', {
    accounts,
    payer: owner,
    amount,
    validator,
    shuttle: byShuttle ? deriveShuttle(accounts, input.shuttleId) : null,
    creates: { ...creates, vault: creates.vault === true },
    permission: isPrivate ? ownersPermission(false) : null,
    wrap: mint === NATIVE_MINT ? findWrapNeeds(needs) : NO_WRAP,
  });
}

describe('planDeposit on layout B', () => {
  const cases = hostedCases<HostedDeposit>('deposit');

  it('covers all deposits of the vectors', () => {
    expect(cases).toHaveLength(14);
  });

  it.each(cases)('builds deposit %s byte for byte', (_, vector) => {
    expectHosted(vector, planOf(vector.input));
  });

  const SWITCHES = [
    'initIfMissing',
    'initVaultIfMissing',
    'initAtasIfMissing',
    'idempotent',
    'private',
  ] as const;
  const CHOICES = [true, false, undefined];
  // The digits of 0 to 242 to base 3 choose for each switch.
  const combinations = Array.from({ length: CHOICES.length ** SWITCHES.length }, (_, number) =>
    Object.fromEntries(
      SWITCHES.map((name, place) => [name, CHOICES[Math.floor(number / 3 ** place) % CHOICES.length]]),
    ),
  );

  it.each([
    ['tokens', USDC_MINT],
    ['native SOL', NATIVE_MINT],
  ])('fits %s into one transaction signed only by the owner, with any switches', (_, mint) => {
    const { owner, validator } = (cases[0] as (typeof cases)[number])[1].input;
    expect(combinations).toHaveLength(243);
    for (const switches of combinations) {
      const asked = { owner, mint, validator, amount: '18446744073709551615', shuttleId: 0x7fff_ffff };
      const instructions = planOf({ ...asked, ...switches, wrapped: '0', rentLamports: '0' });
      const source = { feePayer: owner, blockhash: decodeBase58(USDC_MINT), instructions };
      const message = compileLegacyMessage(source);
      expect(message.signers).toEqual([owner]);
      expect(encodeUnsignedTransaction(message).length).toBeLessThanOrEqual(1_232);
      const moved = instructions.filter(
        ({ programId, data }) => programId === EPHEMERAL_TOKEN_PROGRAM && [2, 24].includes(data[0] as number),
      );
      expect(moved).toHaveLength(1);
      const [{ data }] = moved as [(typeof moved)[0]];
      const amountAt = data[0] === 2 ? 1 : 5;
      expect(new DataView(data.buffer).getBigUint64(amountAt, true)).toBe(18_446_744_073_709_551_615n);
    }
  });
});
