import type { Keypair } from '../../ledger/keypair.ts';
import type { AccountKeys } from '../../ledger/run/account-keys.ts';
import type { LedgerRules, Outcome, Verdict } from '../../ledger/run/executor.ts';
import { type AccountView, isDifferent, readTokenAmount } from '../../ledger/state/accounts.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { EPHEMERAL_VAULT, MAGIC_CONTEXT, MAGIC_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import { SYSTEM_TABLE } from '../../programs/system.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';
import { BooksView, newRequestEntries } from '../books/books.ts';
import type { Entry } from '../books/item.ts';
import type { SettlementRequest } from '../books/items.ts';
import type { MirrorEngine } from '../overlay/overlay.ts';
import { isOfVault, projectEata, type Projection, type Projections } from '../projection/projections.ts';
import { announceConfirmation, signConfirmation } from '../settlement/endings.ts';
import { madeEntries, missingAccounts, paymentPayers } from './ephemeral-accounts.ts';
import {
  acceptCalls,
  type AcceptedCalls,
  findMagicCallFault,
  findMagicCalls,
  findMagicFault,
} from './magic-calls.ts';

interface RollupRulesParts {
  readonly accounts: AccountView;
  readonly engine: MirrorEngine;
  readonly projections: Projections;
  /** The validator, which signs settlements on base and their confirmations on the rollup. */
  readonly validator: Keypair;
  /** Mints whose undelegations are currently rejected. */
  readonly halted: Pick<ReadonlySet<Address>, 'has'>;
}

/** SPL Token `Account`: mint and owner in the first 64 bytes; state at 108, 1 initialized or 2 frozen. */
const KEYS_BYTES = 64;
const STATE_AT = 108;

/** Agave's error "Transaction loads a writable account that cannot be written". */
const NOT_WRITABLE = 'InvalidWritableAccount';

/**
 * Agave's error "This account may not be used to pay transaction fees". MagicBlock's validator returns it if
 * a fee payer that is not delegated would lose lamports.
 */
const PAYER_SPENT = 'InvalidAccountForFee';

/**
 * Restricts what transactions may write on a rollup: delegated accounts without a requested undelegation,
 * ATAs of delegated eATAs, and accounts that exist only on the rollup. Settlement uses the final amounts of
 * the ATAs, so transactions may move tokens but not create or destroy them. No tokens may move to a vault's
 * ATA.
 */
export class RollupRules implements LedgerRules {
  readonly #parts: RollupRulesParts;
  /** Runtime accounts that programs name as writable although nothing writes to them. */
  readonly #named: ReadonlySet<Address>;

  constructor(parts: RollupRulesParts) {
    this.#parts = parts;
    this.#named = new Set([
      MAGIC_CONTEXT,
      EPHEMERAL_VAULT,
      deriveMagicFeeVault(parts.validator.address).address,
    ]);
  }

  admit(transaction: Transaction, { addresses, loaded }: AccountKeys): TransactionError | null {
    const { accounts, engine, validator } = this.#parts;
    const magicFault = findMagicFault(transaction, addresses, validator.address);
    if (magicFault !== null) return magicFault;
    // The rollup's own transactions are exempt, because they were built for base, where other accounts are
    // writable. Their changes are checked after the run.
    if (!this.#isOwn(addresses) && this.#namesUnwritable(transaction, addresses, loaded)) {
      return spendsFeePayer(transaction, addresses) ? PAYER_SPENT : NOT_WRITABLE;
    }
    for (const { table } of transaction.lookups) engine.refresh([table], accounts);
    engine.refresh(addresses, accounts);
    return null;
  }

  /** Supplies a payment's accounts only if its payer signed. Others must not learn if the accounts exist. */
  supply(transaction: Transaction, { addresses }: AccountKeys, { execution }: Outcome): readonly Entry[] {
    const missing = missingAccounts(findMagicCalls(transaction, addresses, execution), this.#parts.accounts);
    if (missing.length === 0 || this.#isOwn(addresses)) return missing;
    const payers = paymentPayers(transaction, addresses, execution);
    const signers = new Set(addresses.slice(0, transaction.requiredSignatures));
    return missing.filter(([address]) => {
      const payer = payers.get(address);
      return payer !== undefined && signers.has(payer);
    });
  }

  check(transaction: Transaction, { addresses }: AccountKeys, outcome: Outcome): Verdict {
    const also: Entry[] = [...madeEntries(transaction, addresses, outcome)];
    const isOwn = this.#isOwn(addresses);
    const sums = new Map<Address, bigint>();
    for (const [index, address] of addresses.entries()) {
      const before = outcome.before[index];
      const after = outcome.after[index];
      if (before === after) continue;
      if (before !== undefined && after !== undefined && !isDifferent(before, after)) continue;
      if (index === 0) return { err: PAYER_SPENT };
      const projection = this.#parts.projections.ofAta(address);
      if (projection === undefined) {
        if (!this.#mayChange(address, before, after, outcome)) return { err: NOT_WRITABLE };
        continue;
      }
      // The rollup's own transactions were not checked before the run.
      if (isOwn && this.#books.isGoingBack(projection.eata)) return { err: NOT_WRITABLE };
      if (before === undefined || after === undefined || !keepsKeys(before, after))
        return { err: NOT_WRITABLE };
      const amount = readTokenAmount(after.data);
      const gained = amount - readTokenAmount(before.data);
      if (gained === 0n) continue;
      if (gained > 0n && isOfVault(projection)) return vaultVerdict(projection.mint);
      sums.set(projection.mint, (sums.get(projection.mint) ?? 0n) + gained);
      also.push([projection.eata, this.#eataWith(projection, amount)]);
    }
    for (const sum of sums.values()) if (sum !== 0n) return { err: 'UnbalancedTransaction' };
    const magicFault = findMagicCallFault(outcome.execution, addresses);
    if (magicFault !== null) return { err: magicFault };
    const calls = findMagicCalls(transaction, addresses, outcome.execution);
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    const { accounts, projections, validator } = this.#parts;
    const accepted = acceptCalls(calls, { accounts, projections, validator: validator.address, signature });
    if ('err' in accepted) return accepted;
    return this.#withRequests(accepted, signature, also);
  }

  #namesUnwritable(
    transaction: Transaction,
    addresses: readonly Address[],
    loaded: AccountKeys['loaded'],
  ): boolean {
    const staticCount = transaction.staticKeys.length;
    // The fee payer (index 0) must be writable. A check after the run rejects changes to it.
    for (let index = 1; index < staticCount + loaded.writable.length; index++) {
      const isWritable = index >= staticCount || isStaticKeyWritable(transaction, index);
      if (isWritable && !this.#mayBeWritable(addresses[index] as Address, addresses)) return true;
    }
    return false;
  }

  /** Whether the rollup itself sent the transaction: only it can sign for the validator, which pays. */
  #isOwn([payer]: readonly Address[]): boolean {
    return payer === this.#parts.validator.address;
  }

  get #books(): BooksView {
    return new BooksView(this.#parts.accounts);
  }

  #mayBeWritable(address: Address, addresses: readonly Address[]): boolean {
    if (this.#named.has(address)) return true;
    const { accounts, projections } = this.#parts;
    const projection = projections.at(address);
    if (projection !== undefined) {
      return address !== projection.record && !this.#books.isGoingBack(projection.eata);
    }
    if (projections.account(address) !== undefined) return !this.#books.isGoingBack(address);
    // Only calls to the Magic program create and close accounts.
    if (accounts.get(address) === undefined) return addresses.includes(MAGIC_PROGRAM);
    return this.#books.ephemeralOf(address) !== null;
  }

  /** Whether a run may make this change to an account that is not an ATA. */
  #mayChange(
    address: Address,
    before: Account | undefined,
    after: Account | undefined,
    { supplied }: Outcome,
  ): boolean {
    const known = before ?? supplied?.get(address);
    if (known === undefined || after === undefined) return false;
    if (after.owner !== known.owner || after.data.length !== known.data.length) return false;
    const isDelegated = this.#parts.projections.account(address) !== undefined;
    if (isDelegated) return !this.#books.isGoingBack(address);
    // No one owns the lamports of an ephemeral account.
    if (after.lamports !== known.lamports) return false;
    return before === undefined || this.#books.ephemeralOf(address) !== null;
  }

  #eataWith({ eata }: Projection, amount: bigint): Account {
    return projectEata(this.#parts.accounts.get(eata) as Account, amount);
  }

  /**
   * Adds requests for the undelegations, which freezes their accounts, and logs the signatures that will
   * confirm them.
   */
  #withRequests(
    { undelegations, held, entries }: AcceptedCalls,
    undelegation: string,
    also: readonly Entry[],
  ): Verdict {
    if (undelegations.length === 0) return { also: [...also, ...entries] };
    const books = this.#books;
    const requests: Pick<SettlementRequest, 'eata' | 'undelegation'>[] = [];
    for (const { instructionIndex, owner, atas } of undelegations) {
      for (const ata of atas) {
        const projection = this.#parts.projections.ofAta(ata);
        if (projection === undefined || projection.owner !== owner) {
          return { err: { InstructionError: [instructionIndex, 'InvalidAccountOwner'] } };
        }
        if (held.has(projection.eata) || books.isGoingBack(projection.eata)) return { err: NOT_WRITABLE };
        if (this.#parts.halted.has(projection.mint)) return haltedVerdict(projection.mint);
        if (!requests.some(({ eata }) => eata === projection.eata)) {
          requests.push({ eata: projection.eata, undelegation });
        }
      }
    }
    const signing = { validator: this.#parts.validator, baseGenesisHash: books.baseGenesisHash };
    const logs = requests.map((request) => announceConfirmation(signConfirmation(request, signing)));
    return { also: [...also, ...entries, ...newRequestEntries(books, requests)], logs };
  }
}

/** Returns `ClusterMaintenance` (Agave: "Transactions are currently disabled due to cluster maintenance"). */
function haltedVerdict(mint: Address): Verdict {
  const log = `Undelegation of ${mint} is halted: its vault on base does not cover its claims`;
  return { err: 'ClusterMaintenance', logs: [log] };
}

/**
 * Rejects payments to a vault's ATA, whose tokens no one can spend on the rollup. Tag 16 of the ephemeral
 * token program accepts that ATA instead of the queue's and still queues the payment. The queue would then
 * pay with other people's tokens.
 */
function vaultVerdict(mint: Address): Verdict {
  const log = `The vault of ${mint} accepts no tokens on the rollup: pay into its transfer queue or to a wallet`;
  return { err: NOT_WRITABLE, logs: [log] };
}

/** Whether the account still holds tokens of the same wallet and mint. */
function keepsKeys(before: Account, after: Account): boolean {
  if (after.owner !== before.owner || after.data.length !== before.data.length) return false;
  if (after.data[STATE_AT] !== 1 && after.data[STATE_AT] !== 2) return false;
  return Buffer.compare(before.data.subarray(0, KEYS_BYTES), after.data.subarray(0, KEYS_BYTES)) === 0;
}

const { createAccount, transfer, createAccountWithSeed } = SYSTEM_TABLE;

/** Instructions of the system program that debit their first account. */
const SPENDING = new Set([createAccount, transfer, createAccountWithSeed].map(({ tag }) => tag));

/** Whether a top-level instruction moves lamports from the fee payer to another account. */
function spendsFeePayer({ instructions }: Transaction, addresses: readonly Address[]): boolean {
  return instructions.some(({ programIdIndex, accounts, data }) => {
    if (addresses[programIdIndex] !== SYSTEM_PROGRAM || data.length < 4) return false;
    const tag = viewOf(data).getUint32(0, true);
    return SPENDING.has(tag) && accounts[0] === 0 && accounts[1] !== 0;
  });
}
