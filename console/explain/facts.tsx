import type { ComponentChildren } from 'preact';
import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { AtMost } from '../parts/amount.tsx';
import { formatCount } from '../parts/decimal.ts';
import { HostileText } from '../parts/hostile-text.tsx';
import { useKnown } from '../parts/names.ts';
import { shorten } from '../parts/short-text.ts';
import { Status } from '../parts/status.tsx';

const SIGNATURES = {
  valid: { kind: 'ok', words: 'signed' },
  missing: { kind: 'wait', words: 'not signed yet' },
  wrong: { kind: 'bad', words: 'wrong signature' },
} as const;

export interface FactsProps {
  readonly explanation: ExplainTransactionOutput;
  /** The last block height it can land at; null if unknown. */
  readonly lastValidBlockHeight: number | null;
  /** Shown next to the simulation if it needs a login. */
  readonly logIn?: ComponentChildren;
}

/** Fee, rent, signers, destination and simulation of a transaction. */
export function Facts({ explanation, lastValidBlockHeight, logIn }: FactsProps) {
  const { names } = useKnown();
  const { effects, signers, sendTo } = explanation;
  const created = effects.accountsCreated.filter(({ exists }) => exists !== true).length;
  return (
    <>
      <div class="facts">
        <span>
          Network fee <AtMost lamports={effects.networkFeeLamportsMax} unread="none" />
        </span>
        <span>
          Rent <AtMost lamports={effects.rentLamportsMax} unread="unknown" />
          {created === 0 ? null : ` for ${created} new ${created === 1 ? 'account' : 'accounts'}`}
        </span>
        {signers.map(({ address, signature }) => (
          <span key={address} title={address}>
            Signs <b>{names.get(address) ?? shorten(address)}</b>,{' '}
            <Status kind={SIGNATURES[signature].kind}>{SIGNATURES[signature].words}</Status>
          </span>
        ))}
        <span>
          Send to <b>{sendTo === 'base' ? 'the base ledger' : 'the rollup'}</b>
        </span>
        {lastValidBlockHeight === null ? null : (
          <span>
            Valid until block height <b>{formatCount(lastValidBlockHeight)}</b>
          </span>
        )}
      </div>
      <Trial simulation={explanation.simulation} logIn={logIn} />
    </>
  );
}

function Trial({
  simulation,
  logIn,
}: {
  readonly simulation: ExplainTransactionOutput['simulation'];
  readonly logIn?: ComponentChildren;
}) {
  if (simulation === undefined) return null;
  const { status, error, computeUnits } = simulation;
  if (status === 'succeeds') {
    return (
      <div class="facts">
        <Status kind="ok">Simulation succeeds</Status>
        {computeUnits === undefined ? null : (
          <span>
            <b>{formatCount(computeUnits)}</b> compute units
          </span>
        )}
      </div>
    );
  }
  return (
    <div class="facts">
      <Status kind={status === 'fails' ? 'bad' : 'warn'}>
        {status === 'fails' ? 'Simulation fails' : 'Not simulated.'}
      </Status>
      {error === undefined ? null : (
        <span>
          <HostileText text={error.message} />
          {error.instruction === undefined ? null : `, in instruction ${error.instruction}`}
        </span>
      )}
      {logIn}
      {error === undefined ? null : <span class="mono tiny dim">{error.name}</span>}
    </div>
  );
}
