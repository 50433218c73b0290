import { type Form, roleAt } from '../call.ts';
import { expectedAddress } from '../derived-roles.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import type { Finding, FindingCode, FormFinding } from '../finding.ts';
import type { Reading } from '../reading.ts';

/** Actions that name an eATA without the owner and mint it is derived from. */
const BARE_EATA_ACTIONS = new Set([
  'delegateEata',
  'undelegateEata',
  'createEataPermission',
  'delegateEataPermission',
]);

/** The findings of one call. */
export function callFindings(explained: ExplainedCall, index: number): Finding[] {
  const { call, program, matched, reading } = explained;
  const danger = (code: FindingCode, message: string): Finding => ({
    level: 'danger',
    code,
    message,
    instruction: index,
  });
  if (program === null) {
    return [
      danger(
        'UNKNOWN_PROGRAM',
        `Instruction ${index} calls ${call.program}, an unknown program. It can do anything with the accounts that this transaction gives it.`,
      ),
    ];
  }
  if (matched === null || reading === null) {
    return [
      danger(
        'UNKNOWN_INSTRUCTION',
        `Instruction ${index} is not a known instruction of the ${program.name}: its effect is unknown.`,
      ),
    ];
  }
  const { form } = matched;
  const findings = formFindings(form, reading).map(({ level, code, message }): Finding => ({
    level,
    code,
    message: `Instruction ${index} (${form.action}): ${message}`,
    instruction: index,
  }));
  findings.push(...layoutFindings(form, reading, index));
  if (call.accounts.some(({ address }) => address === null)) {
    findings.push(
      danger(
        'LOOKUP_TABLE_UNREAD',
        `Instruction ${index} names accounts through a lookup table that could not be read: they cannot be checked.`,
      ),
    );
  }
  for (const [at, { address }] of call.accounts.entries()) {
    const role = roleAt(form, at);
    const expected = expectedAddress(role, reading);
    if (address === null || expected === null || address === expected) continue;
    findings.push(
      danger(
        'WRONG_ACCOUNT',
        `Instruction ${index} (${form.action}) names ${address} in place of its ${wordsOf(role)} ${expected}.`,
      ),
    );
  }
  return [...findings, ...eataFindings(reading, form.action, index)];
}

/**
 * For a form that the other layout has with different fields: the cluster's program may reject it or read it
 * differently.
 */
function layoutFindings({ layout, action }: Form, reading: Reading, index: number): Finding[] {
  if (layout === undefined || reading.layout === null || layout === reading.layout) return [];
  const [own, other] = [reading.layout.toUpperCase(), layout.toUpperCase()];
  return [
    {
      level: 'caution',
      code: 'OTHER_LAYOUT',
      message: `Instruction ${index} (${action}) has the form of layout ${other}, and the program of this cluster has layout ${own}, which may reject it or read it differently.`,
      instruction: index,
    },
  ];
}

function formFindings(form: Form, reading: Reading): FormFinding[] {
  const why = form.danger?.(reading) ?? null;
  const danger: FormFinding[] =
    why === null ? [] : [{ level: 'danger', code: 'DANGEROUS_INSTRUCTION', message: why }];
  return [...danger, ...(form.findings?.(reading) ?? [])];
}

/** Someone else's eATA, or one the transaction does not account for. */
function eataFindings(reading: Reading, action: string, index: number): Finding[] {
  const eata = reading.account('eata');
  if (!BARE_EATA_ACTIONS.has(action) || eata === null) return [];
  const holder = reading.ownerOf('eata');
  if (holder === null) {
    return [
      {
        level: 'caution',
        code: 'EATA_UNRECOGNISED',
        message: `Instruction ${index} (${action}): the owner of the ephemeral token account ${eata} does not follow from the transaction.`,
        instruction: index,
      },
    ];
  }
  const owner = reading.account('owner');
  if (owner === null || owner === holder) return [];
  return [
    {
      level: 'danger',
      code: 'WRONG_ACCOUNT',
      message: `Instruction ${index} (${action}): the ephemeral token account ${eata} belongs to ${holder} and not to ${owner}.`,
      instruction: index,
    },
  ];
}

/** "vaultAta" as "vault ata". */
function wordsOf(role: string): string {
  return role.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
