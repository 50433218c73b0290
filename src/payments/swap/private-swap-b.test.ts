import { describe, expect, it } from 'vitest';
import { runOperation } from '../../../test/run-operation.ts';
import type { Chain } from '../../chain/chain.ts';
import { Clusters } from '../../chain/clusters.ts';
import { emptyProgram, mintAccount } from '../../ledger/genesis/genesis.ts';
import { programAccounts } from '../../ledger/genesis/program-accounts.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { LedgerChain } from '../../ledger/ledger-chain.ts';
import { openLayoutBBase } from '../../ledger/network-programs/testing/layout-b-base.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../ledger/network-programs/testing/layout-b-dumps.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, USDC_DEVNET_MINT, USDC_MINT } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { setComputeUnitLimit } from '../../programs/compute-budget.ts';
import { deriveStash } from '../../programs/ephemeral-token/pdas.ts';
import { deriveHydraCrank, HYDRA_PROGRAM } from '../../programs/hydra.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { transferChecked } from '../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import { TOKEN_TABLE } from '../../programs/token/table.ts';
import { rollupValidatorOf } from '../../rollup/validator-accounts.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { signMissing } from '../../wallets/sign-missing.ts';
import { createInitializeMint } from '../initialize-mint.ts';
import { createSwap } from '../swap.ts';
import { TERMS } from './testing/private-mainnet.ts';
import { answerOf, mainnetSwaps } from './testing/swap-scene.ts';

const SHUTTLE_ID = 7;

/**
 * A ledger that counts as mainnet and has the programs of the networks, and a pool whose output the user can
 * spend. An empty program replaces Hydra.
 */
async function openScene(outputMint: Address, tokenProgram: Address) {
  const world = await openLayoutBBase();
  const { ledger, random } = world;
  const [user, pool] = [await world.fundedWallet(), await world.fundedWallet()];
  await ledger.setOwnAccounts([...programAccounts(HYDRA_PROGRAM, emptyProgram())]);
  if (tokenProgram === TOKEN_2022_PROGRAM) {
    await ledger.setAccounts([[outputMint, { ...mintAccount(ledger.faucet, 6), owner: tokenProgram }]]);
  }
  const validator = rollupValidatorOf(ledger).address;
  const localnet = new LedgerChain('localnet', ledger, validator, null, { layout: 'b' });
  const mainnet = Object.assign(new LedgerChain('mainnet', ledger, validator, null, { layout: 'b' }), {
    network: 'mainnet',
  }) as unknown as Chain;
  const submit = async (transactionBase64: string) => {
    const transaction = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
    const { wire } = signMissing(transaction, (address) => (address === user.address ? user : undefined));
    const { err, signature } = await ledger.submit(decodeTransaction(wire));
    return { err, logs: ledger.getTransaction(signature)?.logs ?? [] };
  };
  const initialize = createInitializeMint({ clusters: new Clusters([localnet]) });
  const initialized = await runOperation(initialize, { payer: user.address, mint: outputMint });
  expect((await submit(initialized.output.transactionBase64)).err).toBeNull();

  const ataOf = (owner: Address, mint: Address): Address =>
    deriveAta(owner, mint, mint === outputMint ? tokenProgram : TOKEN_PROGRAM).address;
  await ledger.airdropTokens(user.address, USDC_DEVNET_MINT, 5_000_000n);
  await ledger.airdropTokens(pool.address, USDC_DEVNET_MINT, 0n);
  await ledger.airdropTokens(pool.address, outputMint, 9_000_000n);
  const accounts = { source: ataOf(pool.address, outputMint), delegate: user.address };
  const approve = encode(
    TOKEN_TABLE.approve,
    { ...accounts, authority: pool.address },
    { amount: 9_000_000n },
  );
  const approved = { ...approve, programId: tokenProgram };
  expect((await ledger.submit(buildTransaction(ledger, [pool], [approved]))).err).toBeNull();

  const stash = deriveStash(user.address, outputMint).address;
  const move = (source: Address, destination: Address, mint: Address, amount: bigint) =>
    transferChecked(
      mint === outputMint ? tokenProgram : TOKEN_PROGRAM,
      { source, mint, destination, authority: user.address },
      amount,
      6,
    );
  const upstreamSwap = (): string => {
    const instructions = [
      setComputeUnitLimit(60_000),
      move(
        ataOf(user.address, USDC_DEVNET_MINT),
        ataOf(pool.address, USDC_DEVNET_MINT),
        USDC_DEVNET_MINT,
        1_000_000n,
      ),
      move(ataOf(pool.address, outputMint), ataOf(stash, outputMint), outputMint, 905_000n),
    ];
    const blockhash = decodeBase58(ledger.head().blockhash);
    const message = compileLegacyMessage({ feePayer: user.address, blockhash, instructions });
    return Buffer.from(encodeUnsignedTransaction(message)).toString('base64');
  };
  const crank = deriveHydraCrank(stash, SHUTTLE_ID).address;
  const deps = mainnetSwaps(async () => {
    // Hydra would create the task's account and pay its rent.
    await ledger.airdrop(crank, 890_880n);
    return answerOf({ swapTransaction: upstreamSwap() });
  }, mainnet);
  const drawId = {
    bytes: (length: number) => (length === 4 ? Uint8Array.of(SHUTTLE_ID, 0, 0, 0) : random.bytes(length)),
  };
  const operation = createSwap({ ...deps, random: drawId });
  return { ...world, user, stash, crank, submit, operation, stashAta: ataOf(stash, outputMint) };
}

const swapArgs = ({ address }: Keypair, outputMint: Address) => ({
  userPublicKey: address,
  quoteResponse: { ...TERMS, outputMint },
  visibility: 'private',
  destination: addressOf(new Uint8Array(32).fill(5)),
  minDelayMs: 0,
  maxDelayMs: 1_000,
  split: 2,
});

describe.skipIf(LAYOUT_B_FOLDER === null)(`the program of layout B (needs ${NO_LAYOUT_B})`, () => {
  it.each([
    ['SPL Token', USDC_MINT, TOKEN_PROGRAM],
    ['Token-2022', addressOf(new Uint8Array(32).fill(99)), TOKEN_2022_PROGRAM],
  ])('runs a private swap to a mint of %s up to its call to Hydra', async (_name, mint, tokenProgram) => {
    const scene = await openScene(mint, tokenProgram);
    const { ledger, user, stash, stashAta, crank } = scene;
    const { output } = await runOperation(scene.operation, swapArgs(user, mint));
    const lamportsOf = (address: Address): bigint => ledger.getAccount(address)?.lamports ?? 0n;
    const before = lamportsOf(user.address);
    const { err, logs } = await scene.submit(output.swapTransaction);
    expect(err).toBeNull();
    expect(logs).toContain(`Program ${HYDRA_PROGRAM} success`);
    expect([lamportsOf(stash), lamportsOf(crank)]).toEqual([2_039_280n, 890_880n + 10_000n]);
    expect(before - lamportsOf(user.address)).toBe(5_000n + 2_039_280n + lamportsOf(stashAta));
    expect(decodeTokenAccount(ledger.getAccount(stashAta)?.data ?? new Uint8Array())?.amount).toBe(905_000n);
  });
});
