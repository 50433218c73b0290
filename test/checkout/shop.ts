import type { Keypair } from '../../src/ledger/keypair.ts';
import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { signBuilt } from '../../src/rollup/testing/payment-scene.ts';
import { waitFor } from '../stack-process.ts';

/** A payment for an order or a refund, as its signer sees it. */
export interface Transfer {
  /** The merchant's own id for it. */
  readonly reference: string;
  /** Base units. */
  readonly amount: bigint;
  /** The transactions that were signed, base64. */
  readonly signed: Set<string>;
  /** Whether the service has reported it as paid. */
  isToldPaid: boolean;
  /** The last state that the service returned. */
  status: string;
}

/** An order, and its refunds. */
export interface Sale extends Transfer {
  readonly refunds: Transfer[];
}

/** How a signed payment is sent. */
export type Manner = 'once' | 'twice' | 'two transactions';

type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

interface ShopParts {
  /** The services. Each call uses one of them. */
  readonly urls: readonly string[];
  readonly merchant: Keypair;
  readonly buyer: Keypair;
  readonly random: SeededRandom;
  /** Called after each response. */
  readonly onAnswer: () => void;
}

const newTransfer = (reference: string, amount: bigint): Transfer => ({
  reference,
  amount,
  signed: new Set(),
  isToldPaid: false,
  status: 'created',
});

export const newSale = (reference: string, amount: bigint): Sale => ({
  ...newTransfer(reference, amount),
  refunds: [],
});

/** Adds a refund to an order that is paid. */
export function addRefund(sale: Sale, amount: bigint): Transfer {
  const refund = newTransfer(`refund ${sale.refunds.length + 1}`, amount);
  sale.refunds.push(refund);
  return refund;
}

/** A merchant and a buyer. Calls reject if the service is killed, and can then be repeated. */
export class Shop {
  readonly #parts: ShopParts;
  #credentials: Headers = {};

  constructor(parts: ShopParts) {
    this.#parts = parts;
  }

  /** Registers the merchant and its URL for events. Returns the secret of the events. */
  async register(webhookUrl: string): Promise<string> {
    // A busy service may register the merchant but answer too late. The key can then be replaced.
    const apiKey = (await this.#newKey('register')) ?? (await waitFor(() => this.#newKey('rotate-key')));
    const { address } = this.#parts.merchant;
    this.#credentials = { authorization: `Bearer ${apiKey}`, 'x-merchant-id': address };
    return await waitFor(
      async () => (await this.#call('/v1/merchants/webhook', { url: webhookUrl }))['secret'] as string,
    );
  }

  async #newKey(purpose: 'register' | 'rotate-key'): Promise<string | undefined> {
    const { merchant, urls } = this.#parts;
    const wallet = merchant.address;
    // A challenge contains the origin that it was requested from.
    const merchants = `${urls[0]}/v1/merchants`;
    const { id, message } = await ask(`${merchants}/challenge`, { wallet, purpose });
    const signature = Buffer.from(merchant.sign(Buffer.from(String(message)))).toString('base64');
    const proof = { wallet, challengeId: id, signature };
    const { apiKey } = await ask(purpose === 'register' ? merchants : `${merchants}/${purpose}`, proof);
    return apiKey as string | undefined;
  }

  /** Creates an order, and pays it unless it is paid or pending. */
  async pay(sale: Sale, manner: Manner): Promise<void> {
    const { buyer } = this.#parts;
    const { id, accessToken, status } = await this.#order(sale);
    note(sale, status);
    if (status !== 'created') return;
    const path = `/v1/payments/${id}`;
    const asBuyer = { authorization: `Bearer ${accessToken}` };
    const prepare = async (): Promise<string> =>
      signBuilt(buyer, String((await this.#call(`${path}/prepare`, {}, asBuyer))['transactionBase64']));
    const transactions = [await prepare()];
    if (manner === 'twice') transactions.push(...transactions);
    if (manner === 'two transactions') {
      // A newer blockhash makes it a different transaction.
      do transactions.push(await prepare());
      while (new Set(transactions).size === 1);
    }
    await Promise.all(transactions.map((each) => this.#settle(sale, `${path}/settle`, each, asBuyer)));
  }

  /** Sends a signed payment again, like a client that got no response. */
  async payAgain(sale: Sale): Promise<void> {
    const [transaction] = sale.signed;
    if (transaction === undefined) return await this.pay(sale, 'once');
    const { id, accessToken } = await this.#order(sale);
    const asBuyer = { authorization: `Bearer ${accessToken}` };
    await this.#settle(sale, `/v1/payments/${id}/settle`, transaction, asBuyer);
  }

  /** Creates a refund, and signs and sends it unless it is paid or pending. */
  async refund(sale: Sale, refund: Transfer): Promise<void> {
    const { id } = await this.#order(sale);
    const path = `/v1/payments/${id}/refunds`;
    const { reference, amount } = refund;
    const made = await this.#call(path, { reference, amount: String(amount) });
    if (made['code'] === 'REFUND_TOO_LARGE') return void (refund.status = 'refused');
    const shown = made['refund'] as { readonly id: string; readonly status: string };
    note(refund, shown.status);
    if (shown.status !== 'created') return;
    const transaction = signBuilt(this.#parts.merchant, String(made['transactionBase64']));
    await this.#settle(refund, `${path}/${shown.id}/settle`, transaction, this.#credentials);
  }

  /** Pays an order until it is paid. */
  async payToTheEnd(sale: Sale): Promise<void> {
    await waitFor(async () => {
      // Half of the clients send the same transaction again first.
      await (this.#parts.random.integer(2) === 0 ? this.payAgain(sale) : this.pay(sale, 'once'));
      return sale.isToldPaid;
    });
  }

  /** Sends a refund until it is paid or refused. */
  async refundToTheEnd(sale: Sale, refund: Transfer): Promise<void> {
    await waitFor(async () => {
      await this.refund(sale, refund);
      return refund.isToldPaid || refund.status === 'refused';
    });
  }

  /** Waits until an order and its refunds have an outcome, if any were signed, and all events have arrived. */
  async untilOver(sale: Sale): Promise<void> {
    const { id } = await waitFor(() => this.#order(sale));
    await waitFor(async () => {
      const shown = await this.#call(`/v1/payments/${id}`, undefined);
      const refunds = shown['refunds'] as readonly { readonly reference: string; readonly status: string }[];
      sale.status = String(shown['status']);
      for (const refund of sale.refunds)
        refund.status = refunds.find(({ reference }) => reference === refund.reference)?.status ?? 'refused';
      const { data } = await this.#call(`/v1/payments/${id}/events`, undefined);
      const events = data as readonly { readonly delivery: { readonly state: string } }[];
      const isPending = [sale, ...sale.refunds].some(({ status }) => status === 'pending');
      return !isPending && events.every(({ delivery }) => delivery.state === 'delivered');
    });
  }

  async #order({ reference, amount }: Sale) {
    const terms = { payer: this.#parts.buyer.address, externalReference: reference, amount: String(amount) };
    const { payment, accessToken } = (await this.#call('/v1/payments', terms)) as {
      readonly payment: { readonly id: string; readonly status: string };
      readonly accessToken: string;
    };
    return { ...payment, accessToken };
  }

  async #settle(transfer: Transfer, path: string, transactionBase64: string, as: Headers): Promise<void> {
    transfer.signed.add(transactionBase64);
    note(transfer, String((await this.#call(path, { transactionBase64 }, as))['status']));
  }

  async #call(path: string, body: object | undefined, as = this.#credentials): Promise<Members> {
    const { urls, random, onAnswer } = this.#parts;
    const answer = await ask(`${urls[random.integer(urls.length)]}${path}`, body, as);
    onAnswer();
    return answer;
  }
}

function note(transfer: Transfer, status: string): void {
  transfer.status = status;
  if (status === 'paid') transfer.isToldPaid = true;
}

/** Makes a call. Rejects if the connection fails. */
export async function ask(url: string, body: object | undefined, headers: Headers = {}): Promise<Members> {
  const response = await fetch(url, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return (await response.json()) as Members;
}
