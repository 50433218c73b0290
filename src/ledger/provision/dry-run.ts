import { ServiceError } from '../../errors/service-error.ts';
import { SYSVAR_OWNER } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { writableSigner } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import { LOADER_V4, LOADERS } from '../engine/engine.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import { type AccountEntry, walletAccount } from '../genesis/genesis.ts';
import { Keypair, signTransaction } from '../keypair.ts';
import type { InstructionErrorDetail, TransactionError } from '../transaction-errors.ts';

/** A call that tests a program. */
export interface ProgramCall {
  readonly address: Address;
  readonly data: Uint8Array;
  /** The number of accounts in the call. All of them are the same wallet, which signs. */
  readonly accountCount: number;
}

/** Approximate memory of an engine that V8 does not count, in bytes. */
const ENGINE_BYTES = 8 * 1024 * 1024;

/** The engine's error for a call to a program whose code does not load. */
const NOT_LOADED = 'UnsupportedProgramId';

/**
 * Loads accounts into a separate engine, and returns the programs whose code does not load. Such programs are
 * harmless but cannot be called. Skips accounts that the engine does not parse.
 *
 * @param nameOf returns the name of an account in an error: its address or its origin.
 * @throws {ServiceError} PROVISION_INVALID naming an account that the engine rejects.
 */
export function dryRunAccounts(
  entries: readonly AccountEntry[],
  nameOf: (address: Address) => string = (address) => address,
): Address[] {
  const risky = entries.filter(needsDryRun);
  if (risky.length === 0) return [];
  const programs = risky.filter(([, { executable }]) => executable).map(([address]) => address);
  const calls = programs.map((address) => ({ address, data: new Uint8Array(0), accountCount: 0 }));
  const answers = callPrograms(risky, calls, nameOf);
  return programs.filter((_, index) => isNotLoaded(answers[index] ?? null));
}

/**
 * Calls programs in an engine that has only these accounts and the standard accounts of every ledger. Returns
 * the error of each call, in order; null for success.
 *
 * @param nameOf returns the name of an account in an error.
 * @throws {ServiceError} PROVISION_INVALID naming an account that the engine rejects.
 */
export function callPrograms(
  entries: readonly AccountEntry[],
  calls: readonly ProgramCall[],
  nameOf: (address: Address) => string,
): readonly (TransactionError | null)[] {
  const engine = new LiteSvmEngine();
  // V8 does not count an engine's memory, and would collect engines late. An unused array makes it count.
  Buffer.allocUnsafeSlow(ENGINE_BYTES);
  const payer = new Keypair(new Uint8Array(32).fill(1));
  engine.setAccount(payer.address, walletAccount(1_000_000_000n));
  for (const entry of inEngineOrder(entries)) load(engine, entry, nameOf);
  const blockhash = new Uint8Array(32).fill(2);
  return calls.map(({ address, data, accountCount }) => {
    const accounts = Array.from({ length: accountCount }, () => writableSigner(payer.address));
    const instructions = [{ programId: address, accounts, data }];
    const message = compileLegacyMessage({ feePayer: payer.address, blockhash, instructions });
    return engine.run(signTransaction(message, [payer]), blockhash).err;
  });
}

function load(
  engine: LiteSvmEngine,
  [address, account]: AccountEntry,
  nameOf: (address: Address) => string,
): void {
  try {
    // The engine would abort the process at the first call.
    if (account.executable && account.owner === LOADER_V4)
      throw new Error('it belongs to loader v4, whose programs the engine cannot run');
    // An account in place of a native program would abort the process too.
    if (account.executable && !LOADERS.has(account.owner))
      throw new Error('it is executable, but its owner is not a loader');
    engine.setAccount(address, account);
  } catch (error) {
    throw new ServiceError(
      'PROVISION_INVALID',
      `${nameOf(address)} cannot be loaded: the engine rejects it (${(error as Error).message})`,
      { account: address },
    );
  }
}

/** Whether an error shows that the called program did not run. */
export const isNotLoaded = (answer: TransactionError | null): boolean =>
  answer !== null && (instructionErrorOf(answer) ?? NOT_LOADED) === NOT_LOADED;

/** Returns the error of the instruction; null if there is none. */
export function instructionErrorOf(answer: TransactionError | null): InstructionErrorDetail | null {
  const isOfInstruction = answer !== null && typeof answer === 'object' && 'InstructionError' in answer;
  return isOfInstruction ? answer.InstructionError[1] : null;
}

/** Owners whose accounts the engine parses as soon as they are set: programs, code, sysvars. */
const READ_BY_ENGINE: ReadonlySet<Address> = new Set([...LOADERS, LOADER_V4, SYSVAR_OWNER]);

/** Whether the engine parses an account and may therefore reject it. */
export function needsDryRun([address, { owner, executable }]: AccountEntry): boolean {
  return executable || READ_BY_ENGINE.has(owner) || address.startsWith('Sysvar');
}

/** Sorts entries in the order that the engine needs: programs after their ProgramData. */
export function inEngineOrder(entries: readonly AccountEntry[]): AccountEntry[] {
  const isProgram = ([, { executable }]: AccountEntry): boolean => executable;
  return [...entries.filter((entry) => !isProgram(entry)), ...entries.filter(isProgram)];
}
