import { type Form, roleAt } from '../call.ts';
import { expectedAddress } from '../derived-roles.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import { caution, danger, type Finding, ofInstruction } from '../finding.ts';
import type { Reading } from '../reading.ts';

/** Actions that name an eATA without the owner and mint it is derived from. */
const BARE_EATA_ACTIONS = new Set([
  'delegateEata',
  'undelegateEata',
  'createEataPermission',
  'delegateEataPermission',
]);

/** The findings of one call. */
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
    const message = `Instruction ${index} (${form.action}) names ${address} in place of its ${wordsOf(role)} ${expected}.`;
    findings.push(named(danger('WRONG_ACCOUNT', message)));
  }
  const eata = eataFindings(reading).map((found) => ofInstruction(found, index, form.action));
  return [...findings, ...eata];
}

/**
 * For a form that the other layout has with different fields: the cluster's program may reject it or read it
 * differently.
 */
function layoutFindings({ layout, action }: Form, { scene }: Reading, index: number): Finding[] {
  if (layout === undefined || scene.layout === null || layout === scene.layout) return [];
  const [own, other] = [scene.layout.toUpperCase(), layout.toUpperCase()];
  const message = `Instruction ${index} (${action}) has the form of layout ${other}, and the program of this cluster has layout ${own}, which may reject it or read it differently.`;
  return [caution('OTHER_LAYOUT', message)];
}

function formFindings(form: Form, reading: Reading): Finding[] {
  const why = form.danger?.(reading) ?? null;
  const dangers = why === null ? [] : [danger('DANGEROUS_INSTRUCTION', why)];
  return [...dangers, ...(form.findings?.(reading) ?? [])];
}

/** Someone else's eATA, or one the transaction does not account for. */
function eataFindings(reading: Reading): Finding[] {
  const eata = reading.account('eata');
  if (!BARE_EATA_ACTIONS.has(reading.action) || eata === null) return [];
  const holder = reading.ownerOf('eata');
  if (holder === null) {
    const message = `the owner of the ephemeral token account ${eata} does not follow from the transaction.`;
    return [caution('EATA_UNRECOGNISED', message)];
  }
  const owner = reading.account('owner');
  if (owner === null || owner === holder) return [];
  const message = `the ephemeral token account ${eata} belongs to ${holder} and not to ${owner}.`;
  return [danger('WRONG_ACCOUNT', message)];
}

/** "vaultAta" as "vault ata". */
function wordsOf(role: string): string {
  return role.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
