import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '../../src/ledger/keypair.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { deriveEata } from '../../src/programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../src/programs/ephemeral-token/state.ts';
import { signBuilt } from '../../src/rollup/testing/payment-scene.ts';
import { addressBytes } from '../../src/solana/address.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import type { RunningApp } from '../client/running-app.ts';

/** The service's response: a result or an error code. */
interface Answer {
  readonly code?: string;
  readonly [member: string]: unknown;
}

/** Base units on base and in the private balance, wherever its eATA is. */
export interface Balances {
  readonly base: bigint;
  readonly ephemeral: bigint;
}

/** A wallet of the table, with its bearer token. */
export class Party {
  readonly keypair: Keypair;
  readonly signer: KeyPairSigner;
  /** Its keypair file. */
  readonly file: string;
  readonly #app: RunningApp;
  #token: string | null = null;

  private constructor(app: RunningApp, keypair: Keypair, signer: KeyPairSigner, file: string) {
    this.#app = app;
    this.keypair = keypair;
    this.signer = signer;
    this.file = file;
  }

  /** Creates a new wallet with 10 SOL. */
  static async create(app: RunningApp, folder: string): Promise<Party> {
    const seed = crypto.getRandomValues(new Uint8Array(32));
    const keypair = new Keypair(seed);
    const bytes = new Uint8Array([...seed, ...addressBytes(keypair.address)]);
    const file = join(folder, `${keypair.address}.json`);
    writeFileSync(file, JSON.stringify([...bytes]), { mode: 0o600 });
    await app.ask('requestAirdrop', keypair.address, 10_000_000_000);
    return new Party(app, keypair, await createKeyPairSignerFromBytes(bytes), file);
  }

  get address(): string {
    return this.keypair.address;
  }

  /** Changes its USDC account on base, or creates it. */
  async setTokens(update: { readonly amount?: number; readonly state?: 'frozen' }): Promise<void> {
    await this.#app.ask('surfnet_setTokenAccount', this.address, USDC_MINT, update);
  }

  /** Calls the service with the wallet's bearer token, unless `isAnonymous`. */
  async call(path: string, body: object, isAnonymous = false): Promise<Answer> {
    const authorization = isAnonymous ? {} : { authorization: `Bearer ${await this.token()}` };
    const response = await fetch(`${this.#app.serviceUrl}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Answer;
  }

  /** Builds, signs and sends a transaction. Throws unless it arrives. */
  async do(path: string, body: object): Promise<void> {
    for (let tries = 0; ; tries++) {
      const { transactionBase64, sendTo, code } = await this.call(path, body);
      if (code === 'EATA_SETTLING' && tries < 100) continue;
      if (code !== undefined) throw new Error(`${path}: ${code}`);
      const signed = signBuilt(this.keypair, String(transactionBase64));
      const sent = await this.call('transaction/send', { transactionBase64: signed, sendTo, confirm: true });
      if ((sent['arrival'] as { outcome?: string } | undefined)?.outcome !== 'arrived') {
        throw new Error(`${path}: ${JSON.stringify(sent)}`);
      }
      return;
    }
  }

  async token(): Promise<string> {
    this.#token ??= await this.#logIn();
    return this.#token;
  }

  async balances(): Promise<Balances> {
    const query = `address=${this.address}&mint=${USDC_MINT}`;
    const headers = { authorization: `Bearer ${await this.token()}` };
    const response = await fetch(`${this.#app.serviceUrl}/v1/spl/private-balance?${query}`, { headers });
    const { balance } = (await response.json()) as { balance?: string };
    const inEata = await this.#inEata();
    return { base: await this.#onBase(), ephemeral: inEata ?? BigInt(balance ?? 0) };
  }

  /** Returns the balance of its eATA; null while it is delegated or missing. */
  async #inEata(): Promise<bigint | null> {
    const eata = deriveEata(this.keypair.address, USDC_MINT).address;
    const { value } = (await this.#app.ask('getAccountInfo', eata, { encoding: 'base64' })) as {
      value: { owner: string; data: [string, string] } | null;
    };
    if (value?.owner !== EPHEMERAL_TOKEN_PROGRAM) return null;
    return decodeEata(new Uint8Array(Buffer.from(value.data[0], 'base64')))?.amount ?? null;
  }

  async #onBase(): Promise<bigint> {
    const ata = deriveAta(this.keypair.address, USDC_MINT, TOKEN_PROGRAM).address;
    const shown = (await this.#app.ask('getAccountInfo', ata, { encoding: 'jsonParsed' })) as {
      value: { data: { parsed?: { info: { tokenAmount: { amount: string } } } } } | null;
    };
    return BigInt(shown.value?.data.parsed?.info.tokenAmount.amount ?? 0);
  }

  async #logIn(): Promise<string> {
    const pubkey = this.address;
    const asked = await fetch(`${this.#app.serviceUrl}/v1/spl/challenge?pubkey=${pubkey}`);
    const { challenge } = (await asked.json()) as { challenge: string };
    const signature = encodeBase58(this.keypair.sign(Buffer.from(challenge, 'utf8')));
    const { token } = await this.call('spl/login', { pubkey, challenge, signature }, true);
    return String(token);
  }
}
