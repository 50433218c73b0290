import { describe, expect, it } from 'vitest';
import { Holder, HOLDER, OTHER_VALIDATOR } from '../../../test/ports/holder.ts';
import { tokenAccountData } from '../../../test/ports/map-chain.ts';
import { refusalOf, runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { systemRandom } from '../../ports/random.ts';
import { EPHEMERAL_TOKEN_PROGRAM, NATIVE_MINT, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { addressBytes } from '../../solana/address.ts';
import { createDeposit } from '../deposit.ts';

const STRANGER = OTHER_VALIDATOR;

const deposit = ({ chain }: Holder, args: object = {}) =>
  runOperation(createDeposit({ clusters: new Clusters([chain]), random: systemRandom }), {
    owner: HOLDER,
    amount: 1_000,
    ...args,
  });

describe.each(['a', 'b'] as const)('a deposit into the vault of a mint on layout %s', (layout) => {
  const funded = () => new Holder(layout).putTokens(1_000n);

  it('is built if the vault is valid', async () => {
    expect((await deposit(funded())).output.warnings).toBeUndefined();
  });

  it('is rejected if the tokens in the vault belong to someone else', async () => {
    const holder = funded();
    const { vaultAta: ata, vault } = holder.accounts;
    holder.chain.put(ata, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, STRANGER, 0n) });
    expect(await refusalOf(deposit(holder))).toMatchObject({
      code: 'TOKEN_ACCOUNT_OWNER_MISMATCH',
      context: { ata, owner: vault.address, holder: STRANGER },
    });
  });

  it.each([
    ['of another mint', (): Uint8Array => addressBytes(NATIVE_MINT)],
    [
      'with another token account',
      () => Uint8Array.of(...addressBytes(USDC_MINT), ...addressBytes(STRANGER), 1),
    ],
    ['that is empty', () => new Uint8Array()],
  ])('is rejected if the vault is one %s', async (_, dataOf) => {
    const holder = funded();
    const vault = holder.accounts.vault.address;
    holder.chain.put(vault, { owner: EPHEMERAL_TOKEN_PROGRAM, data: dataOf() });
    expect(await refusalOf(deposit(holder))).toMatchObject({
      code: 'ACCOUNT_UNREADABLE',
      context: { vault, mint: USDC_MINT },
    });
  });

  it('warns of a frozen vault', async () => {
    const holder = funded();
    const { output } = await deposit(holder.putVault(holder.accounts, 2));
    expect(output.warnings).toEqual([
      {
        code: 'TOKEN_ACCOUNT_FROZEN',
        message: expect.stringContaining(`The vault's token account ${holder.accounts.vaultAta} is frozen`),
      },
    ]);
  });
});

describe('a vault without its token account', () => {
  it('is completed by a deposit on layout A', async () => {
    const holder = new Holder('a').putTokens(1_000n);
    const whole = await deposit(holder);
    holder.chain.accounts.delete(holder.accounts.vaultAta);
    const { output } = await deposit(holder);
    expect(output.instructionCount).toBe(whole.output.instructionCount + 2);
  });

  it('is rejected on layout B unless the deposit creates it', async () => {
    const holder = new Holder('b').putTokens(1_000n);
    holder.chain.accounts.delete(holder.accounts.vaultAta);
    expect((await refusalOf(deposit(holder))).code).toBe('VAULT_NOT_INITIALIZED');
    expect((await deposit(holder, { initVaultIfMissing: true })).output.kind).toBe('deposit');
  });
});
