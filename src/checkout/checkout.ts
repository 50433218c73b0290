import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { readMint, requireHoldable } from '../payments/mints/mint-facts.ts';
import type { Clock } from '../ports/clock.ts';
import { TOKEN_PROGRAM } from '../programs/addresses.ts';
import { decodeMintExtensions } from '../programs/token/mint-extensions.ts';
import { BlockhashLives } from '../settlement/blockhash-life.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import type { OrderLink, Payment } from '../settlement/payment-store.ts';
import { type Address, isAddress } from '../solana/address.ts';
import {
  type AgreedTransfer,
  type PreparedTransfer,
  prepareTransfer,
  readSignedTransfer,
  rollupOf,
  type SignedTransfer,
} from './agreed-transfer.ts';
import type { OrderInput } from './input.ts';
import {
  digest,
  identifierOf,
  type Order,
  orderClusters,
  type OrderTerms,
  type OrderWithPayment,
  type PaymentLink,
  type Refund,
  requireSameInput,
  statusOf,
  transferOf,
} from './order.ts';
import type { RecordStore } from './record-store.ts';

interface CheckoutParts {
  readonly orders: RecordStore<Order>;
  readonly links: RecordStore<PaymentLink>;
  readonly follower: PaymentFollower;
  readonly clusters: Clusters;
  /** Mints that orders may use in addition to each cluster's default. */
  readonly mints: readonly string[];
  /** Key of the access tokens, the same in all replicas. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
}

/**
 * Orders of merchants, which payers pay on a rollup with a transaction that they sign and send through this
 * service. The signed bytes are stored before they are sent. At most one payment of an order can land: a new
 * transaction is accepted only after it is certain that the one before never lands.
 */
export class Checkout {
  readonly #parts: CheckoutParts;
  readonly #lives: BlockhashLives;

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
    this.#lives = new BlockhashLives(parts.clock);
  }

  /**
   * Creates an order, or returns the one that the same request has created.
   *
   * @param origin the public origin of this service.
   * @throws {ServiceError} INVALID_PAYMENT_ACCOUNTS, INVALID_PAYMENT_MINT, CLUSTER_NOT_ALLOWED,
   *   PAYMENT_ORDER_CONFLICT; the errors of reading a mint.
   */
  async create(merchant: string, payer: string, input: OrderInput, origin: string): Promise<Order> {
    if (payer === merchant) {
      throw new ServiceError('INVALID_PAYMENT_ACCOUNTS', 'payer must not be the wallet of the merchant', {
        field: 'payer',
      });
    }
    const { orders, clock } = this.#parts;
    const inputHash = digest({ payer, ...input });
    const id = digest([merchant, input.externalReference], 'payment:');
    const known = await orders.get(id);
    if (known !== undefined) return requireSameInput(known, inputHash, 'PAYMENT_ORDER_CONFLICT');
    const terms = await this.#termsOf(input);
    const now = clock.now();
    const order: Order = {
      id,
      owner: merchant,
      version: 0,
      createdMs: now,
      payer,
      ...terms,
      resource: terms.resource ?? `${origin}/v1/payments/${id}`,
      expiresMs: now + input.expiresInSeconds * 1_000,
      inputHash,
      refunds: [],
    };
    return requireSameInput(await orders.create(order), inputHash, 'PAYMENT_ORDER_CONFLICT');
  }

  /**
   * Creates a payment link, or returns the one that the same request has created. Errors as {@link create}.
   */
  async createLink(merchant: string, input: OrderInput): Promise<PaymentLink> {
    const { links, clock } = this.#parts;
    const inputHash = digest(input);
    const id = digest([merchant, input.externalReference], 'link:');
    const link: PaymentLink = {
      id,
      owner: merchant,
      version: 0,
      createdMs: clock.now(),
      ...(await this.#termsOf(input)),
      expiresInSeconds: input.expiresInSeconds,
      inputHash,
    };
    return requireSameInput(await links.create(link), inputHash, 'PAYMENT_LINK_CONFLICT');
  }

  /** @throws {ServiceError} PAYMENT_LINK_NOT_FOUND. */
  async findLink(merchant: string, id: string): Promise<PaymentLink> {
    const link = await this.#parts.links.get(id);
    if (link?.owner === merchant) return link;
    throw new ServiceError(
      'PAYMENT_LINK_NOT_FOUND',
      'No payment link of this merchant has this id: check the URL',
    );
  }

  /**
   * Creates the order of a payer for a link.
   *
   * @param key the payer's own id for it; a second call with it returns the same order.
   * @throws {ServiceError} the errors of {@link create}.
   */
  async useLink(link: PaymentLink, payer: string, key: string, origin: string): Promise<Order> {
    const { id, owner, amount, mint, cluster, description, resource, requestHash, expiresInSeconds } = link;
    const place = digest([payer, key]).slice(0, 32);
    const input = {
      externalReference: `link:${id}:${place}`,
      amount,
      mint: mint as Address,
      cluster,
      ...(description !== null && { description }),
      ...(resource !== null && { resource }),
      ...(requestHash !== null && { requestHash }),
      expiresInSeconds,
    };
    return await this.create(owner, payer, input, origin);
  }

  /** Returns the token that gives access to an order, base64url. */
  accessTokenOf(orderId: string): string {
    return createHmac('sha256', this.#parts.secret).update(`checkout:${orderId}`).digest('base64url');
  }

  /** Whether a token gives access to the order with this id. */
  isAccessToken(token: string, orderId: string): boolean {
    const [given, expected] = [token, this.accessTokenOf(orderId)].map((text) => Buffer.from(text));
    return given?.length === expected?.length && timingSafeEqual(given as Buffer, expected as Buffer);
  }

  /** Returns an order and its payment; undefined if there is none with this id. */
  async find(id: string): Promise<OrderWithPayment | undefined> {
    const [order, payment] = await Promise.all([this.#parts.orders.get(id), this.paymentOf(id)]);
    return order && { order, payment };
  }

  /** Returns the stored payment of an order; undefined if nothing was signed. */
  paymentOf(orderId: string): Promise<Payment | undefined> {
    return this.#parts.follower.find(identifierOf.order(orderId));
  }

  /** Returns the stored payment of a refund; undefined if nothing was signed. */
  refundOf(refundId: string): Promise<Payment | undefined> {
    return this.#parts.follower.find(identifierOf.refund(refundId));
  }

  /** Lists orders of a merchant, the newest first: those before the order with the id `after`. */
  async list(merchant: string, limit: number, after?: string): Promise<readonly OrderWithPayment[]> {
    const { orders } = this.#parts;
    const before = after === undefined ? undefined : await orders.get(after);
    if (after !== undefined && before?.owner !== merchant) {
      throw new ServiceError('INVALID_REQUEST', 'after: must be the id of one of your orders', {
        field: 'after',
      });
    }
    const listed = await orders.list(merchant, limit, before);
    return await Promise.all(
      listed.map(async (order) => ({ order, payment: await this.paymentOf(order.id) })),
    );
  }

  /**
   * Builds the transaction that pays an order, on a new blockhash.
   *
   * @throws {ServiceError} PAYMENT_NOT_PAYABLE, PAYMENT_EXPIRED; the errors of {@link prepareTransfer}.
   */
  async prepare({ order, payment }: OrderWithPayment): Promise<PreparedTransfer> {
    const status = statusOf(order, payment, this.#parts.clock.now());
    if (status === 'expired') throw expired();
    if (status !== 'created') {
      throw new ServiceError('PAYMENT_NOT_PAYABLE', `The order is ${status}, so there is nothing to sign`, {
        status,
      });
    }
    return await prepareTransfer(this.#transferOf(order));
  }

  /**
   * Stores and sends the signed transaction of an order, and waits for its outcome for a while.
   *
   * @param gone aborts when the client has disconnected.
   * @returns the payment, possibly still without an outcome.
   * @throws {ServiceError} INVALID_PAYMENT_TRANSACTION, PAYMENT_EXPIRED, PAYMENT_TRANSACTION_CONFLICT,
   *   TRANSACTION_EXPIRED, TRANSACTION_FAILED if a simulation fails (nothing is then sent); the errors of
   *   reading ledgers and stores.
   */
  async settle({ order }: OrderWithPayment, transactionBase64: string, gone: AbortSignal): Promise<Payment> {
    const transfer = this.#transferOf(order);
    const signed = await readSignedTransfer(transactionBase64, transfer);
    const link = { merchant: order.owner, orderId: order.id, refundId: null };
    const over = (): ServiceError | null => (this.#parts.clock.now() < order.expiresMs ? null : expired());
    return await this.#submit(
      signed,
      transfer,
      { identifier: identifierOf.order(order.id), link, over },
      gone,
    );
  }

  /**
   * Creates a refund of a paid order, or returns the one with this reference.
   *
   * @param amount base units; default what was not refunded before.
   * @throws {ServiceError} PAYMENT_NOT_PAID, REFUND_CONFLICT, REFUND_TOO_LARGE.
   */
  async createRefund(orderId: string, reference: string, amount?: string): Promise<Refund> {
    const { orders, clock } = this.#parts;
    const id = digest([orderId, reference], 'refund:');
    for (;;) {
      const { order, payment } = (await this.find(orderId)) as OrderWithPayment;
      const known = order.refunds.find((refund) => refund.id === id);
      if (known !== undefined) return requireSameAmount(known, amount);
      if (payment?.state !== 'settled') {
        throw new ServiceError(
          'PAYMENT_NOT_PAID',
          'The order has not been paid, so there is nothing to refund',
        );
      }
      const left = BigInt(order.amount) - (await this.#refunded(order));
      const refund = { id, reference, amount: amount ?? String(left), createdMs: clock.now() };
      if (left === 0n || BigInt(refund.amount) > left) {
        throw new ServiceError(
          'REFUND_TOO_LARGE',
          `At most ${left} of ${order.amount} base units can still be refunded`,
          { field: 'amount', left: String(left) },
        );
      }
      const changed = { ...order, version: order.version + 1, refunds: [...order.refunds, refund] };
      if (await orders.replace(changed)) return refund;
    }
  }

  /** Builds the transaction of a refund, which the merchant signs. Errors as {@link prepareTransfer}. */
  async prepareRefund(order: Order, refund: Refund): Promise<PreparedTransfer> {
    const payment = await this.refundOf(refund.id);
    if (payment !== undefined && payment.state !== 'expired') {
      throw new ServiceError(
        'PAYMENT_NOT_PAYABLE',
        'The refund was signed before, so there is nothing to sign',
      );
    }
    return await prepareTransfer(this.#refundTransferOf(order, refund));
  }

  /** Stores and sends the signed transaction of a refund. Otherwise as {@link settle}. */
  async settleRefund(
    order: Order,
    refundId: string,
    transactionBase64: string,
    gone: AbortSignal,
  ): Promise<{ readonly refund: Refund; readonly payment: Payment }> {
    const refund = order.refunds.find(({ id }) => id === refundId);
    if (refund === undefined) {
      throw new ServiceError('REFUND_NOT_FOUND', 'The order has no refund with this id: create it first');
    }
    const transfer = this.#refundTransferOf(order, refund);
    const signed = await readSignedTransfer(transactionBase64, transfer);
    const link = { merchant: order.owner, orderId: order.id, refundId };
    const place = { identifier: identifierOf.refund(refundId), link, over: () => null };
    return { refund, payment: await this.#submit(signed, transfer, place, gone) };
  }

  /** Returns the base units of all refunds that may land or have landed. */
  async #refunded({ refunds }: Order): Promise<bigint> {
    const payments = await Promise.all(refunds.map(({ id }) => this.refundOf(id)));
    return refunds
      .filter((_, at) => payments[at]?.state !== 'failed')
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  }

  async #submit(
    signed: SignedTransfer,
    transfer: AgreedTransfer,
    place: {
      readonly identifier: string;
      readonly link: OrderLink;
      /** Returns the error if it is too late for a new payment. */
      over(): ServiceError | null;
    },
    gone: AbortSignal,
  ): Promise<Payment> {
    const { follower, clock } = this.#parts;
    const { id, wire, signature } = signed;
    const known = await follower.find(id);
    if (known?.id === id) return await follower.outcomeOf(known, gone);
    const lastValidBlockHeight = await this.#requireLandable(signed, transfer, place.over());
    const payment: Payment = {
      id,
      identifier: place.identifier,
      state: 'signed',
      version: 0,
      cluster: transfer.chain.cluster,
      ledger: 'rollup',
      network: transfer.chain.cluster,
      wire,
      signature,
      lastValidBlockHeight,
      payer: transfer.from,
      payTo: transfer.to,
      mint: transfer.mint,
      amount: transfer.amount,
      slot: null,
      error: null,
      isReleased: false,
      order: place.link,
      delivery: null,
      createdMs: clock.now(),
      finishedMs: null,
    };
    const created = await follower.store(payment);
    if (created.kind === 'conflict') {
      throw new ServiceError(
        'PAYMENT_TRANSACTION_CONFLICT',
        'Another transaction for this payment was signed before, and may land or has landed: read the order again',
      );
    }
    if (created.kind === 'same') return await follower.outcomeOf(created.payment, gone);
    await follower.sendFirst(payment);
    return await follower.outcomeOf(payment, gone);
  }

  /**
   * Checks that a transaction that is not stored yet can land, or has landed because its payer sent it
   * without this service. Returns the last block height at which it can land.
   *
   * @param late the error if it is too late for a new payment.
   */
  async #requireLandable(
    { blockhash, wire, signature }: SignedTransfer,
    transfer: AgreedTransfer,
    late: ServiceError | null,
  ): Promise<number> {
    const rollup = rollupOf(transfer);
    const life = late === null ? await this.#lives.of(blockhash, rollup, 'rollup') : null;
    const failure = late ?? (life === null ? stale() : await this.#simulate(wire, transfer));
    if (life !== null && failure === null) return life.lastValidBlockHeight;
    const status = await rollup.signatureStatus(signature, undefined, { searchHistory: true });
    if (status === null) throw failure as ServiceError;
    return life?.lastValidBlockHeight ?? (await rollup.blockHeight());
  }

  /** Simulates a signed transfer. Returns the failure; null if it succeeds. */
  async #simulate(wire: Uint8Array, transfer: AgreedTransfer): Promise<ServiceError | null> {
    const rollup = rollupOf(transfer);
    // Such a rollup does not simulate for callers without a login.
    if (rollup.hidesStatuses === true) return null;
    const { err } = await rollup.simulateTransaction(wire, []);
    if (err === null) return null;
    return new ServiceError(
      'TRANSACTION_FAILED',
      `The payment would fail, so it was not sent: ${JSON.stringify(err)}. Check that ${transfer.from} has at least ${transfer.amount} base units of mint ${transfer.mint} on the rollup, and try again`,
      { reason: JSON.stringify(err) },
    );
  }

  #transferOf({ owner, payer, id, amount, ...terms }: Order): AgreedTransfer {
    const way = { from: payer, to: owner, amount, memo: `payment:${id}` };
    return transferOf(this.#parts.clusters, terms, way);
  }

  #refundTransferOf({ owner, payer, ...terms }: Order, { id, amount }: Refund): AgreedTransfer {
    const way = { from: owner, to: payer, amount, memo: `refund:${id}` };
    return transferOf(this.#parts.clusters, terms, way);
  }

  /** Completes the terms of a request, and checks its cluster and its mint. */
  async #termsOf(input: OrderInput): Promise<OrderTerms> {
    const { clusters, mints } = this.#parts;
    const names = orderClusters(clusters);
    const { cluster = names[0] as string, amount, externalReference } = input;
    if (!names.includes(cluster)) {
      throw new ServiceError('CLUSTER_NOT_ALLOWED', `cluster must be one of: ${names.join(', ')}`, {
        field: 'cluster',
      });
    }
    const way = { from: '', to: '', amount, memo: '' };
    const { chain } = transferOf(clusters, { cluster, mint: '' }, way);
    const mint = input.mint ?? chain.defaultMint;
    const allowed = [chain.defaultMint, ...mints.filter(isAddress)];
    if (!allowed.includes(mint)) {
      throw new ServiceError(
        'INVALID_PAYMENT_MINT',
        `mint must be one of: ${allowed.join(', ')}; ask the operator to add others to CHECKOUT_MINTS`,
        { field: 'mint' },
      );
    }
    const facts = await readMint(chain, mint);
    requireHoldable(facts, chain.layout);
    if (facts.tokenProgram !== TOKEN_PROGRAM) await this.#requirePlainMint(chain, mint);
    return {
      amount,
      mint,
      cluster,
      externalReference,
      description: input.description ?? null,
      resource: input.resource ?? null,
      requestHash: input.requestHash ?? null,
    };
  }

  /** @throws {ServiceError} INVALID_PAYMENT_MINT if a recipient may get less than the amount, or nothing. */
  async #requirePlainMint(chain: AgreedTransfer['chain'], mint: Address): Promise<void> {
    const [account] = await chain.getAccounts([mint]);
    const extensions = account == null ? null : decodeMintExtensions(account.data);
    const isPlain =
      extensions !== null &&
      extensions.transferFee === null &&
      !extensions.hasTransferHook &&
      !extensions.nonTransferable &&
      extensions.unknownTypes.length === 0;
    if (isPlain) return;
    throw new ServiceError(
      'INVALID_PAYMENT_MINT',
      `Transfers of mint ${mint} can cost a fee or call a program, so the merchant might not get the amount: choose another mint`,
      { field: 'mint', mint },
    );
  }
}

function requireSameAmount(refund: Refund, amount: string | undefined): Refund {
  if (amount === undefined || refund.amount === amount) return refund;
  throw new ServiceError(
    'REFUND_CONFLICT',
    `reference was used before for a refund of ${refund.amount} base units: repeat that amount, or choose a new reference`,
    { field: 'reference' },
  );
}

const expired = (): ServiceError =>
  new ServiceError('PAYMENT_EXPIRED', 'The order has expired: ask the merchant for a new one');

const stale = (): ServiceError =>
  new ServiceError(
    'TRANSACTION_EXPIRED',
    'The blockhash of the transaction has expired: prepare the payment again, and sign the new transaction',
  );
