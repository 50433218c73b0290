import type { Finding } from '../finding.ts';
import type { RequestVerdict } from './check-request.ts';

/**
 * A finding on an instruction in the light of the request. What the request itself asks for is no danger: a
 * validator that it names is still worth a look. A change of a table is one only where all of it was held
 * against the request: freezing one that is not whole cannot be undone.
 */
export function asAsked(finding: Finding, verdict: RequestVerdict | null): Finding {
  if (verdict === null || verdict.satisfied === 'no') return finding;
  if (finding.code === 'OTHER_VALIDATOR') return { ...finding, level: 'caution' };
  if (finding.code !== 'DANGEROUS_INSTRUCTION') return finding;
  const isWhole = verdict.satisfied === 'yes';
  switch (verdict.operation) {
    case 'createLookupTable':
      return isWhole ? { ...finding, level: 'note' } : finding;
    case 'createStealthPool':
      return { ...finding, level: isWhole ? 'note' : 'caution' };
    default:
      return finding;
  }
}
