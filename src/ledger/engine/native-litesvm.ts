/**
 * The native part of litesvm 1.4.1, loaded by ourselves: the package litesvm has a loader too, but brings 31
 * MB of JavaScript for an interface that is not used here. The declarations are of what is used, and no more.
 *
 * Importing this throws where there is no binary for the machine, or it is not installed.
 */
import { createRequire } from 'node:module';
import { nativePackageFor, thisMachine } from './native-package.ts';

/** An account as the engine has it; keys and data are copied out by each call. */
export interface Account {
  lamports(): bigint;
  data(): Uint8Array;
  owner(): Uint8Array;
  executable(): boolean;
  rentEpoch(): bigint;
}

export interface AddressAndAccount {
  /** 32 bytes, copied out by each read. */
  readonly address: Uint8Array;
  account(): Account;
}

/** The virtual machine. Keys are 32 bytes; keys of another length may end the process. */
export interface LiteSvm {
  setSigverify(isOn: boolean): void;
  setBlockhashCheck(isOn: boolean): void;
  setTransactionHistory(capacity: bigint): void;
  /** @param limit bytes; null for none. */
  setLogBytesLimit(limit: bigint | null): void;
  setLamports(lamports: bigint): void;
  setComputeBudget(budget: ComputeBudget): void;
  /**
   * Of one that is made empty, in this order: what it runs with, what it has built in, its sysvars and its
   * programs.
   */
  setFeatureSet(features: FeatureSet): void;
  setBuiltins(): void;
  setSysvars(): void;
  setPrecompiles(): void;
  setDefaultPrograms(): void;
  getAccount(key: Uint8Array): Account | null;
  getProgramAccounts(owner: Uint8Array): AddressAndAccount[];
  setAccount(key: Uint8Array, account: Account): void;
  /** @param wire bytes that are no transaction end the process. */
  simulateVersionedTransaction(wire: Uint8Array): SimulatedTransactionInfo | FailedTransactionMetadata;
}

/** What a transaction may use at most; made with what Solana allows. */
export interface ComputeBudget {
  computeUnitLimit: bigint;
}

/** Features of the runtime, none of which is active at first. */
export interface FeatureSet {
  /** 32 bytes each. */
  getActiveFeatures(): Uint8Array[];
  activate(feature: Uint8Array, slot: bigint): void;
}

export interface SimulatedTransactionInfo {
  meta(): TransactionMetadata;
  postAccounts(): AddressAndAccount[];
}

export interface FailedTransactionMetadata {
  /** A number is an error without fields, by its place in the engine's enumeration. */
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
  /** For each instruction of the message the calls it led to. */
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
  /** A number is an error without fields, by its place in the engine's enumeration. */
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

/** A class of which there are instances that only the engine makes. */
type Made<T> = abstract new () => T;

/** The classes of the binary, by their names in it. */
export interface NativeLiteSvm {
  readonly Account: new (
    lamports: bigint,
    data: Uint8Array,
    owner: Uint8Array,
    executable: boolean,
    rentEpoch: bigint,
  ) => Account;
  /** `default` makes one with nothing in it. */
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
