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

/** A ledger in memory with the real engine and a manual clock. */
export interface TestLedger {
  readonly ledger: EmbeddedLedger;
  readonly clock: HandClock;
  readonly random: SeededRandom;
  /** Creates a wallet with 10 SOL. */
  fundedWallet(): Promise<Keypair>;
}

/** Opens a ledger for a test, with defaults for all options. No timers run. */
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

/** A genesis without accounts, which opens faster than one with programs. */
export const emptyGenesis: Genesis = { accounts: () => [] };

/** Builds a legacy transaction signed by `signers`. The first one pays; default the newest blockhash. */
export function buildTransaction(
  ledger: Pick<EmbeddedLedger, 'head'>,
  signers: readonly [Keypair, ...Keypair[]],
  instructions: readonly Instruction[],
  blockhash: Uint8Array = decodeBase58(ledger.head().blockhash),
): Transaction {
  const message = compileLegacyMessage({ feePayer: signers[0].address, blockhash, instructions });
  return signTransaction(message, signers);
}
