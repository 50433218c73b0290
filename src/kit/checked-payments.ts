import type { TransactionSigner } from '@solana/kit';
import type { LedgerClient } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import type { ExplainTransactionOutput } from '../client/generated.ts';
import { PaymentsError } from '../client/payments-error.ts';
import type { PrivatePayments } from '../client/private-payments.ts';
import { Journey } from '../payments/arrival/journey.ts';
import { readTransactionText } from '../payments/fields/transaction-field.ts';
import type { Waiting } from '../payments/send-transaction/submit.ts';
import { type Address, isAddress } from '../solana/address.ts';
import { decodeTransaction, messageOf } from '../solana/transaction.ts';
import { approve, type Terms, TransactionRefused } from './approve.ts';
import { deliver, readHeights, signWire } from './deliver.ts';
import { asPaymentsErrors, type CheckedOperation, type LocalOperations } from './local-operations.ts';
import { isSealed, sealAnew } from './own-seal.ts';
import type { PaymentLimits, Receipt } from './payments.ts';
import type { RollupSession } from './rollup-session.ts';
import type { SignedMessages } from './signed-messages.ts';

/** A transaction that the wallet has signed. */
interface SignedTransaction {
  readonly transactionBase64: string;
  readonly explanation: ExplainTransactionOutput;
}

interface Parts {
  readonly service: PrivatePayments;
  /** The service's name for the cluster; undefined for its default. */
  readonly cluster: string | undefined;
  readonly clusters: Clusters;
  readonly local: LocalOperations;
  readonly session: RollupSession;
  /** All signers; the wallet is the first. */
  readonly signers: readonly TransactionSigner[];
  readonly limits: PaymentLimits;
  readonly accept: ReadonlySet<string>;
  /** Whether to read the recipients' accounts on base. Default: only on localnet. */
  readonly watchRecipients?: boolean | undefined;
  /** Called right before signing. A rejection cancels the payment. Optional. */
  readonly agree?: (explanation: ExplainTransactionOutput) => Promise<void>;
  readonly signed: SignedMessages;
  /** The name of each ledger in `signed`. */
  readonly ledgers: Readonly<Record<Place, string>>;
  readonly waiting: Waiting;
}

type Place = 'base' | 'ephemeral';

/** The service's untrusted response. */
interface Built {
  readonly transactionBase64: string;
}

type PlainArguments = Readonly<Record<string, unknown>>;

interface Order {
  readonly operation: CheckedOperation;
  readonly args: PlainArguments;
  readonly sendTo: Place;
}

/** A built transaction, not checked yet. */
interface Offer {
  readonly wire: Uint8Array;
  /** The part of `wire` that is signed. */
  readonly message: Uint8Array;
  /** Whether the client itself sealed the recipient and the delivery terms. */
  readonly isSealedHere: boolean;
}

/** A transaction that passed all checks. */
interface Checked {
  readonly explanation: ExplainTransactionOutput;
  /** The bearer token for the transaction's ledger. */
  readonly token: string | undefined;
  /** The bearer token for the rollup, including for base transactions. */
  readonly rollupToken: string | undefined;
  /** The requested recipient; null for a stealth handle, or if the request names no recipient. */
  readonly payee: Address | null;
  readonly node: LedgerClient;
  /** The last block height at which the transaction can land. */
  readonly lastHeight: number;
}

/** Maximum rebuilds of a payment, and the pause before each, in ms. A new blockhash takes up to about 5 s. */
const REBUILDS_MAX = 10;
const REBUILD_PAUSE_MS = 1_000;

/** Runs payments: the service builds each transaction, and this client checks, signs, sends and awaits it. */
export class CheckedPayments {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws {TransactionRefused} before anything is signed; {PaymentsError} otherwise. */
  async pay(operation: CheckedOperation, given: object): Promise<Receipt> {
    const args = plain(given);
    const order = { operation, args, sendTo: ledgerOf(operation, args) };
    this.#requireRollup(order);
    const offer = await this.#claimedOffer(order);
    return await this.#signAndSend(offer, () => this.#check(order, offer));
  }

  /**
   * Signs and sends a transaction that someone else built. It must be clear and within the limits, because
   * there is no request to compare it with.
   *
   * @throws {TransactionRefused} before anything is signed; {PaymentsError} otherwise.
   */
  async submit(transactionBase64: string, sendTo: 'base' | 'ephemeral' | undefined): Promise<Receipt> {
    const { offer, check } = await this.#foreignOffer(transactionBase64, sendTo);
    return await this.#signAndSend(offer, check);
  }

  /** Checks and signs a transaction that someone else built and will send. Returns it signed. */
  async sign(
    transactionBase64: string,
    sendTo: 'base' | 'ephemeral' | undefined,
  ): Promise<SignedTransaction> {
    const { offer, check } = await this.#foreignOffer(transactionBase64, sendTo);
    const { explanation, lastHeight } = await this.#checked(offer, check);
    const lifetime = { blockhash: explanation.recentBlockhash, lastValidBlockHeight: BigInt(lastHeight) };
    const wire = await signWire(offer.wire, this.#parts.signers, lifetime);
    return { transactionBase64: toBase64(wire), explanation };
  }

  /** Explains and claims a transaction that someone else built. Returns it with its remaining checks. */
  async #foreignOffer(transactionBase64: string, sendTo: 'base' | 'ephemeral' | undefined) {
    const { signers, local, session, signed } = this.#parts;
    const transaction = await asPaymentsErrors(async () => readTransactionText(transactionBase64));
    const offer = { wire: transaction.wire, message: messageOf(transaction), isSealedHere: false };
    const wallet = signers[0]?.address;
    const { explanation, token } = await this.#explainProven(
      (used) => local.explain({ transactionBase64, sendTo, wallet }, used),
      sendTo === 'base' ? undefined : await session.token(),
    );
    this.#approve(explanation, { isSealedHere: false, args: {}, hasNoRequest: true });
    // Claim only after the explanation, so that other calls can still use a refused transaction.
    if (!signed.claim(offer.message)) {
      const message =
        'This client has already signed this transaction, or is signing it now. The ledger executes it only once. Build a new one to pay again.';
      throw new TransactionRefused([{ code: 'ALREADY_SIGNED', message }], explanation);
    }
    return { offer, check: () => this.#checkPlace(offer, explanation, token) };
  }

  /** Runs the last checks of a transaction that someone else built. */
  async #checkPlace(
    offer: Offer,
    explanation: ExplainTransactionOutput,
    token: string | undefined,
  ): Promise<Checked> {
    const node = nodeOf(this.#parts.clusters, explanation.sendTo);
    const ledgerToken = explanation.sendTo === 'base' ? undefined : token;
    const { height, lastHeight } = await asPaymentsErrors(() => readHeights(node, ledgerToken));
    const checked = { explanation, token: ledgerToken, rollupToken: token, payee: null, node, lastHeight };
    return await this.#agreed(offer, checked, height);
  }

  /** @throws {PaymentsError} UNSUPPORTED_ON_CLUSTER if the payment could not be verified without a rollup. */
  #requireRollup({ operation, args, sendTo }: Order): void {
    const { cluster, rollup } = this.#parts.clusters.resolve(undefined);
    const isForRollup = operation === 'deposit' || sendTo === 'ephemeral' || isSealed(operation, args);
    if (rollup === null && isForRollup) throw rollupMissing(operation, cluster);
  }

  balance(input: object): Promise<bigint> {
    return this.#parts.local.balance(input);
  }

  async privateBalance(input: object): Promise<bigint> {
    const { local, session, clusters } = this.#parts;
    const { cluster, rollup } = clusters.resolve(undefined);
    if (rollup === null) throw rollupMissing('privateBalance', cluster);
    return await session.read((token) => local.privateBalance(input, token));
  }

  /**
   * Rebuilds the payment until its bytes differ from all earlier payments. Identical payments on one
   * blockhash have identical bytes, and a service may also repeat an old response.
   */
  async #claimedOffer(order: Order): Promise<Offer> {
    const { signed, waiting } = this.#parts;
    for (let repeated = 0; ; repeated++) {
      const offer = await this.#offer(order);
      if (signed.claim(offer.message)) return offer;
      if (repeated === REBUILDS_MAX) throw await this.#repetition(order, offer);
      await waiting.sleep(REBUILD_PAUSE_MS);
    }
  }

  async #repetition(order: Order, offer: Offer): Promise<TransactionRefused> {
    const message =
      'The service keeps returning the transaction of an earlier payment, which the ledger executes only once. Retry.';
    const token = order.sendTo === 'base' ? undefined : await this.#parts.session.token();
    const explanation = await this.#explain(order, offer.wire, token);
    return new TransactionRefused([{ code: 'ALREADY_SIGNED', message }], explanation);
  }

  /** Fetches the service's transaction and seals its recipient again. */
  async #offer({ operation, args }: Order): Promise<Offer> {
    const { service, cluster } = this.#parts;
    const build = service[operation] as (input: object) => Promise<Built>;
    const { transactionBase64 } = await build({ ...args, ...(cluster !== undefined && { cluster }) });
    return await asPaymentsErrors(async () => {
      if (typeof transactionBase64 !== 'string') {
        throw new PaymentsError(
          'ANSWER_UNUSABLE',
          'The response from the service contains no transaction, so nothing was signed: check that url points to the service',
        );
      }
      const transaction = readTransactionText(transactionBase64);
      const sealed = isSealed(operation, args)
        ? await sealAnew(transaction, args, this.#parts.clusters)
        : null;
      const offered = sealed === null ? transaction : decodeTransaction(sealed);
      return { wire: offered.wire, message: messageOf(offered), isSealedHere: sealed !== null };
    });
  }

  async #check(order: Order, offer: Offer): Promise<Checked> {
    const { wire, isSealedHere } = offer;
    const { args, sendTo } = order;
    const node = nodeOf(this.#parts.clusters, sendTo);
    // Read the heights first, because an explanation does not distinguish a rejected token from an
    // unreachable ledger.
    const { height, lastHeight, token } = await this.#heights(order, node);
    const { explanation, token: rollupToken } = await this.#explainProven(
      (used) => this.#explain(order, wire, used),
      token,
    );
    this.#approve(explanation, { isSealedHere, args });
    const { to } = args;
    const payee = typeof to === 'string' && isAddress(to) ? to : null;
    return await this.#agreed(offer, { explanation, token, rollupToken, payee, node, lastHeight }, height);
  }

  /** Explains a transaction, and repeats this with a login if its arrival could not be verified. */
  async #explainProven(
    explain: (token: string | undefined) => Promise<ExplainTransactionOutput>,
    token: string | undefined,
  ) {
    const explanation = await explain(token);
    const isProven = explanation.findings.every(({ code }) => code !== 'ARRIVAL_UNPROVEN');
    if (isProven || token !== undefined) return { explanation, token };
    const login = await this.#parts.session.token();
    return { explanation: login === undefined ? explanation : await explain(login), token: login };
  }

  #approve(explanation: ExplainTransactionOutput, order: Omit<Terms, 'limits' | 'accept' | 'signers'>): void {
    const { limits, accept, signers } = this.#parts;
    const own = new Set<string>(signers.map(({ address }) => address));
    approve(explanation, { limits, accept, signers: own, ...order });
  }

  /** Asks the caller for approval and records the message as signed. */
  async #agreed({ message }: Offer, checked: Checked, height: number): Promise<Checked> {
    const { signed, ledgers, agree } = this.#parts;
    const { explanation, lastHeight } = checked;
    await agree?.(explanation);
    signed.record(message, { ledger: ledgers[explanation.sendTo], height, lastHeight });
    return checked;
  }

  /** Reads the ledger's heights. Also returns the token that the ledger accepted. */
  async #heights({ sendTo }: Order, node: LedgerClient) {
    const read = async (token: string | undefined) => ({
      ...(await asPaymentsErrors(() => readHeights(node, token))),
      token,
    });
    return sendTo === 'base' ? await read(undefined) : await this.#parts.session.read(read);
  }

  #explain(
    { operation, args, sendTo }: Order,
    wire: Uint8Array,
    token: string | undefined,
  ): Promise<ExplainTransactionOutput> {
    return this.#parts.local.explain(
      {
        transactionBase64: toBase64(wire),
        sendTo,
        request: { operation, arguments: args },
        wallet: this.#parts.signers[0]?.address,
      },
      token,
    );
  }

  /** Checks a claimed message. If a check fails, the message is released unsigned. */
  async #checked({ message }: Offer, check: () => Promise<Checked>): Promise<Checked> {
    return await check().catch((error: unknown) => {
      this.#parts.signed.release(message);
      throw error;
    });
  }

  /** Checks, signs and sends a claimed message. */
  async #signAndSend(offer: Offer, check: () => Promise<Checked>): Promise<Receipt> {
    const { wire } = offer;
    const checked = await this.#checked(offer, check);
    const { explanation, token, rollupToken, payee, node, lastHeight } = checked;
    const { clusters, signers, waiting, watchRecipients } = this.#parts;
    const { sendTo, recentBlockhash } = explanation;
    const lifetime = { blockhash: recentBlockhash, lastValidBlockHeight: BigInt(lastHeight) };
    const chain = clusters.resolve(undefined);
    const journey = await asPaymentsErrors(() =>
      Journey.begin({
        chain,
        sendTo,
        transaction: decodeTransaction(wire),
        token: rollupToken,
        payee,
        watchRecipients: watchRecipients ?? chain.network === 'localnet',
      }),
    );
    const signed = await signWire(wire, signers, lifetime);
    const delivery = { chain, node, token, lastHeight, journey, waiting };
    return { ...(await asPaymentsErrors(() => deliver(signed, delivery))), sendTo, explanation };
  }
}

function nodeOf(clusters: Clusters, sendTo: Place): LedgerClient {
  const chain = clusters.resolve(undefined);
  const node = sendTo === 'base' ? chain : chain.rollup;
  if (node === null) throw rollupMissing('This transaction', chain.cluster);
  return node;
}

/** Builds the error for a missing rollup. The caller must pass its URL: the service is not trusted. */
const rollupMissing = (what: string, cluster: string): PaymentsError =>
  new PaymentsError(
    'UNSUPPORTED_ON_CLUSTER',
    `${what} needs the rollup of ${cluster}. Pass rollup (--rollup on the command line): the JSON-RPC URL of a node you trust${cluster === 'localnet' ? ', usually http://127.0.0.1:7799, which localnet prints at startup as Rollup' : ''}. Tokens are delegated to the validator of that rollup, and the service is not trusted to name it.`,
  );

/** Returns the ledger that a request is for. The client refuses transactions for the other ledger. */
function ledgerOf(operation: CheckedOperation, args: PlainArguments): Place {
  if (operation === 'undelegate') return 'ephemeral';
  return operation === 'transfer' && args['fromBalance'] === 'ephemeral' ? 'ephemeral' : 'base';
}

/** Removes undefined members from the arguments, and converts bigints to decimal strings. */
const plain = (args: object): PlainArguments =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : (value as unknown)]),
  );

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
