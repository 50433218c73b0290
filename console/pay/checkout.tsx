import { Address } from '../parts/address.tsx';
import { Button } from '../parts/button.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { Note } from '../parts/states.tsx';
import type { ReadonlySignal } from '../parts/signal.ts';
import type { Connected, Connection } from '../wallets/connection.ts';
import type { FoundWallet } from '../wallets/standard.ts';
import type { Failure } from './failure-words.ts';
import { clusterOf, type Terms } from './order.ts';
import type { Purchase } from './purchase.ts';
import { QrCode } from './qr-code.tsx';
import { Review } from './review.tsx';

/** The browser's wallets that can sign, and the connection to one of them. */
export interface BuyersBrowser {
  readonly wallets: ReadonlySignal<readonly FoundWallet[]>;
  readonly connection: Connection;
}

interface CheckoutProps {
  readonly purchase: Purchase;
  readonly browser: BuyersBrowser;
  readonly terms: Terms;
}

/** The steps to a payment: connect a wallet, review, sign. */
export function Checkout({ purchase, browser: { wallets, connection }, terms }: CheckoutProps) {
  const found = wallets.value;
  const failure = purchase.failure.value;
  const connected = connection.connected.value;
  const fault = connection.fault.value;
  const isLocal = clusterOf(terms) === 'localnet';
  return (
    <>
      {failure === null ? null : (
        <Note kind="bad">
          <b>{failure.title}</b> <HostileText text={failure.text} />
          {failure.deposit === undefined ? null : (
            <HowToDeposit deposit={failure.deposit} isLocal={isLocal} />
          )}
        </Note>
      )}
      {fault === null ? null : (
        <Note kind="bad">
          <b>The wallet did not connect.</b> <HostileText text={fault} />
        </Note>
      )}
      {connected === null ? (
        <>
          {found.length === 0 ? null : <Wallets wallets={found} connection={connection} />}
          <Phone isOpen={found.length === 0} isLocal={isLocal} />
        </>
      ) : (
        <Payment purchase={purchase} connection={connection} connected={connected} />
      )}
    </>
  );
}

interface HowToDepositProps {
  readonly deposit: NonNullable<Failure['deposit']>;
  readonly isLocal: boolean;
}

/** Terminal commands for developers, by kind of deposit. */
const COMMANDS: Readonly<Record<HowToDepositProps['deposit'], string>> = {
  first: 'spp fund; spp deposit AMOUNT',
  more: 'spp undelegate; spp deposit AMOUNT',
  again: 'spp undelegate; spp withdraw AMOUNT; spp deposit AMOUNT',
};

function HowToDeposit({ deposit, isLocal }: HowToDepositProps) {
  return (
    <p class="small">
      {deposit === 'more'
        ? 'To add to a balance, first take it off the rollup (“undelegate”), then deposit. Your old balance comes back with the deposit. '
        : null}
      Deposit with the app that holds your balance, or with{' '}
      <a href="/reference" target="_blank" rel="noreferrer">
        the API of this service
      </a>
      .{isLocal ? ' In the terminal: ' : null}
      {isLocal ? <code>{COMMANDS[deposit]}</code> : null}
    </p>
  );
}

interface WalletsProps {
  readonly wallets: readonly FoundWallet[];
  readonly connection: Connection;
}

function Wallets({ wallets, connection }: WalletsProps) {
  const asking = connection.asking.value;
  return (
    <div class="pad acts stack">
      {wallets.map((wallet, at) => (
        <Button
          key={at}
          kind={at === 0 ? 'main' : 'plain'}
          big
          busy={asking === wallet}
          reason={asking !== null && asking !== wallet ? 'Another wallet is connecting.' : undefined}
          onClick={() => void connection.connect(wallet)}
        >
          <span>
            Connect <HostileText text={wallet.name} />
          </span>
        </Button>
      ))}
      {asking === null ? null : <Button onClick={connection.callOff}>Cancel</Button>}
    </div>
  );
}

/** Whether only this machine can open an address. */
const isOfThisMachine = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

/** Shows how to open the page in the wallet app of a phone. */
function Phone({ isOpen, isLocal }: { readonly isOpen: boolean; readonly isLocal: boolean }) {
  return (
    <details open={isOpen}>
      <summary>{isOpen ? 'No wallet found in this browser' : 'Pay with a phone'}</summary>
      <div class="pad center stack">
        {isOpen ? (
          <p>
            This page needs a Solana wallet that can sign without sending (Wallet Standard,{' '}
            <code>solana:signTransaction</code>).
          </p>
        ) : null}
        <QrCode text={location.href} label="QR code with the address of this page" />
        <p>Scan this code with your wallet app. It opens this page in its own browser, where you can pay.</p>
        {isOfThisMachine(location.hostname) ? (
          <p class="small muted">
            Only this machine can open this address. Phones need the PUBLIC_URL of the service.
          </p>
        ) : null}
        {isLocal ? (
          <p class="small muted">
            Developers: <code>docs/merchants.md</code> shows how to pay from the terminal.
          </p>
        ) : null}
      </div>
    </details>
  );
}

interface PaymentProps {
  readonly purchase: Purchase;
  readonly connection: Connection;
  readonly connected: Connected;
}

/** The connected wallet, and what it can do next. */
function Payment({ purchase, connection, connected }: PaymentProps) {
  const { wallet, address } = connected;
  const order = purchase.order.value;
  const step = purchase.step.value;
  const isOther = order !== null && order.payer !== address;
  const disconnect = (): void => {
    purchase.cancel();
    connection.forget();
  };
  return (
    <>
      <div class="pad row wrap with">
        <span class="grow">
          <span class="dim small">Wallet</span> <Address address={address} copy />
        </span>
        {step.kind === 'signing' || step.kind === 'sending' ? null : (
          <Button onClick={disconnect}>Disconnect</Button>
        )}
      </div>
      {isOther ? (
        <Note kind="bad">
          <b>The order is for a different wallet.</b> Choose it in your wallet, or ask the merchant for an
          order for this one. The order is for <Address address={order.payer} length="whole" />
        </Note>
      ) : step.kind === 'review' || step.kind === 'signing' ? (
        <Review purchase={purchase} prepared={step.prepared} wallet={wallet} address={address} />
      ) : (
        <div class="pad acts">
          <Button kind="main" big busy={step.kind !== 'idle'} onClick={() => void purchase.review(address)}>
            {step.kind === 'sending' ? 'Paying' : 'Review payment'}
          </Button>
        </div>
      )}
    </>
  );
}
