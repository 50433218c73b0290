import { mintAccount } from '../../../src/ledger/genesis/genesis.ts';
import { accountOf, tokenAccount } from '../../../src/ledger/testing/make-account.ts';
import { deriveDepositAccounts } from '../../../src/payments/accounts/deposit-accounts.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../../src/programs/addresses.ts';
import { type Address, addressBytes } from '../../../src/solana/address.ts';
import { DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { build } from '../world/hosts.ts';
import { strange } from '../world/kit.ts';
import { newcomer, type World } from '../world/world.ts';

type Accounts = Parameters<World['scene']['base']['setAccounts']>[0];

/** Creates a deposit of a new mint whose vault is then replaced with another account. */
const vaultRow = (
  name: string,
  mint: Address,
  alone: Row['alone'],
  odd: (accounts: ReturnType<typeof deriveDepositAccounts>, world: World) => Accounts,
): Row => ({
  name: `a deposit into ${name}`,
  alone,
  asked: ['no', 'unverifiable'],
  async make(world) {
    const { base } = world.scene;
    await base.setAccounts([[mint, mintAccount(base.faucet, 6)]]);
    const first = await newcomer(world, 5_000_000n, mint);
    await world.scene.do(first, 'deposit', { owner: first.address, mint, amount: 1_000_000 });
    const owner = await newcomer(world, 5_000_000n, mint);
    const built = await build(world, 'deposit', { owner: owner.address, mint, amount: 1_000_000 });
    await base.setAccounts(odd(deriveDepositAccounts(owner.address, mint, TOKEN_PROGRAM), world));
    return built;
  },
});

const tokens = (mint: Address, owner: Address, delegate: Address | null = null) =>
  tokenAccount({ mint, owner }, 1_000_000n, { delegate });

/** Vaults with invalid accounts. */
export const VAULT_ROWS: readonly Row[] = [
  vaultRow("a vault account that is the thief's", strange(131), DANGER, ({ mint, vaultAta }, { thief }) => [
    [vaultAta, tokens(mint, thief.address)],
  ]),
  vaultRow(
    'a vault account that the thief may take from',
    strange(132),
    NOT_CLEAR,
    ({ mint, vault, vaultAta }, { thief }) => [[vaultAta, tokens(mint, vault.address, thief.address)]],
  ),
  vaultRow('a vault account of another mint', strange(133), NOT_CLEAR, ({ vault, vaultAta }, { kit }) => [
    [vaultAta, tokens(kit.coin, vault.address)],
  ]),
  vaultRow('a vault that belongs to a strange program', strange(134), NOT_CLEAR, ({ mint, vault }) => [
    [vault.address, accountOf(strange(242), addressBytes(mint))],
  ]),
  vaultRow('a vault of another mint', strange(135), NOT_CLEAR, ({ vault }, { kit }) => [
    [vault.address, accountOf(EPHEMERAL_TOKEN_PROGRAM, addressBytes(kit.coin))],
  ]),
];
