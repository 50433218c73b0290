import { beforeEach, describe, expect, it } from 'vitest';
import { HOLDER, OTHER_VALIDATOR } from '../../../test/ports/holder.ts';
import { mintData } from '../../../test/ports/map-chain.ts';
import { VmChain } from '../../../test/ports/vm-chain.ts';
import { createProgramVm, type ProgramVm } from '../../../test/program-vm.ts';
import { instructionsOf, refusalOf, runOperation } from '../../../test/run-operation.ts';
import { settleAndGiveBack, SETTLEMENT_ACCOUNTS } from '../../../test/settlement.ts';
import { Clusters } from '../../chain/clusters.ts';
import { systemRandom } from '../../ports/random.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../programs/ephemeral-token/table/eata.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { mintTo, transferTokens } from '../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { type Instruction, signer, writable } from '../../solana/instruction.ts';
import { createGetBalance } from '../balances.ts';
import { createDeposit } from '../deposit.ts';
import { createTransfer } from '../transfer.ts';
import { createWithdraw } from '../withdraw.ts';
import { deriveDepositAccounts } from './deposit-accounts.ts';

/**
 * The token account at the holder's ATA is made a stranger's by the real token program; nothing is simulated.
 */

const STRANGER = OTHER_VALIDATOR;
const PAYER = 'MUS3hc9TCw4cGC12vHNoYcCGzJG1txjgQLZWVoeNHNd' as Address;
const ACCOUNTS = deriveDepositAccounts(HOLDER, USDC_MINT, TOKEN_PROGRAM);
const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

let vm: ProgramVm;
let deps: { clusters: Clusters; random: typeof systemRandom };

beforeEach(() => {
  vm = createProgramVm(SETTLEMENT_ACCOUNTS);
  deps = { clusters: new Clusters([new VmChain(vm)]), random: systemRandom };
  const data = mintData(6);
  data[0] = 1;
  data.set(addressBytes(HOLDER), 4);
  vm.put(USDC_MINT, { lamports: 1_461_600n, owner: TOKEN_PROGRAM, data });
  for (const owner of [HOLDER, PAYER, STRANGER]) {
    vm.run(
      HOLDER,
      createAtaIdempotent({
        payer: HOLDER,
        ata: ataOf(owner),
        owner,
        mint: USDC_MINT,
        tokenProgram: TOKEN_PROGRAM,
      }),
    );
  }
  for (const owner of [HOLDER, PAYER]) {
    vm.run(
      HOLDER,
      mintTo(TOKEN_PROGRAM, { mint: USDC_MINT, destination: ataOf(owner), authority: HOLDER }, 1_000_000n),
    );
  }
});

const tokensOf = (owner: Address): bigint | undefined =>
  decodeTokenAccount((vm.account(ataOf(owner)) as Account).data)?.amount;

/** `SetAuthority` (tag 6) of the account's owner (2) to an address that is given (1). */
function handOver(from: Address, to: Address): void {
  const handing: Instruction = {
    programId: TOKEN_PROGRAM,
    accounts: [writable(ACCOUNTS.ownerAta), signer(from)],
    data: Uint8Array.of(6, 2, 1, ...addressBytes(to)),
  };
  vm.run(from, handing);
}

/** The amount that the stranger can withdraw from the holder's ATA to the stranger's own. */
function takeAway(amount: bigint): void {
  const move = { source: ACCOUNTS.ownerAta, destination: ataOf(STRANGER), authority: STRANGER };
  vm.run(STRANGER, transferTokens(TOKEN_PROGRAM, move, amount));
}

const mismatch = {
  code: 'TOKEN_ACCOUNT_OWNER_MISMATCH',
  context: { ata: ACCOUNTS.ownerAta, owner: HOLDER, holder: STRANGER },
};

const depositOf = (owner: Address) =>
  runOperation(createDeposit(deps), { owner, mint: USDC_MINT, amount: 400_000 });
const withdrawal = () =>
  runOperation(createWithdraw(deps), { owner: HOLDER, mint: USDC_MINT, amount: 400_000 });

describe('when the token account at a wallet’s ATA belongs to a stranger', () => {
  const transfer = () =>
    runOperation(createTransfer(deps), {
      from: PAYER,
      to: HOLDER,
      mint: USDC_MINT,
      amount: 400_000,
      visibility: 'public',
    });

  it('a transfer to the wallet is rejected, because it would pay the stranger', async () => {
    handOver(HOLDER, STRANGER);
    expect(await refusalOf(transfer())).toMatchObject(mismatch);

    const move = { source: ataOf(PAYER), destination: ACCOUNTS.ownerAta, authority: PAYER };
    vm.run(PAYER, transferTokens(TOKEN_PROGRAM, move, 400_000n));
    takeAway(1_400_000n);
    expect([PAYER, HOLDER, STRANGER].map(tokensOf)).toEqual([600_000n, 0n, 1_400_000n]);
  });

  it('a transfer to the wallet is built once the account is returned', async () => {
    handOver(HOLDER, STRANGER);
    handOver(STRANGER, HOLDER);
    const { output } = await transfer();
    vm.run(PAYER, ...instructionsOf(output.transactionBase64));
    expect([PAYER, HOLDER].map(tokensOf)).toEqual([600_000n, 1_400_000n]);
  });

  it('a withdrawal is rejected, because the tokens would belong to the stranger', async () => {
    vm.run(HOLDER, ...instructionsOf((await depositOf(HOLDER)).output.transactionBase64));
    settleAndGiveBack(vm, HOLDER, ACCOUNTS.eata.address, 400_000n);
    handOver(HOLDER, STRANGER);
    expect(await refusalOf(withdrawal())).toMatchObject(mismatch);

    const { eata, vault } = ACCOUNTS;
    vm.run(
      HOLDER,
      encode(
        EATA_TABLE_A.withdraw,
        { ...ACCOUNTS, eata: eata.address, vault: vault.address },
        { amount: 400_000n, vaultBump: vault.bump },
      ),
    );
    takeAway(1_000_000n);
    expect([HOLDER, STRANGER].map(tokensOf)).toEqual([0n, 1_000_000n]);
  });

  it('a deposit is rejected, because it could never succeed', async () => {
    handOver(HOLDER, STRANGER);
    expect(await refusalOf(depositOf(HOLDER))).toMatchObject(mismatch);

    const { eata, vault, owner, mint, tokenProgram, vaultAta, ownerAta } = ACCOUNTS;
    const paths = { eata: eata.address, vault: vault.address };
    vm.run(
      HOLDER,
      encode(
        EATA_TABLE_A.initEata,
        { eata: eata.address, payer: owner, owner, mint },
        { eataBump: eata.bump },
      ),
      encode(
        EATA_TABLE_A.initVault,
        { vault: vault.address, payer: owner, mint, vaultAta, tokenProgram },
        { vaultBump: vault.bump },
      ),
      createAtaIdempotent({ payer: owner, ata: vaultAta, owner: vault.address, mint, tokenProgram }),
    );
    const raw = encode(
      EATA_TABLE.deposit,
      { ...paths, mint, ownerAta, vaultAta, owner, tokenProgram },
      { amount: 400_000n },
    );
    // SPL Token `TokenError::OwnerMismatch`.
    expect(() => vm.run(HOLDER, raw)).toThrow(/Custom\(4\)|owner does not match/);
    expect(tokensOf(HOLDER)).toBe(1_000_000n);
  });

  it('a transfer from the wallet is rejected, because it could never succeed', async () => {
    handOver(HOLDER, STRANGER);
    const args = { from: HOLDER, to: PAYER, mint: USDC_MINT, amount: 1, visibility: 'public' };
    expect(await refusalOf(runOperation(createTransfer(deps), args))).toMatchObject(mismatch);
  });

  it('a balance is rejected, because it belongs to the stranger', async () => {
    const read = () => runOperation(createGetBalance(deps.clusters), { address: HOLDER, mint: USDC_MINT });
    expect((await read()).output.balance).toBe('1000000');
    handOver(HOLDER, STRANGER);
    expect(await refusalOf(read())).toMatchObject(mismatch);
  });
});
