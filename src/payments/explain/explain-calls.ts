import { MAGIC_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { COMMON_MINT_ADDRESSES } from './address-book.ts';
import { accountsOf, callsOf, type Call, type CallAccount } from './call.ts';
import { callFindings } from './call-findings.ts';
import type { Context } from './context.ts';
import { totalEffects, type Effect, type EffectTotals } from './effects.ts';
import type { Finding } from './finding.ts';
import { matchForm, roleAt, type KnownProgram, type MatchedForm } from './form.ts';
import { KNOWN_PROGRAMS } from './known-programs.ts';
import { feeFindings } from './network-fee.ts';
import { Reading } from './reading.ts';

/** A call with what is known of it. */
export interface ExplainedCall {
  readonly call: Call;
  /** Null for a program that is not known. */
  readonly program: KnownProgram | null;
  /** Null for an instruction that is not known. */
  readonly matched: MatchedForm | null;
  readonly reading: Reading | null;
  /** What it does, in words. */
  readonly text: string;
}

/** What the bytes of a transaction say. */
export interface ExplainedCalls {
  readonly accounts: readonly CallAccount[];
  readonly calls: readonly ExplainedCall[];
  /** What each instruction does, in their order. */
  readonly rawEffects: readonly Effect[];
  /** The same in totals. */
  readonly effects: EffectTotals;
  readonly findings: readonly Finding[];
}

/** Accounts and fields that hold token accounts or eATAs. */
const OWNER_ROLES = new Set([
  'owner',
  'destinationOwner',
  'payer',
  'authority',
  'vault',
  'queue',
  'shuttle',
  'source',
  'destination',
]);

/** Explains the instructions of a sane transaction. The book is added to. */
export function explainCalls(transaction: Transaction, context: Context): ExplainedCalls {
  const accounts = accountsOf(transaction, context.tables);
  const known = callsOf(transaction, accounts).map((call) => {
    const program = KNOWN_PROGRAMS.get(call.program) ?? null;
    return { call, program, matched: program === null ? null : matchForm(program, call) };
  });
  deriveHoldings(known, context);
  const calls = known.map(({ call, program, matched }) => {
    const reading = matched === null ? null : new Reading(call, matched, context);
    return { call, program, matched, reading, text: textOf(call, program, matched, reading) };
  });
  const rawEffects = calls.flatMap(({ matched, reading }) =>
    matched === null || reading === null ? [] : (matched.form.effects?.(reading) ?? []),
  );
  return {
    accounts,
    calls,
    rawEffects,
    effects: totalEffects(rawEffects),
    findings: [
      ...calls.flatMap(callFindings),
      ...feeFindings(
        transaction.requiredSignatures,
        calls.map(({ call }) => call),
      ),
    ],
  };
}

/** Whether a transaction can only be for the rollup: it speaks to the rollup's own builtin. */
export function isForRollup(transaction: Transaction): boolean {
  return transaction.staticKeys.includes(MAGIC_PROGRAM);
}

function deriveHoldings(
  known: readonly { readonly call: Call; readonly matched: MatchedForm | null }[],
  { book, owners, mints }: Context,
): void {
  const named = { owners: new Set(owners), mints: new Set(mints) };
  for (const { call, matched } of known) {
    if (matched === null) continue;
    for (const [index, { address, signer }] of call.accounts.entries()) {
      const role = roleAt(matched.form, index);
      if (address === null) continue;
      if (role === 'mint') named.mints.add(address);
      else if (signer || OWNER_ROLES.has(role)) named.owners.add(address);
    }
    const mint = matched.fields.get('mint');
    if (typeof mint === 'string') named.mints.add(mint as Address);
  }
  const candidates = named.mints.size === 0 ? COMMON_MINT_ADDRESSES : [...named.mints];
  book.deriveHoldings([...named.owners], candidates);
}

function textOf(
  call: Call,
  program: KnownProgram | null,
  matched: MatchedForm | null,
  reading: Reading | null,
): string {
  if (program === null) {
    return `UNKNOWN PROGRAM ${call.program} is called with ${call.accounts.length} accounts and ${call.data.length} bytes: nobody can tell what it does`;
  }
  if (matched === null || reading === null) {
    return `UNKNOWN INSTRUCTION of the ${program.name} with ${call.accounts.length} accounts and ${call.data.length} bytes: it cannot be told what it does`;
  }
  return matched.form.say(reading);
}
