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

interface Parts {
  readonly service: PrivatePayments;
  /** What the service calls the cluster; undefined for its default. */
  readonly cluster: string | undefined;
  readonly clusters: Clusters;
  readonly local: LocalOperations;
  readonly session: RollupSession;
  /** The wallet first. */
  readonly signers: readonly TransactionSigner[];
  readonly limits: PaymentLimits;
  readonly accept: ReadonlySet<string>;
  /** Whether recipients are watched on base; left out, on localnet only. */
  readonly watchRecipients?: boolean | undefined;
  /** Asked last before anything is signed; it rejects where nobody agrees. Left out, nobody is asked. */
  readonly agree?: (explanation: ExplainTransactionOutput) => Promise<void>;
  readonly signed: SignedMessages;
  /** What each ledger is called in `signed`. */
  readonly ledgers: Readonly<Record<Place, string>>;
  readonly waiting: Waiting;
}

type Place = 'base' | 'ephemeral';

/** What the service says it has built. None of it is believed. */
interface Built {
  readonly transactionBase64: string;
}

type PlainArguments = Readonly<Record<string, unknown>>;

/** A payment that is asked for. */
interface Order {
  readonly operation: CheckedOperation;
  readonly args: PlainArguments;
  readonly sendTo: Place;
}

/** The bytes that are to pay it. */
interface Offer {
  readonly wire: Uint8Array;
  /** The part of them that is signed. */
  readonly message: Uint8Array;
  /** Whether recipient and terms are in boxes that the client has sealed itself. */
  readonly isSealedHere: boolean;
}

/** What is known of bytes that may be signed. */
interface Checked {
  readonly explanation: ExplainTransactionOutput;
  /** The bearer token of the ledger it is for. */
  readonly token: string | undefined;
  /** The bearer token of the rollup that it was explained with, whatever ledger it is for. */
  readonly rollupToken: string | undefined;
  /** The recipient that was asked for. */
  readonly payee: Address | null;
  readonly node: LedgerClient;
  /** The last block height at which they can land. */
  readonly lastHeight: number;
}

/** How often a payment is built anew, and after how long, ms: nodes have a new blockhash within some 5 s. */
const REBUILDS_MAX = 10;
const REBUILD_PAUSE_MS = 1_000;

/** The way of every payment: built by the service, checked here, signed, sent, waited for. */
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
   * Signs and sends a transaction that somebody else has built, for which no request is known: it has to be
   * clear, and to keep to the limits.
   *
   * @throws {TransactionRefused} before anything is signed; {PaymentsError} otherwise.
   */
  async submit(transactionBase64: string, sendTo: 'base' | 'ephemeral' | undefined): Promise<Receipt> {
    const { signers, local, session, signed } = this.#parts;
    const transaction = await asPaymentsErrors(async () => readTransactionText(transactionBase64));
    const offer = { wire: transaction.wire, message: messageOf(transaction), isSealedHere: false };
    const wallet = signers[0]?.address;
    const { explanation, token } = await this.#explainProven(
      (used) => local.explain({ transactionBase64, sendTo, wallet }, used),
      sendTo === 'base' ? undefined : await session.token(),
    );
    this.#approve(explanation, { isSealedHere: false, args: {}, hasNoRequest: true });
    // From here on it is this payment's: nothing was awaited since it was found to be nobody else's.
    if (!signed.claim(offer.message)) {
      const message =
        'This client has signed this very transaction, or is about to: the ledger takes it only once.';
      throw new TransactionRefused([{ code: 'ALREADY_SIGNED', message }], explanation);
    }
    return await this.#signAndSend(offer, () => this.#checkPlace(offer, explanation, token));
  }

  /** The last steps for bytes that somebody else has built, on the ledger that they are for. */
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

  /**
   * Nothing is built that could not be shown to be for the right rollup.
   *
   * @throws {PaymentsError} UNSUPPORTED_ON_CLUSTER
   */
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
   * Has the payment built until its bytes are no earlier payment's: those asked for on one blockhash are
   * alike, and a service may also repeat an old answer.
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
      'The service builds the transaction of an earlier payment again and again, which the ledger takes only once.';
    const token = order.sendTo === 'base' ? undefined : await this.#parts.session.token();
    const explanation = await this.#explain(order, offer.wire, token);
    return new TransactionRefused([{ code: 'ALREADY_SIGNED', message }], explanation);
  }

  /** The bytes to be checked: the service's, with the client's own boxes where it sealed some. */
  async #offer({ operation, args }: Order): Promise<Offer> {
    const { service, cluster } = this.#parts;
    const build = service[operation] as (input: object) => Promise<Built>;
    const { transactionBase64 } = await build({ ...args, ...(cluster !== undefined && { cluster }) });
    return await asPaymentsErrors(async () => {
      if (typeof transactionBase64 !== 'string') {
        throw new PaymentsError('ANSWER_UNUSABLE', 'The service answered without a transaction');
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
    // Heights first: an explanation would not tell a token that is not accepted from a ledger that is away.
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

  /** Explains once more with a login if what follows on the rollup could not be seen without one. */
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

  /** The last steps before bytes are signed that nothing speaks against. */
  async #agreed({ message }: Offer, checked: Checked, height: number): Promise<Checked> {
    const { signed, ledgers, agree } = this.#parts;
    const { explanation, lastHeight } = checked;
    await agree?.(explanation);
    signed.keep(message, { ledger: ledgers[explanation.sendTo], height, lastHeight });
    return checked;
  }

  /** Where the ledger is, and the token that it has accepted. */
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

  /** Checks, signs and sends claimed bytes. Bytes that fail the check are released, because no signer saw them. */
  async #signAndSend({ wire, message }: Offer, check: () => Promise<Checked>): Promise<Receipt> {
    const checked = await check().catch((error: unknown) => {
      this.#parts.signed.release(message);
      throw error;
    });
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

/** Who asks a service which rollup is meant believes it: its node is the caller's to name. */
const rollupMissing = (what: string, cluster: string): PaymentsError =>
  new PaymentsError(
    'UNSUPPORTED_ON_CLUSTER',
    `${what} needs the rollup of ${cluster}, and none is named: pass rollup (--rollup on the command line), the URL of its JSON-RPC at a node you trust${cluster === 'localnet' ? '; a start of localnet tells it as Rollup, usually http://127.0.0.1:7799' : ''}. Its validator is whom tokens are delegated to, and the service is not asked for it.`,
  );

/** The ledger that a request is for, whatever the service says: the rest is refused as another ledger's. */
function ledgerOf(operation: CheckedOperation, args: PlainArguments): Place {
  if (operation === 'undelegate') return 'ephemeral';
  return operation === 'transfer' && args['fromBalance'] === 'ephemeral' ? 'ephemeral' : 'base';
}

/** The arguments without what is undefined, and with whole numbers as decimal strings. */
const plain = (args: object): PlainArguments =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : (value as unknown)]),
  );

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
