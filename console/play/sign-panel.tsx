import { useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { Effects } from '../explain/effects.tsx';
import { Differences, Findings, VerdictStrip } from '../explain/verdict-strip.tsx';
import { pointsOf, sentenceOf, verdictWords } from '../explain/words.ts';
import { AtMost } from '../parts/amount.tsx';
import { Button } from '../parts/button.tsx';
import { formatCount } from '../parts/decimal.ts';
import { keepViewpoint } from '../parts/go.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { navigate, useSearch } from '../parts/location.ts';
import { useKnown } from '../parts/names.ts';
import { Note } from '../parts/states.tsx';
import { Status, Tag } from '../parts/status.tsx';
import { consentOf, contentOf, objectionsTo, type Agreed } from '../payments/consent.ts';
import { requestOf, type Proposal } from '../payments/proposal.ts';
import type { Intent } from './intent.ts';

interface SignPanelProps {
  readonly intent: Intent;
  readonly proposal: Proposal;
  readonly hasChanged: boolean;
  /** Called with the shown content; nothing else is signed. */
  readonly onSign: (agreed: Agreed) => void;
  readonly onCancel: () => void;
}

/** The review of a proposal, with the button that signs it. Objections disable the button until accepted. */
export function SignPanel(props: SignPanelProps) {
  const { intent, proposal } = props;
  const labels = useKnown();
  const [isWhole, showWhole] = useState(false);
  const { explanation } = proposal;
  const objections = objectionsTo(explanation);
  const { kind, tag } =
    objections.length === 0 ? verdictWords(explanation) : ({ kind: 'bad', tag: 'do not sign' } as const);
  const isClear = explanation.verdict === 'clear' && objections.length === 0;
  return (
    <div class="sign">
      <div>
        <div class="does">
          <h1 tabIndex={-1}>{sentenceOf(explanation, labels)}</h1>
          <Tag kind={kind}>{tag}</Tag>
        </div>
        {isClear ? null : <Objections explanation={explanation} objections={objections} />}
        <Effects effects={explanation.effects} isWhole={isWhole} />
        <Differences explanation={explanation} />
        <Findings findings={explanation.findings} />
        <div class="facts">
          {isClear ? (
            <Status kind="ok">Your request: {pointsOf(explanation.request).replace(/\.$/, '')}</Status>
          ) : null}
          <Costs proposal={proposal} />
          {intent.kind === 'pay' && intent.memo.trim() !== '' ? (
            <span>
              Note{' '}
              <b>
                <HostileText text={intent.memo.trim()} />
              </b>
            </span>
          ) : null}
          <button class="more" type="button" onClick={() => showWhole(!isWhole)}>
            {isWhole ? 'Show short addresses' : 'Show full addresses'}
          </button>
          <Details proposal={proposal} />
        </div>
      </div>
      <Agreement {...props} />
    </div>
  );
}

/** The verdict, or the objections that it does not include. */
function Objections({
  explanation,
  objections,
}: {
  readonly explanation: Proposal['explanation'];
  readonly objections: readonly string[];
}) {
  if (objections.length === 0 || explanation.verdict === 'danger')
    return <VerdictStrip explanation={explanation} />;
  return (
    <>
      {objections.map((objection) => (
        <Note kind="bad" key={objection}>
          {objection}
        </Note>
      ))}
    </>
  );
}

/** Says who can read the transaction, and has the button that signs it. */
function Agreement({ intent, proposal, hasChanged, onSign, onCancel }: SignPanelProps) {
  const { names } = useKnown();
  const [isTicked, tick] = useState(false);
  const { explanation, wallet, sendTo, lastValidBlockHeight } = proposal;
  const consent = consentOf(explanation, isTicked);
  const [objection] = objectionsTo(explanation);
  return (
    <div class="act">
      {hasChanged ? (
        <Note kind="warn">
          The effects of this transaction have changed. Nothing was signed. Review it again.
        </Note>
      ) : null}
      <p class="muted">{whoReads(intent, names)}</p>
      {objection !== undefined ? (
        <label class="row small">
          <input
            type="checkbox"
            checked={isTicked}
            onChange={({ currentTarget }) => tick(currentTarget.checked)}
          />
          Sign it anyway
        </label>
      ) : null}
      <Button
        kind="main"
        big
        id="sign"
        onClick={() => onSign({ content: contentOf(proposal), isTicked })}
        reason={consent === 'refused' ? objection : undefined}
      >
        Sign as {names.get(wallet) ?? 'this wallet'} and send
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
      <p class="tiny dim">
        Goes to {sendTo === 'base' ? 'base' : 'the rollup'}. Valid until block height{' '}
        {formatCount(lastValidBlockHeight)}.
      </p>
    </div>
  );
}

/** Opens the full explanation. The proposal stays open. */
function Details({
  proposal: { transactionBase64, request, recentBlockhash },
}: {
  readonly proposal: Proposal;
}) {
  const { explaining } = useConsole();
  const search = useSearch();
  const open = (): void => {
    const asked = JSON.stringify(requestOf(request, recentBlockhash), null, 2);
    explaining.value = { what: transactionBase64, request: asked };
    navigate(keepViewpoint('/console/explain', search));
  };
  return (
    <button class="more" type="button" onClick={open}>
      All details
    </button>
  );
}

function Costs({ proposal: { explanation } }: { readonly proposal: Proposal }) {
  const { networkFeeLamportsMax: fee, rentLamportsMax: rent } = explanation.effects;
  return (
    <>
      <span>
        Network fee <AtMost lamports={fee} unread="none" />
      </span>
      {rent === 0n ? null : (
        <span>
          Rent <AtMost lamports={rent} unread="unknown" />
        </span>
      )}
      {explanation.simulation?.status === 'succeeds' ? <Status kind="ok">Simulation succeeds</Status> : null}
      {explanation.simulation?.status === 'fails' ? <Status kind="bad">Simulation fails</Status> : null}
    </>
  );
}

/** Says who can read the transaction after it has landed. */
function whoReads(intent: Intent, names: ReadonlyMap<string, string>): string {
  const wallet = names.get(intent.wallet) ?? 'this wallet';
  switch (intent.kind) {
    case 'deposit':
      return 'Deposits are public: everyone can read this one.';
    case 'pay':
      return intent.isOnBase
        ? `Everyone can read that ${wallet} paid and how much, but not whom.`
        : `Only ${wallet}, ${names.get(intent.to) ?? 'the recipient'} and the operator of this service can read it.`;
    case 'undelegate':
      return `Only ${wallet} can read this request. The base ledger then shows the balance that comes back.`;
    case 'prepare':
      return 'Creates the transfer queue of the mint, once for everyone. This is public.';
    case 'handle':
      return intent.part === 'pool'
        ? 'Everyone can read that the handle exists, but not whose it is.'
        : 'Only the rollup stores whom the handle pays.';
    case 'withdraw':
      return 'Withdrawals are public: everyone can read this one.';
  }
}
