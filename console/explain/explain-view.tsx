import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Note, Skeleton } from '../parts/states.tsx';
import { ExplainCard } from './explain-card.tsx';
import { explainInput } from './explain-input.ts';
import { Explaining, type Shown } from './explaining.ts';
import { inputWords, readInput, readRequest } from './read-input.ts';

/** What a transaction does, before anybody signs it. */
export function ExplainView() {
  const console = useConsole();
  const { what, request } = console.explaining.value;
  const as = console.viewpoint.value;
  const who = `${as} ${console.looking.value ?? ''}`;
  const [answers] = useState(() => new Explaining());
  const shown = answers.shownTo(who);
  const read = readInput(what);
  const asked = request.trim() === '' ? null : readRequest(request);
  const explain = (): void => {
    if (read.kind === 'empty' || read.kind === 'unreadable' || typeof asked === 'string') return;
    void answers.ask(who, () => explainInput(console, read, asked));
  };
  // Another viewpoint may be told less: what the former was told is gone, and asked again.
  useEffect(() => {
    answers.forget();
    explain();
  }, [who]);
  return (
    <>
      <div class="head">
        <div>
          <h1>Explain</h1>
          <p>What a transaction does, before anybody signs it.</p>
        </div>
      </div>
      <div class={`split ex ${shown.kind === 'nothing' ? '' : 'answered'}`}>
        <div class="col">
          <ExplainForm isBusy={shown.kind === 'asking'} onExplain={explain} />
        </div>
        <div class="col">
          <Answer shown={shown} />
        </div>
      </div>
    </>
  );
}

/** What is pasted. Nothing is asked before the button. */
function ExplainForm({ isBusy, onExplain }: { readonly isBusy: boolean; readonly onExplain: () => void }) {
  const { explaining } = useConsole();
  const { what, request } = explaining.value;
  const read = readInput(what);
  const asked = request.trim() === '' ? null : readRequest(request);
  const fault = typeof asked === 'string' ? asked : null;
  const canAsk = read.kind !== 'empty' && read.kind !== 'unreadable' && fault === null;
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
        hint={inputWords(read)}
        onInput={(value) => {
          explaining.value = { what: value, request };
        }}
      />
      <TextField
        id="req"
        label="What you asked for (optional)"
        value={request}
        rows={6}
        hint={fault ?? 'With it, the answer also says whether this is what you asked for.'}
        onInput={(value) => {
          explaining.value = { what, request: value };
        }}
      />
      <div class="row">
        <Button kind="main" submit busy={isBusy} reason={canAsk ? undefined : (fault ?? inputWords(read))}>
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

function Answer({ shown }: { readonly shown: Shown }) {
  const console = useConsole();
  switch (shown.kind) {
    case 'nothing':
      return (
        <section class="card">
          <Empty title="Nothing to explain yet.">Paste a transaction, a signature or a request.</Empty>
        </section>
      );
    case 'asking':
      return (
        <section class="card">
          <Skeleton rows={6} />
        </section>
      );
    case 'failed':
      return (
        <section class="card">
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
              <span class="dim">It may use private accounts: look as the owner to try it.</span>
            ) : null
          }
        />
      );
    }
  }
}
