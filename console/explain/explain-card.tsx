import type { ComponentChildren } from 'preact';
import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { useKnown } from '../parts/names.ts';
import { Tag } from '../parts/status.tsx';
import { Base64 } from '../parts/base64.tsx';
import { AccountsByRole, Instructions } from './details.tsx';
import { Effects } from './effects.tsx';
import { Facts } from './facts.tsx';
import { Differences, Findings, VerdictStrip } from './verdict-strip.tsx';
import { sentenceOf, verdictWords } from './words.ts';

interface ExplainCardProps {
  readonly explanation: ExplainTransactionOutput;
  readonly transactionBase64: string;
  readonly lastValidBlockHeight?: number | null;
  /** Shown next to the simulation if it needs a login. */
  readonly logIn?: ComponentChildren;
  /** Content below, such as the button that signs. */
  readonly children?: ComponentChildren;
}

/** The verdict and effects of a transaction, with details on demand. */
export function ExplainCard({
  explanation,
  transactionBase64,
  lastValidBlockHeight = null,
  logIn,
  children,
}: ExplainCardProps) {
  const { effects, instructions, findings } = explanation;
  const labels = useKnown();
  const { kind, tag } = verdictWords(explanation);
  return (
    <section class="card" aria-label="Explanation">
      <div class="does">
        <h2>{sentenceOf(explanation, labels)}</h2>
        <Tag kind={kind}>{tag}</Tag>
      </div>
      <VerdictStrip explanation={explanation} />
      <Differences explanation={explanation} />
      <Findings findings={findings} />
      <Effects effects={effects} isWhole={false} />
      <Facts explanation={explanation} lastValidBlockHeight={lastValidBlockHeight} logIn={logIn} />
      <Instructions instructions={instructions} />
      <AccountsByRole instructions={instructions} />
      <details>
        <summary>Raw bytes</summary>
        <Base64 text={transactionBase64} />
      </details>
      {children}
    </section>
  );
}
