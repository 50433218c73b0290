import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBaseFacts } from '../console/books.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Keypair, nodeSecret } from '../ledger/keypair.ts';
import type { TransactionRecord } from '../ledger/ledger.ts';
import { Accounts, type AccountView } from '../ledger/state/accounts.ts';
import { copyLedgerFiles, hasLedgerFiles, openLedgerFolder } from '../ledger/store/ledger-folder.ts';
import { comparePositions, type LedgerIdentity, type LedgerStore } from '../ledger/store/store.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs/addresses.ts';
import { decodeMint, decodeTokenAccount } from '../programs/token/state.ts';
import { pairingFault } from '../rollup/base-watch.ts';
import { BooksView } from '../rollup/books/books.ts';
import { Projections, recallProjections } from '../rollup/projection/projections.ts';
import { claimsByMint, MintClaims } from '../rollup/settlement/claims.ts';
import { booksOf, InconsistentBooks, type MintKeys, vaultAtaOf } from '../rollup/settlement/solvency.ts';
import { isAdmitted, VALIDATOR_PURPOSE } from '../rollup/validator-accounts.ts';
import type { Address } from '../solana/address.ts';
import { rollupFolderOf } from './ledger-home.ts';

interface StoredLedger {
  readonly name: 'base' | 'rollup';
  readonly store: LedgerStore;
  readonly identity: LedgerIdentity;
  readonly accounts: AccountView;
}

/** The open ledgers of a data folder. */
interface StoredLedgers {
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly base: StoredLedger;
  /** The rollup; null if there is none. */
  readonly rollup: StoredLedger | null;
  /** The reason why the two ledgers do not match, as a sentence; null if they do. */
  readonly pairFault: string | null;
  close(): Promise<void>;
}

/** Limit that keeps all transactions, regardless of the service's limit. */
const KEEP_ALL = Number.MAX_SAFE_INTEGER;

/**
 * Opens the ledgers of a data folder without an engine. Nothing lands, and slots do not advance.
 *
 * @throws {ServiceError} CONFIG_INVALID if there is no ledger; LEDGER_FOLDER_IN_USE,
 *   LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export async function openStoredLedgers(folder: string): Promise<StoredLedgers> {
  const path = resolve(folder);
  const rollupFolder = rollupFolderOf(path);
  if (!hasLedgerFiles(path))
    throw new ServiceError(
      'CONFIG_INVALID',
      `There is no ledger in ${path}: pass the data folder of a ledger`,
    );
  const opened: LedgerStore[] = [];
  const close = async (): Promise<void> => {
    for (const store of opened.toReversed()) await store.close();
  };
  const open = (name: StoredLedger['name'], ledger: string): StoredLedger | null => {
    const store = openLedgerFolder(ledger, { transactionsMax: KEEP_ALL });
    opened.push(store);
    const { identity } = store;
    if (identity === null) return null;
    const accounts = new Accounts();
    for (const [address, account] of store.accounts()) accounts.set(address, account);
    return { name, store, identity, accounts };
  };
  try {
    const base = open('base', path);
    if (base === null) {
      throw new ServiceError('CONFIG_INVALID', `The ledger in ${path} is empty: nothing is stored there yet`);
    }
    const rollup = hasLedgerFiles(rollupFolder) ? open('rollup', rollupFolder) : null;
    return { folder: path, base, rollup, pairFault: pairFaultOf(base, rollup), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function pairFaultOf(base: StoredLedger, rollup: StoredLedger | null): string | null {
  if (rollup !== null) {
    const { genesisHash } = base.identity;
    return pairingFault({ genesisHash, base: base.accounts, rollup: rollup.accounts });
  }
  // Base admits the validator of its rollup once the rollup is on disk.
  const validator = new Keypair(nodeSecret(base.identity.identitySeed, VALIDATOR_PURPOSE)).address;
  if (!isAdmitted({ state: () => base.accounts }, validator)) return null;
  return 'The base ledger has admitted the validator of a rollup, but the folder contains no rollup';
}

interface CopySummary {
  /** Absolute path of the copy, which is a data folder. */
  readonly folder: string;
  /** Genesis hash of the base ledger, base58. */
  readonly genesisHash: string;
  readonly ledgers: readonly ('base' | 'rollup')[];
}

/**
 * Copies both ledgers of a data folder consistently into a new data folder. If they are in use, their writes
 * wait until the copy is done. The folder gets its name once the copy is complete and on disk.
 *
 * @param onWriting called with the path of the incomplete copy. Returns a function that is called at the end.
 * @throws {ServiceError} CONFIG_INVALID if there is no ledger, or the target is not empty;
 *   LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export async function copyLedgers(
  from: string,
  to: string,
  onWriting: (folder: string) => () => void,
): Promise<CopySummary> {
  const [source, target] = [resolve(from), resolve(to)];
  if (!hasLedgerFiles(source))
    throw new ServiceError(
      'CONFIG_INVALID',
      `There is no ledger in ${source}: pass the data folder of a ledger`,
    );
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new ServiceError('CONFIG_INVALID', `${target} is not empty: pass a new folder`);
  }
  const half = `${target}.${process.pid}`;
  const isOver = onWriting(half);
  try {
    const folders = [source, rollupFolderOf(source)].filter(hasLedgerFiles);
    await copyLedgerFiles(folders.map((folder) => [folder, join(half, folder.slice(source.length))]));
    const summary = await checkCopy(half);
    if (existsSync(target)) rmdirSync(target);
    renameSync(half, target);
    return { folder: target, ...summary };
  } finally {
    rmSync(half, { recursive: true, force: true });
    isOver();
  }
}

/** @throws {ServiceError} LEDGER_DAMAGED if the two ledgers do not match. */
async function checkCopy(folder: string): Promise<Omit<CopySummary, 'folder'>> {
  const { base, rollup, pairFault, close } = await openStoredLedgers(folder);
  await close();
  if (pairFault !== null)
    throw new ServiceError('LEDGER_DAMAGED', `${pairFault}: restore both from one backup`);
  return { genesisHash: base.identity.genesisHash, ledgers: rollup === null ? ['base'] : ['base', 'rollup'] };
}

/** Figures of a stored ledger. */
export interface LedgerFigures {
  readonly ledger: StoredLedger['name'];
  readonly genesisHash: string;
  /** The highest slot that clients may have seen. */
  readonly slot: number;
  readonly accounts: number;
  /** Number of stored transactions. */
  readonly transactions: number;
  /** Number of transactions that were removed because of the limit. */
  readonly forgotten: number;
}

/** The contents of a data folder, and its faults. */
export interface Verification {
  /** Whether the data is undamaged and every vault covers the claims on it. */
  readonly isSound: boolean;
  readonly ledgers: readonly LedgerFigures[];
  readonly mints: readonly MintStanding[];
  /** Work of the rollup that is not settled on base yet; null without a rollup. */
  readonly open: { readonly undelegations: number; readonly intents: number } | null;
  /** The faults, each as a sentence. */
  readonly damage: readonly string[];
}

/**
 * Reads every value of the ledgers, and checks that they are consistent.
 *
 * @throws {ServiceError} LEDGER_DAMAGED for a value that cannot be read.
 */
export function verifyLedgers({ base, rollup, pairFault }: StoredLedgers): Verification {
  const all = rollup === null ? [base] : [base, rollup];
  const damage = all.flatMap(faultsOf);
  if (pairFault !== null) damage.push(pairFault);
  const books = rollup && new BooksView(rollup.accounts);
  // A rollup from before a reset of base is replaced at the next start.
  const isOfBase = books?.baseGenesisHash === base.identity.genesisHash;
  const mints = standingsOf(base.accounts, isOfBase && rollup !== null ? rollup.accounts : null);
  const isSolvent = mints.every(({ vault }) => vault === null || vault.fault === null);
  const open = books && { undelegations: books.requests().length, intents: books.intents().length };
  return { isSound: damage.length === 0 && isSolvent, ledgers: all.map(figuresOf), mints, open, damage };
}

function figuresOf({ name, store, identity, accounts }: StoredLedger): LedgerFigures {
  let transactions = 0;
  for (const _ of store.recordsFrom(0)) transactions++;
  return {
    ledger: name,
    genesisHash: identity.genesisHash,
    slot: store.slotCeiling,
    accounts: accounts.size,
    transactions,
    forgotten: store.recordCount - transactions,
  };
}

/** Checks that a ledger's transactions are in order and can be found by their signatures. */
function faultsOf({ name, store }: StoredLedger): string[] {
  const faults: string[] = [];
  let last: Pick<TransactionRecord, 'slot' | 'index'> = { slot: -1, index: 0 };
  let count = 0;
  for (const record of store.recordsFrom(0)) {
    const { signature, slot, index } = record;
    count++;
    const found = store.record(signature);
    if (
      comparePositions(record, last) <= 0 ||
      slot > store.slotCeiling ||
      found?.slot !== slot ||
      found.index !== index
    ) {
      faults.push(`Transaction ${signature} is not at its position in slot ${slot} of the ${name} ledger`);
    }
    last = { slot, index };
  }
  const isCounted = store.firstSlot === 0 ? count === store.recordCount : count < store.recordCount;
  if (!isCounted) faults.push(`The ${name} ledger has ${count} of ${store.recordCount} transactions`);
  return faults;
}

/** The state of a mint; amounts are base units. */
export interface MintStanding {
  readonly mint: Address;
  readonly decimals: number;
  /** The supply in the mint account. */
  readonly supply: bigint;
  /** The sum of all token accounts on base. It can differ from the supply if accounts were set. */
  readonly held: bigint;
  /** The mint's vault; null if there is none. */
  readonly vault: VaultStanding | null;
}

/** A vault and the claims against it, on base and on the rollup. */
interface VaultStanding {
  readonly layout: 'a' | 'b';
  readonly amount: bigint;
  /** Total of the claims; null if it is unknown because of `fault`. */
  readonly owed: bigint | null;
  /** The reason why the rollup would halt the mint; null if the vault covers all claims. */
  readonly fault: string | null;
}

const NONE = new MintClaims();

function standingsOf(base: AccountView, rollup: AccountView | null): MintStanding[] {
  const projections = new Projections();
  if (rollup !== null) recallProjections(rollup, projections);
  const ledgers = { base, rollup: rollup ?? { get: () => undefined }, projections };
  const { vaults, claims } = readBaseFacts(base);
  const claimed = claimsByMint(ledgers);
  const held = sumsOf(base);
  const standings: MintStanding[] = [];
  for (const tokenProgram of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [mint, account] of base.ownedBy(tokenProgram)) {
      const state = decodeMint(account.data);
      if (state === null) continue;
      const layout = vaults.get(mint) ?? (claims.has(mint) ? 'a' : null);
      const vault = layout && vaultOf({ mint, tokenProgram }, claimed.get(mint) ?? NONE, base, layout);
      const { decimals, supply } = state;
      standings.push({ mint, decimals, supply, held: held.get(mint) ?? 0n, vault });
    }
  }
  return standings.toSorted((one, other) => (one.mint < other.mint ? -1 : 1));
}

function vaultOf(keys: MintKeys, claims: MintClaims, base: AccountView, layout: 'a' | 'b'): VaultStanding {
  const account = base.get(vaultAtaOf(keys));
  const isToken = account?.owner === keys.tokenProgram;
  const amount = (isToken && decodeTokenAccount(account.data)?.amount) || 0n;
  try {
    return { layout, amount, owed: amount - booksOf(keys, claims, base).surplus, fault: null };
  } catch (error) {
    if (error instanceof InconsistentBooks) return { layout, amount, owed: null, fault: error.message };
    throw error;
  }
}

/** Sums the token accounts of each mint. */
function sumsOf(base: AccountView): ReadonlyMap<Address, bigint> {
  const sums = new Map<Address, bigint>();
  for (const tokenProgram of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [, { data }] of base.ownedBy(tokenProgram)) {
      const account = decodeMint(data) === null ? decodeTokenAccount(data) : null;
      if (account !== null) sums.set(account.mint, (sums.get(account.mint) ?? 0n) + account.amount);
    }
  }
  return sums;
}
