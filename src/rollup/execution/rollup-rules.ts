import type { Keypair } from '../../ledger/keypair.ts';
import type { AccountKeys } from '../../ledger/run/account-keys.ts';
import type { Outcome } from '../../ledger/run/executor.ts';
import type { LedgerRules, Verdict } from '../../ledger/run/ledger-rules.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { isDifferent } from '../../ledger/state/differences.ts';
import { readTokenAmount } from '../../ledger/state/token-keys.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import { EPHEMERAL_VAULT, MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';
import { BooksView } from '../books/books.ts';
import { newRequestEntries } from '../books/entries.ts';
import type { Entry } from '../books/item.ts';
import type { SettlementRequest } from '../books/settlement-request.ts';
import type { MirrorEngine } from '../overlay/mirror-engine.ts';
import { projectEata, type Projection } from '../projection/projection.ts';
import type { Projections } from '../projection/projections.ts';
import { announceConfirmation, signConfirmation } from '../settlement/confirmation.ts';
import { madeEntries, missingAccounts } from './ephemeral-accounts.ts';
import { findMagicCalls } from './magic-calls.ts';
import { findMagicCallFault, findMagicFault } from './magic-faults.ts';
import { paymentPayers } from './payment-payers.ts';
import { spendsFeePayer } from './spent-payer.ts';
import { takeCalls, type TakenCalls } from './taken-calls.ts';

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

/**
 * What may be written on a rollup: the ATAs of delegated eATAs and other delegated accounts, as long as they
 * are not on their way back to base, accounts that exist on the rollup only, and nothing else. Base goes by
 * what an ATA holds in the end, so tokens are moved and neither made nor lost: none go to a vault's ATA.
 */
export class RollupRules implements LedgerRules {
  readonly #parts: RollupRulesParts;
  /** Accounts of the runtime that programs name as writable and that nothing writes. */
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
    // What the rollup itself runs was put together on base, where other accounts may be written; that nothing
    // changes here that may not is seen afterwards.
    if (!this.#isOwn(addresses) && this.#namesUnwritable(transaction, addresses, loaded)) {
      return spendsFeePayer(transaction, addresses) ? PAYER_SPENT : NOT_WRITABLE;
    }
    for (const { table } of transaction.lookups) engine.refresh([table], accounts);
    engine.refresh(addresses, accounts);
    return null;
  }

  /**
   * An account of a payment is made only for a payer who has signed. What it says is theirs alone to know, so
   * whoever has not signed for it is told the same, and by the same run, whether it is there or not.
   */
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

  judge(transaction: Transaction, { addresses }: AccountKeys, outcome: Outcome): Verdict {
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
      // What the rollup itself runs was not asked beforehand.
      if (isOwn && this.#books.isGoingBack(projection.eata)) return { err: NOT_WRITABLE };
      if (before === undefined || after === undefined || !keepsKeys(before, after))
        return { err: NOT_WRITABLE };
      const amount = readTokenAmount(after.data);
      const gained = amount - readTokenAmount(before.data);
      if (gained === 0n) continue;
      if (gained > 0n && this.#parts.projections.isOfVault(projection)) return vaultVerdict(projection.mint);
      sums.set(projection.mint, (sums.get(projection.mint) ?? 0n) + gained);
      also.push([projection.eata, this.#eataWith(projection, amount)]);
    }
    for (const sum of sums.values()) if (sum !== 0n) return { err: 'UnbalancedTransaction' };
    const magicFault = findMagicCallFault(outcome.execution, addresses);
    if (magicFault !== null) return { err: magicFault };
    const calls = findMagicCalls(transaction, addresses, outcome.execution);
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    const { accounts, projections, validator } = this.#parts;
    const taken = takeCalls(calls, { accounts, projections, validator: validator.address, signature });
    if ('err' in taken) return taken;
    return this.#withRequests(taken, signature, also);
  }

  #namesUnwritable(
    transaction: Transaction,
    addresses: readonly Address[],
    loaded: AccountKeys['loaded'],
  ): boolean {
    const staticCount = transaction.staticKeys.length;
    // The fee payer, at 0, has to be writable; that nothing of it changes is seen afterwards.
    for (let index = 1; index < staticCount + loaded.writable.length; index++) {
      const isWritable = index >= staticCount || isStaticKeyWritable(transaction, index);
      if (isWritable && !this.#mayBeWritable(addresses[index] as Address, addresses)) return true;
    }
    return false;
  }

  /** Whether the validator pays: nobody else can have it sign. */
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
    // Accounts are made and closed by calls of the Magic program alone.
    if (accounts.get(address) === undefined) return addresses.includes(MAGIC_PROGRAM);
    return this.#books.ephemeralOf(address) !== null;
  }

  /** Whether an account that is no ATA may become what it is after a run. */
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
    // Nobody has its lamports.
    if (after.lamports !== known.lamports) return false;
    return before === undefined || this.#books.ephemeralOf(address) !== null;
  }

  #eataWith({ eata }: Projection, amount: bigint): Account {
    return projectEata(this.#parts.accounts.get(eata) as Account, amount);
  }

  /**
   * Writes down what is to be given back, and says where that will be confirmed; from then on it is frozen.
   */
  #withRequests(
    { undelegations, held, entries }: TakenCalls,
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

/** Agave's `ClusterMaintenance`: "Transactions are currently disabled due to cluster maintenance". */
function haltedVerdict(mint: Address): Verdict {
  const log = `Undelegation of ${mint} is halted: its vault on base does not cover what is owed`;
  return { err: 'ClusterMaintenance', logs: [log] };
}

/**
 * Nobody can spend what a vault's ATA has on the rollup. Tag 16 of the ephemeral token program takes it in
 * place of the queue's and queues the payment all the same, which would then be paid with tokens that others
 * have in the queue.
 */
function vaultVerdict(mint: Address): Verdict {
  const log = `The vault of ${mint} takes no tokens on the rollup: pay into its transfer queue, or to a wallet`;
  return { err: NOT_WRITABLE, logs: [log] };
}

/** Whether it is the token account of the same wallet and mint still. */
function keepsKeys(before: Account, after: Account): boolean {
  if (after.owner !== before.owner || after.data.length !== before.data.length) return false;
  if (after.data[STATE_AT] !== 1 && after.data[STATE_AT] !== 2) return false;
  return Buffer.compare(before.data.subarray(0, KEYS_BYTES), after.data.subarray(0, KEYS_BYTES)) === 0;
}
