import { useMemo } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { RequestedLogin, type RequestedLoginPorts, type ShownLogin } from '../login/requested-login.tsx';
import { Login, type LoginPorts } from '../login/login.tsx';
import { isAddress } from '../parts/encodings.ts';
import { Go } from '../parts/go.tsx';
import { navigate, useSearch } from '../parts/location.ts';
import { postJson } from '../parts/service-api.ts';
import { Empty } from '../parts/states.tsx';

/**
 * The login page. `/console/login?wallet=…` logs a wallet in for this tab, `?ask=…` for an assistant that
 * sent its user here.
 */
export function LoginPlace() {
  const query = new URLSearchParams(useSearch());
  const ask = query.get('ask');
  return ask === null ? <OwnLogin wallet={query.get('wallet') ?? ''} /> : <LoginForAssistant id={ask} />;
}

function LoginForAssistant({ id }: { readonly id: string }) {
  const { api, wallets } = useConsole();
  const ports = useMemo((): RequestedLoginPorts => {
    const challenge = async ({ wallet: pubkey, cluster }: ShownLogin) =>
      (await api.challenge({ pubkey, ...(cluster !== null && { cluster }) })).challenge;
    return {
      show: () => postJson<ShownLogin>('/console/api/login', { id }),
      challenge,
      sign: (login, text) => wallets.sign(login.wallet, text, () => challenge(login)),
      answer: (answer) => postJson('/console/api/login/answer', { id, ...answer }),
      decline: () => postJson('/console/api/login/decline', { id }),
    };
  }, [api, wallets, id]);
  return <RequestedLogin key={id} ports={ports} own={wallets.all.value.map(({ key }) => key.address)} />;
}

function OwnLogin({ wallet }: { readonly wallet: string }) {
  const { wallets, api } = useConsole();
  const known = wallets.all.value.find(({ key }) => key.address === wallet);
  const ports = useMemo(
    (): LoginPorts => ({
      challenge: async () => (await api.challenge({ pubkey: wallet })).challenge,
      login: async (challenge) => {
        await wallets.logIn(wallet, challenge);
        return wallets.tokenOf(wallet) ?? '';
      },
    }),
    [api, wallets, wallet],
  );
  if (!isAddress(wallet)) {
    return (
      <section class="card">
        <Empty title="This link names no wallet.">
          <Go class="btn" to="/console/">
            Go to the start
          </Go>
        </Empty>
      </section>
    );
  }
  return (
    <Login
      wallet={wallet}
      name={known?.name}
      ports={known === undefined ? null : ports}
      onDone={() => undefined}
      onClose={() => navigate('/console/')}
    />
  );
}
