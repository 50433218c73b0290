import { Toast } from '../parts/copy.tsx';
import { Mark } from '../parts/mark.tsx';
import { Skeleton } from '../parts/states.tsx';
import { Bill } from './bill.tsx';
import { type BuyersBrowser, Checkout } from './checkout.tsx';
import { type Failure, INCOMPLETE } from './failure-words.ts';
import { Outcome } from './outcome.tsx';
import type { Purchase } from './purchase.ts';

interface PayPageProps {
  /** The purchase; null if the address of the page is incomplete. */
  readonly purchase: Purchase | null;
  readonly browser: BuyersBrowser;
}

/** The payment page. */
export function PayPage({ purchase, browser }: PayPageProps) {
  return (
    <>
      <header class="top">
        <span class="brand">
          <Mark />
          <span>Private Payments</span>
        </span>
      </header>
      <main>
        <section class="card pay" aria-label="Payment">
          {purchase === null ? (
            <Dead failure={INCOMPLETE} />
          ) : (
            <Content purchase={purchase} browser={browser} />
          )}
        </section>
      </main>
      <Toast />
    </>
  );
}

function Content({ purchase, browser }: { readonly purchase: Purchase; readonly browser: BuyersBrowser }) {
  const terms = purchase.terms.value;
  const order = purchase.order.value;
  const failure = purchase.failure.value;
  const isOffline = purchase.isOffline.value;
  if (terms === null && failure !== null) return <Dead failure={failure} />;
  if (terms === null) {
    return (
      <>
        <div class="due">
          <h1>Payment</h1>
          <p>{isOffline ? 'The service does not answer. Trying again.' : null}</p>
        </div>
        <Skeleton rows={5} />
      </>
    );
  }
  return (
    <>
      <Bill terms={terms} order={order} nowMs={() => purchase.nowMs()} />
      <Outcome terms={terms} order={order} isOffline={isOffline} />
      {order === null || order.status === 'created' ? (
        <Checkout purchase={purchase} browser={browser} terms={terms} />
      ) : null}
    </>
  );
}

/** The message at an address that opens no payment. */
const Dead = ({ failure }: { readonly failure: Failure }) => (
  <div class="due" role="alert">
    <h1>{failure.title}</h1>
    <p>{failure.text}</p>
  </div>
);
