import { describe, expect, it } from 'vitest';
import { describeInstruction } from '../../../test/vectors/instruction-text.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { deriveDepositAccounts } from '../accounts/deposit-accounts.ts';
import { planDepositA } from './plan.ts';

import vectors from '../../../test/vectors/layout-a.json' with { type: 'json' };

interface SdkInput {
  readonly owner: Address;
  readonly mint: Address;
  readonly amount: string;
  readonly payer?: Address;
  readonly validator?: Address;
  readonly initIfMissing?: boolean;
  readonly initVaultIfMissing?: boolean;
  readonly permissionFlags?: number;
  readonly delegatePermission?: boolean;
}

/** The defaults of the SDK's two builders. The private one omits the vault by default. */
function planOf(op: string, input: SdkInput) {
  const isPrivate = op === 'delegatePrivateSpl';
  const initEata = input.initIfMissing ?? true;
  return planDepositA({
    accounts: deriveDepositAccounts(input.owner, input.mint, TOKEN_PROGRAM),
    payer: input.payer ?? input.owner,
    amount: BigInt(input.amount),
    // Without a validator the private builder names the SDK's own default; the public one names none.
    validator: input.validator ?? (isPrivate ? SDK_DEFAULT_VALIDATOR : null),
    creates: {
      eata: initEata,
      vault: input.initVaultIfMissing ?? (isPrivate ? false : initEata),
      ownerAta: false,
    },
    permission: isPrivate
      ? {
          flags: input.permissionFlags ?? 0,
          delegateTo: input.delegatePermission === true ? (input.validator as Address) : null,
        }
      : null,
  });
}

const SDK_DEFAULT_VALIDATOR = 'FnE6VJT5QNZdedZPnCoLsARgBwoE6DeJNjBs2H1gySXA' as Address;

describe('planDepositA', () => {
  const cases = vectors.cases.filter(({ op }) => op === 'delegateSpl' || op === 'delegatePrivateSpl');

  it('covers all deposits of the vectors', () => {
    expect(cases).toHaveLength(10);
  });

  it.each(cases.map((vector) => [`${vector.op} ${vector.id}`, vector] as const))(
    'builds %s byte for byte',
    (_, vector) => {
      const instructions = planOf(vector.op, vector.input as unknown as SdkInput);
      expect(instructions.map(describeInstruction)).toEqual(vector.expect.instructions);
      const message = compileLegacyMessage({
        feePayer: vector.expect.feePayer as Address,
        blockhash: decodeBase58(vectors.blockhash),
        instructions,
      });
      expect(message.signers).toEqual(vector.expect.requiredSigners);
      expect(Buffer.from(encodeUnsignedTransaction(message)).toString('base64')).toBe(
        vector.expect.transaction,
      );
    },
  );

  it("creates the owner's ATA, if requested, before it takes tokens from it", () => {
    const vector = cases[0] as (typeof cases)[number];
    const input = vector.input as unknown as SdkInput;
    const accounts = deriveDepositAccounts(input.owner, input.mint, TOKEN_PROGRAM);
    const instructions = planDepositA({
      accounts,
      payer: input.owner,
      amount: 1n,
      validator: null,
      creates: { eata: true, vault: true, ownerAta: true },
      permission: null,
    });
    expect(instructions.map(({ data }) => data[0])).toEqual([0, 1, 1, 1, 2, 4]);
    expect(instructions[3]?.accounts[1]?.address).toBe(accounts.ownerAta);
  });
});
