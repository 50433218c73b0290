import { MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { LOCAL_RENT } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { COMMON_MINT_ADDRESSES } from './address-book.ts';
import {
  accountsOf,
  type CallAccount,
  callsOf,
  type Context,
  type Effect,
  type EffectTotals,
  type KnownCall,
  roleAt,
  totalEffects,
} from './call.ts';
import type { Finding } from './finding.ts';
import {
  emptyFindings,
  keylessFindings,
  repeatFindings,
  takesAllFindings,
  tokenAccountFindings,
  unusedFindings,
} from './findings/account-findings.ts';
import { callFindings } from './findings/call-findings.ts';
import { feeFindings, networkFeeMax, rentFindings } from './findings/cost-findings.ts';
import { mintFindings } from './findings/mint-findings.ts';
import { identify, identifyCalls } from './known-programs.ts';
import { type CreatedAccount, createdAccounts, initializedHolding, Reading, type Scene } from './reading.ts';

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

function deriveHoldings(known: readonly KnownCall[], { book, owners, mints }: Context): void {
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

/** A call with its explanation. */
export interface ExplainedCall extends KnownCall {
  readonly reading: Reading | null;
  readonly text: string;
  readonly effects: readonly Effect[];
}

/** The explanation of the instructions in a transaction. */
export interface ExplainedCalls {
  readonly accounts: readonly CallAccount[];
  readonly calls: readonly ExplainedCall[];
  readonly rawEffects: readonly Effect[];
  readonly effects: EffectTotals;
  readonly findings: readonly Finding[];
  /** Maximum network fee on base, in lamports. */
  readonly networkFeeMax: bigint;
}

/** Explains the instructions of a sane transaction, and extends the book. */
export function explainCalls(transaction: Transaction, context: Context): ExplainedCalls {
  const accounts = accountsOf(transaction, context.tables);
  const known = callsOf(transaction, accounts).map(identify);
  deriveHoldings(known, context);
  const explained = explainAll(known, accounts, context);
  const { calls } = explained;
  // Without a chain, no rent is shown, but a test validator's rent is used to detect extreme amounts.
  const priced =
    context.rent === null ? explainAll(known, accounts, { ...context, rent: LOCAL_RENT }) : explained;
  const fee = networkFeeMax(
    transaction,
    known.map(({ call }) => call),
  );
  return {
    ...explained,
    accounts,
    findings: [
      ...calls.flatMap(callFindings),
      ...keylessFindings(calls, context),
      ...takesAllFindings(calls, context),
      ...tokenAccountFindings(calls, context),
      ...mintFindings(calls, context),
      ...rentFindings(priced, context),
      ...unusedFindings(accounts, calls),
      ...emptyFindings(calls),
      ...feeFindings(fee),
      ...repeatFindings(accounts),
    ],
    networkFeeMax: fee,
  };
}

/**
 * Checks whether a transaction can only be for the rollup: an instruction calls the rollup's native program,
 * or passes it in the role of the Magic program. Finding the program among the accounts proves nothing,
 * because anyone can add it to any transaction.
 */
export const isForRollup = (transaction: Transaction): boolean =>
  identifyCalls(transaction).some(
    ({ call, matched }) =>
      call.program === MAGIC_PROGRAM ||
      (matched !== null &&
        call.accounts.some(
          ({ address }, at) => address === MAGIC_PROGRAM && roleAt(matched.form, at) === 'magicProgram',
        )),
  );

function explainAll(
  known: readonly KnownCall[],
  accounts: readonly CallAccount[],
  context: Context,
): Pick<ExplainedCalls, 'calls' | 'rawEffects' | 'effects'> {
  const calls = explainEach(known, sceneOf(known, accounts, context));
  const rawEffects = calls.flatMap(({ effects }) => effects);
  return { calls, rawEffects, effects: totalEffects(rawEffects) };
}

/** Builds the scene, and adds the owners of token accounts that the transaction initializes. */
function sceneOf(known: readonly KnownCall[], accounts: readonly CallAccount[], context: Context): Scene {
  const signers = accounts.flatMap(({ address, signer }) => (signer && address !== null ? [address] : []));
  const delegated = new Set<Address | null>();
  const created = new Map<Address, CreatedAccount>();
  const scene: Scene = {
    ...context,
    signers: new Set(signers),
    created,
    delegated,
    inner: (call) => explainEach([identify(call)], scene)[0] as ExplainedCall,
  };
  const readings = known.flatMap(({ call, matched }) =>
    matched === null ? [] : [new Reading(call, matched, scene)],
  );
  for (const reading of readings) {
    const initialized = initializedHolding(reading);
    if (reading.action === 'delegateEata') delegated.add(reading.account('eata'));
    if (initialized === null || initialized.mint === null) continue;
    const { account, holder: owner, mint } = initialized;
    context.book.addHolding(account, { owner, mint });
  }
  for (const [address, account] of createdAccounts(readings)) created.set(address, account);
  return scene;
}

function explainEach(known: readonly KnownCall[], scene: Scene): ExplainedCall[] {
  const earlier: Effect[] = [];
  return known.map(({ call, program, matched }) => {
    const reading = matched && new Reading(call, matched, scene);
    const effects = reading === null ? [] : (matched?.form.effects?.(reading, earlier) ?? []);
    earlier.push(...effects);
    const unknown =
      program === null ? `PROGRAM ${call.program} is called` : `INSTRUCTION of the ${program.name}`;
    const text =
      reading === null
        ? `UNKNOWN ${unknown} with ${call.accounts.length} accounts and ${call.data.length} bytes: its effect is unknown`
        : matched?.form.say(reading);
    return { call, program, matched, reading, text: text as string, effects };
  });
}
