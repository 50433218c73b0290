import type { AccountReads, LedgerReads, Simulation } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { emptyTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import { TOKEN_TABLE } from '../../programs/token/table.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { isStrictlySigned } from '../../solana/strict-signature.ts';
import { type CompiledInstruction, messageOf, type Transaction } from '../../solana/transaction.ts';
import { eataDataWith } from '../projection/projections.ts';
import { type AccessGuard, type Guards, type Reader, SECRET } from './guards.ts';

const QUEUE_ROLES: ReadonlySet<string> = new Set(['queue', 'vaultQueue', 'queueAta']);

/** Index of the account credited by a plain transfer, by tag. */
const DESTINATION_AT: ReadonlyMap<number, number> = new Map(
  [TOKEN_TABLE.transfer, TOKEN_TABLE.transferChecked].map(({ tag, accounts }) => [
    tag,
    accounts.findIndex(({ role }) => role === 'destination'),
  ]),
);

/** Positions in which naming a transfer queue reveals nothing: payments into it, and starting its task. */
const QUEUE_AT: ReadonlyMap<number, ReadonlySet<number>> = new Map(
  [QUEUE_TABLE.queueTransfer, QUEUE_TABLE.ensureTransferQueueCrank].map(({ tag, accounts }) => [
    tag,
    new Set(accounts.flatMap(({ role }, at) => (QUEUE_ROLES.has(role) ? [at] : []))),
  ]),
);

/**
 * Returns the guards of the accounts whose contents a transaction could reveal through its logs, return data
 * or errors. For example, an attempt to spend other people's tokens fails differently if the amount exceeds
 * their balance. Receiving a plain transfer reveals nothing; any other use may. Accounts that exist only on
 * the rollup are not included: their existence is secret, so they are hidden from the run instead.
 */
export function exposedGuards(
  transaction: Transaction,
  ledger: Pick<AccountReads, 'getAccount'>,
  guards: Guards,
): readonly AccessGuard[] {
  const keys = expectedKeys(transaction, ledger);
  const exposed = new Set<AccessGuard>();
  for (const instruction of transaction.instructions) {
    const program = keys[instruction.programIdIndex];
    const paidAt = paidAccount(instruction, program);
    const queueAt = program === EPHEMERAL_TOKEN_PROGRAM ? QUEUE_AT.get(instruction.data[0] ?? -1) : undefined;
    instruction.accounts.forEach((index, at) => {
      const key = keys[index];
      const guard = key === undefined || guards.isEphemeral(key) ? undefined : guards.get(key);
      if (guard === undefined || at === paidAt || (guard === SECRET && queueAt?.has(at) === true)) return;
      exposed.add(guard);
    });
  }
  return [...exposed];
}

function paidAccount({ data }: CompiledInstruction, program: Address | undefined): number | undefined {
  if (program === undefined || !isTokenProgram(program)) return undefined;
  return DESTINATION_AT.get(data[0] ?? -1);
}

type Entry = readonly [Address, Account];

/** Accounts that are replaced for a run whose sender may not read them. */
export interface HiddenAccounts {
  /** Hidden and nonexistent accounts, all set to absent, so runs take the same path and time for both. */
  readonly absent: readonly Entry[];
  /** Transfer queues and their token accounts, set to empty. */
  readonly empty: readonly Entry[];
}

/**
 * Returns the accounts of a transaction that no reader may see, in their state without any payments. Costs,
 * logs and errors of the run then reveal nothing about them.
 *
 * @param readers the sender, and everyone who has signed. A wallet that is only named as a signer does not
 *   count.
 */
export function hiddenAccounts(
  transaction: Transaction,
  readers: readonly Reader[],
  guards: Guards,
  ledger: Pick<AccountReads, 'getAccount'>,
): HiddenAccounts {
  const absent: Entry[] = [];
  const empty: Entry[] = [];
  for (const key of expectedKeys(transaction, ledger)) {
    if (key === undefined) continue;
    // Always read the account, so hidden and absent accounts take the same time.
    const account = ledger.getAccount(key);
    const guard = guards.get(key);
    if (account === null) absent.push([key, GONE]);
    else if (guard === undefined) continue;
    else if (guard === SECRET) empty.push([key, emptied(account)]);
    else if (guards.isEphemeral(key) && !readers.some((each) => guard.allows(each, 'balances'))) {
      absent.push([key, GONE]);
    }
  }
  return { absent, empty };
}

/** Sets an amount to 0. eATAs and token accounts have their amount at the same offset. */
const emptied = (account: Account): Account => ({
  ...account,
  data: emptyTransferQueue(account.data) ?? eataDataWith(account.data, 0n),
});

/** Returns all keys of a transaction that has not run. Keys missing from lookup tables are undefined. */
function expectedKeys(
  { staticKeys, lookups }: Transaction,
  ledger: Pick<AccountReads, 'getAccount'>,
): readonly (Address | undefined)[] {
  if (lookups.length === 0) return staticKeys;
  const tables = lookups.map(({ table }) => decodeLookupTable(ledger.getAccount(table)?.data ?? NO_DATA));
  const load = (which: 'writable' | 'readonly') =>
    lookups.flatMap((lookup, at) => Array.from(lookup[which], (index) => tables[at]?.addresses[index]));
  return [...staticKeys, ...load('writable'), ...load('readonly')];
}

const NO_DATA = new Uint8Array(0);

/** Returns the required signers of a transaction, whether they have signed or not. */
export function signersOf({ staticKeys, requiredSignatures }: Transaction): readonly Address[] {
  return staticKeys.slice(0, requiredSignatures);
}

/** Returns the required signers whose own signature is valid, whether the others have signed or not. */
export function validSigners(transaction: Transaction): readonly Address[] {
  const message = messageOf(transaction);
  return signersOf(transaction).filter((signer, index) => {
    const signature = transaction.signatures[index];
    return signature !== undefined && isStrictlySigned(addressBytes(signer), message, signature);
  });
}

/** The error of a transaction that would reveal unreadable accounts. It says nothing about them. */
export const UNREADABLE: TransactionError = 'AccountNotFound';

/** Returns the simulation result of a rejected transaction. */
export function refusedRun(
  ledger: Pick<LedgerReads, 'head' | 'getAccount'>,
  { replaceBlockhash }: { readonly replaceBlockhash: boolean },
  err: TransactionError,
): Simulation {
  const { slot, blockhash, lastValidBlockHeight } = ledger.head();
  return {
    err,
    fee: null,
    preBalances: null,
    postBalances: null,
    preTokenBalances: null,
    postTokenBalances: null,
    innerInstructions: [],
    logs: [],
    loadedAddresses: { writable: [], readonly: [] },
    returnData: null,
    computeUnits: 0,
    loadedAccountsDataSize: 0,
    slot,
    replacementBlockhash: replaceBlockhash ? { blockhash, lastValidBlockHeight } : null,
    accountAfter: (address) => ledger.getAccount(address),
  };
}
