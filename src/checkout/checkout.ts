import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { readMint, requireHoldable } from '../payments/mints/mint-facts.ts';
import type { Clock } from '../ports/clock.ts';
import { TOKEN_PROGRAM } from '../programs/addresses.ts';
import { decodeMintExtensions } from '../programs/token/mint-extensions.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import type { Payment } from '../settlement/payment-store.ts';
import { type Address, isAddress } from '../solana/address.ts';
import { type AgreedTransfer, type PreparedTransfer, prepareTransfer } from './agreed-transfer.ts';
import type { OrderInput } from './input.ts';
import {
  digest,
  identifierOf,
  type Order,
  orderClusters,
  type OrderTerms,
  type OrderWithPayment,
  type PaymentLink,
  requireSameInput,
  statusOf,
  transferOf,
} from './order.ts';
import type { RecordPlace, RecordStore } from './record-store.ts';
import type { TransferPurpose, TransferSender } from './transfer-sender.ts';

interface CheckoutParts {
  readonly orders: RecordStore<Order>;
  readonly links: RecordStore<PaymentLink>;
  readonly follower: PaymentFollower;
  readonly sender: TransferSender;
  readonly clusters: Clusters;
  /** Mints that orders may use in addition to each cluster's default. */
  readonly mints: readonly string[];
  /** Key of the access tokens, the same in all replicas. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
}

/**
 * Time for which an unpaid order of a payment link is stored after it has expired, in ms: seven days. Until
 * then, its payer can report a payment that was sent directly to the rollup.
 */
const UNPAID_STORED_MS = 7 * 24 * 3_600_000;

/**
 * Manages merchants' orders. Payers sign a transaction and send it to a rollup through this service, which
 * stores the signed bytes before it sends them. At most one payment for an order can land: a new transaction
 * is accepted only after it is certain that the previous one can never land.
 */
export class Checkout {
  readonly #parts: CheckoutParts;

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
  }

  /**
   * Creates an order, or returns the one that the same request created before.
   *
   * @param origin the public origin of this service.
   * @param linkId the id of the payment link that the order is created from; null for none.
   * @throws {ServiceError} INVALID_PAYMENT_ACCOUNTS, INVALID_PAYMENT_MINT, CLUSTER_NOT_ALLOWED,
   *   PAYMENT_ORDER_CONFLICT; the errors of reading a mint.
   */
  async create(
    merchant: string,
    payer: string,
    input: OrderInput,
    origin: string,
    linkId: string | null = null,
  ): Promise<Order> {
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
      // Anyone can create orders with a link.
      untilMs: linkId === null ? null : now + input.expiresInSeconds * 1_000 + UNPAID_STORED_MS,
      linkId,
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
   * Creates a payment link, or returns the one from the same earlier request. Errors: see {@link create}.
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
      untilMs: null,
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
   * Creates a payer's order from a link.
   *
   * @param key the payer's own id for the order; a second call with it returns the same order.
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
    return await this.create(owner, payer, input, origin, id);
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

  /** Returns an order and its payment; undefined if no order has this id. */
  async find(id: string): Promise<OrderWithPayment | undefined> {
    const [order, payment] = await Promise.all([this.#parts.orders.get(id), this.paymentOf(id)]);
    return order && { order, payment };
  }

  /** Returns the stored payment of an order; undefined if nothing was signed. */
  paymentOf(orderId: string): Promise<Payment | undefined> {
    return this.#parts.follower.find(identifierOf.order(orderId));
  }

  /** Lists a merchant's orders, newest first, starting after the order with the id `after`. */
  async list(merchant: string, limit: number, after?: string): Promise<readonly OrderWithPayment[]> {
    const { orders } = this.#parts;
    const before = after === undefined ? undefined : await orders.get(after);
    if (after !== undefined && before?.owner !== merchant) {
      throw new ServiceError('INVALID_REQUEST', 'after: must be the id of one of your orders', {
        field: 'after',
      });
    }
    return await this.listBefore(merchant, limit, before);
  }

  /** Lists a merchant's orders before a place (default: all), newest first. */
  async listBefore(
    merchant: string,
    limit: number,
    before?: RecordPlace,
  ): Promise<readonly OrderWithPayment[]> {
    const listed = await this.#parts.orders.list(merchant, limit, before);
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
   * Stores and sends the signed transaction of an order, and waits briefly for its outcome.
   *
   * @param gone aborts when the client disconnects.
   * @returns the payment, possibly still without an outcome.
   * @throws {ServiceError} PAYMENT_EXPIRED; the errors of {@link TransferSender.send}.
   */
  async settle({ order }: OrderWithPayment, transactionBase64: string, gone: AbortSignal): Promise<Payment> {
    const { sender } = this.#parts;
    return await sender.send(transactionBase64, this.#transferOf(order), this.#purposeOf(order), gone);
  }

  /**
   * Checks whether {@link settle} would accept a transaction. Stores and sends nothing.
   *
   * @throws {ServiceError} PAYMENT_EXPIRED; the errors of {@link TransferSender.check}.
   */
  async check({ order }: OrderWithPayment, transactionBase64: string): Promise<void> {
    const { sender } = this.#parts;
    await sender.check(transactionBase64, this.#transferOf(order), this.#purposeOf(order));
  }

  #purposeOf(order: Order): TransferPurpose {
    const { id, owner, expiresMs } = order;
    const link = { merchant: owner, orderId: id, refundId: null };
    const late = this.#parts.clock.now() < expiresMs ? null : expired();
    return { identifier: identifierOf.order(id), link, late, keep: () => this.#keep(order) };
  }

  /**
   * Ensures that an order is not deleted.
   *
   * @throws {ServiceError} PAYMENT_EXPIRED if it has been deleted.
   */
  async #keep(order: Order): Promise<void> {
    const { orders } = this.#parts;
    if (order.untilMs === null) return;
    const isKept = await orders.replace({ ...order, version: order.version + 1, untilMs: null });
    // Another request may have kept it.
    if (!isKept && (await orders.get(order.id)) === undefined) throw expired();
  }

  #transferOf({ owner, payer, id, amount, ...terms }: Order): AgreedTransfer {
    const way = { from: payer, to: owner, amount, memo: `payment:${id}` };
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
      decimals: facts.decimals,
      cluster,
      externalReference,
      description: input.description ?? null,
      resource: input.resource ?? null,
      requestHash: input.requestHash ?? null,
    };
  }

  /** @throws {ServiceError} INVALID_PAYMENT_MINT if a recipient could receive less than the amount. */
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
      `Transfers of mint ${mint} can cost a fee or call a program, so the merchant might not receive the full amount: choose a different mint`,
      { field: 'mint', mint },
    );
  }
}

const expired = (): ServiceError =>
  new ServiceError('PAYMENT_EXPIRED', 'The order has expired: ask the merchant for a new one');
