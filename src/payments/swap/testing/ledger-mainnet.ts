import type { Chain } from '../../../chain/chain.ts';
import type { Keypair } from '../../../ledger/keypair.ts';
import { LedgerChain } from '../../../ledger/ledger-chain.ts';
import { buildTransaction, openTestLedger } from '../../../ledger/testing/test-ledger.ts';
import { signMissing } from '../../../wallets/sign-missing.ts';
import {
  LOCALNET_VALIDATOR,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { encode } from '../../../programs/instruction-table/encode.ts';
import { transferChecked } from '../../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../../programs/token/state.ts';
import { TOKEN_TABLE } from '../../../programs/token/table.ts';
import type { Address } from '../../../solana/address.ts';
import { decodeBase58 } from '../../../solana/base58.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../../solana/message.ts';
import { decodeTransaction } from '../../../solana/transaction.ts';
import { answerOf, mainnetSwaps } from './swap-scene.ts';

/** The user pays 1 USDC and receives at least 0.9 of the other USDC. */
export const TERMS = {
  inputMint: USDC_MINT,
  inAmount: '1000000',
  outputMint: USDC_DEVNET_MINT,
  outAmount: '909091',
  otherAmountThreshold: '900001',
  swapMode: 'ExactIn',
  slippageBps: 100,
  routePlan: [{ swapInfo: { label: 'Pool' } }],
};

export const ataOf = (owner: Address, mint: Address): Address =>
  deriveAta(owner, mint, TOKEN_PROGRAM).address;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/**
 * A ledger with the real programs that counts as mainnet, a user with 5 USDC, and a pool. The user may spend
 * the output tokens of the pool, in place of a program that would sign for it.
 */
export async function openMainnet() {
  const scene = await openTestLedger();
  const { ledger } = scene;
  const [user, pool, thief] = [
    await scene.fundedWallet(),
    await scene.fundedWallet(),
    await scene.fundedWallet(),
  ];
  await ledger.airdropTokens(user.address, USDC_MINT, 5_000_000n);
  await ledger.airdropTokens(user.address, USDC_DEVNET_MINT, 70n);
  for (const { address } of [pool, thief]) {
    await ledger.airdropTokens(address, USDC_MINT, 0n);
    await ledger.airdropTokens(address, USDC_DEVNET_MINT, 9_000_000n);
  }
  const approve = encode(
    TOKEN_TABLE.approve,
    { source: ataOf(pool.address, USDC_DEVNET_MINT), delegate: user.address, authority: pool.address },
    { amount: 9_000_000n },
  );
  await ledger.submit(buildTransaction(ledger, [pool], [approve]));
  const chain = Object.assign(new LedgerChain('mainnet', ledger, LOCALNET_VALIDATOR), {
    network: 'mainnet',
  }) as unknown as Chain;

  const move = (from: Keypair, to: Keypair, mint: Address, amount: bigint): Instruction =>
    transferChecked(
      TOKEN_PROGRAM,
      {
        source: ataOf(from.address, mint),
        mint,
        destination: ataOf(to.address, mint),
        authority: user.address,
      },
      amount,
      6,
    );
  const wireOf = (instructions: readonly Instruction[], feePayer = user.address): string =>
    base64(
      encodeUnsignedTransaction(
        compileLegacyMessage({ feePayer, blockhash: decodeBase58(ledger.head().blockhash), instructions }),
      ),
    );
  return {
    ...scene,
    user,
    pool,
    thief,
    chain,
    ataOf,
    wireOf,
    /** The instructions of a swap: what the user pays, and receives. */
    swapOf: (paid = 1_000_000n, got = 905_000n, to = user): Instruction[] => [
      move(user, pool, USDC_MINT, paid),
      move(pool, to, USDC_DEVNET_MINT, got),
    ],
    /** Deps of an operation whose upstream answers every request with `answer`. */
    depsFor: (answer: unknown) => mainnetSwaps(() => answerOf(answer), chain),
    async submit(transactionBase64: string, ...keypairs: readonly Keypair[]) {
      const transaction = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
      const { wire } = signMissing(transaction, (address) => keypairs.find((key) => key.address === address));
      return await ledger.submit(decodeTransaction(wire));
    },
    tokensOf(owner: Address, mint: Address): bigint {
      const account = ledger.getAccount(ataOf(owner, mint));
      return (account && decodeTokenAccount(account.data)?.amount) ?? 0n;
    },
  };
}
