import { useState } from 'preact/hooks';
import { Address } from '../parts/address.tsx';
import { useLoaded, wordsOf, Await } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import { Copy } from '../parts/copy.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { Empty, Note } from '../parts/states.tsx';
import { ChallengeText } from './login.tsx';

/** A login that a program requested, as returned by `POST /console/api/login`. */
export interface ShownLogin {
  readonly wallet: string;
  /** Describes what the program gets. Ends a sentence. */
  readonly tells: string;
  /** Name that the program gave; null if none. */
  readonly client: string | null;
  /** A question and an instruction. */
  readonly warning: readonly [string, string];
  /** The cluster; null for the service's default cluster. */
  readonly cluster: string | null;
}

/** The user's approval of a requested login. */
interface LoginAnswer {
  readonly code: string;
  readonly challenge: string;
  readonly signature: string;
}

/** Operations of the page on a requested login. All throw an Error with the reason if they fail. */
export interface RequestedLoginPorts {
  readonly show: () => Promise<ShownLogin>;
  /** Requests the text to sign from the rollup. */
  readonly challenge: (login: ShownLogin) => Promise<string>;
  /** Signs the text, or a new one if it expired, with a wallet of this tab. The signature is base58. */
  readonly sign: (login: ShownLogin, challenge: string) => Promise<Omit<LoginAnswer, 'code'>>;
  readonly answer: (answer: LoginAnswer) => Promise<void>;
  readonly decline: () => Promise<void>;
}

interface RequestedLoginProps {
  readonly ports: RequestedLoginPorts;
  /** Wallets of this tab, which can sign. */
  readonly own: readonly string[];
}

/** The page of a login that an assistant requested: its name, what it gets, and a code to compare. */
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
      // A new text is needed: each is valid for two minutes and one login.
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

/** Says what is missing for the approval. `signature` is null if this tab signs itself. */
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
