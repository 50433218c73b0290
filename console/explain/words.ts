import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { formatDecimal } from '../parts/decimal.ts';
import type { Known } from '../parts/names.ts';
import { shorten } from '../parts/short-text.ts';

/** One change of a token balance. */
export type TokenEffect = ExplainTransactionOutput['effects']['tokens'][number];

/** The name of an address in this browser, else the shortened address. */
const nameIn = ({ names }: Known, address: string | null): string =>
  address === null ? 'someone' : (names.get(address) ?? shorten(address));

/** An amount with its unit. Only symbols from the service's table are trusted. */
export function amountIn({ mints }: Known, amount: bigint, mint: string | null): string {
  const known = mint === null ? undefined : mints.get(mint);
  if (known === undefined) return `${formatDecimal(amount, 0)} base units`;
  return `${formatDecimal(amount, known.decimals)} ${known.symbol ?? shorten(mint ?? '')}`;
}

/** Sentences for instructions that move no tokens. */
const ACTIONS: Readonly<Record<string, string>> = {
  delegateStealthPool: 'Creates a stealth handle',
  updateStealthPool: 'Sets whom a stealth handle pays',
  initTransferQueue: 'Prepares the mint for private transfers',
};

/** Describes a transaction in one sentence without a full stop, from its effects only. */
export function sentenceOf(
  { effects, instructions }: Pick<ExplainTransactionOutput, 'effects' | 'instructions'>,
  labels: Known,
): string {
  const known = effects.tokens.flatMap(({ change, ...effect }) => (change ? [{ ...effect, change }] : []));
  const amount = ({ change, mint }: (typeof known)[number]): string =>
    amountIn(labels, change < 0n ? -change : change, mint);
  const pays = known.find(({ change, held }) => change < 0n && held === null);
  const vault = known.find(({ held }) => held === 'vault');
  const gains = known.filter(({ change, held }) => change > 0n && held === null);
  const gets = gains.find(({ owner }) => owner !== pays?.owner);
  const sealed = known.find(({ held }) => held === 'sealed' || held === 'queue');
  if (pays !== undefined && sealed !== undefined) {
    return `${nameIn(labels, pays.owner)} pays ${amount(sealed)} to a hidden recipient`;
  }
  if (vault !== undefined && vault.change > 0n && pays?.location === 'base') {
    return `${nameIn(labels, pays.owner)} deposits ${amount(pays)}`;
  }
  const taken = gains.find(({ location }) => location === 'base');
  if (vault !== undefined && vault.change < 0n && taken !== undefined) {
    return `${nameIn(labels, taken.owner)} withdraws ${amount(taken)}`;
  }
  if (pays !== undefined && gets !== undefined) {
    const where = pays.location === 'base' ? 'on base' : 'on the rollup';
    return `${nameIn(labels, pays.owner)} pays ${nameIn(labels, gets.owner)} ${amount(pays)} ${where}`;
  }
  if (pays !== undefined) return `${amount(pays)} leave ${nameIn(labels, pays.owner)}`;
  const undelegates = instructions.find(({ action }) => action.startsWith('undelegate'));
  if (undelegates !== undefined) {
    const owner = undelegates.accounts.find(({ signer }) => signer)?.address ?? null;
    return `${nameIn(labels, owner)} undelegates`;
  }
  const sentence = instructions.flatMap(({ action }) => ACTIONS[action] ?? [])[0];
  if (sentence !== undefined) return sentence;
  const [first] = instructions;
  if (first === undefined) return 'Does nothing: it has no instructions';
  return instructions.length === 1
    ? `One instruction of ${first.program}`
    : `${instructions.length} instructions`;
}

/** A verdict as the page shows it. */
interface VerdictWords {
  readonly kind: 'ok' | 'warn' | 'bad';
  readonly tag: string;
  readonly title: string;
  readonly text: string;
}

/**
 * Describes the verdict. Uses `verdict` instead of the findings, because a transaction that does not match
 * the request is dangerous even without findings.
 */
export function verdictWords(
  explanation: Pick<ExplainTransactionOutput, 'verdict' | 'request' | 'findings'>,
): VerdictWords {
  const { verdict, request, findings } = explanation;
  const points = pointsOf(request);
  if (verdict === 'danger') {
    const worst = findings.find(({ level }) => level === 'danger');
    const differs = request?.satisfied === 'no';
    return {
      kind: 'bad',
      tag: 'do not sign',
      title: differs ? 'This is not what you asked for.' : (worst?.message ?? 'Do not sign this.'),
      text: differs ? points : 'Sign it only if you know why each danger is there.',
    };
  }
  if (verdict === 'caution') {
    const text =
      request?.satisfied === 'unverifiable' && findings.some(({ code }) => code === 'SEALED_RECIPIENT')
        ? 'The recipient is encrypted, so it cannot be checked.'
        : points || 'Something is unusual or could not be checked.';
    return { kind: 'warn', tag: 'check first', title: 'Check this before you sign.', text };
  }
  return request === undefined
    ? {
        kind: 'ok',
        tag: 'clear',
        title: 'Nothing dangerous found.',
        text: 'Every instruction is known. There is no request to compare it with.',
      }
    : {
        kind: 'ok',
        tag: 'clear',
        title: 'This is what you asked for.',
        text: `${points} Every instruction is known.`,
      };
}

/** Says how many claims of the request match, and which differ. */
export function pointsOf(request: ExplainTransactionOutput['request']): string {
  if (request === undefined) return '';
  const agree = request.claims.filter(({ verdict }) => verdict === 'ok').length;
  const differ = request.claims.filter(({ verdict }) => verdict === 'differs');
  if (differ.length === 0) return `${agree} of ${request.claims.length} points match.`;
  const names = differ.map(({ name }) => name).join(', ');
  return `Differs: ${names}. The other ${agree} points match.`;
}

/** The text below the party of an effect. */
export function placeWords({ location, held, change }: TokenEffect): string {
  if (held === 'vault') return 'backs private balances';
  if (held === 'sealed') return 'to a hidden recipient';
  if (held === 'queue') return 'paid out later';
  if (held === 'eata') return 'in the account for the rollup, which stays on base';
  if (location === 'ephemeral') return 'private balance on the rollup';
  return (change ?? 0n) < 0n ? 'leaves the base account' : 'reaches the base account';
}

/** A part of a service text: plain text, or an address. */
type WordPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'address'; readonly address: string };

/** Splits a text at its addresses. */
export function piecesOf(text: string): readonly WordPiece[] {
  return text
    .split(/\b([1-9A-HJ-NP-Za-km-z]{32,44})\b/)
    .map((part, at): WordPiece =>
      at % 2 === 1 ? { kind: 'address', address: part } : { kind: 'text', text: part },
    )
    .filter((piece) => piece.kind === 'address' || piece.text !== '');
}
