import { HandTime } from '../../chain/testing/hand-time.ts';
import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import { localGenesis } from '../../ledger/genesis/genesis.ts';
import { Keypair } from '../../ledger/keypair.ts';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import type { Ledger, Submission } from '../../ledger/ledger.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { HandClock } from '../../ledger/testing/hand-clock.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../programs/delegation/pdas.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../programs/ephemeral-token/table/eata.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { addMemo } from '../../programs/memo.ts';
import { transferTokens } from '../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { openRollup } from '../open-rollup.ts';
import type { BaseLedger } from '../rollup-context.ts';
import type { EmbeddedRollup } from '../rollup.ts';
import { rollupValidatorOf } from '../validator-accounts.ts';
import type { StorePair } from './crash-stores.ts';

/** Options for a scene. All are optional. */
export interface SceneOptions {
  readonly clock?: HandClock;
  readonly random?: SeededRandom;
  readonly logger?: Logger;
  readonly timer?: Timer;
  /** Maximum total data of each ledger's accounts, in bytes. */
  readonly accountsBytesMax?: { readonly base?: number; readonly rollup?: number };
  /** Returns the error with which base rejects a transaction of the rollup; null if base accepts it. */
  readonly refuses?: (transaction: Transaction) => TransactionError | null;
}

/** Returns all accounts for a wallet's tokens. The mint belongs to the classic token program by default. */
export function accountsOf(owner: Address, mint: Address = USDC_MINT, tokenProgram: Address = TOKEN_PROGRAM) {
  const eata = deriveEata(owner, mint);
  const vault = deriveVault(mint);
  return {
    owner,
    mint,
    tokenProgram,
    ownerAta: deriveAta(owner, mint, tokenProgram).address,
    eata: eata.address,
    eataBump: eata.bump,
    vault: vault.address,
    vaultBump: vault.bump,
    vaultAta: deriveAta(vault.address, mint, tokenProgram).address,
    delegation: {
      buffer: deriveDelegateBuffer(eata.address, EPHEMERAL_TOKEN_PROGRAM).address,
      record: deriveDelegationRecord(eata.address).address,
      metadata: deriveDelegationMetadata(eata.address).address,
    },
  };
}

/** A base ledger with the real programs, and its rollup, in memory, with a manual clock. */
export class RollupScene {
  readonly base: EmbeddedLedger;
  readonly rollup: EmbeddedRollup;
  readonly validator: Keypair;
  readonly clock: HandClock;
  readonly random: SeededRandom;
  #memos = 0;

  constructor(
    base: EmbeddedLedger,
    rollup: EmbeddedRollup,
    { clock, random }: Required<Pick<SceneOptions, 'clock' | 'random'>>,
  ) {
    this.base = base;
    this.rollup = rollup;
    this.validator = rollupValidatorOf(base);
    this.clock = clock;
    this.random = random;
  }

  /** Creates a wallet with 10 SOL and `amount` base units of USDC on base. */
  async wallet(amount = 0n, mint: Address = USDC_MINT): Promise<Keypair> {
    const wallet = new Keypair(this.random.bytes(32));
    await this.base.airdrop(wallet.address, 10_000_000_000n);
    await this.base.airdropTokens(wallet.address, mint, amount);
    return wallet;
  }

  /** Creates a wallet that has deposited and delegated all its tokens. */
  async depositor(amount: bigint): Promise<Keypair> {
    const wallet = await this.wallet(amount);
    await this.must(this.base, wallet, ...this.deposit(wallet, amount));
    return wallet;
  }

  /** Creates the instructions of a deposit. With an amount of 0 they only create the eATA and delegate it. */
  deposit({ address }: Keypair, amount: bigint, accounts = accountsOf(address)): Instruction[] {
    const { eata, eataBump, vault, vaultAta, mint, tokenProgram, delegation } = accounts;
    const payer = address;
    return [
      encode(EATA_TABLE_A.initEata, { eata, payer, owner: accounts.owner, mint }, { eataBump }),
      encode(
        EATA_TABLE_A.initVault,
        { vault, payer, mint, vaultAta, tokenProgram },
        { vaultBump: accounts.vaultBump },
      ),
      createAtaIdempotent({ payer, ata: vaultAta, owner: vault, mint, tokenProgram }),
      ...(amount === 0n ? [] : [encode(EATA_TABLE.deposit, accounts, { amount })]),
      encode(
        EATA_TABLE_A.delegateEata,
        { payer, eata, delegation },
        { eataBump, validator: this.validator.address },
      ),
    ];
  }

  withdrawal({ address }: Keypair, amount: bigint): Instruction {
    const accounts = accountsOf(address);
    return encode(EATA_TABLE_A.withdraw, accounts, { amount, vaultBump: accounts.vaultBump });
  }

  payment(from: Keypair, to: Address, amount: bigint, mint: Address = USDC_MINT): Instruction {
    const source = accountsOf(from.address, mint).ownerAta;
    const destination = accountsOf(to, mint).ownerAta;
    return transferTokens(TOKEN_PROGRAM, { source, destination, authority: from.address }, amount);
  }

  undelegation({ address }: Keypair, mint: Address = USDC_MINT): Instruction {
    const { ownerAta, eata } = accountsOf(address, mint);
    return encode(EATA_TABLE.undelegateEata, { owner: address, ownerAta, eata });
  }

  /** Submits instructions. A memo makes each transaction unique. */
  submit(ledger: Ledger, wallet: Keypair, ...instructions: Instruction[]): Promise<Submission> {
    const memo = addMemo(`${this.#memos++}`);
    return ledger.submit(buildTransaction(ledger, [wallet], [...instructions, memo]));
  }

  /** Submits instructions that must succeed; returns the signature. */
  async must(ledger: Ledger, wallet: Keypair, ...instructions: Instruction[]): Promise<string> {
    const { err, signature } = await this.submit(ledger, wallet, ...instructions);
    if (err === null) return signature;
    const { logs = [] } = ledger.getTransaction(signature) ?? {};
    throw new Error(`${JSON.stringify(err)}\n${logs.join('\n')}`);
  }

  /** Returns the base units in a wallet's ATA; null if there is none. */
  tokens(ledger: Ledger, owner: Address, mint: Address = USDC_MINT): bigint | null {
    const account = ledger.getAccount(accountsOf(owner, mint).ownerAta);
    return account === null ? null : (decodeTokenAccount(account.data)?.amount ?? null);
  }

  /** Returns the base units in a wallet's eATA; null if there is none. */
  eataTokens(ledger: Ledger, owner: Address, mint: Address = USDC_MINT): bigint | null {
    const account = ledger.getAccount(accountsOf(owner, mint).eata);
    return account === null ? null : (decodeEata(account.data)?.amount ?? null);
  }

  /** Returns the base units in the vault. */
  vaultTokens(mint: Address = USDC_MINT): bigint {
    const { vaultAta } = accountsOf(this.validator.address, mint);
    return decodeTokenAccount(this.base.getAccount(vaultAta)?.data ?? new Uint8Array())?.amount ?? 0n;
  }

  async close(): Promise<void> {
    await this.rollup.close();
    await this.base.close();
  }
}

/** Opens a base ledger and its rollup. */
export async function openScene(stores: StorePair, options: SceneOptions = {}): Promise<RollupScene> {
  const { clock = new HandClock(), random = new SeededRandom('rollup'), logger = silentLogger } = options;
  const { timer = new HandTime(), refuses = () => null, accountsBytesMax = {} } = options;
  const ceilingOf = (bytesMax?: number) => (bytesMax === undefined ? {} : { accountsBytesMax: bytesMax });
  const parts = { clock, random, logger };
  const base = await openLedger({
    place: { store: stores.base },
    genesis: localGenesis(),
    ...parts,
    ...ceilingOf(accountsBytesMax.base),
  });
  const rollup = await openRollup({
    base: fallible(base, { refuses }),
    timer,
    validator: rollupValidatorOf(base),
    place: { store: stores.rollup },
    ...parts,
    listedUnder: (keys) => keys,
    ...ceilingOf(accountsBytesMax.rollup),
  });
  return new RollupScene(base, rollup, { clock, random });
}

/** Faults of a base ledger as seen by its rollup. */
interface Shortcomings {
  /** Returns the error for a rejected transaction of the rollup; null if the transaction is accepted. */
  readonly refuses: Required<SceneOptions>['refuses'];
  /** Whether an event reaches the rollup; all events by default. */
  readonly reachesRollup?: (event: Parameters<LedgerListener>[0]) => boolean;
  /** Whether the ledger has dropped its whole history; default false. */
  readonly hasDroppedHistory?: () => boolean;
}

/** Creates a base ledger with faults. */
export function fallible(
  base: EmbeddedLedger,
  { refuses, reachesRollup = () => true, hasDroppedHistory = () => false }: Shortcomings,
): BaseLedger {
  return {
    get genesisHash() {
      return base.genesisHash;
    },
    state: () => base.state(),
    publishedState: () => base.publishedState(),
    unpublished: () => base.unpublished(),
    head: () => base.head(),
    historyStart: () => (hasDroppedHistory() ? base.head().slot + 1 : base.historyStart()),
    getTransaction: (signature) => (hasDroppedHistory() ? null : base.getTransaction(signature)),
    setOwnAccounts: (entries) => base.setOwnAccounts(entries),
    observe: (observer) => base.observe(observer),
    subscribe: (listener) =>
      base.subscribe((event) => {
        if (reachesRollup(event)) listener(event);
      }),
    async submit(transaction) {
      const err = refuses(transaction);
      if (err === null) return await base.submit(transaction);
      return { signature: encodeBase58(transaction.signatures[0] as Uint8Array), err, landed: false };
    },
  };
}
