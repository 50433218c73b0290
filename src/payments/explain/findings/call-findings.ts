import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import * as delegation from '../../../programs/delegation/pdas.ts';
import * as pdas from '../../../programs/ephemeral-token/pdas.ts';
import { deriveStealthPool } from '../../../programs/ephemeral-token/stealth-pool.ts';
import { deriveHydraCrank } from '../../../programs/hydra.ts';
import { FIXED_ACCOUNTS } from '../../../programs/instruction-table/account-spec.ts';
import { derivePermission } from '../../../programs/permission/state.ts';
import { isTokenProgram } from '../../../programs/token/state.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import type { Pda } from '../../../solana/pda.ts';
import { RENT_PDA } from '../../fees/costs.ts';
import { type Form, roleAt } from '../call.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import { caution, danger, type Finding, ofInstruction } from '../finding.ts';
import type { Reading } from '../reading.ts';

/** Actions that pass an eATA without its owner and mint. */
const BARE_EATA_ACTIONS = new Set([
  'delegateEata',
  'undelegateEata',
  'createEataPermission',
  'delegateEataPermission',
]);

/** Collects the findings of one call. */
export function callFindings({ call, program, matched, reading }: ExplainedCall, index: number): Finding[] {
  const named = (found: Finding): Finding => ({ ...found, instruction: index });
  if (program === null) {
    const message = `Instruction ${index} calls ${call.program}, an unknown program. It can do anything with the accounts that this transaction gives it.`;
    return [named(danger('UNKNOWN_PROGRAM', message))];
  }
  if (matched === null || reading === null) {
    const message = `Instruction ${index} is not a known instruction of the ${program.name}: its effect is unknown.`;
    return [named(danger('UNKNOWN_INSTRUCTION', message))];
  }
  const { form } = matched;
  const findings = formFindings(form, reading).map((found) => ofInstruction(found, index, form.action));
  findings.push(...layoutFindings(form, reading, index).map(named));
  if (call.accounts.some(({ address }) => address === null)) {
    const message = `Instruction ${index} names accounts through a lookup table that could not be read: they cannot be checked.`;
    findings.push(named(danger('LOOKUP_TABLE_UNREAD', message)));
  }
  for (const [at, { address }] of call.accounts.entries()) {
    const role = roleAt(form, at);
    const expected = expectedAddress(role, reading);
    if (address === null || expected === null || address === expected) continue;
    const message = `Instruction ${index} (${form.action}) names ${address} instead of its ${wordsOf(role)} ${expected}.`;
    findings.push(named(danger('WRONG_ACCOUNT', message)));
  }
  const eata = eataFindings(reading).map((found) => ofInstruction(found, index, form.action));
  return [...findings, ...eata];
}

/** Reports a form of the other layout. The cluster's program may misread its fields. */
function layoutFindings({ layout, action }: Form, { scene }: Reading, index: number): Finding[] {
  if (layout === undefined || scene.layout === null || layout === scene.layout) return [];
  const [own, other] = [scene.layout.toUpperCase(), layout.toUpperCase()];
  const message = `Instruction ${index} (${action}) has the form of layout ${other}, but the program on this cluster has layout ${own} and may reject it or read it differently.`;
  return [caution('OTHER_LAYOUT', message)];
}

function formFindings(form: Form, reading: Reading): Finding[] {
  const why = form.danger?.(reading) ?? null;
  const dangers = why === null ? [] : [danger('DANGEROUS_INSTRUCTION', why)];
  return [...dangers, ...(form.findings?.(reading) ?? [])];
}

/** Reports someone else's eATA, or an eATA that the transaction does not identify. */
function eataFindings(reading: Reading): Finding[] {
  const eata = reading.account('eata');
  if (!BARE_EATA_ACTIONS.has(reading.action) || eata === null) return [];
  const holder = reading.ownerOf('eata');
  if (holder === null) {
    const message = `the transaction does not show the owner of the ephemeral token account ${eata}.`;
    return [caution('EATA_UNRECOGNISED', message)];
  }
  const owner = reading.account('owner');
  if (owner === null || owner === holder) return [];
  const message = `the ephemeral token account ${eata} belongs to ${holder} and not to ${owner}.`;
  return [danger('WRONG_ACCOUNT', message)];
}

/** Splits a camelCase role into words: "vaultAta" becomes "vault ata". */
function wordsOf(role: string): string {
  return role.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const FIXED: Readonly<Record<string, Address>> = { ...FIXED_ACCOUNTS, rentPda: RENT_PDA };

type Derive = (r: Reading) => Address | null;

const from =
  (parts: readonly string[], derive: (...parts: never[]) => Pda): Derive =>
  (r) => {
    const values = parts.map((part) => r.account(part) ?? r.field(part));
    return values.includes(null) ? null : derive(...(values as never[])).address;
  };

const ataOf = (owner: string): Derive => from([owner, 'mint', 'tokenProgram'], deriveAta);

const DERIVED: Readonly<Record<string, Derive>> = {
  ata: ataOf('owner'),
  ownerAta: ataOf('owner'),
  eata: from(['owner', 'mint'], pdas.deriveEata),
  vault: from(['mint'], pdas.deriveVault),
  vaultAta: ataOf('vault'),
  vaultEata: from(['vault', 'mint'], pdas.deriveEata),
  shuttle: from(['owner', 'mint', 'shuttleId'], pdas.deriveShuttleMetadata),
  shuttleEata: from(['shuttle', 'mint'], pdas.deriveEata),
  shuttleAta: ataOf('shuttle'),
  queue: from(['mint', 'validator'], pdas.deriveTransferQueue),
  vaultQueue: (r) => r.account('queue'),
  queueEata: from(['queue', 'mint'], pdas.deriveEata),
  queueAta: ataOf('queue'),
  refillState: from(['queue'], pdas.deriveQueueRefillState),
  refillPda: from(['rentPda', 'queue'], (rent: Address, of: Address) =>
    pdas.deriveLamportsPda(rent, of, addressBytes(of)),
  ),
  lamportsPda: from(['payer', 'destination', 'salt'], pdas.deriveLamportsPda),
  receipt: from(['queue', 'owner', 'groupId'], pdas.deriveGroupReceipt),
  receiptPermission: from(['receipt'], derivePermission),
  queuePermission: from(['queue'], derivePermission),
  poolPermission: from(['pool'], derivePermission),
  permission: (r) => from([r.account('eata') === null ? 'account' : 'eata'], derivePermission)(r),
  pool: from(['handle'], deriveStealthPool),
  stash: from(['owner', 'mint'], pdas.deriveStash),
  crank: from(['stash', 'shuttleId'], deriveHydraCrank),
  commitState: from(['account'], delegation.deriveCommitState),
  commitRecord: from(['account'], delegation.deriveCommitRecord),
  undelegationRequest: from(['account'], delegation.deriveUndelegationRequest),
  undelegateBuffer: from(['account'], delegation.deriveUndelegateBuffer),
  validatorFeesVault: from(['validator'], delegation.deriveValidatorFeesVault),
  feesVault: from([], delegation.deriveFeesVault),
  escrow: (r) =>
    from(
      r.has('index') ? ['authority', 'index'] : ['escrowAuthority', 'escrowIndex'],
      delegation.deriveEphemeralBalance,
    )(r),
  magicFeeVault: from(['validator'], delegation.deriveMagicFeeVault),
  tokenProgram: (r) => {
    const given = r.account('tokenProgram');
    return isTokenProgram(given) ? given : TOKEN_PROGRAM;
  },
};

const OWNERS: Readonly<Record<string, Address>> = {
  permission: PERMISSION_PROGRAM,
  magicFeeVault: DELEGATION_PROGRAM,
};

/** Derives the buffer, record or metadata of a delegated account. `role` starts with that account's role. */
function delegationAccount(role: string, r: Reading): Address | null {
  const [, subject = '', kind] = /^(\w+)(Buffer|Record|Metadata)$/.exec(role) ?? [];
  const account = r.account(subject);
  if (account === null) return null;
  if (kind === 'Record') return delegation.deriveDelegationRecord(account).address;
  if (kind === 'Metadata') return delegation.deriveDelegationMetadata(account).address;
  const owner =
    subject === 'account' ? r.account('ownerProgram') : (OWNERS[subject] ?? EPHEMERAL_TOKEN_PROGRAM);
  return owner && delegation.deriveDelegateBuffer(account, owner).address;
}

/**
 * Returns the address that `role` requires in this call; null if any address is allowed or too little is
 * known. Any token program is allowed, because accounts derived with it are checked.
 */
const expectedAddress = (role: string, reading: Reading): Address | null =>
  FIXED[role] ?? (DERIVED[role] ?? ((r) => delegationAccount(role, r)))(reading);
