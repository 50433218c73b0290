import { type Answer, HttpClient } from '../../../test/conformance/http-client.ts';
import { startService } from '../../../test/conformance/running-service.ts';
import { findFaults } from '../../../test/upstreams/schema-faults.ts';
import { Clusters } from '../../chain/clusters.ts';
import type { HttpServer } from '../../http/server.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { systemClock } from '../../ports/clock.ts';
import { silentLogger } from '../../ports/logger.ts';
import { systemRandom } from '../../ports/random.ts';
import { MemoryTables } from '../../ports/tables.ts';
import { systemTimer } from '../../ports/timer.ts';
import { USDC_MINT } from '../../programs/addresses.ts';
import { openPaymentScene, type PaymentScene, signBuilt } from '../../rollup/testing/payment-scene.ts';
import { PaymentFollower, type SettlementLedger } from '../../settlement/payment-follower.ts';
import { TablePaymentStore } from '../../settlement/payment-store.ts';
import { Access } from '../access.ts';
import { Checkout } from '../checkout.ts';
import { Merchants } from '../merchants.ts';
import { TableRecordStore } from '../record-store.ts';
import type { Order } from '../order.ts';
import { Refunds } from '../refunds.ts';
import { TransferSender } from '../transfer-sender.ts';
import { CHECKOUT_SCHEMES, createCheckoutPaths } from '../openapi-paths.ts';
import { CHECKOUT_CALLS, createCheckoutRoutes } from '../routes.ts';

/** Base units of USDC that each wallet has on the rollup. */
export const FUNDS = 1_000_000n;

/** The origin of the service in URLs and challenges. */
export const ORIGIN = 'https://pay.example.com';

export type Members = Readonly<Record<string, unknown>>;

/** Credentials of a caller. */
export type Credentials = Readonly<Record<string, string>>;

interface Reply {
  readonly status: number;
  readonly headers: Answer['headers'];
  readonly body: Members;
  readonly text: string;
}

/** The response to `POST /v1/payments`. */
export interface NewOrder {
  readonly payment: Members & { readonly id: string };
  readonly accessToken: string;
}

/**
 * A localnet, and a service with merchants. The merchant and the payer have private accounts on the rollup.
 */
export class CheckoutScene {
  readonly payments: PaymentScene;
  readonly merchant: Keypair;
  readonly payer: Keypair;
  readonly tables = new MemoryTables();
  /** Time by which the clock of the service is ahead, in ms. */
  aheadMs = 0;
  readonly clock = { now: (): number => systemClock.now() + this.aheadMs };
  readonly store = new TablePaymentStore(this.tables, this.clock);
  /** The rollup as the follower sees it. */
  ledger: SettlementLedger;
  readonly follower: PaymentFollower;
  readonly merchants: Merchants;
  readonly checkout: Checkout;
  readonly refunds: Refunds;
  #server: HttpServer | undefined;
  #client: HttpClient | undefined;
  #orders = 0;

  private constructor(payments: PaymentScene, [merchant, payer]: readonly [Keypair, Keypair]) {
    this.payments = payments;
    this.merchant = merchant;
    this.payer = payer;
    this.ledger = payments.chain.rollup as SettlementLedger;
    this.follower = new PaymentFollower({
      payments: this.store,
      ledgerOf: () => this.ledger,
      clock: this.clock,
      timer: systemTimer,
      logger: silentLogger,
    });
    const secret = new Uint8Array(32).fill(7);
    this.merchants = new Merchants({
      store: new TableRecordStore(this.tables, 'merchants'),
      secret,
      allowed: [],
      webhookOrigins: ['https://shop.example.com'],
      clock: this.clock,
      random: systemRandom,
    });
    const { follower, clusters, clock } = this;
    const sender = new TransferSender(follower, clock);
    const orders = new TableRecordStore<Order>(this.tables, 'orders');
    this.refunds = new Refunds({ orders, follower, sender, clusters, clock });
    this.checkout = new Checkout({
      orders,
      links: new TableRecordStore(this.tables, 'links'),
      follower,
      sender,
      clusters,
      mints: [],
      secret,
      clock,
    });
  }

  static async open(): Promise<CheckoutScene> {
    const payments = await openPaymentScene();
    const wallets = [await payments.wallet(), await payments.wallet()] as const;
    for (const wallet of wallets) {
      await payments.base.airdropTokens(wallet.address, USDC_MINT, FUNDS);
      const args = { owner: wallet.address, mint: USDC_MINT, amount: String(FUNDS), private: true };
      await payments.do(wallet, 'deposit', { ...args, initIfMissing: true, initVaultIfMissing: true });
    }
    await payments.rollup.settled();
    const scene = new CheckoutScene(payments, wallets);
    await scene.#serve();
    return scene;
  }

  /** The URL of the service. */
  get url(): string {
    return `http://127.0.0.1:${this.#server?.port}`;
  }

  get clusters(): Clusters {
    return new Clusters([this.payments.chain]);
  }

  async #serve(): Promise<void> {
    const { checkout, refunds, follower, merchants, clock, clusters } = this;
    const routes = createCheckoutRoutes({
      checkout,
      refunds,
      follower,
      merchants,
      clusters,
      access: new Access(checkout, merchants),
      clock,
      publicOrigin: ORIGIN,
    });
    this.#server = await startService({
      extensions: [
        {
          calls: CHECKOUT_CALLS,
          routes,
          paths: createCheckoutPaths(),
          securitySchemes: CHECKOUT_SCHEMES,
        },
      ],
    });
    this.#client = new HttpClient(this.#server.port);
  }

  async post(path: string, body?: object | string, headers: Credentials = {}): Promise<Reply> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = { 'content-type': 'application/json' };
    return await this.#ask({
      path,
      headers: { ...(text !== undefined && type), ...headers },
      body: text ?? '',
    });
  }

  async get(path: string, headers: Credentials = {}): Promise<Reply> {
    return await this.#ask({ method: 'GET', path, headers });
  }

  async #ask(request: Parameters<HttpClient['ask']>[0]): Promise<Reply> {
    const { status, headers, text } = await (this.#client as HttpClient).ask(request);
    const type = String(headers['content-type']);
    const body = /json/.test(type) ? (JSON.parse(text) as Members) : {};
    if (type === 'application/json')
      requireDescribed(request.method ?? 'POST', request.path ?? '', status, body);
    return { status, headers, text, body };
  }

  /** Requests a challenge and returns its proof. */
  async prove(purpose: 'register' | 'rotate-key' = 'register', wallet = this.merchant): Promise<object> {
    const { body } = await this.post('/v1/merchants/challenge', { wallet: wallet.address, purpose });
    const signature = wallet.sign(Buffer.from(String(body['message'])));
    return {
      wallet: wallet.address,
      challengeId: body['id'],
      signature: Buffer.from(signature).toString('base64'),
    };
  }

  /** Registers the merchant, or gives it a new key. Returns its credentials. */
  async register(wallet = this.merchant): Promise<Credentials> {
    let answer = await this.post('/v1/merchants', await this.prove('register', wallet));
    if (answer.status === 409) {
      this.aheadMs += 150_000;
      answer = await this.post('/v1/merchants/rotate-key', await this.prove('rotate-key', wallet));
    }
    if (answer.status !== 200) throw new Error(answer.text);
    return { authorization: `Bearer ${String(answer.body['apiKey'])}`, 'x-merchant-id': wallet.address };
  }

  /** Returns the body that creates an order. */
  terms(members: Members = {}): Members {
    this.#orders += 1;
    return {
      payer: this.payer.address,
      externalReference: `order ${this.#orders}`,
      amount: '10000',
      ...members,
    };
  }

  async order(merchant: Credentials, members: Members = {}): Promise<NewOrder> {
    const { status, body, text } = await this.post('/v1/payments', this.terms(members), merchant);
    if (status !== 200) throw new Error(text);
    return body as unknown as NewOrder;
  }

  /** Prepares the payment of an order, and signs it. */
  async sign({ payment, accessToken }: NewOrder, signer = this.payer): Promise<string> {
    const { status, body, text } = await this.post(
      `/v1/payments/${payment.id}/prepare`,
      undefined,
      bearer(accessToken),
    );
    if (status !== 200) throw new Error(text);
    return signBuilt(signer, String(body['transactionBase64']));
  }

  /** Sends the signed payment of an order. */
  async settle({ payment, accessToken }: NewOrder, transactionBase64: string): Promise<Reply> {
    return await this.post(`/v1/payments/${payment.id}/settle`, { transactionBase64 }, bearer(accessToken));
  }

  /** Returns the private balance of a wallet, in base units of USDC. */
  async balance(wallet: Keypair): Promise<bigint> {
    const token = await this.payments.logIn(wallet);
    return (await this.payments.balances(wallet, USDC_MINT, token)).rollup;
  }

  async close(): Promise<void> {
    await this.follower.close();
    this.#client?.close();
    await this.#server?.close();
    await this.payments.close();
  }
}

/** Returns credentials with the access token of an order. */
export const bearer = (token: string): Credentials => ({ authorization: `Bearer ${token}` });

type Described = Readonly<
  Record<
    string,
    { readonly responses: Record<number, { readonly content: Record<string, { schema: Members }> }> }
  >
>;

/** The operations of the merchant API, and a pattern for their paths. */
const DESCRIBED = Object.entries(createCheckoutPaths()).map(
  ([path, item]) =>
    [new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`), item as Described] as const,
);

/** @throws Error if a response of the merchant API differs from its OpenAPI description. */
function requireDescribed(method: string, path: string, status: number, body: Members): void {
  const operation = DESCRIBED.find(([form]) => form.test(path))?.[1][method.toLowerCase()];
  if (operation === undefined) return;
  const schema = operation.responses[status]?.content['application/json']?.schema;
  const faults = schema === undefined ? [`${status} is not described`] : findFaults(schema, body);
  if (faults.length > 0) throw new Error(`${method} ${path}: ${faults.join(', ')}`);
}
