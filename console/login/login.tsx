import { useState } from 'preact/hooks';
import { Address } from '../parts/address.tsx';
import { useLoaded, wordsOf } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import { Go } from '../parts/go.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { Note, Skeleton } from '../parts/states.tsx';

/** A text to sign. Line breaks stay; hidden characters become visible. */
export function ChallengeText({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('\n').map((line, at) => (
        <div key={at}>
          <HostileText text={line} />
        </div>
      ))}
    </>
  );
}

/** Operations of the login page on a wallet of this tab. */
export interface LoginPorts {
  /** Requests the text to sign from the rollup. */
  readonly challenge: () => Promise<string>;
  /**
   * Signs the text and exchanges it for a token, which stays in this tab's memory.
   *
   * @throws {Error} if the text is not a valid challenge or the rollup rejects the login.
   */
  readonly login: (challenge: string) => Promise<string>;
}

interface LoginProps {
  readonly wallet: string;
  /** The wallet's name in this browser. */
  readonly name: string | undefined;
  /** The wallet's operations; null if this tab does not have its key. */
  readonly ports: LoginPorts | null;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The login page of one wallet. Shows the whole text before it is signed. */
export function Login(props: LoginProps) {
  const { wallet, name, ports } = props;
  const who = name ?? 'this wallet';
  return (
    <section class="card sheet" aria-label={`Log in as ${who}`}>
      <header>
        <h1 class="h2">Log in as {who}</h1>
      </header>
      <div class="pad stack">
        <Address address={wallet} length="whole" copy />
        {ports === null ? (
          <Note kind="bad">
            <b>This tab does not have the key of this wallet.</b> Open the tab that created it, or{' '}
            <Go to="/console/">create wallets</Go>.
          </Note>
        ) : (
          <Signing {...props} ports={ports} who={who} />
        )}
      </div>
    </section>
  );
}

interface SigningProps extends LoginProps {
  readonly ports: LoginPorts;
  readonly who: string;
}

type Outcome = { readonly kind: 'done' } | { readonly kind: 'refused'; readonly words: string };

function Signing({ wallet, ports, who, onDone, onClose }: SigningProps) {
  const challenge = useLoaded(ports.challenge, [wallet]);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  if (challenge.state === 'loading') return <Skeleton rows={3} />;
  if (challenge.state === 'failed') return <Note kind="bad">{challenge.message}</Note>;
  const text = challenge.value;
  const sign = async () => {
    setBusy(true);
    try {
      await ports.login(text);
      setOutcome({ kind: 'done' });
      onDone();
    } catch (error) {
      setOutcome({ kind: 'refused', words: wordsOf(error) });
    } finally {
      setBusy(false);
    }
  };
  if (outcome?.kind === 'done') {
    return (
      <p role="status">
        <b>Logged in.</b>
      </p>
    );
  }
  return (
    <>
      <p>Sign this text to let this tab read {name(who)} private balances. Signing moves no money.</p>
      <pre tabIndex={0}>
        <ChallengeText text={text} />
      </pre>
      {outcome === null ? null : <Note kind="bad">{outcome.words}</Note>}
      <div class="row">
        <Button kind="main" busy={isBusy} onClick={() => void sign()}>
          Sign and log in
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
      <p class="small dim">The token is valid for one day and stays in the memory of this tab.</p>
    </>
  );
}

const name = (who: string): string => (who === 'this wallet' ? 'this wallet’s' : `${who}’s`);
