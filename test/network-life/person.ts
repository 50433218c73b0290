import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createSolanaRpc,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  signBytes,
  signTransaction,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import { waitFor } from '../stack-process.ts';
import type { NetworkStack } from './stack.ts';

/** The used part of a building tool's result. */
export interface Built {
  readonly transactionBase64: string;
  readonly sendTo: 'base' | 'ephemeral';
  readonly sendRpcEndpoint?: string;
}

/** A signed transaction with its destination. */
export interface Signed {
  readonly transactionBase64: string;
  readonly signature: Signature;
  readonly sendTo: 'base' | 'ephemeral';
  /** URL of the rollup's node if it goes there. */
  readonly endpoint: string | undefined;
}

/** An error of a tool. Its text ends with the error code in brackets. */
export class Refused extends Error {
  readonly code: string | undefined;

  constructor(text: string) {
    super(text);
    this.code = /\((?<code>[A-Z_]+)\)$/.exec(text)?.groups?.['code'];
  }
}

/** A person with a wallet and the URLs of the two services. */
export class Person {
  readonly name: string;
  readonly wallet: KeyPairSigner;
  readonly #stack: NetworkStack;
  #token: string | undefined;

  constructor(name: string, wallet: KeyPairSigner, stack: NetworkStack) {
    this.name = name;
    this.wallet = wallet;
    this.#stack = stack;
  }

  static async create(name: string, stack: NetworkStack): Promise<Person> {
    return new Person(name, await generateKeyPairSigner(), stack);
  }

  get address(): string {
    return this.wallet.address;
  }

  /** Logs in if needed and returns the token. */
  async token(): Promise<string> {
    return (this.#token ??= await this.logIn());
  }

  /** Drops the token, which may be invalid. The next call logs in again. */
  forgetToken(): void {
    this.#token = undefined;
  }

  async logIn(): Promise<string> {
    const { serviceUrl } = this.#stack;
    const asked = await fetch(`${serviceUrl}/v1/spl/challenge?pubkey=${this.address}`);
    const { challenge } = (await readAnswer(asked)) as { challenge: string };
    const signed = await signBytes(this.wallet.keyPair.privateKey, new TextEncoder().encode(challenge));
    const answer = await fetch(`${serviceUrl}/v1/spl/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pubkey: this.address, challenge, signature: getBase58Decoder().decode(signed) }),
    });
    return ((await readAnswer(answer)) as { token: string }).token;
  }

  /**
   * Calls a tool with the official MCP client. `as` null sends no token. `unchecked` sends a made-up token,
   * for a rollup without logins, which ignores it.
   */
  async call<Result>(
    tool: string,
    args: object,
    as: 'myself' | 'unchecked' | null = 'myself',
  ): Promise<Result> {
    const token = await this.#tokenAs(as);
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    const client = new Client({ name: 'demo', version: '1.0.0' });
    const endpoint = new URL('/mcp', this.#stack.serviceUrl);
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
    try {
      const answer = await client.callTool({ name: tool, arguments: { ...args } });
      if (answer.isError === true) {
        throw new Refused((answer.content as { text: string }[]).map(({ text }) => text).join(' '));
      }
      return answer.structuredContent as Result;
    } finally {
      await client.close();
    }
  }

  async #tokenAs(as: 'myself' | 'unchecked' | null): Promise<string | null> {
    if (as === 'unchecked') return 'nobody-gave-this-out';
    return as === null || this.#stack.isExternal ? null : await this.token();
  }

  /** Signs a built transaction without changing or sending it. */
  async sign({ transactionBase64, sendTo, sendRpcEndpoint }: Built): Promise<Signed> {
    const unsigned = getTransactionDecoder().decode(Buffer.from(transactionBase64, 'base64'));
    const signed = await signTransaction([this.wallet.keyPair], unsigned as never);
    return {
      transactionBase64: getBase64EncodedWireTransaction(signed),
      signature: getSignatureFromTransaction(signed),
      sendTo,
      endpoint: sendRpcEndpoint,
    };
  }

  /**
   * Sends a signed transaction to its ledger and waits until it has landed. Callers wait for its arrival with
   * balances, because the service does not know sealed recipients and would wait until its timeout.
   */
  async land({ transactionBase64, signature, sendTo, endpoint }: Signed): Promise<void> {
    await this.call('spl.sendTransaction', { transactionBase64, sendTo });
    const node = sendTo === 'base' ? this.#stack.ledgerUrl : await this.#readable(endpoint);
    const landed = await waitFor(() =>
      createSolanaRpc(node)
        .getTransaction(signature, {
          commitment: 'confirmed',
          encoding: 'json',
          maxSupportedTransactionVersion: 0,
        })
        .send(),
    );
    if (landed.meta?.err !== null) {
      throw new Error(`${signature} failed: ${JSON.stringify(landed.meta?.err)}`);
    }
  }

  /** Returns the URL of the rollup's node with this wallet's token. */
  async #readable(endpoint: string | undefined): Promise<string> {
    if (endpoint === undefined) throw new Error('the service does not show where the rollup is');
    return this.#stack.isExternal ? endpoint : `${endpoint}/?token=${await this.token()}`;
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${response.url}: ${JSON.stringify(answer)}`);
  return answer;
}
