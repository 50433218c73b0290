import { Keypair } from '../../../ledger/keypair.ts';
import { type Account, LOCAL_RENT, RENT_EXEMPT_EPOCH } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../../solana/message.ts';
import { decodeTransaction, type Transaction } from '../../../solana/transaction.ts';
import { AddressBook } from '../address-book.ts';
import type { Context } from '../call.ts';
import { explainCalls, type ExplainedCalls } from '../explain-calls.ts';

/** Returns the address of a test wallet, by number. */
export const key = (byte: number): Address => new Keypair(new Uint8Array(32).fill(byte)).address;

/** The paying and signing wallet, and a wallet that must receive nothing. */
export const OWNER = key(11);
export const THIEF = key(66);

/** Builds a transaction with these instructions that `OWNER` pays for. */
export const transactionOf = (...instructions: Instruction[]): Transaction =>
  decodeTransaction(
    encodeUnsignedTransaction(
      compileLegacyMessage({ feePayer: OWNER, blockhash: new Uint8Array(32).fill(7), instructions }),
    ),
  );

/** Builds a context without chain data, except for `context`. */
export const contextOf = (context: Partial<Context> = {}): Context => ({
  tables: new Map(),
  accounts: new Map(),
  rent: LOCAL_RENT,
  book: new AddressBook(),
  location: 'base',
  layout: null,
  clusterValidator: null,
  owners: [],
  mints: [],
  ...context,
});

export const explainInstructions = (
  instructions: readonly Instruction[],
  context: Partial<Context> = {},
): ExplainedCalls => explainCalls(transactionOf(...instructions), contextOf(context));

/** Returns the level and code of every finding. */
export const found = ({ findings }: ExplainedCalls): string[] =>
  findings.map(({ level, code }) => `${level} ${code}`);

/** Returns the messages of all findings. */
export const words = ({ findings }: ExplainedCalls): string =>
  findings.map(({ message }) => message).join('\n');

/** Builds an account as a chain returns it. */
export const accountOf = (owner: Address, data: Uint8Array, lamports = 1_000_000_000n): Account => ({
  owner,
  data,
  lamports,
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
});
