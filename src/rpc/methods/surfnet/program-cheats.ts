import { DATA_BYTES_MAX } from '../../../ledger/assert-settable.ts';
import type { AccountEntry } from '../../../ledger/genesis/genesis.ts';
import {
  deriveProgramData,
  encodeProgram,
  isProgramData,
  programAccounts,
  programDataOf,
  withAuthority,
  withCodeWritten,
} from '../../../ledger/genesis/program-accounts.ts';
import type { AccountReads } from '../../../ledger/ledger.ts';
import { NATIVE_LOADER, SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { invalidParams, type RpcError } from '../../errors.ts';
import { string, usize, verifyAddress } from '../../params/readers.ts';
import { defineMethod } from '../../rpc-method.ts';
import { operatorOf, putAccounts, readHex } from './account-cheats.ts';

/** `surfnet_cloneProgramAccount([source, destination])`: copies a program, its code and its authority. */
export const surfnetCloneProgramAccount = defineMethod(
  'surfnet_cloneProgramAccount',
  { required: [string, string], optional: [] },
  (node, sourceText, destinationText) => {
    operatorOf(node);
    const source = verifyAddress(sourceText);
    const destination = verifyAddress(destinationText);
    return putAccounts(node, copyOf(node.ledger, source, destination));
  },
);

function copyOf(ledger: AccountReads, source: Address, destination: Address): AccountEntry[] {
  const program = ledger.getAccount(source);
  if (program === null || !program.executable) throw invalidParams(`${source} is not a program`);
  if (program.owner === NATIVE_LOADER)
    throw invalidParams(`${source} is a native program, which has no code`);
  const codeAt = programDataOf(program);
  if (codeAt === null) return [[destination, program]];
  const code = ledger.getAccount(codeAt);
  if (code === null) throw invalidParams(`${source} was closed`);
  const copiedTo = deriveProgramData(destination);
  return [
    [copiedTo, code],
    [destination, { ...program, data: encodeProgram(copiedTo) }],
  ];
}

/** `surfnet_setProgramAuthority([programId, newAuthority?])`: sets or, by default, removes the authority. */
export const surfnetSetProgramAuthority = defineMethod(
  'surfnet_setProgramAuthority',
  { required: [string], optional: [string] },
  (node, programText, authorityText) => {
    operatorOf(node);
    const program = verifyAddress(programText);
    const authority = authorityText === undefined ? null : verifyAddress(authorityText);
    return putAccounts(node, [handedOver(node.ledger, program, authority)]);
  },
);

function handedOver(ledger: AccountReads, address: Address, authority: Address | null): AccountEntry {
  const program = ledger.getAccount(address);
  if (program === null) throw invalidProgram(address, 'Account not found');
  const codeAt = programDataOf(program);
  if (codeAt === null) throw invalidProgram(address, 'Not a program account');
  const code = ledger.getAccount(codeAt);
  if (code === null) throw invalidProgram(address, 'Program data account does not exist');
  if (!isProgramData(code)) throw invalidProgram(address, 'Invalid program data account');
  return [codeAt, withAuthority(code, authority)];
}

/** Creates an error with Surfpool's message and the reason in `data`. */
function invalidProgram(address: Address, why: string): RpcError {
  return invalidParams(`Invalid program account ${address}`, why);
}

/** A part of a program's code. An undefined `authority` keeps the current one. */
interface CodePart {
  /** Offset in the code, in bytes. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly authority: Address | undefined;
}

/**
 * `surfnet_writeProgram([programId, data, offset, authority?])`: writes bytes (hex) into the code of an
 * upgradeable program at an offset, and creates the program if it is missing. Gaps are filled with zeros. A
 * program with incomplete code cannot be called. `authority` defaults to the system program for a new
 * program, and to the current authority for an existing one.
 */
export const surfnetWriteProgram = defineMethod(
  'surfnet_writeProgram',
  { required: [string, string, usize], optional: [string] },
  (node, programText, hex, offset, authorityText) => {
    operatorOf(node);
    const program = verifyAddress(programText);
    const authority = authorityText === undefined ? undefined : verifyAddress(authorityText);
    const bytes = readHex(hex);
    if (offset + BigInt(bytes.length) > BigInt(DATA_BYTES_MAX)) {
      throw invalidParams(`offset and data exceed the ${DATA_BYTES_MAX} bytes that an account may have`);
    }
    const part = { offset: Number(offset), bytes, authority };
    return putAccounts(node, written(node.ledger, program, part));
  },
);

function written(
  ledger: AccountReads,
  address: Address,
  { offset, bytes, authority }: CodePart,
): readonly AccountEntry[] {
  const [[codeAt, code], program] = ledgerProgram(ledger, address);
  const owned = authority === undefined ? code : withAuthority(code, authority);
  return [[codeAt, withCodeWritten(owned, offset, bytes)], program];
}

/** Returns the ProgramData and the program account, and creates them if missing. */
function ledgerProgram(ledger: AccountReads, address: Address): readonly [AccountEntry, AccountEntry] {
  const present = ledger.getAccount(address);
  if (present === null || isEmptyWallet(present)) return newProgram(address, present?.lamports ?? 0n);
  const codeAt = programDataOf(present);
  if (codeAt === null) throw invalidParams(`${address} exists and is not an upgradeable program`);
  const code = ledger.getAccount(codeAt);
  if (code === null || !isProgramData(code)) throw invalidParams(`${address} was closed`);
  return [
    [codeAt, code],
    [address, present],
  ];
}

/** Creates a program without code. It keeps the lamports at its address. */
function newProgram(address: Address, lamports: bigint): readonly [AccountEntry, AccountEntry] {
  const [code, [at, program]] = programAccounts(address, new Uint8Array(0), SYSTEM_PROGRAM);
  return [code, [at, lamports > program.lamports ? { ...program, lamports } : program]];
}

/** Whether a program can still be deployed at this address. */
function isEmptyWallet({ owner, data }: Account): boolean {
  return owner === SYSTEM_PROGRAM && data.length === 0;
}
