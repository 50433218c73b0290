import type { Layout } from '../../chain/chain.ts';
import type { FieldMap } from '../../programs/instruction-table/field-codec.ts';
import {
  type InstructionSpec,
  matchInstruction,
  type ProgramSpec,
} from '../../programs/instruction-table/instruction-spec.ts';
import type { Account, Rent } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { isStrictlySigned } from '../../solana/strict-signature.ts';
import { isStaticKeyWritable, messageOf, type Transaction } from '../../solana/transaction.ts';
import type { Location } from '../building/built-transaction.ts';
import type { AddressBook } from './address-book.ts';
import type { Finding } from './finding.ts';
import type { Reading } from './reading.ts';

/** The contents of lookup tables, as far as known. */
export type TableContents = ReadonlyMap<Address, readonly Address[]>;

/** An account of a call, with its rights in the message. */
export interface CallAccount {
  /** The account's address; null if the account is in a lookup table with unknown contents. */
  readonly address: Address | null;
  readonly signer: boolean;
  readonly writable: boolean;
  /** The account's position in a lookup table; null if it is not loaded from a table. */
  readonly entry: { readonly table: Address; readonly index: number } | null;
}

/** An instruction with accounts in place of indices. */
export interface Call {
  readonly program: Address;
  readonly accounts: readonly CallAccount[];
  readonly data: Uint8Array;
}

/** Lists all accounts in index order: static keys, then the writable and the read-only entries of tables. */
export function accountsOf(transaction: Transaction, tables: TableContents): CallAccount[] {
  const own = transaction.staticKeys.map((address, index) => ({
    address,
    signer: index < transaction.requiredSignatures,
    writable: isStaticKeyWritable(transaction, index),
    entry: null,
  }));
  const looked = (writable: boolean): CallAccount[] =>
    transaction.lookups.flatMap((lookup) =>
      [...(writable ? lookup.writable : lookup.readonly)].map((index) => ({
        address: tables.get(lookup.table)?.[index] ?? null,
        signer: false,
        writable,
        entry: { table: lookup.table, index },
      })),
    );
  return [...own, ...looked(true), ...looked(false)];
}

/** Lists the calls of a sane transaction (`isSane`). A program is never loaded from a table. */
export function callsOf(transaction: Transaction, accounts: readonly CallAccount[]): Call[] {
  return transaction.instructions.map((instruction) => ({
    program: transaction.staticKeys[instruction.programIdIndex] as Address,
    accounts: [...instruction.accounts].map((index) => accounts[index] as CallAccount),
    data: instruction.data,
  }));
}

/** The meaning of an instruction. */
export interface Meaning {
  /** Stable camelCase name; defaults to the instruction's name. Several instructions may share one. */
  readonly action?: string;
  /** Describes the instruction in one sentence without a full stop. */
  readonly say: (reading: Reading) => string;
  /** Effects of the instruction. `earlier` are the effects of the instructions before it. */
  readonly effects?: (reading: Reading, earlier: readonly Effect[]) => readonly Effect[];
  /** One sentence that says why a payments-only wallet should not sign; null if harmless. */
  readonly danger?: (reading: Reading) => string | null;
  /** Additional findings for the signer. Each message is a sentence. */
  readonly findings?: (reading: Reading) => readonly Finding[];
}

/** An instruction of a table with its meaning. */
export interface Form extends InstructionSpec, Meaning {
  readonly action: string;
}

const formOf = (spec: InstructionSpec, meaning: Meaning): Form => ({
  ...spec,
  action: spec.name,
  ...meaning,
});

/** Combines the instructions of a table with their meanings. */
export const formsOf = <T extends Readonly<Record<string, InstructionSpec>>>(
  table: T,
  meanings: { readonly [N in keyof T]: Meaning },
): Form[] =>
  Object.entries<Meaning>(meanings).map(([name, meaning]) => formOf(table[name] as InstructionSpec, meaning));

/** A program and its known instructions. */
export interface KnownProgram extends ProgramSpec {
  readonly forms: readonly Form[];
}

/** A call that matches a form. */
export interface MatchedForm {
  readonly form: Form;
  readonly fields: FieldMap;
}

/** Finds the form of `call` in its program; null if there is none. */
export function matchForm(program: KnownProgram, call: Call): MatchedForm | null {
  const matched = matchInstruction(program, program.forms, call);
  return matched && { form: matched.spec, fields: matched.fields };
}

/** A call and the form it matches. */
export interface KnownCall {
  readonly call: Call;
  /** The called program; null if it is unknown. */
  readonly program: KnownProgram | null;
  /** The matched form; null for an unknown instruction. */
  readonly matched: MatchedForm | null;
}

/** Names the kind of an instruction by its action and program. */
export const kindOf = ({ call, program, matched }: KnownCall): string =>
  `${matched?.form.action ?? 'an unknown instruction'} of ${program?.name ?? `program ${call.program}`}`;

/** Returns the role of the account at `index`. */
export function roleAt({ accounts, more }: Form, index: number): string {
  return accounts[index]?.role ?? (more as string);
}

/** Context of a transaction in addition to its bytes. */
export interface Context {
  readonly tables: TableContents;
  /** Accounts from the chain, null for absent accounts; empty if no chain was read. */
  readonly accounts: ReadonlyMap<Address, Account | null>;
  /** Rent of the cluster; null if no chain was read. */
  readonly rent: Rent | null;
  readonly book: AddressBook;
  /** The ledger the transaction is for. */
  readonly location: Location;
  /** The layout of the cluster's ephemeral SPL token program; null if it can be either. */
  readonly layout: Layout | null;
  /** The validator of the cluster's rollup; null if it could not be determined. */
  readonly clusterValidator: Address | null;
  /** Additional owners and mints whose accounts the transaction may contain. */
  readonly owners: readonly Address[];
  readonly mints: readonly Address[];
}

/** A change in the token balance of an owner or account. */
export interface TokenEffect {
  readonly kind: 'tokens';
  /** The owner; null if the bytes do not show it. */
  readonly owner: Address | null;
  /** The token account; null if a rollup or a sealed part determines it. */
  readonly account: Address | null;
  readonly mint: Address | null;
  /** Change in base units; negative for outgoing tokens, and null if the bytes do not show the amount. */
  readonly change: bigint | null;
  readonly location: Location;
  /** Place of tokens that no wallet has: the vault, a sealed box, a payout queue or an eATA on base. */
  readonly held?: 'vault' | 'sealed' | 'queue' | 'eata';
  /** Whether a rollup must act first. Simulations do not show such effects. */
  readonly later?: true;
  /** Whether wrapped SOL is converted from or to lamports of the same account. */
  readonly isConverted?: true;
}

/** A change in the lamports of an account. */
export interface LamportEffect {
  readonly kind: 'lamports';
  readonly address: Address;
  readonly change: bigint;
  /** Another key that signs for the change, and the lamports of the change that count as its own. */
  readonly spent?: { readonly by: Address; readonly lamports: bigint };
}

/** An account that is created. */
export interface CreationEffect {
  readonly kind: 'creation';
  readonly address: Address;
  /** The account's name in sentences: "token account", "vault". */
  readonly what: string;
  readonly payer: Address;
  /** The account's initial lamports; null if the cluster's rent is not known. */
  readonly lamports: bigint | null;
  /** Whether the instruction skips an existing account at no cost. */
  readonly onlyIfMissing: boolean;
}

export type Effect = TokenEffect | LamportEffect | CreationEffect;

/** The effects of all instructions together. */
export interface EffectTotals {
  /** One entry per owner, mint and place. */
  readonly tokens: readonly TokenEffect[];
  readonly lamports: readonly Pick<LamportEffect, 'address' | 'change'>[];
  readonly creations: readonly CreationEffect[];
}

/** Sums tokens by owner (or account if unknown), mint and place, and lamports by account. */
export function totalEffects(effects: readonly Effect[]): EffectTotals {
  const tokens = new Map<string, TokenEffect>();
  const lamports = new Map<Address, bigint>();
  const creations = new Map<Address, CreationEffect>();
  for (const effect of effects) {
    if (effect.kind === 'tokens') addTokens(tokens, effect);
    else if (effect.kind === 'creation') {
      if (!creations.has(effect.address)) creations.set(effect.address, effect);
    } else lamports.set(effect.address, (lamports.get(effect.address) ?? 0n) + effect.change);
  }
  return {
    tokens: [...tokens.values()].filter(({ change }) => change !== 0n),
    lamports: [...lamports].map(([address, change]) => ({ address, change })).filter((l) => l.change !== 0n),
    creations: [...creations.values()],
  };
}

function addTokens(totals: Map<string, TokenEffect>, effect: TokenEffect): void {
  const holder = effect.owner ?? effect.account ?? 'unknown';
  // Keep unknown amounts separate, because a sum would hide them.
  const key = [holder, effect.mint, effect.location, effect.held, effect.change === null].join(' ');
  const known = totals.get(key);
  if (known === undefined) {
    totals.set(key, effect);
    return;
  }
  const change = known.change === null || effect.change === null ? null : known.change + effect.change;
  // A sum over several accounts of one owner belongs to no single account.
  const account = known.account === effect.account ? known.account : null;
  totals.set(key, { ...known, account, change });
}

/** A required signer, in the order of the signatures. */
export interface SignerState {
  readonly address: Address;
  /** `wrong` if the signature does not match the message and key, or if the network would reject it. */
  readonly signature: 'valid' | 'missing' | 'wrong';
}

/** Sums amounts, counting unknown amounts as 0. */
export const sumOf = (amounts: readonly (bigint | null | undefined)[]): bigint =>
  amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);

/** Verifies every signature of a sane transaction, as strictly as the network. */
export function readSignatures(transaction: Transaction): SignerState[] {
  const message = messageOf(transaction);
  return transaction.signatures.map((signature, index) => {
    const address = transaction.staticKeys[index] as Address;
    return { address, signature: stateOf(signature, address, message) };
  });
}

function stateOf(signature: Uint8Array, address: Address, message: Uint8Array): SignerState['signature'] {
  if (signature.every((byte) => byte === 0)) return 'missing';
  return isStrictlySigned(addressBytes(address), message, signature) ? 'valid' : 'wrong';
}
