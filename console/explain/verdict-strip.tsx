import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { MintAmount } from '../parts/amount.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { Note } from '../parts/states.tsx';
import { verdictWords } from './words.ts';

const GLYPHS = { ok: 'tick', warn: 'triangle', bad: 'octagon' } as const;

/** The verdict. */
export function VerdictStrip({ explanation }: { readonly explanation: ExplainTransactionOutput }) {
  const { kind, title, text } = verdictWords(explanation);
  return (
    <div class={`verdict ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Glyph name={GLYPHS[kind]} size={20} />
      <div>
        <b>{title}</b>
        <span>{text}</span>
      </div>
    </div>
  );
}

/** The differences between the request and the transaction. */
export function Differences({ explanation }: { readonly explanation: ExplainTransactionOutput }) {
  const { request, effects } = explanation;
  const mint = effects.tokens.find((effect) => effect.mint !== null)?.mint ?? null;
  if (request === undefined || request.differences.length === 0) return null;
  return (
    <div class="diff">
      <span class="h">Difference</span>
      <span class="h">You asked for</span>
      <span class="h">It does</span>
      {request.differences.flatMap(({ part, expected, found }, at) => [
        <b key={`${at} part`}>{part}</b>,
        <span key={`${at} expected`}>
          <Found part={part} text={expected} mint={mint} />
        </span>,
        <span key={`${at} found`} class="st bad">
          <Glyph name="octagon" />
          <Found part={part} text={found} mint={mint} />
        </span>,
      ])}
    </div>
  );
}

/** A value of a difference: an amount with its unit, or the service's text. */
function Found({
  part,
  text,
  mint,
}: {
  readonly part: string;
  readonly text: string;
  readonly mint: string | null;
}) {
  const isAmount = part === 'amount' && mint !== null && /^\d{1,20}$/.test(text);
  return isAmount ? <MintAmount base={BigInt(text)} mint={mint} /> : <HostileText text={text} />;
}

const NOTES = { danger: 'bad', caution: 'warn', note: 'plain' } as const;
const ORDER = ['danger', 'caution', 'note'] as const;

/** The findings, worst first. */
export function Findings({ findings }: { readonly findings: ExplainTransactionOutput['findings'] }) {
  const sorted = ORDER.flatMap((level) => findings.filter((finding) => finding.level === level));
  return (
    <>
      {sorted.map(({ level, code, message }, at) => (
        <Note kind={NOTES[level]} key={at}>
          <HostileText text={message} /> <span class="mono tiny dim">{code}</span>
        </Note>
      ))}
    </>
  );
}
