import { describe, expect, it } from 'vitest';
import { expectHosted, hostedCases } from '../../../test/vectors/hosted-cases.ts';
import { describeInstruction } from '../../../test/vectors/instruction-text.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { deriveDepositAccounts, deriveShuttle } from '../accounts/deposit-accounts.ts';
import { closesOwnerAta, planDirectWithdraw, planShuttleWithdraw } from './draft.ts';

import layoutAVectors from '../../../test/vectors/layout-a.json' with { type: 'json' };

interface HostedWithdrawal {
  readonly owner: Address;
  readonly mint: Address;
  readonly amount: string;
  readonly validator: Address;
  readonly shuttleId: number;
  readonly tokenProgram?: Address;
  readonly idempotent?: boolean;
  readonly initIfMissing?: boolean;
  readonly initAtasIfMissing?: boolean;
}

function planOf(input: HostedWithdrawal) {
  const accounts = deriveDepositAccounts(input.owner, input.mint, input.tokenProgram ?? TOKEN_PROGRAM);
  const idempotent = input.idempotent ?? true;
  const plan = { accounts, amount: BigInt(input.amount), initOwnerAta: input.initAtasIfMissing ?? false };
  return idempotent
    ? planShuttleWithdraw({
        ...plan,
        validator: input.validator,
        shuttle: deriveShuttle(accounts, input.shuttleId),
        initEata: input.initIfMissing ?? true,
      })
    : planDirectWithdraw({ ...plan, layout: 'b', closesOwnerAta: closesOwnerAta(input.mint, idempotent) });
}

describe('withdrawals on layout B', () => {
  const cases = hostedCases<HostedWithdrawal>('withdraw');

  it('covers all withdrawals of the vectors', () => {
    expect(cases).toHaveLength(7);
  });

  it.each(cases)('builds withdraw %s byte for byte', (_, vector) => {
    expectHosted(vector, planOf(vector.input));
  });
});

describe('withdrawals on layout A', () => {
  const cases = layoutAVectors.cases.filter(({ op }) => op === 'ix.withdrawSplIx');

  it('covers withdrawals of the vectors', () => {
    expect(cases.length).toBeGreaterThan(0);
  });

  it.each(cases.map((vector) => [vector.id, vector] as const))('are %s byte for byte', (_, vector) => {
    const input = vector.input as unknown as { owner: Address; mint: Address; amount: string };
    const plan = planDirectWithdraw({
      layout: 'a',
      accounts: deriveDepositAccounts(input.owner, input.mint, TOKEN_PROGRAM),
      amount: BigInt(input.amount),
      initOwnerAta: false,
      closesOwnerAta: false,
    });
    expect(plan.map(describeInstruction)).toEqual(vector.expect.instructions);
  });
});
