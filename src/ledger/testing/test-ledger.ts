import { silentLogger } from '../../ports/logger.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { EmbeddedLedger } from '../embedded-ledger.ts';
import type { Genesis } from '../genesis/genesis.ts';
import { Keypair, signTransaction } from '../keypair.ts';
import { openLedger, type OpenLedgerOptions } from '../open-ledger.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { HandClock } from './hand-clock.ts';
import { SeededRandom } from './seeded-random.ts';

/** A ledger with the real engine, kept in memory, whose time is moved by hand. */
export interface TestLedger {
  readonly ledger: EmbeddedLedger;
  readonly clock: HandClock;
  readonly random: SeededRandom;
  /** A new wallet with 10 SOL. */
  fundedWallet(): Promise<Keypair>;
}

/**
 * Opens a ledger for a test; what the test does not care about is chosen for it. Nothing happens by itself.
 */
export async function openTestLedger(options: Partial<OpenLedgerOptions> = {}): Promise<TestLedger> {
  const clock = options.clock instanceof HandClock ? options.clock : new HandClock();
  const random = new SeededRandom('test');
  const ledger = await openLedger({
    place: { store: new MemoryStore() },
    random,
    logger: silentLogger,
    timer: { after: () => () => undefined },
    ...options,
    clock,
  });
  return {
    ledger,
    clock,
    random,
    async fundedWallet() {
      const wallet = new Keypair(random.bytes(32));
      await ledger.airdrop(wallet.address, 10_000_000_000n);
      return wallet;
    },
  };
}

/** A genesis of nothing but the faucet and the mints: opens faster than one with programs. */
export const emptyGenesis: Genesis = { accounts: () => [] };

/** A legacy transaction on the newest blockhash, signed by `signers`, the first of whom pays. */
export function buildTransaction(
  ledger: Pick<EmbeddedLedger, 'head'>,
  signers: readonly [Keypair, ...Keypair[]],
  instructions: readonly Instruction[],
  blockhash: Uint8Array = decodeBase58(ledger.head().blockhash),
): Transaction {
  const message = compileLegacyMessage({ feePayer: signers[0].address, blockhash, instructions });
  return signTransaction(message, signers);
}
