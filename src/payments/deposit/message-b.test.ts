import { randomBytes, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { compileLegacyMessage, type CompiledMessage } from '../../solana/message.ts';
import { deriveMintVault } from '../accounts/deposit-accounts.ts';
import { NO_WRAP } from '../mints/wrapped-sol.ts';
import { writeDepositB } from './message-b.ts';
import { planDepositB } from './plan-b.ts';
import type { DepositPlan } from './plan.ts';

const random = (): Address => addressOf(new Uint8Array(randomBytes(32)));
const blockhash = new Uint8Array(randomBytes(32));
const mints = Array.from({ length: 3 }, random);

const SHUTTLE = 1 << 8;

/** Any 32 bytes do for a derived address here, so that nothing has to be derived. */
function planOf(switches: number): DepositPlan {
  const isOn = (bit: number): boolean => ((switches >> bit) & 1) === 1;
  const owner = random();
  const mint = mints[randomInt(mints.length)] as Address;
  const tokenProgram = isOn(0) ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  const delegation = () => ({ buffer: random(), record: random(), metadata: random() });
  return {
    accounts: {
      owner,
      mint,
      tokenProgram,
      ...deriveMintVault(mint, tokenProgram),
      ownerAta: random(),
      eata: { address: random(), bump: randomInt(256) },
      delegation: delegation(),
      permission: random(),
    },
    payer: isOn(1) ? owner : random(),
    amount: randomBytes(8).readBigUInt64LE(),
    validator: random(),
    creates: { eata: isOn(2), vault: isOn(3), ownerAta: isOn(4) },
    permission: isOn(5) ? { flags: isOn(6) ? 0 : 3, delegateTo: null } : null,
    wrap: isOn(7) ? NO_WRAP : { wrapLamports: 5n, rentTopUpLamports: 7n },
    shuttle:
      (switches & SHUTTLE) === 0
        ? null
        : {
            id: randomInt(2 ** 31),
            accounts: { metadata: random(), eata: random(), walletAta: random() },
            delegation: delegation(),
          },
  };
}

function written(plan: DepositPlan): string {
  const content = writeDepositB(plan);
  return textOf(
    'compile' in content
      ? content.compile(blockhash)
      : compileLegacyMessage({ feePayer: plan.payer, blockhash, instructions: content }),
  );
}

const planned = (plan: DepositPlan): string =>
  textOf(compileLegacyMessage({ feePayer: plan.payer, blockhash, instructions: planDepositB(plan) }));

const textOf = ({ bytes, signers }: CompiledMessage): string =>
  `${signers.join()} ${Buffer.from(bytes).toString('hex')}`;

const COMMON = 0b1_1011_0110;

describe('writeDepositB', () => {
  it('writes what is compiled from the plan, whatever the switches', () => {
    for (let switches = 0; switches < 1 << 9; switches++) {
      for (let n = 0; n < 3; n++) {
        const plan = planOf(switches);
        expect(written(plan)).toBe(planned(plan));
      }
    }
  });

  it('writes it from a template where the owner pays, a shuttle carries it and nothing is wrapped', () => {
    const content = writeDepositB(planOf(COMMON));
    expect('compile' in content).toBe(true);
    expect(content.length).toBe(planDepositB(planOf(COMMON)).length);
  });

  it('writes it where accounts coincide', () => {
    const plan = planOf(COMMON);
    const { owner, mint, vault, vaultAta, ownerAta, eata } = plan.accounts;
    const { shuttle } = plan;
    const coinciding: DepositPlan[] = [
      ...[owner, EPHEMERAL_TOKEN_PROGRAM, eata.address].map((validator) => ({ ...plan, validator })),
      ...[mint, vault.address, vaultAta, EPHEMERAL_TOKEN_PROGRAM].map((other) => ({
        ...plan,
        payer: other,
        accounts: { ...plan.accounts, owner: other },
      })),
      { ...plan, accounts: { ...plan.accounts, ownerAta: vaultAta } },
      { ...plan, accounts: { ...plan.accounts, permission: ownerAta } },
      { ...plan, shuttle: shuttle && { ...shuttle, accounts: { ...shuttle.accounts, eata: eata.address } } },
    ];
    for (const each of coinciding) expect(written(each)).toBe(planned(each));
  });
});
