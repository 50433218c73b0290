import { BPF_LOADER_UPGRADEABLE, CONFIG_PROGRAM, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { FEATURE_PROGRAM } from '../../programs/feature.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { type Transaction, withBlockhash } from '../../solana/transaction.ts';
import type { InnerInstructions } from '../ledger.ts';
import { ACCOUNT_LOCKS_MAX, MORE_ACCOUNT_LOCKS } from '../run/account-keys.ts';
import { internAddress } from '../state/intern-address.ts';
import {
  INSTRUCTION_ERROR_NAMES,
  type InstructionErrorDetail,
  TRANSACTION_ERROR_NAMES,
  type TransactionError,
} from '../transaction-errors.ts';
import { type Engine, type EngineLimits, type EngineRun, type ExecutedAccount, LOADERS } from './engine.ts';
import {
  Account as NativeAccount,
  type AddressAndAccount,
  ComputeBudget,
  type FailedTransactionMetadata,
  FeatureSet,
  InstructionErrorCustom,
  LiteSvm,
  SimulatedTransactionInfo,
  TransactionErrorDuplicateInstruction,
  TransactionErrorInstructionError,
  TransactionErrorInsufficientFundsForRent,
  type TransactionMetadata,
} from './native-litesvm.ts';

/** Returns the features that the virtual machine can switch on or off. */
export function knownFeatures(): ReadonlySet<Address> {
  return new Set(FeatureSet.allEnabled().getActiveFeatures().map(internAddress));
}

function featureSetOf(active: Iterable<Address>): FeatureSet {
  const features = new FeatureSet();
  for (const feature of active) features.activate(addressBytes(feature), 0n);
  return features;
}

/** Owners of all accounts in a new litesvm 1.4.1, except its airdrop account. */
const BUILTIN_OWNERS = [...LOADERS, SYSVAR_OWNER, FEATURE_PROGRAM, CONFIG_PROGRAM];

interface UsualMachine {
  readonly accounts: readonly (readonly [Address, Account])[];
  readonly features: ReadonlySet<Address>;
  readonly featureSet: FeatureSet;
}

/** The usual machine. It is cached, because creating it takes 8 ms and reading its accounts 5 ms. */
let usual: UsualMachine | undefined;

function usualMachine(): UsualMachine {
  if (usual === undefined) {
    const accounts = readBuiltinAccounts(new LiteSvm());
    const ofFeatures = accounts.filter(([, { owner }]) => owner === FEATURE_PROGRAM);
    const features = new Set(ofFeatures.map(([address]) => address));
    usual = { accounts, features, featureSet: featureSetOf(features) };
  }
  return usual;
}

/** Returns the features active by default, which are mainnet's. */
export const mainnetFeatures = (): ReadonlySet<Address> => usualMachine().features;

const isMainnets = (features: ReadonlySet<Address>): boolean =>
  features.size === mainnetFeatures().size &&
  [...features].every((feature) => mainnetFeatures().has(feature));

/** Creates a virtual machine with these features and without default programs and feature accounts. */
function makeBareSvm(features: FeatureSet): LiteSvm {
  const svm = LiteSvm.default();
  svm.setFeatureSet(features);
  svm.setBuiltins();
  svm.setSysvars();
  svm.setPrecompiles();
  return svm;
}

/**
 * Creates a virtual machine. Feature sets other than mainnet's start from an empty one, because features are
 * fixed at creation.
 */
function makeSvm({
  features = mainnetFeatures(),
  limits = {},
  isBare = false,
}: LiteSvmEngineOptions): LiteSvm {
  // The engine enforces the account limit of the feature set, so a higher limit needs the feature.
  const hasMoreLocks = (limits.accountLocks ?? 0) > ACCOUNT_LOCKS_MAX;
  const active = hasMoreLocks ? new Set([...features, MORE_ACCOUNT_LOCKS]) : features;
  if (isMainnets(active)) return isBare ? makeBareSvm(usualMachine().featureSet) : new LiteSvm();
  const svm = makeBareSvm(featureSetOf(active));
  svm.setDefaultPrograms();
  for (const [address, account] of usualMachine().accounts) {
    if (account.owner === FEATURE_PROGRAM && features.has(address)) {
      svm.setAccount(addressBytes(address), writeAccount(account));
    }
  }
  return svm;
}

/** Options for an engine. */
export interface LiteSvmEngineOptions {
  /** The active features; defaults to mainnet's. */
  readonly features?: ReadonlySet<Address> | undefined;
  /** Transaction limits; default to Solana's, with logs of any length. */
  readonly limits?: EngineLimits | undefined;
  /** Whether to leave out programs and feature accounts, which the caller sets. This saves 8 ms. */
  readonly isBare?: boolean;
}

/** Offset of the ProgramData address (`UpgradeableLoaderState::Program`: u32 tag, address). */
const PROGRAM_DATA_ADDRESS_AT = 4;

/** Minimum data size, in bytes, from which an account is reported to V8 as external memory. */
const UNSEEN_BYTES = 64 * 1024;

/**
 * An {@link Engine} that runs litesvm. It uses the byte-level classes of litesvm, because the public ones
 * would decode transactions again.
 *
 * Only `simulate` is called, never `send`. `send` writes accounts inside the engine, which aborts the process
 * if the code of a program does not load. {@link setAccount} throws instead.
 */
export class LiteSvmEngine implements Engine {
  readonly #svm: LiteSvm;
  readonly #isUsual: boolean;

  constructor(options: LiteSvmEngineOptions = {}) {
    const { features, limits = {} } = options;
    this.#svm = makeSvm(options);
    this.#isUsual = features === undefined || isMainnets(features);
    this.#svm.setSigverify(false);
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
    this.#svm.setLogBytesLimit(limits.logBytes === undefined ? null : BigInt(limits.logBytes));
    if (limits.computeUnits !== undefined) this.#svm.setComputeBudget(budgetOf(limits.computeUnits));
    // The engine's airdrop account would create lamports from nothing.
    this.#svm.setLamports(0n);
  }

  builtinAccounts(): Iterable<readonly [Address, Account]> {
    return this.#isUsual ? usualMachine().accounts : readBuiltinAccounts(this.#svm);
  }

  setAccount(address: Address, account: Account): void {
    const key = addressBytes(address);
    if (account.lamports === 0n && this.#svm.getAccount(key)?.executable() === true) {
      // The engine caches the code and aborts the process if its account is missing.
      throw new Error(`${address} is a program and cannot be removed`);
    }
    const native = account instanceof EngineAccount ? account.native : writeAccount(account);
    if (account.executable && account.owner === BPF_LOADER_UPGRADEABLE) this.#setProgram(key, native);
    else this.#svm.setAccount(key, native);
  }

  hasValidSignatures(transaction: Transaction): boolean {
    // With both checks on, the engine verifies signatures and then stops, because it has no blockhash.
    this.#svm.setSigverify(true);
    this.#svm.setBlockhashCheck(true);
    const result = this.#svm.simulateVersionedTransaction(transaction.wire);
    this.#svm.setSigverify(false);
    this.#svm.setBlockhashCheck(false);
    return result instanceof SimulatedTransactionInfo || toTransactionError(result) !== 'SignatureFailure';
  }

  run(transaction: Transaction, blockhash: Uint8Array): EngineRun {
    const { wire } = withBlockhash(transaction, blockhash);
    const result = this.#svm.simulateVersionedTransaction(wire);
    const succeeded = result instanceof SimulatedTransactionInfo;
    const meta = result.meta();
    const logs = meta.logs();
    return {
      err: succeeded ? null : toTransactionError(result),
      accounts: succeeded ? result.postAccounts().map((entry) => new EngineAccount(entry)) : [],
      logs,
      computeUnits: Number(meta.computeUnitsConsumed()),
      innerInstructions: readInnerInstructions(meta),
      returnData: logs.some(reportsReturnData) ? readReturnData(meta) : null,
    };
  }

  /** Sets a program. A program whose code does not load cannot be called, as on the network. */
  #setProgram(key: Uint8Array, program: NativeAccount): void {
    try {
      this.#svm.setAccount(key, program);
    } catch {
      const programDataKey = program.data().subarray(PROGRAM_DATA_ADDRESS_AT, PROGRAM_DATA_ADDRESS_AT + 32);
      // The engine aborts the process on a key of any other length.
      const programData = programDataKey.length === 32 ? this.#svm.getAccount(programDataKey) : null;
      if (programData === null) throw new Error('its ProgramData account is missing');
      // The engine keeps the code of a removed program cached, and a call to it aborts the process.
      if (programData.executable()) throw new Error('its ProgramData account is itself a program');
      // Without ProgramData the engine treats the program as closed.
      this.#svm.setAccount(
        programDataKey,
        new NativeAccount(0n, programData.data(), programData.owner(), false, 0n),
      );
      this.#svm.setAccount(key, program);
      this.#svm.setAccount(programDataKey, programData);
    }
  }
}

function readBuiltinAccounts(svm: LiteSvm): (readonly [Address, Account])[] {
  return BUILTIN_OWNERS.flatMap((owner) =>
    svm
      .getProgramAccounts(addressBytes(owner))
      .map((entry) => [internAddress(entry.address), readAccount(entry.account())] as const),
  );
}

/** An account that copies fields on first use. Copying a byte array costs half as much as a small run. */
class EngineAccount implements ExecutedAccount {
  readonly native: NativeAccount;
  readonly lamports: bigint;
  readonly #entry: AddressAndAccount;
  #owner: Address | undefined;
  #data: Uint8Array | undefined;

  constructor(entry: AddressAndAccount) {
    this.#entry = entry;
    this.native = entry.account();
    this.lamports = this.native.lamports();
  }

  get key(): Uint8Array {
    return this.#entry.address;
  }

  get owner(): Address {
    return (this.#owner ??= internAddress(this.native.owner()));
  }

  get data(): Uint8Array {
    return (this.#data ??= this.native.data());
  }

  get executable(): boolean {
    return this.native.executable();
  }

  get rentEpoch(): bigint {
    return this.native.rentEpoch();
  }
}

function budgetOf(computeUnits: number): ComputeBudget {
  const budget = new ComputeBudget();
  budget.computeUnitLimit = BigInt(computeUnits);
  return budget;
}

function readAccount(native: NativeAccount): Account {
  return {
    lamports: native.lamports(),
    owner: internAddress(native.owner()),
    data: native.data(),
    executable: native.executable(),
    rentEpoch: native.rentEpoch(),
  };
}

function writeAccount(account: Account): NativeAccount {
  const { lamports, data, owner, executable, rentEpoch } = account;
  // V8 does not count the memory of native accounts, and would collect large ones late. An unused array of
  // the same size makes V8 count it.
  if (data.length >= UNSEEN_BYTES) Buffer.allocUnsafeSlow(data.length);
  return new NativeAccount(lamports, data, addressBytes(owner), executable, rentEpoch);
}

function readInnerInstructions(meta: TransactionMetadata): InnerInstructions[] {
  const lists: InnerInstructions[] = [];
  for (const [index, calls] of meta.innerInstructions().entries()) {
    if (calls.length === 0) continue;
    const instructions = calls.map((call) => {
      const instruction = call.instruction();
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: instruction.accounts(),
        data: instruction.data(),
        stackHeight: call.stackHeight(),
      };
    });
    lists.push({ index, instructions });
  }
  return lists;
}

/** Whether a log line reports return data, as the runtime logs it (Agave `stable_log::program_return`). */
const reportsReturnData = (line: string): boolean => line.startsWith('Program return: ');

function readReturnData(meta: TransactionMetadata): EngineRun['returnData'] {
  const returned = meta.returnData();
  const data = returned.data();
  return data.length === 0 ? null : { programId: internAddress(returned.programId()), data };
}

/** @throws {Error} for a number outside the tables, which are then for a different engine version. */
function toTransactionError(failed: FailedTransactionMetadata): TransactionError {
  const error = failed.err();
  if (typeof error === 'number') return nameOf(TRANSACTION_ERROR_NAMES, error, 'transaction');
  if (error instanceof TransactionErrorInstructionError) {
    return { InstructionError: [error.index, toInstructionError(error)] };
  }
  if (error instanceof TransactionErrorDuplicateInstruction) return { DuplicateInstruction: error.index };
  if (error instanceof TransactionErrorInsufficientFundsForRent) {
    return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  }
  return { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } };
}

function toInstructionError(error: TransactionErrorInstructionError): InstructionErrorDetail {
  const detail = error.err();
  if (typeof detail === 'number') return nameOf(INSTRUCTION_ERROR_NAMES, detail, 'instruction');
  return detail instanceof InstructionErrorCustom ? { Custom: detail.code } : 'BorshIoError';
}

function nameOf(names: readonly string[], number: number, kind: string): string {
  const name = names[number];
  if (name === undefined) throw new Error(`the engine returned the unknown ${kind} error ${number}`);
  return name;
}
