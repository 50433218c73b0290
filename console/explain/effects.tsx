import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { Address } from '../parts/address.tsx';
import { MintAmount, Sol } from '../parts/amount.tsx';
import { LedgerMark } from '../parts/status.tsx';
import { placeWords, type TokenEffect } from './words.ts';

/** The effects on each party. */
export function Effects({
  effects,
  isWhole,
}: {
  readonly effects: ExplainTransactionOutput['effects'];
  readonly isWhole: boolean;
}) {
  return (
    <>
      {effects.tokens.map((effect, at) => (
        <Effect key={at} effect={effect} isWhole={isWhole} />
      ))}
      {effects.lamports.map(({ address, change }) => (
        <div class="eff" key={address}>
          <div>
            <Address address={address} copy length={isWhole ? 'whole' : 'list'} />
          </div>
          <Sol lamports={change} signed />
          <div class="small dim">in addition to fee and rent</div>
        </div>
      ))}
    </>
  );
}

function Effect({ effect, isWhole }: { readonly effect: TokenEffect; readonly isWhole: boolean }) {
  const { owner, account, location, held, change, mint } = effect;
  const party = held === 'vault' ? account : owner;
  return (
    <div class="eff">
      <div>
        {party === null ? (
          <b>{held === 'sealed' ? 'A hidden recipient' : 'Someone'}</b>
        ) : (
          <Address
            address={held === 'vault' ? (owner ?? party) : party}
            copy
            length={isWhole ? 'whole' : 'list'}
          />
        )}
      </div>
      <Change change={change} mint={mint} />
      <div class="small dim row">
        <LedgerMark ledger={location === 'base' ? 'base' : 'rollup'} />
        {placeWords(effect)}
      </div>
    </div>
  );
}

function Change({ change, mint }: { readonly change: bigint | null; readonly mint: string | null }) {
  if (change === null) return <span class="dim">unknown amount</span>;
  return <MintAmount base={change} mint={mint ?? ''} signed size="mid" />;
}
