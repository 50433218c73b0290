import { SYSVAR_OWNER } from '../programs/addresses.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import { EmbeddedLedger } from './embedded-ledger.ts';
import type { Engine } from './engine/engine.ts';
import { LiteSvmEngine } from './engine/litesvm-engine.ts';
import type { Genesis } from './genesis/genesis.ts';
import { localGenesis } from './genesis/local-genesis.ts';
import { Keypair } from './keypair.ts';
import { digestMessage, SeenMessages } from './run/seen-messages.ts';
import { Accounts } from './state/accounts.ts';
import { openLedgerFolder } from './store/ledger-folder.ts';
import type { LedgerIdentity, LedgerStore } from './store/store.ts';
import { BLOCKHASH_AGE_MAX } from './time/blockhashes.ts';
import { SLOT_MS } from './time/slot-clock.ts';
import { LEASE_SLOTS } from './time/slot-lease.ts';
import { EPOCH_SCHEDULE_SYSVAR, epochScheduleSysvar, sysvarAccount } from './time/sysvars.ts';
import { FIRST_SLOT, Timeline } from './time/timeline.ts';

/** What a ledger is opened with. Time, randomness and the log come from outside. */
export interface OpenLedgerOptions {
  /** Where the ledger is kept: a folder, which is made when missing, or a store that is given up to the ledger. */
  readonly place: { readonly folder: string } | { readonly store: LedgerStore };
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Length of a slot, ms; 400 when left out. */
  readonly slotMs?: number;
  /** What a new ledger begins with; the local chain when left out. Not looked at where there is a ledger already. */
  readonly genesis?: Genesis;
}

/**
 * Opens the ledger kept at a place, or makes a new one there. While no process has it open no slots pass: it goes on
 * after the last slot anybody was told.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE, LEDGER_FOLDER_UNREADABLE, and for a new local chain
 * PROGRAM_BINARIES_MISSING.
 */
export async function openLedger(options: OpenLedgerOptions): Promise<EmbeddedLedger> {
  const { place } = options;
  const store = 'store' in place ? place.store : openLedgerFolder(place.folder);
  try {
    return await openStore(store, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openStore(store: LedgerStore, options: OpenLedgerOptions): Promise<EmbeddedLedger> {
  const { clock, random, logger, slotMs = SLOT_MS, genesis = localGenesis() } = options;
  const isNew = store.identity === null;
  const identity = store.identity ?? drawIdentity(random);
  const faucet = new Keypair(identity.faucetSeed);
  const engine = new LiteSvmEngine();
  const accounts = new Accounts();
  loadBuiltins(engine, accounts);
  const begun = isNew ? [...genesis.accounts(faucet.address)] : [];
  loadAccounts(engine, accounts, isNew ? begun : store.accounts());

  const slot = isNew ? FIRST_SLOT : store.slotCeiling + 1;
  await store.commit({ slotCeiling: slot + LEASE_SLOTS, ...(isNew ? { accounts: begun, identity } : {}) });
  const timeline = new Timeline(clock, { slot, slotMs, blockhashSeed: identity.blockhashSeed });
  const { genesisHash } = identity;
  logger.info(
    { isNew, slot, accounts: accounts.size, transactions: store.recordCount },
    isNew ? 'new ledger' : 'ledger opened',
  );
  return new EmbeddedLedger({
    engine,
    accounts,
    store,
    timeline,
    seen: recallMessages(store, timeline),
    genesisHash,
    faucet,
    identity: new Keypair(identity.identitySeed),
    logger,
  });
}

function drawIdentity(random: Random): LedgerIdentity {
  return {
    genesisHash: encodeBase58(random.bytes(32)),
    blockhashSeed: random.bytes(32),
    faucetSeed: random.bytes(32),
    identitySeed: random.bytes(32),
  };
}

/** What the engine has built in; its sysvars are made rent-exempt, as they are on the network. */
function loadBuiltins(engine: Engine, accounts: Accounts): void {
  for (const [address, account] of engine.builtinAccounts()) {
    if (account.owner !== SYSVAR_OWNER) {
      accounts.set(address, account);
      continue;
    }
    const sysvar = address === EPOCH_SCHEDULE_SYSVAR ? epochScheduleSysvar() : sysvarAccount(account.data);
    engine.setAccount(address, sysvar);
    accounts.set(address, sysvar);
  }
}

/** Programs come last: the engine looks for their data when they are put in place. */
function loadAccounts(
  engine: Engine,
  accounts: Accounts,
  entries: Iterable<readonly [Address, Account]>,
): void {
  const programs: (readonly [Address, Account])[] = [];
  const load = ([address, account]: readonly [Address, Account]): void => {
    engine.setAccount(address, account);
    accounts.set(address, account);
  };
  for (const entry of entries) {
    if (entry[1].executable) programs.push(entry);
    else load(entry);
  }
  programs.forEach(load);
}

/** The messages that could be sent once more, from the transactions that landed lately. */
function recallMessages(store: LedgerStore, timeline: Timeline): SeenMessages {
  const seen = new SeenMessages();
  for (const { wire } of store.recordsFrom(timeline.slot - BLOCKHASH_AGE_MAX)) {
    const { blockhashAt, messageAt } = decodeTransaction(wire);
    const age = timeline.ageOf(wire.subarray(blockhashAt, blockhashAt + 32));
    if (age !== undefined) seen.add(digestMessage(wire.subarray(messageAt)), timeline.slot - age);
  }
  return seen;
}
