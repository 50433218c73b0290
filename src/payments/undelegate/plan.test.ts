import { describe, expect, it } from 'vitest';
import { expectHosted, hostedCases } from '../../../test/vectors/hosted-cases.ts';
import { describeInstruction } from '../../../test/vectors/instruction-text.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { EATA_TABLE } from '../../programs/ephemeral-token/table/eata.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import type { Address } from '../../solana/address.ts';
import { deriveDepositAccounts } from '../accounts/deposit-accounts.ts';
import { planUndelegate } from '../undelegate.ts';

interface HostedInput {
  readonly payer: Address;
  readonly mint: Address;
  readonly payerValidator?: Address;
}

describe('planUndelegate', () => {
  const cases = hostedCases<HostedInput>('undelegateEphemeralAta');

  it('covers all vectors', () => {
    expect(cases).toHaveLength(2);
  });

  it.each(cases)('builds %s byte for byte', (_, vector) => {
    const { payer, mint, payerValidator = null } = vector.input;
    const plan = planUndelegate({
      owner: payer,
      mint,
      tokenProgram: TOKEN_PROGRAM,
      walletValidator: payerValidator,
    });
    expectHosted(vector, plan);
  });

  it('is the same on layout A for an ordinary wallet', () => {
    const { payer: owner, mint } = (cases[0] as (typeof cases)[number])[1].input;
    const { ownerAta, eata } = deriveDepositAccounts(owner, mint, TOKEN_PROGRAM);
    const plan = planUndelegate({ owner, mint, tokenProgram: TOKEN_PROGRAM, walletValidator: null });
    expect(plan.map(describeInstruction)).toEqual([
      describeInstruction(encode(EATA_TABLE.undelegateEata, { owner, ownerAta, eata: eata.address })),
    ]);
  });
});
