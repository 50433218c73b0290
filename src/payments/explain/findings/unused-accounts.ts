import type { CallAccount } from '../call.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';

/**
 * Rights that the transaction requests and no instruction uses; their purpose cannot be told. The first
 * account pays the fee, and one without rights does no harm.
 */
export function unusedFindings(accounts: readonly CallAccount[], calls: readonly ExplainedCall[]): Finding[] {
  const used = new Set(calls.flatMap(({ call }) => call.accounts));
  const programs = new Set(calls.map(({ call }) => call.program));
  return accounts.slice(1).flatMap((account) => {
    const { address, entry, signer, writable } = account;
    const isProgram = address !== null && entry === null && programs.has(address);
    if (used.has(account) || isProgram || !(signer || writable)) return [];
    const name = address ?? `entry ${entry?.index} of lookup table ${entry?.table}`;
    const right = signer ? 'has to sign' : 'may be changed';
    const message = `No instruction uses ${name}, which ${right}: what for, the transaction does not tell.`;
    return [{ level: 'caution', code: 'UNUSED_ACCOUNT', message }];
  });
}

/** A transaction without instructions costs a fee and yields a signature all the same. */
export const emptyFindings = (calls: readonly ExplainedCall[]): Finding[] =>
  calls.length > 0
    ? []
    : [{ level: 'caution', code: 'NO_INSTRUCTIONS', message: 'It has no instructions, and costs a fee.' }];
