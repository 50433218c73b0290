import { Keypair } from '../../src/ledger/keypair.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { isTool, networkRequests, type Parties, type PaymentRequest } from './payments.ts';
import type { PlayedNetwork } from './played-network.ts';
import { type Answer, ServiceClient } from './service-client.ts';
import { signBuilt } from './sign-built.ts';

/** The unique values of one request. */
export interface Marks extends Parties {
  readonly wallet: Keypair;
  readonly token: string;
  readonly idempotencyKey: string;
  readonly requestId: string;
}

/** A request that was answered. */
export interface RecordedExchange {
  readonly label: string;
  readonly marks: Marks;
  readonly isError: boolean;
  /** Headers and body of the answer. */
  readonly text: string;
}

/** Returns a unique text. */
export const newMark = (name: string): string =>
  `${name}-${Buffer.from(systemRandom.bytes(6)).toString('hex')}`;

const headersOf = ({ token, idempotencyKey, requestId }: Marks): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'idempotency-key': idempotencyKey,
  'x-request-id': requestId,
});

const deposit = ({ owner, amount }: Parties) => ({ owner, amount, cluster: 'devnet' });

/** Arguments of a deposit with one fault each. */
const FAULTY_DEPOSITS: readonly ((marks: Marks) => Record<string, unknown>)[] = [
  (marks) => ({ ...deposit(marks), owner: marks.memo }),
  (marks) => ({ ...deposit(marks), amount: `${marks.amount}.5` }),
  (marks) => ({ ...deposit(marks), [marks.memo]: marks.handle }),
  (marks) => ({ ...deposit(marks), mint: marks.other }),
  (marks) => ({ ...deposit(marks), cluster: marks.handle }),
  (marks) => ({ ...deposit(marks), cluster: `https://${marks.handle}:${marks.memo}@rpc.example/` }),
  (marks) => ({ ...deposit(marks), cluster: 'localnet', idempotent: marks.memo }),
];

/** Bodies that are rejected before any operation runs. */
const FAULTY_BODIES: readonly ((marks: Marks) => string)[] = [
  ({ memo }) => `{"memo":"${memo}`,
  ({ memo }) => JSON.stringify([memo]),
  ({ memo }) => JSON.stringify({ jsonrpc: '2.0', id: memo, method: memo, params: { memo } }),
  ({ memo }) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: memo, arguments: {} } }),
  ({ memo }) => `"${memo.repeat(8_000)}"`,
];

/** Sends requests with unique marks to a service, and records the answers. */
export class MarkedCaller {
  readonly exchanges: RecordedExchange[] = [];
  readonly #client: ServiceClient;
  readonly #network: PlayedNetwork;
  #marked = 0;

  constructor(client: ServiceClient, network: PlayedNetwork) {
    this.#client = client;
    this.#network = network;
  }

  /** Sends one request. */
  async send(
    label: string,
    ask: (marks: Marks, headers: Record<string, string>) => Promise<Answer>,
    marks: Marks = this.#mark(),
  ): Promise<Answer> {
    const answer = await ask(marks, headersOf(marks));
    const { status, headers, text, body } = answer;
    const result = body['result'] as { isError?: boolean } | undefined;
    const isError = status >= 400 || body['error'] !== undefined || result?.isError === true;
    this.exchanges.push({ label, marks, isError, text: `${JSON.stringify([...headers])}\n${text}` });
    return answer;
  }

  /** Sends a request over each transport that has the operation, each with its own marks. */
  async sendByBoth(
    label: string,
    operation: string,
    compose: (marks: Marks) => Record<string, unknown>,
  ): Promise<void> {
    const client = this.#client;
    await this.send(`${label} by REST`, (marks, headers) => client.rest(operation, compose(marks), headers));
    if (!isTool(operation)) return;
    await this.send(`${label} by MCP`, (marks, headers) => client.tool(operation, compose(marks), headers));
  }

  /** Sends requests for every operation that needs no transaction. */
  async sendAll(state: string): Promise<void> {
    const sending = networkRequests(this.#mark()).map(({ operation }, index) =>
      this.sendByBoth(
        `${operation}, ${state},`,
        operation,
        (marks) => (networkRequests(marks)[index] as PaymentRequest).input,
      ),
    );
    await Promise.all(sending);
  }

  /** Builds and signs a transaction. Explains and sends it, both signed and unsigned. */
  async sendSigned(state: string): Promise<void> {
    const marks = this.#mark();
    const { owner: from, other: to, amount, memo, wallet } = marks;
    const payment = { from, to, mint: USDC_MINT, amount, memo, visibility: 'public' };
    const cluster = 'devnet';
    const client = this.#client;
    const { body } = await this.send(
      `build for ${state}`,
      (_, headers) => client.rest('transfer', { ...payment, cluster }, headers),
      marks,
    );
    const unsigned = body['transactionBase64'] as string;
    const signed = signBuilt(unsigned, wallet);
    const sendBoth = async (label: string, operation: string, input: object): Promise<void> => {
      // The key was used for the build.
      const headers = { ...headersOf(marks), 'idempotency-key': newMark('key') };
      await this.send(label, () => client.rest(operation, input, headers), marks);
      await this.send(label, () => client.tool(operation, input, headers), marks);
    };
    const toBase = { transactionBase64: signed, sendTo: 'base', cluster };
    await sendBoth(`send, ${state},`, 'sendTransaction', { ...toBase, confirm: true });
    await sendBoth(`send, ${state},`, 'sendTransaction', { ...toBase, sendTo: 'ephemeral' });
    await sendBoth('send unsigned', 'sendTransaction', { ...toBase, transactionBase64: unsigned });
    const request = { operation: 'transfer', arguments: { ...payment, amount: '1' } };
    await sendBoth('explain', 'explainTransaction', { transactionBase64: signed, cluster, request });
  }

  /** Sends invalid requests that the service itself rejects, each in a different place. */
  async sendFaulty(): Promise<void> {
    for (const [index, compose] of FAULTY_DEPOSITS.entries()) {
      await this.sendByBoth(`deposit with fault ${index}`, 'deposit', compose);
    }
    const client = this.#client;
    for (const [index, compose] of FAULTY_BODIES.entries()) {
      for (const path of ['/mcp', '/v1/spl/deposit', '/v1/transaction/send']) {
        await this.send(`body ${index} to ${path}`, (marks, headers) =>
          client.post(path, compose(marks), headers),
        );
      }
    }
    await this.send('an unknown path', ({ memo, handle }, headers) =>
      client.get(`/${memo}?q=${handle}`, headers),
    );
    await this.send('a foreign origin', ({ handle }, headers) =>
      client.post('/mcp', '{}', { ...headers, origin: `https://${handle}.example` }),
    );
  }

  /** Sends to localnet and to its ledger node. */
  async sendLocally(ledgerUrl: string): Promise<void> {
    await this.sendByBoth('deposit on localnet', 'deposit', (marks) => ({
      ...deposit(marks),
      cluster: 'localnet',
      initAtasIfMissing: true,
    }));
    const node = new ServiceClient(ledgerUrl);
    const call = (method: string, params: unknown[]): Promise<Answer> =>
      node.post('/', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    await this.send('the node: airdrop', ({ owner }) => call('requestAirdrop', [owner, 1_000_000]));
    await this.send('the node: balance', ({ owner }) => call('getBalance', [owner]));
    await this.send('the node: no address', ({ memo }) => call('getBalance', [memo]));
    await this.send('the node: no transaction', ({ memo }) => call('sendTransaction', [memo]));
    await this.send('the node: no method', ({ memo }) => call(memo, []));
  }

  /** Creates new marks: wallets with tokens, a handle that can be paid, and a unique amount. */
  #mark(): Marks {
    this.#marked += 1;
    const wallet = new Keypair(systemRandom.bytes(32));
    const owner = wallet.address;
    const other = new Keypair(systemRandom.bytes(32)).address;
    const handle = newMark('handle');
    this.#network.fund(owner);
    this.#network.fund(other);
    this.#network.openPool(handle);
    return {
      wallet,
      owner,
      other,
      handle,
      amount: String(7_000_000_003 + this.#marked * 1_357_911),
      memo: newMark('memo'),
      token: newMark('token'),
      idempotencyKey: newMark('key'),
      requestId: newMark('request'),
    };
  }
}
