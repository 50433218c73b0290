import type { Execution } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { EPHEMERAL_TOKEN_PROGRAM, MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import {
  type ActionCallback,
  decodeMagicCall,
  type IntentBundle,
  type ScheduleTask,
} from '../../programs/magic/magic-call.ts';
import type { Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { BooksView, intentEntries } from '../books/books.ts';
import { type BooksAccounts, deletedItem, type Entry, itemEntry } from '../books/item.ts';
import { EPHEMERAL, heldBy, type IntentAction, type NewIntent, TASK } from '../books/items.ts';
import { isOfVault, type Projections } from '../projection/projections.ts';
import { PAYMENT_PROGRAMS } from './ephemeral-accounts.ts';

/** A call to the Magic program from another program. */
export interface MagicProgramCall {
  /** Index of the top-level instruction that contains it. */
  readonly instructionIndex: number;
  /** The calling program, one level up the stack. */
  readonly caller: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/**
 * Returns the calls that programs made to the Magic program in a run, in order. Top-level instructions of the
 * transaction are not included.
 */
export function findMagicCalls(
  transaction: Transaction,
  addresses: readonly Address[],
  { innerInstructions }: Pick<Execution, 'innerInstructions'>,
): MagicProgramCall[] {
  const calls: MagicProgramCall[] = [];
  for (const { index, instructions } of innerInstructions) {
    /** The program running at each stack height, top level first. */
    const programs = [addresses[transaction.instructions[index]?.programIdIndex as number]];
    for (const { programIdIndex, accounts, data, stackHeight } of instructions) {
      const program = addresses[programIdIndex];
      const caller = programs[stackHeight - 2];
      programs[stackHeight - 1] = program;
      if (program !== MAGIC_PROGRAM || caller === undefined) continue;
      const named = Array.from(accounts, (account) => addresses[account] as Address);
      calls.push({ instructionIndex: index, caller, accounts: named, data });
    }
  }
  return calls;
}

/** The Magic program's error for an instruction it rejects (Agave `InstructionError`). */
type MagicFault = 'InvalidInstructionData' | 'IncorrectProgramId' | 'MissingRequiredSignature';

/** `MagicBlockInstruction` (u32) of magicblock-validator 0.14.10. */
const SCHEDULE_TASK = 6;
const SCHEDULE_INTENT_BUNDLE = 11;
const UNUSED = 15;
const LAST = 25;

/** Tags that only programs may send, for themselves: commits (1, 2), intents (5, 11), callbacks (23). */
const OF_PROGRAMS: ReadonlySet<number> = new Set([1, 2, 5, SCHEDULE_INTENT_BUNDLE, 23]);

/** Tags that create, resize and close an ephemeral account of the calling program. */
const OF_EPHEMERAL_ACCOUNTS: ReadonlySet<number> = new Set([12, 13, 14]);

/** Tags that only the validator sends: cloned accounts, results of commits, its own switches. */
const OF_VALIDATOR: ReadonlySet<number> = new Set([0, 3, 4, 8, 9, 16, 17, 18, 19, 20, 21, 22, 24, LAST]);

/** Exclusive upper bound of an interval, in ms (`u32::MAX`). */
const INTERVAL_END = 0xffff_ffffn;

/**
 * Returns the Magic program's error for the first top-level instruction it would reject; null if it would
 * accept all. Call this before the run, because the placeholder for the program accepts everything.
 *
 * @param validator the validator, which may send every instruction.
 */
export function findMagicFault(
  { instructions, staticKeys, requiredSignatures }: Transaction,
  addresses: readonly Address[],
  validator: Address,
): TransactionError | null {
  const isValidators = staticKeys.slice(0, requiredSignatures).includes(validator);
  for (const [index, { programIdIndex, data }] of instructions.entries()) {
    if (addresses[programIdIndex] !== MAGIC_PROGRAM) continue;
    const fault = dataFault(data) ?? (isValidators ? null : senderFault(tagOf(data)));
    if (fault !== null) return { InstructionError: [index, fault] };
  }
  return null;
}

/**
 * Like {@link findMagicFault}, but checks the calls that programs make during a run. Does not check the
 * calling program.
 */
export function findMagicCallFault(
  { innerInstructions }: Pick<Execution, 'innerInstructions'>,
  addresses: readonly Address[],
): TransactionError | null {
  for (const { index, instructions } of innerInstructions) {
    for (const { programIdIndex, data } of instructions) {
      const fault = addresses[programIdIndex] === MAGIC_PROGRAM ? dataFault(data) : null;
      if (fault !== null) return { InstructionError: [index, fault] };
    }
  }
  return null;
}

function senderFault(tag: number): MagicFault | null {
  if (OF_PROGRAMS.has(tag)) return 'InvalidInstructionData';
  if (OF_EPHEMERAL_ACCOUNTS.has(tag)) return 'IncorrectProgramId';
  return OF_VALIDATOR.has(tag) ? 'MissingRequiredSignature' : null;
}

function dataFault(data: Uint8Array): MagicFault | null {
  const tag = tagOf(data);
  const isBad =
    tag > LAST ||
    tag === UNUSED ||
    (tag === SCHEDULE_TASK && !isTask(data)) ||
    (tag === SCHEDULE_INTENT_BUNDLE && isEmptyBundle(data));
  return isBad ? 'InvalidInstructionData' : null;
}

/** Returns the tag, or an unknown tag if the data is too short. */
function tagOf(data: Uint8Array): number {
  return data.length < 4 ? LAST + 1 : viewOf(data).getUint32(0, true);
}

/** Whether data is `ScheduleTaskArgs`: task id i64, interval i64 ms, iterations i64, instructions Vec. */
function isTask(data: Uint8Array): boolean {
  if (data.length < 36) return false;
  const view = viewOf(data);
  const intervalMs = view.getBigInt64(12, true);
  const iterations = view.getBigInt64(20, true);
  const instructionCount = view.getBigUint64(28, true);
  return intervalMs > 0n && intervalMs < INTERVAL_END && iterations > 0n && instructionCount > 0n;
}

/** Whether data is an empty `MagicIntentBundleArgs`: four Options of one byte, and a Vec (u64 length). */
function isEmptyBundle(data: Uint8Array): boolean {
  return data.length < 16 || data.subarray(4, 16).every((byte) => byte === 0);
}

interface CallContext {
  readonly accounts: BooksAccounts;
  readonly projections: Projections;
  readonly validator: Address;
  /** Signature of the transaction that makes the calls, base58. */
  readonly signature: string;
}

/** A request of the ephemeral token program to undelegate eATAs. */
interface UndelegationCall {
  readonly instructionIndex: number;
  /** The wallet that requested the undelegation. The program has verified its signature. */
  readonly owner: Address;
  /** The ATAs of the eATAs to undelegate. */
  readonly atas: readonly Address[];
}

/** The accepted requests of a run: changes to the books, and undelegations to validate. */
export interface AcceptedCalls {
  readonly entries: readonly Entry[];
  readonly undelegations: readonly UndelegationCall[];
  /** Accounts undelegated by intents: eATAs, and carriers of lamports. */
  readonly held: ReadonlySet<Address>;
}

/** The Magic program's error for a call it rejects (Agave `InstructionError`). */
type CallFault =
  | 'InvalidInstructionData'
  | 'InvalidAccountOwner'
  | 'IncorrectProgramId'
  | 'IncorrectAuthority';

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
 * Validates the calls of a run to the Magic program and converts them, in order, into changes to the books.
 * Only the private payment programs own accounts here, so only their calls have an effect. These programs
 * have already checked their requests. Other programs may only request commits, which commit nothing.
 */
export function acceptCalls(
  calls: readonly MagicProgramCall[],
  context: CallContext,
): AcceptedCalls | { readonly err: TransactionError } {
  const acceptor = new CallAcceptor(context);
  for (const call of calls) {
    try {
      acceptor.accept(call);
    } catch (error) {
      if (error instanceof CallRefused)
        return { err: { InstructionError: [call.instructionIndex, error.fault] } };
      throw error;
    }
  }
  return acceptor.result();
}

class CallAcceptor {
  readonly #context: CallContext;
  readonly #books: BooksView;
  readonly #undelegations: UndelegationCall[] = [];
  readonly #intents: IntentDraft[] = [];
  /** Accounts that the intents undelegate. */
  readonly #held = new Set<Address>();
  /** New book entries by item address. Later entries replace earlier entries. */
  readonly #entries = new Map<Address, Entry>();

  constructor(context: CallContext) {
    this.#context = context;
    this.#books = new BooksView(context.accounts);
  }

  result(): AcceptedCalls {
    return {
      entries: [...this.#entries.values(), ...intentEntries(this.#books, this.#intents)],
      undelegations: this.#undelegations,
      held: this.#held,
    };
  }

  accept(call: MagicProgramCall): void {
    const request = decodeMagicCall(call.data);
    if (!PAYMENT_PROGRAMS.has(call.caller)) {
      if (request === null || request.kind === 'undelegation' || request.kind === 'noop') return;
      throw new CallRefused('IncorrectProgramId');
    }
    if (request === null) throw new CallRefused('InvalidInstructionData');
    if (request.kind === 'undelegation') this.#acceptUndelegation(call);
    else if (request.kind === 'bundle') this.#acceptBundle(call, request);
    else if (request.kind === 'callback') this.#acceptCallback(call, request);
    else if (request.kind === 'task') this.#acceptTask(call, request);
    else if (request.kind === 'cancelTask') this.#acceptCancellation(call, request.taskId);
    else if (request.kind === 'closeAccount') this.#acceptClosing(call);
  }

  #acceptUndelegation({ instructionIndex, caller, accounts }: MagicProgramCall): void {
    const [owner, context, ...atas] = accounts;
    if (caller !== EPHEMERAL_TOKEN_PROGRAM || owner === undefined || context !== MAGIC_CONTEXT) return;
    this.#undelegations.push({ instructionIndex, owner, atas });
  }

  #acceptBundle({ caller, accounts }: MagicProgramCall, bundle: IntentBundle): void {
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

  /** Returns the eATA of an ATA. Rejects ATAs of vaults and queues, because other wallets rely on them. */
  #eataOf(ata: Address): Address {
    const { projections } = this.#context;
    const projection = projections.ofAta(ata);
    if (projection === undefined || this.#isGoingBack(projection.eata))
      throw new CallRefused('InvalidAccountOwner');
    if (isOfVault(projection) || projections.account(projection.owner) !== undefined) {
      throw new CallRefused('InvalidAccountOwner');
    }
    return projection.eata;
  }

  /** Whether the address is a delegated account that only carries lamports. */
  #isCarrier(address: Address): boolean {
    const { accounts, projections } = this.#context;
    if (projections.account(address) === undefined || this.#isGoingBack(address)) return false;
    return accounts.get(address)?.data.length === 0;
  }

  #isGoingBack(address: Address): boolean {
    return this.#held.has(address) || this.#books.isGoingBack(address);
  }

  /** Adds a callback to the newest intent of the same payer. */
  #acceptCallback({ accounts }: MagicProgramCall, request: ActionCallback): void {
    const payer = accountAt(accounts, 0);
    const intent = this.#intents.findLast((each) => each.payer === payer);
    if (intent === undefined || request.actionIndex >= intent.actions.length) {
      throw new CallRefused('InvalidInstructionData');
    }
    const { actionIndex, program, discriminator, payload, computeUnits, accounts: named } = request;
    const callback = { actionIndex, program, discriminator, payload, computeUnits, accounts: named };
    intent.callbacks = [...intent.callbacks, callback];
  }

  #acceptTask({ accounts }: MagicProgramCall, task: ScheduleTask): void {
    const authority = accountAt(accounts, 0);
    this.#assertAuthority(task.taskId, authority);
    const { validator } = this.#context;
    for (const { programId, accounts: named } of task.instructions) {
      const isPrivileged = programId === MAGIC_PROGRAM || named.some(({ address }) => address === validator);
      if (isPrivileged || named.some(({ signer }) => signer)) throw new CallRefused('InvalidInstructionData');
    }
    const { taskId, intervalMs, iterations, instructions } = task;
    this.#put(
      itemEntry(TASK, {
        taskId,
        authority,
        intervalMs: Number(intervalMs),
        iterationsLeft: iterations,
        instructions,
      }),
    );
  }

  #acceptCancellation({ accounts }: MagicProgramCall, taskId: bigint): void {
    this.#assertAuthority(taskId, accountAt(accounts, 0));
    this.#put(deletedItem(TASK, { taskId }));
  }

  #assertAuthority(taskId: bigint, authority: Address): void {
    const known = this.#books.taskOf(taskId);
    if (known !== null && known.authority !== authority) throw new CallRefused('IncorrectAuthority');
  }

  #acceptClosing({ caller, accounts }: MagicProgramCall): void {
    const sponsor = accountAt(accounts, 0);
    const address = accountAt(accounts, 1);
    const known = this.#books.ephemeralOf(address);
    if (known?.sponsor !== sponsor || known.program !== caller) throw new CallRefused('InvalidAccountOwner');
    this.#put(deletedItem(EPHEMERAL, { address }));
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
