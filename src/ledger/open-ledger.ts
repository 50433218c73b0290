import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { type BankBackend, createFromGenesis, type InitialState, resumeFromStore } from './initial-state.ts';
import { EmbeddedLedger } from './embedded-ledger.ts';
import type { TransactionRecord } from './execution.ts';
import { type FaucetLimits, FaucetMeter } from './faucet-limits.ts';
import type { EngineLimits } from './engine/engine-limits.ts';
import type { Genesis } from './genesis/genesis.ts';
import { localGenesis } from './genesis/local-genesis.ts';
import { validatorAddresses } from './genesis/staked-validator.ts';
import { Keypair } from './keypair.ts';
import { LAMPORTS_PER_SIGNATURE } from '../solana/signature-fee.ts';
import { openLedgerFolder } from './store/ledger-folder.ts';
import type { LedgerIdentity, LedgerStore } from './store/store.ts';
import { SLOT_MS } from './time/slot-clock.ts';

/** What a ledger is opened with. Time, randomness and the log come from outside. */
export interface OpenLedgerOptions {
  /**
   * Where the ledger is kept: a folder, which is made when missing, how many transactions are kept there, a
   * million when left out, whether something else shows that a ledger was begun there, and whether a new one
   * is to begin in place of it; or a store that is given up to the ledger.
   */
  readonly place:
    | {
        readonly folder: string;
        readonly transactionsMax?: number;
        readonly mustExist?: boolean;
        readonly reset?: boolean;
      }
    | { readonly store: LedgerStore };
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Looks after the ledger while nobody asks it; the machine's when left out. */
  readonly timer?: Timer;
  /** Length of a slot, ms; 400 when left out. */
  readonly slotMs?: number;
  /**
   * What a signature costs; 5000 when left out. With 0 nothing costs anything, whatever priority a
   * transaction offers to pay for, and a fee payer need not exist: how an ephemeral rollup does it.
   */
  readonly lamportsPerSignature?: 0 | 5_000;
  /** Blocks for which a blockhash is good after its own; Solana's 150 when left out. */
  readonly blockhashAgeMax?: number;
  /**
   * Bytes of data its accounts may have together; 512 MiB when left out. One that has more already is opened
   * all the same, and takes nothing that makes them more.
   */
  readonly accountsBytesMax?: number;
  /** What its faucet gives at most; all it has when left out. */
  readonly faucetLimits?: FaucetLimits;
  /** What transactions are allowed; what Solana allows when left out, and logs of any length. */
  readonly engineLimits?: EngineLimits;
  /** What its banks are built on; an engine with accounts of its own when left out. */
  readonly createBackend?: () => BankBackend;
  /** The slot it is opened at, at the least: it jumps there, and its time is not moved. */
  readonly slotMin?: number;
  /**
   * The addresses a transaction is listed under in the history, of all its keys; these when left out. Those
   * of before are not listed anew.
   */
  readonly listedUnder?: (keys: readonly Address[], record: TransactionRecord) => readonly Address[];
  /**
   * What a new ledger begins with; the local chain when left out. Not looked at where there is a ledger
   * already.
   */
  readonly genesis?: Genesis;
}

/**
 * Opens the ledger kept at a place, or makes a new one there. While no process has it open no slots pass: it
 * goes on after the last slot anybody was told.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE, LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED, and for a new local
 * chain PROGRAM_BINARIES_MISSING.
 */
export async function openLedger(options: OpenLedgerOptions): Promise<EmbeddedLedger> {
  const { place } = options;
  const store = 'store' in place ? place.store : openLedgerFolder(place.folder, place);
  try {
    return await openStore(store, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openStore(store: LedgerStore, options: OpenLedgerOptions): Promise<EmbeddedLedger> {
  const { clock, random, logger, timer = systemTimer, slotMs = SLOT_MS, genesis = localGenesis() } = options;
  const lamportsPerSignature = BigInt(options.lamportsPerSignature ?? LAMPORTS_PER_SIGNATURE);
  const { blockhashAgeMax, accountsBytesMax, slotMin = 0 } = options;
  const { createBackend, engineLimits } = options;
  const bankOptions = {
    clock,
    slotMs,
    lamportsPerSignature,
    blockhashAgeMax,
    accountsBytesMax,
    slotMin,
    createBackend,
    engineLimits,
  };
  const createNew = async (identity: LedgerIdentity): Promise<InitialState> => {
    const faucet = new Keypair(identity.faucetSeed).address;
    const accounts = await genesis.accounts(faucet, validatorAddresses(identity.identitySeed));
    const firstSlot = (await genesis.firstSlot?.()) ?? 0;
    const slot = Math.max(slotMin, firstSlot);
    return createFromGenesis(identity, accounts, { ...bankOptions, slotMin: slot });
  };

  const isReset = 'folder' in options.place && options.place.reset === true;
  const identity = isReset ? null : store.identity;
  const isNew = identity === null;
  const initialState = isNew
    ? await createNew(drawIdentity(random))
    : resumeFromStore(identity, store, bankOptions);
  // The first commit of a new ledger replaces what was there.
  await store.commit(initialState.commit);
  const { accounts, timeline, accountsBytesMax: bytesMax } = initialState.bank;
  logger.info(
    { isNew, slot: timeline.slot, accounts: accounts.size, transactions: store.recordCount },
    isNew ? 'new ledger' : 'ledger opened',
  );
  if (accounts.dataBytes > bytesMax) {
    logger.warn(
      { bytes: accounts.dataBytes, bytesMax },
      'the accounts have more bytes of data than LEDGER_ACCOUNTS_BYTES_MAX allows: whatever would make them more is refused',
    );
  }
  return new EmbeddedLedger({
    initialState,
    store,
    logger,
    timer,
    listedUnder: options.listedUnder ?? ((keys) => keys),
    faucetMeter: new FaucetMeter(options.faucetLimits ?? {}, clock),
    restartFromGenesis: () => createNew({ ...initialState.identity, ...drawOrigin(random) }),
    genesisAccounts: async (faucet) =>
      await genesis.accounts(faucet, validatorAddresses(initialState.identity.identitySeed)),
  });
}

function drawIdentity(random: Random): LedgerIdentity {
  return {
    ...drawOrigin(random),
    faucetSeed: random.bytes(32),
    identitySeed: random.bytes(32),
  };
}

/** What tells a ledger from an earlier one of the same node. */
function drawOrigin(random: Random): Pick<LedgerIdentity, 'genesisHash' | 'blockhashSeed'> {
  return { genesisHash: encodeBase58(random.bytes(32)), blockhashSeed: random.bytes(32) };
}
