import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { accountsOf, type Call, callsOf, type KnownCall, type KnownProgram, matchForm } from './call.ts';
import { ephemeralTokenProgram } from './programs/ephemeral-token.ts';
import { delegationProgram, magicProgram, permissionProgram } from './programs/magicblock-programs.ts';
import {
  associatedTokenProgram,
  computeBudgetProgram,
  lookupTableProgram,
  memoProgram,
  memoProgramV1,
  systemProgram,
} from './programs/solana-programs.ts';
import { splTokenProgram, token2022Program } from './programs/token.ts';

/** Every program that payments may involve. */
export const KNOWN_PROGRAMS: ReadonlyMap<Address, KnownProgram> = new Map(
  [
    systemProgram,
    splTokenProgram,
    token2022Program,
    associatedTokenProgram,
    memoProgram,
    memoProgramV1,
    computeBudgetProgram,
    lookupTableProgram,
    ephemeralTokenProgram,
    delegationProgram,
    permissionProgram,
    magicProgram,
  ].map((program) => [program.address, program]),
);

/** Finds the program and the form of a call. */
export function identify(call: Call): KnownCall {
  const program = KNOWN_PROGRAMS.get(call.program) ?? null;
  return { call, program, matched: program && matchForm(program, call) };
}

/** Identifies the calls of a sane transaction without reading its lookup tables. */
export const identifyCalls = (transaction: Transaction): KnownCall[] =>
  callsOf(transaction, accountsOf(transaction, new Map())).map(identify);
