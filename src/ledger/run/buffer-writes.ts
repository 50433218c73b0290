/**
 * Runs uploads of programs without the engine: transactions that consist of `Write`s of the upgradeable
 * loader and the instructions clients send with them, which set the compute unit limit and price.
 *
 * The engine copies a writable account several times per run. A write of a kilobyte thus cost time by the
 * length of the buffer, 18 ms at 4 MB, and an upload of thousands of them outlived its blockhash; on a
 * cluster it costs by what is written.
 *
 * Only transactions in the clients' form that are certain to succeed are run here. The engine judges all
 * others.
 */
import { BPF_LOADER_UPGRADEABLE, COMPUTE_BUDGET_PROGRAM } from '../../programs/addresses.ts';
import { COMPUTE_BUDGET_TABLE } from '../../programs/compute-budget.ts';
import { readBufferAuthority, readBufferWrite, UPLOAD_AT } from '../../programs/loader-buffer.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import type { CompiledInstruction, Transaction } from '../../solana/transaction.ts';
import { dataLength, leadingData, withBytesAt } from '../state/account-data.ts';
import type { AccountView } from '../state/account-state.ts';
import { isRequestedWritable, type AccountKeys } from './account-keys.ts';
import type { AccountStates } from './account-states.ts';
import { loadedDataSize } from './loaded-data-size.ts';

/**
 * Compute units per instruction (Agave `UPGRADEABLE_LOADER_COMPUTE_UNITS`, and those of the compute budget
 * program).
 */
const LOADER_UNITS = 2_370;
const COMPUTE_BUDGET_UNITS = 150;

/**
 * Largest transaction (`PACKET_DATA_SIZE`), which is also the most the loader reads of an instruction, bytes.
 */
const WIRE_BYTES_MAX = 1_232;

/** Agave `MAX_LOADED_ACCOUNTS_DATA_SIZE_BYTES`. */
const LOADED_BYTES_MAX = 64 * 1024 * 1024;

const { setComputeUnitLimit, setComputeUnitPrice } = COMPUTE_BUDGET_TABLE;

/** What a transaction of writes runs on. */
interface BufferWriteScene {
  readonly keys: AccountKeys;
  /** Its accounts by key index. The first one can pay. */
  readonly before: AccountStates;
  /** All accounts. */
  readonly accounts: AccountView;
  /** The compute units it may use. */
  readonly unitLimit: number;
}

/** The result of a transaction of writes. */
interface BufferWrites {
  /** The accounts after it, before its fee is charged. */
  readonly after: AccountStates;
  readonly logs: readonly string[];
  readonly computeUnits: number;
}

/**
 * The result of a transaction that only writes buffers and succeeds; null for all others. Its compute budget
 * must have been checked.
 */
export function writeBuffers(transaction: Transaction, scene: BufferWriteScene): BufferWrites | null {
  const { instructions, staticKeys } = transaction;
  const programOf = ({ programIdIndex }: CompiledInstruction): Address =>
    staticKeys[programIdIndex] as Address;
  if (!instructions.every((instruction) => isOfUploads(programOf(instruction)))) return null;
  const programs = instructions.map(programOf);
  if (!programs.includes(BPF_LOADER_UPGRADEABLE)) return null;
  const computeUnits = programs.reduce((sum, program) => sum + unitsOf(program), 0);
  if (computeUnits > scene.unitLimit || !isUsual(transaction, scene)) return null;
  const after = scene.before.slice();
  for (const [index, instruction] of instructions.entries()) {
    if (programs[index] === COMPUTE_BUDGET_PROGRAM) {
      if (!isUnitRequest(instruction)) return null;
      continue;
    }
    const written = write(transaction, scene.keys, after, instruction);
    if (written === null) return null;
    after[instruction.accounts[0] as number] = written;
  }
  const logs = programs.flatMap((program) => [`Program ${program} invoke [1]`, `Program ${program} success`]);
  return { after, logs, computeUnits };
}

const isOfUploads = (program: Address): boolean =>
  program === BPF_LOADER_UPGRADEABLE || program === COMPUTE_BUDGET_PROGRAM;

const unitsOf = (program: Address): number =>
  program === COMPUTE_BUDGET_PROGRAM ? COMPUTE_BUDGET_UNITS : LOADER_UNITS;

/**
 * Whether the transaction is within the size limits, and changes no account besides, such as one that is not
 * yet marked as rent-exempt.
 */
function isUsual(transaction: Transaction, { keys, before, accounts }: BufferWriteScene): boolean {
  if (transaction.version === 1 || transaction.wire.length > WIRE_BYTES_MAX) return false;
  const size = loadedDataSize(keys.addresses, before, transaction.lookups.length, accounts);
  if (size > LOADED_BYTES_MAX) return false;
  return before.every(
    (account, index) =>
      account === undefined ||
      account.rentEpoch === RENT_EXEMPT_EPOCH ||
      !isRequestedWritable(transaction, keys.loaded, index),
  );
}

function isUnitRequest({ accounts, data }: CompiledInstruction): boolean {
  return (
    accounts.length === 0 && (data[0] === setComputeUnitLimit.tag || data[0] === setComputeUnitPrice.tag)
  );
}

/** The buffer after one instruction; null unless the instruction is certain to succeed. */
function write(
  transaction: Transaction,
  keys: AccountKeys,
  states: AccountStates,
  { accounts, data }: CompiledInstruction,
): Account | null {
  const request = readBufferWrite(data);
  const [buffer, signer] = accounts;
  if (request === null || buffer === undefined || signer === undefined || accounts.length > 2) return null;
  const account = states[buffer];
  if (account === undefined || account.owner !== BPF_LOADER_UPGRADEABLE || account.executable) return null;
  if (!isRequestedWritable(transaction, keys.loaded, buffer) || signer >= transaction.requiredSignatures)
    return null;
  const authority = readBufferAuthority(leadingData(account, UPLOAD_AT));
  const signerKey = addressBytes(keys.addresses[signer] as Address);
  if (authority === null || Buffer.compare(authority, signerKey) !== 0) return null;
  const at = UPLOAD_AT + request.offset;
  if (at + request.bytes.length > dataLength(account)) return null;
  return withBytesAt(account, at, request.bytes);
}
