import type { Keypair } from '../../ledger/keypair.ts';
import type { AccountKeys } from '../../ledger/run/account-keys.ts';
import type { Outcome } from '../../ledger/run/executor.ts';
import type { LedgerRules, Verdict } from '../../ledger/run/ledger-rules.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import { isDifferent } from '../../ledger/state/differences.ts';
import { readTokenAmount } from '../../ledger/state/token-keys.ts';
import { MAGIC_CONTEXT } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';
import { BooksView } from '../books/books.ts';
import { newRequestEntries } from '../books/entries.ts';
import type { SettlementRequest } from '../books/settlement-request.ts';
import type { MirrorEngine } from '../overlay/mirror-engine.ts';
import { projectEata, type Projection } from '../projection/projection.ts';
import type { Projections } from '../projection/projections.ts';
import { announceConfirmation, signConfirmation } from '../settlement/confirmation.ts';
import { findMagicCallFault, findMagicFault } from './magic-faults.ts';
import { spendsFeePayer } from './spent-payer.ts';
import { findUndelegationCalls, type UndelegationCall } from './undelegation-calls.ts';

/** What {@link RollupRules} go by. */
interface RollupRulesParts {
  readonly accounts: AccountView;
  readonly engine: MirrorEngine;
  readonly projections: Projections;
  /** Who settles on base, and confirms it here. */
  readonly validator: Keypair;
  /** Mints whose undelegations are not taken at present. */
  readonly halted: Pick<ReadonlySet<Address>, 'has'>;
}

/**
 * SPL Token `Account`: mint and owner are the first 64 bytes; at 108 the state, 1 initialised or 2 frozen.
 */
const KEYS_BYTES = 64;
const STATE_AT = 108;

/** Agave's error for it: "Transaction loads a writable account that cannot be written". */
const NOT_WRITABLE = 'InvalidWritableAccount';

/**
 * Agave's error for it: "This account may not be used to pay transaction fees". MagicBlock's validator
 * answers it where a fee payer that is not delegated would lose lamports.
 */
const PAYER_SPENT = 'InvalidAccountForFee';

type Entry = readonly [Address, Account];

/**
 * What may be written on a rollup: the ATAs of delegated eATAs, as long as they are not on their way back to
 * base, and nothing else. Base goes by what an ATA holds in the end, so tokens are moved and neither made nor
 * lost.
 */
export class RollupRules implements LedgerRules {
  readonly #parts: RollupRulesParts;

  constructor(parts: RollupRulesParts) {
    this.#parts = parts;
  }

  admit(transaction: Transaction, { addresses, loaded }: AccountKeys): TransactionError | null {
    const { accounts, engine, validator } = this.#parts;
    const magicFault = findMagicFault(transaction, addresses, validator.address);
    if (magicFault !== null) return magicFault;
    const staticCount = transaction.staticKeys.length;
    // The fee payer, at 0, has to be writable; that nothing of it changes is seen afterwards.
    for (let index = 1; index < staticCount + loaded.writable.length; index++) {
      const isWritable = index >= staticCount || isStaticKeyWritable(transaction, index);
      if (!isWritable || this.#mayBeWritable(addresses[index] as Address)) continue;
      return spendsFeePayer(transaction, addresses) ? PAYER_SPENT : NOT_WRITABLE;
    }
    for (const { table } of transaction.lookups) engine.refresh([table], accounts);
    engine.refresh(addresses, accounts);
    return null;
  }

  judge(transaction: Transaction, { addresses }: AccountKeys, outcome: Outcome): Verdict {
    const also: Entry[] = [];
    const sums = new Map<Address, bigint>();
    for (const [index, address] of addresses.entries()) {
      const before = outcome.before[index];
      const after = outcome.after[index];
      if (before === after) continue;
      if (before !== undefined && after !== undefined && !isDifferent(before, after)) continue;
      if (index === 0) return { err: PAYER_SPENT };
      const projection = this.#parts.projections.ofAta(address);
      if (projection === undefined || before === undefined) return { err: NOT_WRITABLE };
      if (after === undefined || !keepsKeys(before, after)) return { err: NOT_WRITABLE };
      const amount = readTokenAmount(after.data);
      const gained = amount - readTokenAmount(before.data);
      if (gained === 0n) continue;
      sums.set(projection.mint, (sums.get(projection.mint) ?? 0n) + gained);
      also.push([projection.eata, this.#eataWith(projection, amount)]);
    }
    for (const sum of sums.values()) if (sum !== 0n) return { err: 'UnbalancedTransaction' };
    const magicFault = findMagicCallFault(outcome.execution, addresses);
    if (magicFault !== null) return { err: magicFault };
    const calls = findUndelegationCalls(transaction, addresses, outcome.execution);
    const undelegation = encodeBase58(transaction.signatures[0] as Uint8Array);
    return this.#withRequests(calls, undelegation, also);
  }

  get #books(): BooksView {
    return new BooksView(this.#parts.accounts);
  }

  #mayBeWritable(address: Address): boolean {
    if (address === MAGIC_CONTEXT) return true;
    const projection = this.#parts.projections.at(address);
    if (projection === undefined || address === projection.record) return false;
    return !this.#books.isGoingBack(projection.eata);
  }

  #eataWith({ eata }: Projection, amount: bigint): Account {
    return projectEata(this.#parts.accounts.get(eata) as Account, amount);
  }

  /**
   * Writes down what is to be given back, and says where that will be confirmed; from then on it is frozen.
   */
  #withRequests(calls: readonly UndelegationCall[], undelegation: string, also: readonly Entry[]): Verdict {
    if (calls.length === 0) return { also };
    const books = this.#books;
    const requests: Pick<SettlementRequest, 'eata' | 'undelegation'>[] = [];
    for (const { instructionIndex, owner, atas } of calls) {
      for (const ata of atas) {
        const projection = this.#parts.projections.ofAta(ata);
        if (projection === undefined || projection.owner !== owner) {
          return { err: { InstructionError: [instructionIndex, 'InvalidAccountOwner'] } };
        }
        if (books.isGoingBack(projection.eata)) return { err: NOT_WRITABLE };
        if (this.#parts.halted.has(projection.mint)) return haltedVerdict(projection.mint);
        if (!requests.some(({ eata }) => eata === projection.eata)) {
          requests.push({ eata: projection.eata, undelegation });
        }
      }
    }
    const signing = { validator: this.#parts.validator, baseGenesisHash: books.baseGenesisHash };
    const logs = requests.map((request) => announceConfirmation(signConfirmation(request, signing)));
    return { also: [...also, ...newRequestEntries(books, requests)], logs };
  }
}

/** Agave's `ClusterMaintenance`: "Transactions are currently disabled due to cluster maintenance". */
function haltedVerdict(mint: Address): Verdict {
  const log = `Undelegation of ${mint} is halted: its vault on base does not cover what is owed`;
  return { err: 'ClusterMaintenance', logs: [log] };
}

/** Whether it is the token account of the same wallet and mint still. */
function keepsKeys(before: Account, after: Account): boolean {
  if (after.owner !== before.owner || after.data.length !== before.data.length) return false;
  if (after.data[STATE_AT] !== 1 && after.data[STATE_AT] !== 2) return false;
  return Buffer.compare(before.data.subarray(0, KEYS_BYTES), after.data.subarray(0, KEYS_BYTES)) === 0;
}
