import { beforeEach, describe, expect, it } from 'vitest';
import { HOLDER, OTHER_VALIDATOR } from '../../test/ports/holder.ts';
import { MapRollup, mintData } from '../../test/ports/map-chain.ts';
import { VmChain } from '../../test/ports/vm-chain.ts';
import { createProgramVm, type ProgramVm } from '../../test/program-vm.ts';
import { instructionsOf, refusalOf, runOperation } from '../../test/run-operation.ts';
import { settleAndGiveBack, SETTLEMENT_ACCOUNTS } from '../../test/settlement.ts';
import { Clusters } from '../chain/clusters.ts';
import { systemRandom } from '../ports/random.ts';
import { EPHEMERAL_TOKEN_PROGRAM, NATIVE_MINT, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { createAtaIdempotent } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { mintTo, syncNative } from '../programs/token/instructions.ts';
import { decodeTokenAccount } from '../programs/token/state.ts';
import type { Account } from '../solana/account.ts';
import { type Address, addressBytes } from '../solana/address.ts';
import { type Instruction, signer } from '../solana/instruction.ts';
import { deriveDepositAccounts } from './accounts/deposit-accounts.ts';
import { createDeposit } from './deposit.ts';
import { createUndelegate } from './undelegate.ts';
import { createWithdraw } from './withdraw.ts';

/**
 * What deposit, undelegate and withdraw build on layout A, executed by the programs the npm validator package
 * ships.
 */

let vm: ProgramVm;
let deps: { clusters: Clusters; random: typeof systemRandom };

beforeEach(() => {
  vm = createProgramVm(SETTLEMENT_ACCOUNTS);
  deps = { clusters: new Clusters([new VmChain(vm)]), random: systemRandom };
  putMint(USDC_MINT);
  const { ownerAta: ata } = accountsOf(USDC_MINT);
  vm.run(
    HOLDER,
    createAtaIdempotent({ payer: HOLDER, ata, owner: HOLDER, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM }),
    mintTo(TOKEN_PROGRAM, { mint: USDC_MINT, destination: ata, authority: HOLDER }, 1_000_000n),
  );
});

const accountsOf = (mint: Address) => deriveDepositAccounts(HOLDER, mint, TOKEN_PROGRAM);

/** A mint the holder can mint with. */
function putMint(mint: Address): void {
  const data = mintData(6);
  data[0] = 1;
  data.set(addressBytes(HOLDER), 4);
  vm.put(mint, { lamports: 1_461_600n, owner: TOKEN_PROGRAM, data });
}

const tokensAt = (ata: Address): bigint | undefined =>
  decodeTokenAccount((vm.account(ata) as Account).data)?.amount;

/** Builds a deposit or a withdrawal of the holder's and executes it; answers the codes it was warned with. */
async function execute(
  kind: 'deposit' | 'withdraw',
  args: { amount: number; mint?: Address } & Record<string, unknown>,
): Promise<string[]> {
  const given = { owner: HOLDER, mint: USDC_MINT, ...args };
  const { output } =
    kind === 'deposit'
      ? await runOperation(createDeposit(deps), given)
      : await runOperation(createWithdraw(deps), given);
  vm.run(HOLDER, ...instructionsOf(output.transactionBase64));
  return (output.warnings ?? []).map(({ code }) => code);
}

describe('deposit and withdraw in the real programs of layout A', () => {
  const { ownerAta, vaultAta, eata } = accountsOf(USDC_MINT);

  it.each([
    ['private', {}],
    ['public', { private: false }],
  ])('deposit a %s amount, and withdraw the settled amount', async (_, options) => {
    expect(await execute('deposit', { amount: 400_000, ...options })).toEqual([]);
    expect([tokensAt(ownerAta), tokensAt(vaultAta)]).toEqual([600_000n, 400_000n]);

    const early = await refusalOf(execute('withdraw', { amount: 1 }));
    expect(early.code).toBe('EATA_ALREADY_DELEGATED');
    const again = await refusalOf(execute('deposit', { amount: 1 }));
    expect(again.code).toBe('EATA_ALREADY_DELEGATED');

    settleAndGiveBack(vm, HOLDER, eata.address, 276_544n);
    const tooMuch = await refusalOf(execute('withdraw', { amount: 276_545 }));
    expect(tooMuch).toMatchObject({ code: 'EATA_BALANCE_TOO_LOW', context: { held: '276544' } });

    expect(await execute('withdraw', { amount: 276_543 })).toEqual([]);
    expect([tokensAt(ownerAta), tokensAt(vaultAta)]).toEqual([876_543n, 123_457n]);
    expect(await execute('withdraw', { amount: 1 })).toEqual([]);
    expect((await refusalOf(execute('withdraw', { amount: 1 }))).code).toBe('EATA_BALANCE_TOO_LOW');

    expect(await execute('deposit', { amount: 5, ...options })).toEqual([]);
    expect([tokensAt(ownerAta), tokensAt(vaultAta)]).toEqual([876_539n, 123_461n]);
  });

  it('need an undelegation in between, which the rollup accepts only from the owner', async () => {
    await execute('deposit', { amount: 400_000 });
    const rollupVm = createProgramVm([], 'rollup');
    for (const address of [USDC_MINT, ownerAta]) rollupVm.put(address, vm.account(address) as Account);
    // On a rollup a delegated account belongs to its own program.
    const delegated = vm.account(eata.address) as Account;
    rollupVm.put(eata.address, { ...delegated, owner: EPHEMERAL_TOKEN_PROGRAM });

    const chain = new VmChain(vm);
    chain.rollup = new MapRollup();
    const undelegate = createUndelegate({ clusters: new Clusters([chain]) });
    const { output } = await runOperation(undelegate, { payer: HOLDER, mint: USDC_MINT });
    const instructions = instructionsOf(output.transactionBase64);
    expect(rollupVm.run(HOLDER, ...instructions)).toBe(303);

    const [{ programId, accounts, data }] = instructions as [Instruction];
    const byStranger = { programId, accounts: [signer(OTHER_VALIDATOR), ...accounts.slice(1)], data };
    expect(() => rollupVm.run(OTHER_VALIDATOR, byStranger)).toThrow('InvalidSeeds');
  });

  it('unwrap SOL', async () => {
    putMint(NATIVE_MINT);
    const wrapped = accountsOf(NATIVE_MINT);
    const ata = { payer: HOLDER, ata: wrapped.ownerAta, owner: HOLDER };
    vm.run(
      HOLDER,
      createAtaIdempotent({ ...ata, mint: NATIVE_MINT, tokenProgram: TOKEN_PROGRAM }),
      transferLamports(HOLDER, wrapped.ownerAta, 1_000_000n),
      syncNative(TOKEN_PROGRAM, wrapped.ownerAta),
    );
    await execute('deposit', { mint: NATIVE_MINT, amount: 1_000_000 });
    settleAndGiveBack(vm, HOLDER, wrapped.eata.address, 1_000_000n);
    await execute('withdraw', { mint: NATIVE_MINT, amount: 600_000 });
    expect(tokensAt(wrapped.ownerAta)).toBe(600_000n);
    await execute('withdraw', { mint: NATIVE_MINT, amount: 400_000, idempotent: false });
    expect(vm.account(wrapped.ownerAta)?.lamports ?? 0n).toBe(0n);
    expect(tokensAt(wrapped.vaultAta)).toBe(0n);
  });

  it('create the receiving token account if requested', async () => {
    await execute('deposit', { amount: 1_000_000, private: false });
    settleAndGiveBack(vm, HOLDER, eata.address, 1_000_000n);
    vm.put(ownerAta, { lamports: 0n, owner: TOKEN_PROGRAM, data: new Uint8Array() });
    expect((await refusalOf(execute('withdraw', { amount: 7 }))).code).toBe('TOKEN_ACCOUNT_NOT_FOUND');
    expect(await execute('withdraw', { amount: 7, initAtasIfMissing: true })).toEqual([]);
    expect(tokensAt(ownerAta)).toBe(7n);
  });
});
