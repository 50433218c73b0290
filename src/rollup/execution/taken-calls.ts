import { GONE } from '../../ledger/run/account-states.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM, MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import {
  type ActionCallback,
  decodeMagicCall,
  type IntentBundle,
  type ScheduleTask,
} from '../../programs/magic/magic-call.ts';
import type { Address } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { cancelTaskEntry, goneEphemeralEntry, intentEntries, taskEntry } from '../books/entries.ts';
import { heldBy, type IntentAction, type NewIntent } from '../books/intent.ts';
import type { BooksAccounts, Entry } from '../books/item.ts';
import type { Projections } from '../projection/projections.ts';
import { PAYMENT_PROGRAMS } from './ephemeral-accounts.ts';
import type { MagicProgramCall } from './magic-calls.ts';

/** What calls of the Magic program are judged by. */
interface CallContext {
  readonly accounts: BooksAccounts;
  readonly projections: Projections;
  readonly validator: Address;
  /** base58: the transaction that makes them. */
  readonly signature: string;
}

/** The ephemeral token program asked for eATAs back. */
interface UndelegationCall {
  readonly instructionIndex: number;
  /** The wallet that asked; the program has made it sign. */
  readonly owner: Address;
  /** The ATAs that are meant. */
  readonly atas: readonly Address[];
}

/** What a run asked for: changes of the books, and undelegations that are still to be judged. */
export interface TakenCalls {
  readonly entries: readonly Entry[];
  readonly undelegations: readonly UndelegationCall[];
  /** What is given back otherwise: eATAs, and carriers of lamports. */
  readonly held: ReadonlySet<Address>;
}

/** What the Magic program answers to a call it refuses (Agave `InstructionError`). */
type CallFault =
  | 'InvalidInstructionData'
  | 'InvalidAccountOwner'
  | 'IncorrectProgramId'
  | 'IncorrectAuthority';

/** Why a run may not stand. */
class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly fault: CallFault;

  constructor(fault: CallFault) {
    super(fault);
    this.fault = fault;
  }
}

type IntentDraft = { -readonly [Member in keyof NewIntent]: NewIntent[Member] };

/**
 * Takes what programs asked of the Magic program in a run, in order, into the books. Only the programs of
 * private payments are heard, as only they have accounts here; what they ask for they have checked. Others
 * may call for commits, which have nothing to commit, and for nothing else.
 */
export function takeCalls(
  calls: readonly MagicProgramCall[],
  context: CallContext,
): TakenCalls | { readonly err: TransactionError } {
  const taker = new CallTaker(context);
  for (const call of calls) {
    try {
      taker.take(call);
    } catch (error) {
      if (error instanceof CallRefused)
        return { err: { InstructionError: [call.instructionIndex, error.fault] } };
      throw error;
    }
  }
  return taker.taken();
}

class CallTaker {
  readonly #context: CallContext;
  readonly #books: BooksView;
  readonly #undelegations: UndelegationCall[] = [];
  readonly #intents: IntentDraft[] = [];
  /** What the intents give back. */
  readonly #held = new Set<Address>();
  /** By the address of the item, of which the last state counts. */
  readonly #entries = new Map<Address, Entry>();

  constructor(context: CallContext) {
    this.#context = context;
    this.#books = new BooksView(context.accounts);
  }

  taken(): TakenCalls {
    return {
      entries: [...this.#entries.values(), ...intentEntries(this.#books, this.#intents)],
      undelegations: this.#undelegations,
      held: this.#held,
    };
  }

  take(call: MagicProgramCall): void {
    const asked = decodeMagicCall(call.data);
    if (!PAYMENT_PROGRAMS.has(call.caller)) {
      if (asked === null || asked.kind === 'undelegation' || asked.kind === 'noop') return;
      throw new CallRefused('IncorrectProgramId');
    }
    if (asked === null) throw new CallRefused('InvalidInstructionData');
    if (asked.kind === 'undelegation') this.#takeUndelegation(call);
    else if (asked.kind === 'bundle') this.#takeBundle(call, asked);
    else if (asked.kind === 'callback') this.#takeCallback(call, asked);
    else if (asked.kind === 'task') this.#takeTask(call, asked);
    else if (asked.kind === 'cancelTask') this.#takeCancellation(call, asked.taskId);
    else if (asked.kind === 'closeAccount') this.#takeClosing(call);
  }

  #takeUndelegation({ instructionIndex, caller, accounts }: MagicProgramCall): void {
    const [owner, context, ...atas] = accounts;
    if (caller !== EPHEMERAL_TOKEN_PROGRAM || owner === undefined || context !== MAGIC_CONTEXT) return;
    this.#undelegations.push({ instructionIndex, owner, atas });
  }

  #takeBundle({ caller, accounts }: MagicProgramCall, bundle: IntentBundle): void {
    const payer = accountAt(accounts, 0);
    const lamports: Address[] = [];
    const commits: NewIntent['commits'][number][] = bundle.commits.map((index) => ({
      eata: this.#eataOf(accountAt(accounts, index)),
      isUndelegation: false,
    }));
    for (const index of bundle.undelegations) {
      const address = accountAt(accounts, index);
      if (this.#isCarrier(address)) lamports.push(address);
      else commits.push({ eata: this.#eataOf(address), isUndelegation: true });
    }
    for (const address of heldBy({ commits, lamports })) this.#held.add(address);
    const actions = bundle.actions.map(({ escrowAuthorityIndex, ...action }): IntentAction => ({
      ...action,
      escrowAuthority: accountAt(accounts, escrowAuthorityIndex),
    }));
    const { signature } = this.#context;
    this.#intents.push({
      scheduledBy: signature,
      source: caller,
      payer,
      commits,
      lamports,
      actions,
      callbacks: [],
    });
  }

  /** The eATA behind an ATA that may be committed: not that of a vault or a queue, on which others rely. */
  #eataOf(ata: Address): Address {
    const { projections } = this.#context;
    const projection = projections.ofAta(ata);
    if (projection === undefined || this.#isGoingBack(projection.eata))
      throw new CallRefused('InvalidAccountOwner');
    if (projections.isOfVault(projection) || projections.account(projection.owner) !== undefined) {
      throw new CallRefused('InvalidAccountOwner');
    }
    return projection.eata;
  }

  /** Whether it is a delegated account that carries lamports and nothing else. */
  #isCarrier(address: Address): boolean {
    const { accounts, projections } = this.#context;
    if (projections.account(address) === undefined || this.#isGoingBack(address)) return false;
    return accounts.get(address)?.data.length === 0;
  }

  #isGoingBack(address: Address): boolean {
    return this.#held.has(address) || this.#books.isGoingBack(address);
  }

  /** A callback belongs to the newest intent of the same payer. */
  #takeCallback({ accounts }: MagicProgramCall, asked: ActionCallback): void {
    const payer = accountAt(accounts, 0);
    const intent = this.#intents.findLast((each) => each.payer === payer);
    if (intent === undefined || asked.actionIndex >= intent.actions.length) {
      throw new CallRefused('InvalidInstructionData');
    }
    const { actionIndex, program, discriminator, payload, computeUnits, accounts: named } = asked;
    const callback = { actionIndex, program, discriminator, payload, computeUnits, accounts: named };
    intent.callbacks = [...intent.callbacks, callback];
  }

  #takeTask({ accounts }: MagicProgramCall, task: ScheduleTask): void {
    const authority = accountAt(accounts, 0);
    this.#assertAuthority(task.taskId, authority);
    const { validator } = this.#context;
    for (const { programId, accounts: named } of task.instructions) {
      const isPrivileged = programId === MAGIC_PROGRAM || named.some(({ address }) => address === validator);
      if (isPrivileged || named.some(({ signer }) => signer)) throw new CallRefused('InvalidInstructionData');
    }
    const { taskId, intervalMs, iterations, instructions } = task;
    this.#put(
      taskEntry({
        taskId,
        authority,
        intervalMs: Number(intervalMs),
        iterationsLeft: iterations,
        instructions,
      }),
    );
  }

  #takeCancellation({ accounts }: MagicProgramCall, taskId: bigint): void {
    this.#assertAuthority(taskId, accountAt(accounts, 0));
    this.#put(cancelTaskEntry(taskId));
  }

  #assertAuthority(taskId: bigint, authority: Address): void {
    const known = this.#books.taskOf(taskId);
    if (known !== null && known.authority !== authority) throw new CallRefused('IncorrectAuthority');
  }

  #takeClosing({ caller, accounts }: MagicProgramCall): void {
    const sponsor = accountAt(accounts, 0);
    const address = accountAt(accounts, 1);
    const known = this.#books.ephemeralOf(address);
    if (known?.sponsor !== sponsor || known.program !== caller) throw new CallRefused('InvalidAccountOwner');
    this.#put(goneEphemeralEntry(address));
    this.#put([address, GONE]);
  }

  #put(entry: Entry): void {
    this.#entries.set(entry[0], entry);
  }
}

function accountAt(accounts: readonly Address[], index: number): Address {
  const address = accounts[index];
  if (address === undefined) throw new CallRefused('InvalidInstructionData');
  return address;
}
