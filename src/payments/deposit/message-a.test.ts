import { randomBytes, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { compileLegacyMessage, type CompiledMessage } from '../../solana/message.ts';
import { deriveMintVault } from '../accounts/deposit-accounts.ts';
import { writeDepositA } from './message-a.ts';
import { planDepositA, type DepositPlanA } from './plan-a.ts';

const random = (): Address => addressOf(new Uint8Array(randomBytes(32)));
const blockhash = new Uint8Array(randomBytes(32));
const mints = Array.from({ length: 3 }, random);

/** Any 32 bytes do for a derived address here, so that nothing has to be derived. */
function planOf(switches: number): DepositPlanA {
  const isOn = (bit: number): boolean => ((switches >> bit) & 1) === 1;
  const owner = random();
  const mint = mints[randomInt(mints.length)] as Address;
  const tokenProgram = isOn(0) ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  return {
    accounts: {
      owner,
      mint,
      tokenProgram,
      ...deriveMintVault(mint, tokenProgram),
      ownerAta: random(),
      eata: { address: random(), bump: randomInt(256) },
      delegation: { buffer: random(), record: random(), metadata: random() },
      permission: random(),
    },
    payer: isOn(1) ? owner : random(),
    amount: randomBytes(8).readBigUInt64LE(),
    validator: isOn(2) ? random() : null,
    creates: { eata: isOn(3), vault: isOn(4), ownerAta: isOn(5) },
    permission: isOn(6)
      ? { flags: isOn(7) ? 0 : 3, resets: isOn(8), delegateTo: isOn(9) ? random() : null }
      : null,
  };
}

function written(plan: DepositPlanA): string {
  const content = writeDepositA(plan);
  return textOf(
    'compile' in content
      ? content.compile(blockhash)
      : compileLegacyMessage({ feePayer: plan.payer, blockhash, instructions: content }),
  );
}

const planned = (plan: DepositPlanA): string =>
  textOf(compileLegacyMessage({ feePayer: plan.payer, blockhash, instructions: planDepositA(plan) }));

const textOf = ({ bytes, signers }: CompiledMessage): string =>
  `${signers.join()} ${Buffer.from(bytes).toString('hex')}`;

describe('writeDepositA', () => {
  it('writes what is compiled from the plan, whatever the switches', () => {
    for (let switches = 0; switches < 1 << 10; switches++) {
      for (let n = 0; n < 3; n++) {
        const plan = planOf(switches);
        expect(written(plan)).toBe(planned(plan));
      }
    }
  });

  it('writes it from a template where the owner pays and names a validator', () => {
    const content = writeDepositA(planOf(0b111_1110));
    expect('compile' in content).toBe(true);
    expect(content.length).toBe(planDepositA(planOf(0b111_1110)).length);
  });

  it('writes it where accounts coincide', () => {
    const plan = planOf(0b1_0111_1111);
    const { owner, mint, vault, vaultAta, ownerAta, eata } = plan.accounts;
    const coinciding: DepositPlanA[] = [
      { ...plan, validator: owner },
      { ...plan, validator: EPHEMERAL_TOKEN_PROGRAM },
      { ...plan, validator: eata.address },
      ...[mint, vault.address, vaultAta, EPHEMERAL_TOKEN_PROGRAM].map((other) => ({
        ...plan,
        payer: other,
        accounts: { ...plan.accounts, owner: other },
      })),
      { ...plan, accounts: { ...plan.accounts, ownerAta: vaultAta } },
      { ...plan, accounts: { ...plan.accounts, permission: ownerAta } },
    ];
    for (const each of coinciding) expect(written(each)).toBe(planned(each));
  });
});
