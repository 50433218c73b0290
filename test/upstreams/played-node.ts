import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { serveHttp } from '../../src/chain/testing/loopback-server.ts';
import { type JsonOutput, writeJson } from '../../src/json/write-json.ts';
import { showAccount } from '../../src/rpc/accounts/account-encoding.ts';
import type { Account } from '../../src/solana/account.ts';
import type { Address } from '../../src/solana/address.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import type { Fault } from './faults.ts';

/** A request as the node received it. */
export interface ReceivedCall {
  /** The JSON-RPC method, or the last two path segments of a login request. */
  readonly method: string;
  readonly params: readonly unknown[];
  /** Path and query. */
  readonly url: string;
  readonly authorization: string | undefined;
}

/** The data of a node. */
interface NodeFacts {
  readonly accounts: ReadonlyMap<Address, Account>;
  readonly blockhash: string;
  /** The validator of a rollup. A base ledger has neither a validator nor a login. */
  readonly identity?: Address;
}

type Call = Pick<ReceivedCall, 'method' | 'params'> & { readonly id: number };

/** The token that the login of a played rollup returns. */
export const LOGIN_TOKEN = 'token-of-the-played-rollup';

/** The default slot of a node. */
const SLOT = 1_000_000;

/** A ledger on a real socket. It answers from a map of accounts and records its calls. */
export class PlayedNode {
  readonly url: URL;
  readonly close: () => Promise<void>;
  /** In the order of arrival. */
  readonly calls: ReceivedCall[] = [];
  blockhash: string;
  lastValidBlockHeight = 10_150;
  slot = SLOT;
  readonly #facts: NodeFacts;
  readonly #faults = new Map<string, Fault>();

  static async start(facts: NodeFacts): Promise<PlayedNode> {
    let listener: RequestListener = () => {};
    const server = await serveHttp((request, response) => listener(request, response));
    const node = new PlayedNode(facts, server.url, () => server.close());
    listener = (request, response) => void node.#serve(request, response);
    return node;
  }

  private constructor(facts: NodeFacts, url: URL, close: () => Promise<void>) {
    this.#facts = facts;
    this.url = url;
    this.close = close;
    this.blockhash = facts.blockhash;
  }

  /** Returns the methods that were called since the last call of this function, in order. */
  takeMethods(): string[] {
    return this.calls.splice(0).map(({ method }) => method);
  }

  /** Spoils the answers to a method, or to all methods (`*`), while `work` runs. */
  async during<T>(method: string, fault: Fault, work: () => Promise<T>): Promise<T> {
    this.#faults.set(method, fault);
    try {
      return await work();
    } finally {
      this.#faults.delete(method);
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    const { id, method, params } = call;
    const { url = '', headers } = request;
    this.calls.push({ method, params, url, authorization: headers.authorization });
    const answer = this.#answer(call, new URL(url, this.url));
    const fault = this.#faults.get(method) ?? this.#faults.get('*');
    if (fault !== undefined) fault(response, { id, answer, url: this.url });
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  }

  #answer({ id, method, params }: Call, url: URL): string {
    const login = this.#facts.identity === undefined ? undefined : answerLogin(method, url);
    if (login !== undefined) return writeJson(login);
    const { minContextSlot = 0 } = (params.at(-1) ?? {}) as { minContextSlot?: number };
    if (minContextSlot > this.slot) {
      const data = { contextSlot: this.slot };
      return writeJson({ jsonrpc: '2.0', id, error: { code: -32_016, message: 'Behind', data } });
    }
    const result = this.#result(method, params);
    const error = { code: -32_601, message: 'Method not found' };
    return writeJson({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
  }

  #result(method: string, params: readonly unknown[]): JsonOutput | undefined {
    const { blockhash, lastValidBlockHeight } = this;
    switch (method) {
      case 'getMultipleAccounts':
        return this.#inContext(this.#show(params[0] as Address[]));
      case 'getProgramAccounts':
        return this.#inContext(this.#search(params[0] as Address, params[1] as Search));
      case 'getLatestBlockhash':
        return this.#inContext({ blockhash, lastValidBlockHeight });
      case 'isBlockhashValid':
        return this.#inContext(params[0] === blockhash);
      case 'getBlockHeight':
        return lastValidBlockHeight - 150;
      case 'getIdentity':
        return this.#facts.identity && { identity: this.#facts.identity };
      case 'simulateTransaction': {
        const { addresses = [] } = (params[1] as { accounts?: { addresses: Address[] } }).accounts ?? {};
        const logs = ['Program log: tried'];
        return this.#inContext({ err: null, logs, unitsConsumed: 1_234, accounts: this.#show(addresses) });
      }
      case 'sendTransaction':
        return encodeBase58(Buffer.from(params[0] as string, 'base64').subarray(1, 65));
      case 'getSignatureStatuses':
        return this.#inContext([
          { slot: this.slot, confirmations: 1, err: null, confirmationStatus: 'confirmed' },
        ]);
      default:
        return undefined;
    }
  }

  #inContext(value: JsonOutput): JsonOutput {
    return { context: { slot: this.slot }, value };
  }

  /** Searches only by size, which is enough to distinguish the played accounts. */
  #search(program: Address, { filters }: Search): JsonOutput[] {
    const byteCount = filters.find(({ dataSize }) => dataSize !== undefined)?.dataSize;
    return [...this.#facts.accounts]
      .filter(([, { owner, data }]) => owner === program && data.length === byteCount)
      .map(([pubkey]) => ({ pubkey, account: this.#show([pubkey])[0] ?? null }));
  }

  #show(addresses: readonly Address[]): JsonOutput[] {
    const lookUp = (address: Address): Account | null => this.#facts.accounts.get(address) ?? null;
    return addresses.map((address) => {
      const account = lookUp(address);
      return account && showAccount(address, account, { encoding: 'base64', lookUp });
    });
  }
}

/** The conditions of an account search. */
interface Search {
  readonly filters: readonly { readonly dataSize?: number }[];
}

function answerLogin(method: string, url: URL): JsonOutput | undefined {
  if (method === 'auth/challenge') return { challenge: `Sign in as ${url.searchParams.get('pubkey')}` };
  if (method === 'auth/login') return { token: LOGIN_TOKEN, expiresAt: 1_767_225_600 };
  return undefined;
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname } = new URL(request.url ?? '', 'http://upstream');
  const path = pathname.split('/').slice(-2).join('/');
  const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Partial<Call>);
  return { id: body.id ?? 0, method: body.method ?? path, params: body.params ?? [] };
}
