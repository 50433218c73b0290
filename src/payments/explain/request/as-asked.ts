import type { Finding } from '../finding.ts';
import type { RequestVerdict } from './check-request.ts';

/**
 * A finding on an instruction in the light of the request; null where it says no more than what was asked
 * for. What the request itself asks for is no danger: a validator that it names is still worth a look. A
 * change of a table is one only where all of it was held against the request: freezing one that is not whole
 * cannot be undone.
 */
export function asAsked(finding: Finding, verdict: RequestVerdict | null): Finding | null {
  if (verdict === null || verdict.satisfied === 'no') return finding;
  switch (finding.code) {
    case 'OTHER_VALIDATOR':
      return { ...finding, level: 'caution' };
    case 'TAKES_ALL':
      return null;
    case 'SETTLEMENT_REQUESTED':
      return verdict.operation === 'undelegate' ? null : finding;
    case 'DANGEROUS_INSTRUCTION':
      return { ...finding, level: levelOf(finding, verdict) };
    default:
      return finding;
  }
}

/** Whether all of it was compared with the request, whatever the ledger would do with it now. */
const isWhole = ({ claims }: RequestVerdict): boolean =>
  claims.every(({ name, verdict }) => verdict === 'ok' || name === 'outcome');

function levelOf({ level }: Finding, verdict: RequestVerdict): Finding['level'] {
  switch (verdict.operation) {
    case 'createLookupTable':
      return isWhole(verdict) ? 'note' : level;
    case 'createStealthPool':
      return isWhole(verdict) ? 'note' : 'caution';
    default:
      return level;
  }
}
