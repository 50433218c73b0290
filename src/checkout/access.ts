import { ServiceError } from '../errors/service-error.ts';
import { readBearerToken } from '../http/bearer-token.ts';
import type { RequestContext } from '../service/request-context.ts';
import type { Checkout } from './checkout.ts';
import type { Merchant, Merchants } from './merchants.ts';
import type { OrderWithPayment } from './order.ts';

/** Authenticates the callers of the API. */
export class Access {
  readonly #checkout: Checkout;
  readonly #merchants: Merchants;

  constructor(checkout: Checkout, merchants: Merchants) {
    this.#checkout = checkout;
    this.#merchants = merchants;
  }

  /** @throws {ServiceError} MERCHANT_UNAUTHORIZED. */
  merchant({ headers }: RequestContext): Promise<Merchant> {
    const { 'x-merchant-id': id } = headers;
    return this.#merchants.authenticate(String(id ?? ''), readBearerToken(headers.authorization) ?? '');
  }

  /**
   * Returns the order in the path of a call, if the caller is its merchant or has its access token.
   *
   * @throws {ServiceError} MERCHANT_UNAUTHORIZED, PAYMENT_UNAUTHORIZED.
   */
  async order(context: RequestContext): Promise<OrderWithPayment> {
    const { headers, variables } = context;
    const [id = ''] = variables;
    if (headers['x-merchant-id'] !== undefined) return await this.ownOrder(context);
    const isAllowed = this.#checkout.isAccessToken(readBearerToken(headers.authorization) ?? '', id);
    const found = await this.#checkout.find(id);
    if (found === undefined || !isAllowed) throw noAccess();
    return found;
  }

  /**
   * Returns an order, if the caller is its merchant. Throws the errors of {@link order}.
   *
   * @param id its id. Default: the one in the path of the call.
   */
  async ownOrder(context: RequestContext, id = context.variables[0] ?? ''): Promise<OrderWithPayment> {
    const [merchant, found] = await Promise.all([this.merchant(context), this.#checkout.find(id)]);
    if (found?.order.owner !== merchant.id) throw noAccess();
    return found;
  }
}

const noAccess = (): ServiceError =>
  new ServiceError(
    'PAYMENT_UNAUTHORIZED',
    'These credentials do not give access to a payment with this id: send its access token, or the API key of its merchant with X-Merchant-Id',
  );
