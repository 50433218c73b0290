import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { EmbeddedLedger } from './embedded-ledger.ts';
import { type FaucetLimits, FaucetMeter } from './faucet.ts';
import { type Genesis, localGenesis, validatorAddresses } from './genesis/genesis.ts';
import { type BankOptions, createFromGenesis, type InitialState, resumeFromStore } from './initial-state.ts';
import { Keypair } from './keypair.ts';
import type { TransactionRecord } from './ledger.ts';
import { openLedgerFolder } from './store/ledger-folder.ts';
import type { LedgerIdentity, LedgerStore } from './store/store.ts';

/** Options for {@link openLedger}. */
export interface OpenLedgerOptions extends BankOptions {
  /**
   * The storage of the ledger: a folder, which is created if missing, or a store, which the ledger closes.
   * `transactionsMax` limits the stored transactions (default one million). `mustExist` rejects a folder
   * without a ledger as damaged. `reset` replaces the stored ledger with a new one.
   */
  readonly place:
    | {
        readonly folder: string;
        readonly transactionsMax?: number;
        readonly mustExist?: boolean;
        readonly reset?: boolean;
      }
    | { readonly store: LedgerStore };
  readonly random: Random;
  readonly logger: Logger;
  /** Renews the slot lease of an idle ledger; default the system timer. */
  readonly timer?: Timer;
  /** Limits of the faucet; default none. */
  readonly faucetLimits?: FaucetLimits;
  /** Selects which of a new transaction's keys list the transaction in their history; default all. */
  readonly listedUnder?: (keys: readonly Address[], record: TransactionRecord) => readonly Address[];
  /** Genesis of a new ledger; default the local chain. Ignored if a ledger exists. */
  readonly genesis?: Genesis;
}

/**
 * Opens the ledger at a place, or creates a new one there. Slots do not advance while the ledger is closed.
 * It resumes after the last slot that clients may have seen.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE, LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED;
 *   PROGRAM_BINARIES_MISSING for a new local chain.
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
  const { clock, random, logger, timer = systemTimer, genesis = localGenesis(), slotMin = 0 } = options;
  const createNew = async (identity: LedgerIdentity): Promise<InitialState> => {
    const faucet = new Keypair(identity.faucetSeed).address;
    const accounts = await genesis.accounts(faucet, validatorAddresses(identity.identitySeed));
    const firstSlot = (await genesis.firstSlot?.()) ?? 0;
    const slot = Math.max(slotMin, firstSlot);
    return createFromGenesis(identity, accounts, { ...options, slotMin: slot });
  };

  const isReset = 'folder' in options.place && options.place.reset === true;
  const identity = isReset ? null : store.identity;
  const isNew = identity === null;
  const initialState = isNew
    ? await createNew(drawIdentity(random))
    : resumeFromStore(identity, store, options);
  // The first commit of a new ledger deletes the stored one.
  await store.commit(initialState.commit);
  const { accounts, timeline, accountsBytesMax: bytesMax } = initialState.bank;
  logger.info(
    { isNew, slot: timeline.slot, accounts: accounts.size, transactions: store.recordCount },
    isNew ? 'new ledger' : 'ledger opened',
  );
  if (accounts.dataBytes > bytesMax) {
    logger.warn(
      { bytes: accounts.dataBytes, bytesMax },
      'the accounts have more bytes of data than LEDGER_ACCOUNTS_BYTES_MAX allows: transactions that add data are rejected',
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

/** Returns the part of the identity that changes with each reset. */
function drawOrigin(random: Random): Pick<LedgerIdentity, 'genesisHash' | 'blockhashSeed'> {
  return { genesisHash: encodeBase58(random.bytes(32)), blockhashSeed: random.bytes(32) };
}
