import { Address } from '../parts/address.tsx';
import { Button } from '../parts/button.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { Note } from '../parts/states.tsx';
import type { FoundWallet } from '../wallets/standard.ts';
import { Price } from './bill.tsx';
import { isAsOrdered, type Order, type Prepared } from './order.ts';
import type { Purchase } from './purchase.ts';

interface ReviewProps {
  readonly purchase: Purchase;
  readonly prepared: Prepared;
  readonly wallet: FoundWallet;
  readonly address: string;
}

/** Shows what will be signed, from the bytes that the wallet receives. */
export function Review({ purchase, prepared, wallet, address }: ReviewProps) {
  const order = purchase.order.value as Order;
  const { instructions, simulation } = prepared.explanation;
  if (!isAsOrdered(prepared, order)) {
    return (
      <Note kind="bad">
        <b>This transaction does not match the order, so it is not signed.</b> Contact the merchant.
      </Note>
    );
  }
  const sign = (transaction: Uint8Array, chain: string): Promise<Uint8Array> =>
    (wallet.sign as NonNullable<FoundWallet['sign']>)(address, transaction, chain);
  return (
    <section aria-label="What you sign">
      <Effect who="You" address={order.payer} order={order} base={-BigInt(order.amount)} />
      <Effect who="Merchant" address={order.merchantId} order={order} base={BigInt(order.amount)} />
      <div class="facts">
        <span>
          Network fee <b>none</b>
        </span>
        <span>Nothing else happens.</span>
      </div>
      <details>
        <summary>Instructions</summary>
        <ol class="pad stack small">
          {instructions.map(({ text }, at) => (
            <li key={at}>
              <HostileText text={text} />
            </li>
          ))}
        </ol>
      </details>
      <div class="pad acts stack">
        <Button
          kind="main"
          big
          busy={purchase.step.value.kind === 'signing'}
          onClick={() => void purchase.pay(prepared, sign)}
        >
          Sign and pay
        </Button>
        {simulation?.status === 'succeeds' ? null : (
          <p class="small">
            Your balance is not checked before you sign. If it is too small, nothing is paid.
          </p>
        )}
        <p class="small muted">
          Your wallet may say that it cannot simulate this payment, because it cannot read this ledger. This
          service sends the payment.
        </p>
      </div>
    </section>
  );
}

interface EffectProps {
  readonly who: string;
  readonly address: string;
  readonly order: Order;
  readonly base: bigint;
}

function Effect({ who, address, order, base }: EffectProps) {
  return (
    <div class="eff">
      <div class="row wrap">
        <b>{who}</b> <Address address={address} />
      </div>
      <Price terms={order} base={base} size="mid" />
      <div class="small dim">balance on this ledger</div>
    </div>
  );
}
