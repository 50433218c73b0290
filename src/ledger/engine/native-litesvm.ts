/**
 * Loads the native part of litesvm 1.4.1, and declares the classes in use. The loader of the npm package
 * litesvm adds 31 MB of unused JavaScript.
 *
 * Importing this file throws if there is no binary for the machine, or if it is not installed.
 */
import { createRequire } from 'node:module';
import { nativePackageFor, thisMachine } from './native-package.ts';

/** An account in the engine. Each call copies its result. */
export interface Account {
  lamports(): bigint;
  data(): Uint8Array;
  owner(): Uint8Array;
  executable(): boolean;
  rentEpoch(): bigint;
}

export interface AddressAndAccount {
  /** The 32 bytes of the address, copied by each read. */
  readonly address: Uint8Array;
  account(): Account;
}

/** The virtual machine. Keys are 32 bytes; a key of any other length can abort the process. */
export interface LiteSvm {
  setSigverify(isOn: boolean): void;
  setBlockhashCheck(isOn: boolean): void;
  setTransactionHistory(capacity: bigint): void;
  /** @param limit in bytes; null if there is none. */
  setLogBytesLimit(limit: bigint | null): void;
  setLamports(lamports: bigint): void;
  setComputeBudget(budget: ComputeBudget): void;
  /** Sets the feature set. This and the next four setters fill an empty machine, in this order. */
  setFeatureSet(features: FeatureSet): void;
  setBuiltins(): void;
  setSysvars(): void;
  setPrecompiles(): void;
  setDefaultPrograms(): void;
  getAccount(key: Uint8Array): Account | null;
  getProgramAccounts(owner: Uint8Array): AddressAndAccount[];
  setAccount(key: Uint8Array, account: Account): void;
  /** @param wire a valid transaction: other bytes abort the process. */
  simulateVersionedTransaction(wire: Uint8Array): SimulatedTransactionInfo | FailedTransactionMetadata;
}

/** The limits of one transaction; by default Solana's. */
export interface ComputeBudget {
  computeUnitLimit: bigint;
}

/** Features of the runtime. A new set has no active feature. */
export interface FeatureSet {
  /** Returns the active features, 32 bytes each. */
  getActiveFeatures(): Uint8Array[];
  activate(feature: Uint8Array, slot: bigint): void;
}

export interface SimulatedTransactionInfo {
  meta(): TransactionMetadata;
  postAccounts(): AddressAndAccount[];
}

export interface FailedTransactionMetadata {
  /** Returns the error. A number is the engine's index of an error without fields. */
  err():
    | number
    | TransactionErrorInstructionError
    | TransactionErrorDuplicateInstruction
    | TransactionErrorInsufficientFundsForRent
    | TransactionErrorProgramExecutionTemporarilyRestricted;
  meta(): TransactionMetadata;
}

export interface TransactionMetadata {
  logs(): string[];
  /** Returns the calls of each instruction of the message. */
  innerInstructions(): InnerInstruction[][];
  computeUnitsConsumed(): bigint;
  returnData(): { programId(): Uint8Array; data(): Uint8Array };
}

export interface InnerInstruction {
  instruction(): { programIdIndex(): number; accounts(): Uint8Array; data(): Uint8Array };
  stackHeight(): number;
}

export interface TransactionErrorInstructionError {
  readonly index: number;
  /** Returns the error. A number is the engine's index of an error without fields. */
  err(): number | InstructionErrorCustom | object;
}

export interface InstructionErrorCustom {
  readonly code: number;
}

export interface TransactionErrorDuplicateInstruction {
  readonly index: number;
}

export interface TransactionErrorInsufficientFundsForRent {
  readonly accountIndex: number;
}

export interface TransactionErrorProgramExecutionTemporarilyRestricted {
  readonly accountIndex: number;
}

/** A class that only the engine can instantiate. */
type Made<T> = abstract new () => T;

/** The classes of the binary, by their exported names. */
export interface NativeLiteSvm {
  readonly Account: new (
    lamports: bigint,
    data: Uint8Array,
    owner: Uint8Array,
    executable: boolean,
    rentEpoch: bigint,
  ) => Account;
  /** `default` creates an empty machine. */
  readonly LiteSvm: { new (): LiteSvm; default(): LiteSvm };
  readonly ComputeBudget: new () => ComputeBudget;
  readonly FeatureSet: { new (): FeatureSet; allEnabled(): FeatureSet };
  readonly SimulatedTransactionInfo: Made<SimulatedTransactionInfo>;
  readonly TransactionErrorInstructionError: Made<TransactionErrorInstructionError>;
  readonly TransactionErrorDuplicateInstruction: Made<TransactionErrorDuplicateInstruction>;
  readonly TransactionErrorInsufficientFundsForRent: Made<TransactionErrorInsufficientFundsForRent>;
  readonly InstructionErrorCustom: Made<InstructionErrorCustom>;
}

export const {
  Account,
  LiteSvm,
  ComputeBudget,
  FeatureSet,
  SimulatedTransactionInfo,
  TransactionErrorInstructionError,
  TransactionErrorDuplicateInstruction,
  TransactionErrorInsufficientFundsForRent,
  InstructionErrorCustom,
} = load();

function load(): NativeLiteSvm {
  const name = nativePackageFor(thisMachine);
  if (name === null) throw new Error(`litesvm has no binary for ${thisMachine.platform}`);
  return createRequire(import.meta.url)(name) as NativeLiteSvm;
}
