import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useConsole, type ExplainInput } from '../context/console.ts';
import { Button } from '../parts/button.tsx';
import { Go } from '../parts/go.tsx';
import { Empty, Note, Skeleton } from '../parts/states.tsx';
import { ExplainCard } from './explain-card.tsx';
import { explainInput, type Explained } from './explain-input.ts';
import { Explaining, type Shown } from './explaining.ts';
import { inputWords, readInput, readRequest } from './read-input.ts';

/** A genuine deposit, or the same deposit with a theft hidden in it. */
export type Example = 'deposit' | 'drainer';

interface ExplainViewProps {
  /** Builds an example on the live ledger; null if the ledger has real money. */
  readonly buildExample: ((example: Example) => Promise<ExplainInput>) | null;
}

/** Explains what a transaction does before it is signed. */
export function ExplainView({ buildExample }: ExplainViewProps) {
  const console = useConsole();
  const { explaining } = console;
  const as = console.viewpoint.value;
  const who = `${as} ${console.looking.value ?? ''}`;
  const [answers] = useState(() => new Explaining());
  const shown = answers.shownTo(who);
  const explain = (): void => {
    const input = explaining.peek();
    if (faultOf(input) === null) void answers.ask(who, () => explainTyped(input));
  };
  const explainTyped = async ({ what, request }: ExplainInput): Promise<Explained> => {
    const read = readInput(what);
    const requested = request.trim() === '' ? null : readRequest(request);
    if (read.kind === 'empty' || read.kind === 'unreadable' || typeof requested === 'string')
      throw new Error('The input cannot be read.');
    return await explainInput(console, read, requested);
  };
  const examples =
    buildExample === null ? null : (
      <Examples
        isBusy={shown.kind === 'asking'}
        onChoose={(example) =>
          void answers.ask(who, async () => {
            explaining.value = await buildExample(example);
            return await explainTyped(explaining.value);
          })
        }
      />
    );
  // A different viewpoint may see less, so its answer is requested again.
  useEffect(() => {
    answers.forget();
    explain();
  }, [who]);
  return (
    <>
      <div class="head">
        <div>
          <h1>Explain</h1>
          <p>See what a transaction does before you sign it.</p>
        </div>
        {shown.kind === 'nothing' ? null : examples}
      </div>
      <div class={`split ex ${shown.kind === 'nothing' ? '' : 'answered'}`}>
        <div class="col">
          <ExplainForm isBusy={shown.kind === 'asking'} onExplain={explain} />
        </div>
        <div class="col">
          {shown.kind === 'nothing' ? <Invitation examples={examples} /> : <Answer shown={shown} />}
        </div>
      </div>
    </>
  );
}

/** Shown before the first explanation: run an example, or paste something. */
function Invitation({ examples }: { readonly examples: ComponentChildren }) {
  return (
    <section class="card" aria-label="Explanation">
      {examples === null ? (
        <Empty title="Paste a transaction, a signature or a request.">
          Or open a transaction of the ledger.
          <br />
          <Go class="btn" to="/console/explorer">
            Open the Explorer
          </Go>
        </Empty>
      ) : (
        <Empty title="Would you sign this?">
          Two transactions claim to deposit 1 token. One of them also steals. Explain both, or paste your own.
          {examples}
        </Empty>
      )}
    </section>
  );
}

/** One button for each example. */
function Examples({
  isBusy,
  onChoose,
}: {
  readonly isBusy: boolean;
  readonly onChoose: (example: Example) => void;
}) {
  return (
    <div class="row wrap examples" role="group" aria-label="Examples">
      <Button busy={isBusy} onClick={() => onChoose('deposit')}>
        Explain a deposit
      </Button>
      <Button busy={isBusy} onClick={() => onChoose('drainer')}>
        Explain a drainer
      </Button>
    </div>
  );
}

/** Why an input cannot be explained; null if it can. */
function faultOf({ what, request }: ExplainInput): string | null {
  const read = readInput(what);
  if (read.kind === 'empty' || read.kind === 'unreadable') return inputWords(read);
  const requested = request.trim() === '' ? null : readRequest(request);
  return typeof requested === 'string' ? requested : null;
}

/** The input form. Nothing is sent before the button is pressed. */
function ExplainForm({ isBusy, onExplain }: { readonly isBusy: boolean; readonly onExplain: () => void }) {
  const { explaining } = useConsole();
  const { what, request } = explaining.value;
  const requested = request.trim() === '' ? null : readRequest(request);
  return (
    <form
      class="card pad field stack"
      onSubmit={(event) => {
        event.preventDefault();
        onExplain();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.ctrlKey) onExplain();
      }}
    >
      <TextField
        id="what"
        label="Transaction, signature or request"
        value={what}
        rows={9}
        hint={inputWords(readInput(what))}
        onInput={(value) => {
          explaining.value = { what: value, request };
        }}
      />
      <TextField
        id="req"
        label="What you asked for (optional)"
        value={request}
        rows={6}
        hint={
          typeof requested === 'string'
            ? requested
            : 'The explanation compares the transaction with this request.'
        }
        onInput={(value) => {
          explaining.value = { what, request: value };
        }}
      />
      <div class="row">
        <Button kind="main" submit busy={isBusy} reason={faultOf({ what, request }) ?? undefined}>
          Explain
        </Button>
        <kbd class="wide">Ctrl</kbd>
        <kbd class="wide">Enter</kbd>
      </div>
    </form>
  );
}

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly hint: string;
  readonly onInput: (value: string) => void;
}

function TextField({ id, label, value, rows, hint, onInput }: TextFieldProps) {
  return (
    <div>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        spellcheck={false}
        rows={rows}
        value={value}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

function Answer({ shown }: { readonly shown: Exclude<Shown, { readonly kind: 'nothing' }> }) {
  const console = useConsole();
  switch (shown.kind) {
    case 'asking':
      return (
        <section class="card" aria-label="Explanation">
          <Skeleton rows={6} />
        </section>
      );
    case 'failed':
      return (
        <section class="card" aria-label="Explanation">
          <Note kind="bad">
            {shown.message} {shown.code === null ? null : <span class="mono tiny dim">{shown.code}</span>}
          </Note>
        </section>
      );
    case 'explained': {
      const { explanation, transactionBase64, lastValidBlockHeight } = shown.explained;
      const isPrivate =
        explanation.simulation?.status === 'unavailable' && console.viewpoint.value !== 'owner';
      return (
        <ExplainCard
          explanation={explanation}
          transactionBase64={transactionBase64}
          lastValidBlockHeight={lastValidBlockHeight}
          logIn={
            isPrivate ? (
              <span class="dim">It may use private accounts. Look as the owner to simulate it.</span>
            ) : null
          }
        />
      );
    }
  }
}
