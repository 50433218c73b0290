import { useState } from 'preact/hooks';
import { Address } from '../parts/address.tsx';
import { useLoaded, wordsOf, Await } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import { Copy } from '../parts/copy.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { Empty, Note } from '../parts/states.tsx';
import { ChallengeText } from './login.tsx';

/** A login requested by a program, as `POST /console/api/login` returns it. */
export interface ShownLogin {
  readonly wallet: string;
  /** What the program gets, as the end of a sentence. */
  readonly tells: string;
  /** What the program calls itself; null if it does not. */
  readonly client: string | null;
  /** A question, and what to do. */
  readonly warning: readonly [string, string];
  /** Null for the service's own. */
  readonly cluster: string | null;
}

/** What a person hands in. */
interface LoginAnswer {
  readonly code: string;
  readonly challenge: string;
  readonly signature: string;
}

/** What the page does with it. All of them throw an Error that says why, where they fail. */
export interface RequestedLoginPorts {
  readonly show: () => Promise<ShownLogin>;
  /** The text that the rollup wants signed. */
  readonly challenge: (login: ShownLogin) => Promise<string>;
  /** That text, or the same of now, with the signature of a wallet of this tab over it, base58. */
  readonly sign: (login: ShownLogin, challenge: string) => Promise<Omit<LoginAnswer, 'code'>>;
  readonly answer: (answer: LoginAnswer) => Promise<void>;
  readonly decline: () => Promise<void>;
}

interface RequestedLoginProps {
  readonly ports: RequestedLoginPorts;
  /** Wallets of this tab, which can sign here. */
  readonly own: readonly string[];
}

/** The login that an assistant requested from its user: who asks, what it gets, and a code to compare. */
export function RequestedLogin({ ports, own }: RequestedLoginProps) {
  const shown = useLoaded(ports.show, [ports]);
  return (
    <section class="card sheet" aria-label="Log in for an assistant">
      <header>
        <h1 class="h2">An assistant asks you to log in</h1>
      </header>
      <div class="pad stack">
        <Await result={shown} rows={3}>
          {(login) => <Question login={login} ports={ports} own={own} />}
        </Await>
      </div>
    </section>
  );
}

interface QuestionProps extends RequestedLoginProps {
  readonly login: ShownLogin;
}

type Ended = 'handed over' | 'refused';

function Question(props: QuestionProps) {
  const { wallet, tells, client, cluster, warning } = props.login;
  const [ended, end] = useState<Ended | null>(null);
  if (ended !== null) {
    return (
      <div role="status">
        <Empty title={ended === 'refused' ? 'Declined.' : 'Approved.'}>
          {ended === 'refused'
            ? 'The assistant gets nothing.'
            : 'The assistant gets one answer if it asks again within five minutes.'}{' '}
          You can close this page.
        </Empty>
      </div>
    );
  }
  return (
    <>
      <Note kind="warn">
        <b>{warning[0]}</b> {warning[1]}
      </Note>
      <KeyValue
        rows={[
          [
            'Assistant',
            <>
              {client === null ? 'unnamed program' : <HostileText text={client} />}{' '}
              <span class="dim small">this name is not verified</span>
            </>,
          ],
          [
            'Gets, once',
            <span>
              <HostileText text={tells} />
            </span>,
          ],
          ['Rollup of', cluster === null ? 'the service’s default cluster' : <HostileText text={cluster} />],
          ['Wallet', <Address address={wallet} length="whole" copy />],
        ]}
      />
      <Answer {...props} onEnd={end} />
    </>
  );
}

function Answer({ login, ports, own, onEnd }: QuestionProps & { readonly onEnd: (ended: Ended) => void }) {
  const [attempt, again] = useState(0);
  const challenge = useLoaded(() => ports.challenge(login), [ports, login, attempt]);
  const [code, setCode] = useState('');
  const [pasted, paste] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isOwn = own.includes(login.wallet);
  const attemptTo = async (ended: Ended, work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
      onEnd(ended);
    } catch (error) {
      setFault(wordsOf(error));
      // The rollup takes a text for two minutes, and for one login.
      paste('');
      again(attempt + 1);
    } finally {
      setBusy(false);
    }
  };
  const handOver = async (): Promise<void> => {
    if (challenge.state !== 'answered') throw new Error('The text to sign has not arrived yet.');
    const text = challenge.value;
    const signed = isOwn ? await ports.sign(login, text) : { challenge: text, signature: pasted.trim() };
    await ports.answer({ code, ...signed });
  };
  const missing = missingFrom(challenge.state === 'answered', code, isOwn ? null : pasted);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === undefined && !isBusy) void attemptTo('handed over', handOver);
      }}
    >
      <TextField label="Code that the assistant shows you" value={code} onInput={setCode} />
      <p>The wallet signs this text. Signing moves no money, and the token stays with the service.</p>
      <Await result={challenge} rows={1}>
        {(text) => (
          <>
            <pre tabIndex={0}>
              <ChallengeText text={text} />
            </pre>
            {isOwn ? null : (
              <>
                <p class="small">
                  This tab does not have the key of this wallet. Copy the text{' '}
                  <Copy text={text} what="text" />, sign it unchanged with the wallet within two minutes, and
                  paste the signature.
                </p>
                <TextField label="Signature, base58" value={pasted} onInput={paste} />
              </>
            )}
          </>
        )}
      </Await>
      {fault === null ? null : <Note kind="bad">{fault}</Note>}
      <div class="row">
        <Button kind="main" submit busy={isBusy} reason={missing}>
          {isOwn ? 'Sign and approve' : 'Approve'}
        </Button>
        <Button onClick={() => void attemptTo('refused', ports.decline)}>Decline</Button>
      </div>
    </form>
  );
}

/** What is missing before it can be handed over; no signature is needed where the tab makes it itself. */
function missingFrom(hasText: boolean, code: string, signature: string | null): string | undefined {
  if (!hasText) return 'The text to sign has not arrived yet';
  if (code.trim() === '') return 'Enter the code first';
  return signature?.trim() === '' ? 'Sign the text first' : undefined;
}

function TextField({
  label,
  value,
  onInput,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const id = `loaded-${label.slice(0, 4).toLowerCase()}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        maxLength={128}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  );
}
