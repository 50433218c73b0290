import type { ComponentChildren } from 'preact';
import { useConsole } from '../context/console.ts';
import { Glyph } from '../parts/glyph.tsx';
import { LedgerMark } from '../parts/status.tsx';
import { useKnown } from '../parts/names.ts';
import type { Viewpoint } from '../parts/reader.ts';

const SENTENCES: Readonly<Record<Viewpoint, readonly [string, string]>> = {
  base: ['The base ledger.', 'Shows deposits, withdrawals and settled balances, but no payments.'],
  anyone: ['Anyone.', 'The page sends no token, so the rollup answers as if private accounts did not exist.'],
  owner: ['The owner.', 'The page sends the token of each wallet in this tab.'],
};

interface ViewpointBarProps {
  readonly as: Viewpoint;
  readonly onLook: (as: Viewpoint) => void;
  /** Whether the URL asks for the owner's viewpoint, but this tab has no token. */
  readonly isOwnerMissing: boolean;
  /** A button that logs in the wallets of this tab; null if it has none. */
  readonly logIn: ComponentChildren;
}

/** Shows and switches the viewpoint. */
export function ViewpointBar({ as, onLook, isOwnerMissing, logIn }: ViewpointBarProps) {
  const console = useConsole();
  const hasOwner = console.owners.value.length > 0;
  const rollup = console.state.value?.rollup;
  const isOpen = rollup !== undefined && rollup.kind !== 'none' && !rollup.readPermissions;
  const [title, text] = SENTENCES[as];
  return (
    <section class="vp" aria-label="Viewpoint">
      <span class="lead" id="looking">
        Looking as
      </span>
      <div class="seg" role="radiogroup" aria-labelledby="looking">
        <Choice as="base" now={as} long="Base ledger" short="Base" onLook={onLook} />
        <Choice as="anyone" now={as} long="Anyone on the rollup" short="Anyone" onLook={onLook} />
        <Choice
          as="owner"
          now={as}
          long="The owner"
          short="Owner"
          onLook={onLook}
          {...(hasOwner ? {} : { reason: 'Create a wallet or log in first' })}
        />
      </div>
      <p class="says">
        {isOpen ? (
          <b>Everyone can read everything on this rollup.</b>
        ) : isOwnerMissing ? (
          <>
            <b>Anyone.</b> The link is for the owner, but this tab has no token. {logIn}
          </>
        ) : (
          <>
            <b>{title}</b> {text}
          </>
        )}
      </p>
      {as === 'owner' && console.owners.value.length > 1 ? <Chooser /> : null}
    </section>
  );
}

interface ChoiceProps {
  readonly as: Viewpoint;
  readonly now: Viewpoint;
  readonly long: string;
  readonly short: string;
  readonly reason?: string;
  readonly onLook: (as: Viewpoint) => void;
}

function Choice({ as, now, long, short, reason, onLook }: ChoiceProps) {
  const isOff = reason !== undefined;
  return (
    <label
      class={[as === 'owner' ? 'own' : '', isOff ? 'off' : ''].join(' ').trim()}
      {...(isOff ? { title: reason } : {})}
    >
      <input
        type="radio"
        name="vp"
        id={`vp-${as}`}
        checked={as === now}
        disabled={isOff}
        aria-label={long}
        onChange={() => onLook(as)}
      />
      {as === 'base' ? <LedgerMark ledger="base" /> : <Glyph name={as === 'owner' ? 'key' : 'crossed'} />}
      <span class="long">{long}</span>
      <span class="short">{short}</span>
    </label>
  );
}

/** Selects the wallet whose token is sent in views that are not about one wallet. */
function Chooser() {
  const console = useConsole();
  const { names } = useKnown();
  return (
    <label class="row small wide">
      <span class="vh">Wallet whose token is sent</span>
      <select
        value={console.looking.value ?? ''}
        onChange={({ currentTarget }) => console.lookAs(currentTarget.value)}
      >
        {console.owners.value.map((wallet) => (
          <option value={wallet} key={wallet}>
            {names.get(wallet) ?? wallet}
          </option>
        ))}
      </select>
    </label>
  );
}
