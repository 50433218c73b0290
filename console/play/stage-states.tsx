import { useConsole } from '../context/console.ts';
import { Button } from '../parts/button.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Glyph } from '../parts/glyph.tsx';
import { Signature } from '../parts/signature.tsx';
import { Note } from '../parts/states.tsx';
import type { Sent } from '../payments/submit.ts';
import type { Activity, Settling as SettlingActivity, Unknown } from './activity.ts';
import type { Play } from './flow.ts';

/** The stage during an undelegation. */
export function Settling({ play, activity }: { readonly play: Play; readonly activity: SettlingActivity }) {
  const console = useConsole();
  const { looks, sinceMs, isRead, isLooking } = activity;
  return (
    <div class="stage" role="status">
      <div>
        <h1>Settling.</h1>
        <p>
          {looks > 20
            ? `Not settled after ${Math.round((console.nowMs() - sinceMs) / 1_000)} s and ${looks} checks. Nothing is lost: the vault still owes the balance.`
            : 'The rollup accepted the request. The base ledger usually shows it within a second.'}
        </p>
        {isRead ? null : <Note kind="warn">The base ledger does not respond. Retrying.</Note>}
      </div>
      <div class="act">
        <Button kind="main" big busy={isLooking} onClick={() => void play.lookAgain()}>
          {isLooking ? 'Settling' : 'Check again'}
        </Button>
        {isLooking ? null : <Button onClick={() => play.cancel()}>Back</Button>}
      </div>
    </div>
  );
}

/** The stage for an unknown outcome. It offers no retry, which could send the transaction twice. */
export function NotKnown({ play, unknown }: { readonly play: Play; readonly unknown: Unknown }) {
  const { sent, fault, found, isLooking } = unknown;
  const ledger = sent.sendTo === 'base' ? 'base' : 'rollup';
  const needsToken = ledger === 'rollup' && (found === 'hidden' || found === 'unread');
  return (
    <div class="stage" role="status">
      <div>
        <h1>Sent, but the outcome is unknown.</h1>
        <p>
          The transaction may have landed, so do not send it again. The page looks up its signature on{' '}
          {ledger === 'base' ? 'the base ledger' : 'the rollup'}. After block height{' '}
          {formatCount(sent.lastValidBlockHeight)} it can no longer land. <SentSignature sent={sent} />
        </p>
        {fault === null ? null : <Note kind="warn">{fault}</Note>}
        {found === 'unread' ? <Note kind="warn">The ledger does not respond.</Note> : null}
        {found === 'hidden' ? (
          <Note kind="warn">Only the owner can see whether it landed. Log in to check.</Note>
        ) : null}
      </div>
      <div class="act">
        <Button kind="main" big busy={isLooking} onClick={() => void play.lookAgain()}>
          {isLooking ? 'Looking it up' : 'Look it up again'}
        </Button>
        {needsToken ? <Button onClick={() => void play.logIn(sent.wallet)}>Log in again</Button> : null}
        {isLooking ? null : <Button onClick={() => play.cancel()}>Stop checking</Button>}
      </div>
    </div>
  );
}

interface LandedProps {
  readonly play: Play;
  readonly activity: Extract<Activity, { readonly kind: 'landed' }>;
}

/** The stage for a landed transaction whose arrival is unknown. */
export function Landed({ play, activity }: LandedProps) {
  const { sent, message } = activity;
  return (
    <div class="stage" role="status">
      <div>
        <h1>It landed.</h1>
        <p>
          {message} <SentSignature sent={sent} />
        </p>
      </div>
      <div class="act">
        <Button kind="main" big onClick={() => play.cancel()}>
          Go on
        </Button>
      </div>
    </div>
  );
}

/** The signature of a sent transaction. Signatures of the rollup are shown only to the owner. */
function SentSignature({ sent: { sendTo, signature } }: { readonly sent: Sent }) {
  const { viewpoint } = useConsole();
  if (sendTo === 'base') return <Signature signature={signature} ledger="base" copy />;
  return viewpoint.value === 'owner' ? <Signature signature={signature} ledger="rollup" copy /> : null;
}

/** Replaces the stage in other viewpoints while it has the owner's content. */
export function Covered({ play }: { readonly play: Play }) {
  const { owners } = useConsole();
  const hasOwner = owners.value.length > 0;
  return (
    <div class="stage" role="status">
      <div>
        <h1>A transaction is waiting for its owner.</h1>
        <p>Only the owner can see it. Nothing is signed until then.</p>
      </div>
      <div class="act">
        {hasOwner ? (
          <Button kind="main" big onClick={() => play.lookAsOwner()}>
            Look as the owner
          </Button>
        ) : (
          <Button kind="main" big onClick={() => void play.logInAll()}>
            Log in
          </Button>
        )}
      </div>
    </div>
  );
}

/** The stage for a failure, with ways to resolve it. */
export function Failed({
  play,
  activity: { failure, intent },
}: {
  readonly play: Play;
  readonly activity: Extract<Activity, { readonly kind: 'failed' }>;
}) {
  const wallet = intent?.wallet ?? null;
  return (
    <div class="stage" role="alert">
      <div>
        <h1 class="st bad">
          <Glyph name="octagon" size={22} /> {failure.title}
        </h1>
        <p>
          {failure.text} {failure.code === null ? null : <span class="mono tiny dim">{failure.code}</span>}
        </p>
      </div>
      <div class="act">
        {failure.wayOut === 'undelegate' && wallet !== null ? (
          <Button kind="main" big onClick={() => void play.begin([{ kind: 'undelegate', wallet }])}>
            Undelegate
          </Button>
        ) : null}
        {failure.wayOut === 'log-in' && wallet !== null ? (
          <Button kind="main" big onClick={() => void play.logIn(wallet)}>
            Log in again
          </Button>
        ) : null}
        {failure.wayOut === 'again' && intent !== null ? (
          <Button kind="main" big onClick={() => void play.begin([intent])}>
            Try again
          </Button>
        ) : null}
        <Button onClick={() => play.cancel()}>Back</Button>
      </div>
    </div>
  );
}
