import { ERROR_CODES } from '../../src/errors/codes.ts';
import { isServiceError } from '../../src/errors/service-error.ts';
import type { Explanation } from '../../src/payments/explain/answer/explanation-schema.ts';
import type { Offer, Row, Verdict } from './row.ts';

/** The service's answer about an offer. */
type Word =
  | { readonly kind: 'explained'; readonly explanation: Explanation }
  /** An error that the caller can fix. */
  | { readonly kind: 'refused'; readonly code: string }
  /** An error for which REST would return a 5xx status. */
  | { readonly kind: 'broken'; readonly why: string };

/** Explains transactions: localnet's operations, or another world's operations. */
export interface Explainer {
  call(name: 'explainTransaction', args: object, token?: string): Promise<{ readonly output: object }>;
}

/** Explains an offer like REST, with or without its request. */
export async function explain(on: Explainer, offer: Offer, withRequest: boolean): Promise<Word> {
  const { transactionBase64, sendTo, request, token, offline } = offer;
  const args = {
    transactionBase64,
    ...(sendTo === undefined ? {} : { sendTo }),
    ...(offline === undefined ? {} : { offline }),
    ...(withRequest && request !== undefined ? { request } : {}),
  };
  try {
    const { output } = await on.call('explainTransaction', args, token);
    return { kind: 'explained', explanation: output as Explanation };
  } catch (error) {
    if (isServiceError(error) && ERROR_CODES[error.code].http < 500) {
      return { kind: 'refused', code: error.code };
    }
    return {
      kind: 'broken',
      why: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    };
  }
}

const codesOf = ({ findings }: Explanation): string =>
  findings.map(({ level, code }) => `${level} ${code}`).join(', ') || 'no findings';

/** Returns whether the effects show that `gainer` gains something. */
function shows({ effects }: Explanation, gainer: string): boolean {
  const gainsTokens = effects.tokens.some(
    ({ owner, account, change }) =>
      (owner === gainer || account === gainer) && change !== null && BigInt(change) > 0n,
  );
  return (
    gainsTokens ||
    effects.lamports.some(({ address, change }) => address === gainer && BigInt(change) > 0n) ||
    effects.accountsCreated.some(({ address }) => address === gainer)
  );
}

function faultsAlone(row: Row<never>, offer: Offer, word: Word): string[] {
  if (word.kind === 'broken') return [`alone: broken (${word.why})`];
  const found: Verdict = word.kind === 'refused' ? 'refused' : word.explanation.verdict;
  const said = word.kind === 'refused' ? word.code : codesOf(word.explanation);
  if (!row.alone.includes(found)) return [`alone: ${row.alone.join(' or ')}, not ${found} (${said})`];
  if (word.kind === 'refused') return [];
  const { explanation } = word;
  const faults: string[] = [];
  for (const code of row.codes ?? []) {
    if (!explanation.findings.some((finding) => finding.code === code)) {
      faults.push(`alone: ${code} is not among the findings (${said})`);
    }
  }
  if (found !== 'clear' && explanation.findings.length === 0)
    faults.push(`alone: ${found} without a finding`);
  if (offer.ledger !== undefined && explanation.sendTo !== offer.ledger) {
    faults.push(`alone: explained for ${explanation.sendTo}, not ${offer.ledger}`);
  }
  if (found !== 'danger' && offer.gains !== undefined && !shows(explanation, offer.gains)) {
    faults.push(`alone: ${found}, and the effects do not name ${offer.gains}, who gains by it`);
  }
  return faults;
}

function faultsAsked(row: Row<never>, word: Word): string[] {
  if (word.kind === 'broken') return [`asked: broken (${word.why})`];
  if (word.kind === 'refused') return row.alone.includes('refused') ? [] : [`asked: refused (${word.code})`];
  const { request, verdict } = word.explanation;
  const satisfied = request?.satisfied ?? 'nothing';
  const faults: string[] = [];
  if (!(row.asked as readonly string[]).includes(satisfied)) {
    faults.push(`asked: ${row.asked?.join(' or ')}, not ${satisfied} (${codesOf(word.explanation)})`);
  }
  const mayBeClear =
    row.asked?.includes('yes') === true && (row.alone.includes('clear') || row.isClearAsAsked === true);
  if (verdict === 'clear' && !mayBeClear) faults.push('asked: clear');
  return faults;
}

/** Describes every wrong answer about a row; empty if all are right. */
export async function faultsOf<Place extends { readonly scene: Explainer }>(
  place: Place,
  row: Row<Place>,
): Promise<string[]> {
  const offer = await row.make(place);
  const alone = faultsAlone(row, offer, await explain(place.scene, offer, false));
  if (row.asked === undefined) return alone;
  return [...alone, ...faultsAsked(row, await explain(place.scene, offer, true))];
}
