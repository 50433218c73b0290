import { decodeBase64, encodeBase64 } from '../parts/encodings.ts';
import { type exchange, ServiceFailure } from '../parts/service-api.ts';
import { msOf } from '../parts/short-text.ts';
import { signal } from '../parts/signal.ts';
import { type Failure, failureOf, LOST, UNKNOWN_OUTCOME, WOULD_FAIL } from './failure-words.ts';
import { clusterOf, isOver, isReturning, type Order, type Prepared, type Terms } from './order.ts';
import { type Place, readPlace } from './place.ts';

/** The buyer's current step. A prepared payment waits for the signature. */
type Step =
  | { readonly kind: 'idle' | 'preparing' | 'sending' }
  | { readonly kind: 'review' | 'signing'; readonly prepared: Prepared };

/** The parts of the browser that a purchase uses. */
interface PurchasePorts {
  readonly exchange: typeof exchange;
  /** ms since 1970. */
  nowMs(): number;
  /** Resolves after `ms`, but not before the page is visible. */
  wait(ms: number): Promise<void>;
  /** Replaces the address of the page, without loading it. */
  replaceAddress(path: string): void;
  /** Creates a random UUID of version 4. */
  randomUuid(): string;
  /** The storage of this tab. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

/** Signs a transaction on a chain with the wallet of the buyer. */
type Sign = (transaction: Uint8Array, chain: string) => Promise<Uint8Array>;

/** Time between two reads of an order, ms. It doubles after each failure, up to the maximum. */
const POLL_MS = 2_000;
const POLL_MS_MAX = 30_000;

/** Accuracy of the `Date` header, including the time of a response, ms. */
const DATE_MS = 2_000;

/** Codes of permanent failures. */
const FINAL_CODES = new Set<string | null>(['PAYMENT_UNAUTHORIZED', 'PAYMENT_LINK_NOT_FOUND']);

const IDLE: Step = { kind: 'idle' };

/** A purchase with an order or a payment link. */
export class Purchase {
  /** The terms of the order or the link; null before they are read. */
  readonly terms = signal<Terms | null>(null);
  /** The order; null before it is read, and on a link until the buyer has one. */
  readonly order = signal<Order | null>(null);
  readonly step = signal<Step>(IDLE);
  /** Why the last step failed; null if it did not. */
  readonly failure = signal<Failure | null>(null);
  /** Whether the last read failed and will be retried. */
  readonly isOffline = signal(false);
  readonly #ports: PurchasePorts;
  /** Time by which the clock of the service is ahead, ms. */
  #aheadMs = 0;
  #place: Place;

  constructor(place: Place, ports: PurchasePorts) {
    this.#place = place;
    this.#ports = ports;
  }

  /** The time of the service, ms since 1970. */
  nowMs(): number {
    return this.#ports.nowMs() + this.#aheadMs;
  }

  /** Reads an order until it and its refunds are final. Reads the terms of a link only once. */
  async follow(): Promise<void> {
    const place = this.#place;
    for (let delayMs = POLL_MS; place === this.#place;) {
      const before = this.order.peek();
      try {
        const read = await this.#call<Order>('');
        // Ignores the response if a step has received a newer one in the meantime.
        if (place === this.#place && before === this.order.peek()) this.#show(read);
        this.isOffline.value = false;
        delayMs = POLL_MS;
        if (place.kind === 'link' || (isOver(read) && !isReturning(read))) return;
      } catch (error) {
        if (FINAL_CODES.has(codeOf(error))) {
          this.failure.value = failureOf(error, null);
          return;
        }
        this.isOffline.value = true;
        delayMs = Math.min(delayMs * 2, POLL_MS_MAX);
      }
      await this.#ports.wait(delayMs);
    }
  }

  /** Prepares the payment for review. On a link, creates an order for this wallet first. */
  async review(wallet: string): Promise<void> {
    this.failure.value = null;
    this.step.value = { kind: 'preparing' };
    try {
      if (this.#place.kind === 'link') await this.#createOrder(wallet);
      const prepared = await this.#call<Prepared>('/prepare', { explain: true });
      if (prepared.explanation.simulation?.status === 'fails') return this.#fail(WOULD_FAIL);
      this.step.value = { kind: 'review', prepared };
    } catch (error) {
      this.#fail(failureOf(error, this.order.peek()));
    }
  }

  /** Cancels the review. */
  cancel(): void {
    this.failure.value = null;
    this.step.value = IDLE;
  }

  /** Signs the reviewed payment and passes it to the service, which sends it. */
  async pay({ transactionBase64, ...rest }: Prepared, sign: Sign): Promise<void> {
    this.failure.value = null;
    this.step.value = { kind: 'signing', prepared: { transactionBase64, ...rest } };
    const order = this.order.peek() as Order;
    let signed: Uint8Array;
    try {
      const transaction = decodeBase64(transactionBase64) ?? new Uint8Array();
      signed = await sign(transaction, `solana:${clusterOf(order)}`);
    } catch (error) {
      const text = `${error instanceof Error ? error.message : 'It gave no reason.'} Nothing was paid.`;
      return this.#fail({ title: 'The wallet did not sign.', text });
    }
    this.step.value = { kind: 'sending' };
    try {
      this.#show(await this.#call<Order>('/settle', { transactionBase64: encodeBase64(signed) }));
      this.step.value = IDLE;
    } catch (error) {
      // Without a code, the service did not respond or the order failed. `follow` finds out which.
      this.#fail(codeOf(error) === null ? UNKNOWN_OUTCOME : failureOf(error, order));
    }
  }

  #fail(failure: Failure): void {
    this.step.value = IDLE;
    this.failure.value = failure;
  }

  #show(read: Order): void {
    const before = this.order.peek();
    if (before?.status === 'pending' && read.status === 'created') this.failure.value = LOST;
    // The failure of a step no longer matters once the payment is made.
    if (isOver(read) || read.status === 'pending') this.failure.value = null;
    this.terms.value = read;
    if (this.#place.kind === 'order') this.order.value = read;
  }

  /** Creates an order for a wallet. The page moves to its address, so that it can be reloaded. */
  async #createOrder(payer: string): Promise<void> {
    const { storage, randomUuid, replaceAddress } = this.#ports;
    const kept = `spl-private-payments.checkout.${this.#place.id}`;
    for (let key = storage.getItem(kept); ; key = null) {
      const used = key ?? randomUuid();
      storage.setItem(kept, used);
      const made = await this.#call<NewOrder>('/checkouts', { payer }, { 'idempotency-key': used });
      // The order of an earlier purchase in this tab is over, so the buyer wants a new one.
      if (isOver(made.payment) && key !== null) continue;
      const page = new URL(made.pageUrl);
      this.#place = readPlace(page) as Place;
      replaceAddress(`${page.pathname}${page.hash}`);
      this.#show(made.payment);
      void this.follow();
      return;
    }
  }

  #call<T>(path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<T> {
    const place = this.#place;
    const init: RequestInit = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(place.kind === 'order' && { authorization: `Bearer ${place.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const at =
      place.kind === 'order' ? `payments/${place.id}` : `payment-links/${place.merchant}/${place.id}`;
    return this.#ports.exchange<T>(`/v1/${at}${path}`, init, (answer) => {
      const date = msOf(answer.headers.get('date') ?? '');
      const aheadMs = date - this.#ports.nowMs();
      // The header has whole seconds, so small differences mean nothing.
      this.#aheadMs = Math.abs(aheadMs) > DATE_MS ? aheadMs : 0;
    });
  }
}

/** The response to a new order. */
interface NewOrder {
  readonly payment: Order;
  readonly pageUrl: string;
}

const codeOf = (error: unknown): string | null => (error instanceof ServiceFailure ? error.code : null);
