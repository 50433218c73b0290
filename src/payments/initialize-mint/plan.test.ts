import { describe, expect, it } from 'vitest';
import { expectHosted, hostedCases } from '../../../test/vectors/hosted-cases.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { LOCAL_RENT } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveMintSetupAccounts, lamportsOfSetup, planInitializeMint } from '../initialize-mint.ts';

interface HostedInput {
  readonly payer: Address;
  readonly mint: Address;
  readonly validator: Address;
  readonly tokenProgram?: Address;
}

describe('planInitializeMint', () => {
  const cases = hostedCases<HostedInput>('initializeMint');

  it('covers all vectors', () => {
    expect(cases).toHaveLength(2);
  });

  it.each(cases)('builds %s byte for byte', (_, vector) => {
    const { payer, mint, validator, tokenProgram = TOKEN_PROGRAM } = vector.input;
    const accounts = deriveMintSetupAccounts(mint, tokenProgram, validator);
    expectHosted(vector, planInitializeMint(accounts, payer));
    expect(vector.expect).toMatchObject({ transferQueue: accounts.queue });
  });
});

describe('lamportsOfSetup', () => {
  it('equals the measured cost if nothing exists', () => {
    const nothing = {
      queue: null,
      queuePermission: null,
      queueEata: null,
      queueAta: null,
      queueRecord: null,
      queueEataRecord: null,
      vault: null,
      vaultEata: null,
      vaultAta: null,
      vaultEataRecord: null,
      rentPda: null,
    };
    expect(lamportsOfSetup(LOCAL_RENT, nothing, 165)).toBe(212_447_720n);
  });
});
