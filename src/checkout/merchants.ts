import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../errors/service-error.ts';
import { type Clock, formatTime } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { type Address, addressBytes } from '../solana/address.ts';
import { isStrictlySigned } from '../solana/strict-signature.ts';
import type { Purpose } from './input.ts';
import type { RecordStore, StoredRecord } from './record-store.ts';

/** A registered merchant. The id is its wallet. */
export interface Merchant extends StoredRecord {
  /** SHA-256 of the API key, hex. */
  readonly keyHash: string;
  /** Id of the challenge that the current key was issued for. It cannot be used again. */
  readonly usedChallenge: string;
  /** URL that receives the events; null for none. */
  readonly webhookUrl: string | null;
}

/** Text that a wallet signs to register, or to replace its API key. */
interface Challenge {
  /** UUID. */
  readonly id: string;
  readonly wallet: Address;
  readonly purpose: Purpose;
  readonly message: string;
  /** Unix time, in ms. */
  readonly expiresAt: number;
}

/** A signed challenge. */
interface Proof {
  readonly wallet: Address;
  readonly challengeId: string;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** A new API key, which is shown only once. */
interface IssuedKey {
  readonly merchantId: Address;
  readonly wallet: Address;
  readonly apiKey: string;
  /** The secret that signs events from now on. */
  readonly webhookSecret: string;
}

interface MerchantsParts {
  readonly store: RecordStore<Merchant>;
  /** Key of the MACs, the same in all replicas. */
  readonly secret: Uint8Array;
  /** Wallets that may register; all if empty. */
  readonly allowed: readonly string[];
  /** Origins that webhooks may be sent to. */
  readonly webhookOrigins: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Interval at which the challenge for a wallet changes, in ms. A challenge is valid in the interval in which
 * it was created and in the next one, so for 2.5 to 5 minutes.
 */
const CHALLENGE_MS = 150_000;

/**
 * Registers merchants and authenticates them. Challenges are not stored: their id is a MAC of the wallet, the
 * purpose and the time. Each challenge yields at most one key.
 */
export class Merchants {
  readonly #parts: MerchantsParts;

  constructor(parts: MerchantsParts) {
    this.#parts = parts;
  }

  /** @throws {ServiceError} MERCHANT_NOT_ALLOWED. */
  challenge(wallet: Address, purpose: Purpose, origin: string): Challenge {
    this.#requireAllowed(wallet);
    return this.#challengeAt(this.#interval(), wallet, purpose, origin);
  }

  /**
   * Registers a wallet, and issues its first API key.
   *
   * @throws {ServiceError} MERCHANT_NOT_ALLOWED, INVALID_MERCHANT_CHALLENGE, INVALID_MERCHANT_SIGNATURE,
   *   MERCHANT_EXISTS.
   */
  async register(proof: Proof, origin: string): Promise<IssuedKey> {
    const { store, clock } = this.#parts;
    const { wallet, challengeId } = proof;
    this.#requireAllowed(wallet);
    this.#requireProof(proof, 'register', origin);
    const { key, keyHash } = this.#newKey();
    const merchant: Merchant = {
      id: wallet,
      owner: wallet,
      version: 0,
      createdMs: clock.now(),
      untilMs: null,
      keyHash,
      usedChallenge: challengeId,
      webhookUrl: null,
    };
    const stored = await store.create(merchant);
    if (stored.keyHash === keyHash) return this.#issue(stored, key);
    throw new ServiceError(
      'MERCHANT_EXISTS',
      `${wallet} is already registered: use its API key, or replace the key with POST /v1/merchants/rotate-key`,
    );
  }

  /**
   * Replaces the API key. The old key stops working immediately.
   *
   * @throws {ServiceError} INVALID_MERCHANT_CHALLENGE, INVALID_MERCHANT_SIGNATURE, MERCHANT_NOT_FOUND.
   */
  async rotateKey(proof: Proof, origin: string): Promise<IssuedKey> {
    const { wallet, challengeId } = proof;
    this.#requireProof(proof, 'rotate-key', origin);
    const { key, keyHash } = this.#newKey();
    // The replica that accepted a newer one may be ahead of this one, and an interval may just have ended.
    const recent = [1, 0, -1, -2].map((ahead) =>
      this.#challengeId(this.#interval() + ahead, wallet, 'rotate-key'),
    );
    // A challenge that is older than the last used one may have been used before it.
    const since = new Set(recent.slice(0, recent.indexOf(challengeId) + 1));
    const merchant = await this.#change(wallet, ({ usedChallenge }) => {
      if (since.has(usedChallenge)) throw staleChallenge();
      return { keyHash, usedChallenge: challengeId };
    });
    return this.#issue(merchant, key);
  }

  /**
   * Returns the merchant with this id and API key.
   *
   * @throws {ServiceError} MERCHANT_UNAUTHORIZED.
   */
  async authenticate(id: string, key: string): Promise<Merchant> {
    const merchant = await this.#parts.store.get(id);
    const given = Buffer.from(hashOf(key));
    const isValid = timingSafeEqual(given, Buffer.from(merchant?.keyHash ?? hashOf('')));
    if (merchant !== undefined && isValid) return merchant;
    throw new ServiceError(
      'MERCHANT_UNAUTHORIZED',
      'The API key or the merchant id is missing or wrong: send the API key in Authorization (Bearer), and the wallet in X-Merchant-Id',
    );
  }

  /** Returns the merchant with this id; undefined if it is not registered. */
  find(id: string): Promise<Merchant | undefined> {
    return this.#parts.store.get(id);
  }

  /**
   * Sets the URL that receives the events of a merchant.
   *
   * @throws {ServiceError} WEBHOOK_NOT_ALLOWED if the operator does not allow its origin.
   */
  async setWebhook({ id }: Merchant, url: string | null): Promise<Merchant> {
    const { webhookOrigins } = this.#parts;
    if (url !== null && !this.allowsWebhook(url)) {
      const allowed = webhookOrigins.join(', ') || 'none';
      throw new ServiceError(
        'WEBHOOK_NOT_ALLOWED',
        `The operator allows webhooks only to these origins: ${allowed}. Choose one of them, or ask the operator to add the origin to WEBHOOK_ORIGINS`,
        { field: 'url' },
      );
    }
    return await this.#change(id, () => ({ webhookUrl: url }));
  }

  /** Whether the operator allows webhooks to a URL. */
  allowsWebhook(url: string): boolean {
    return this.#parts.webhookOrigins.includes(new URL(url).origin);
  }

  /**
   * Returns the secret that signs a merchant's events, in the format of Standard Webhooks. It changes when
   * the API key is replaced.
   */
  webhookSecretOf({ id, usedChallenge }: Merchant): string {
    return `whsec_${this.#mac(`webhook:${id}:${usedChallenge}`).toString('base64')}`;
  }

  #issue(merchant: Merchant, apiKey: string): IssuedKey {
    const wallet = merchant.id as Address;
    return { merchantId: wallet, wallet, apiKey, webhookSecret: this.webhookSecretOf(merchant) };
  }

  async #change(id: string, change: (merchant: Merchant) => Partial<Merchant>): Promise<Merchant> {
    for (;;) {
      const merchant = await this.#parts.store.get(id);
      if (merchant === undefined) {
        throw new ServiceError(
          'MERCHANT_NOT_FOUND',
          `${id} is not registered: register it with POST /v1/merchants`,
        );
      }
      const changed = { ...merchant, ...change(merchant), version: merchant.version + 1 };
      if (await this.#parts.store.replace(changed)) return changed;
    }
  }

  #requireAllowed(wallet: Address): void {
    const { allowed } = this.#parts;
    if (allowed.length === 0 || allowed.includes(wallet)) return;
    throw new ServiceError(
      'MERCHANT_NOT_ALLOWED',
      `${wallet} is not allowed to register here; ask the operator to add it to CHECKOUT_MERCHANTS`,
    );
  }

  /** @throws {ServiceError} INVALID_MERCHANT_CHALLENGE, INVALID_MERCHANT_SIGNATURE. */
  #requireProof({ wallet, challengeId, signature }: Proof, purpose: Purpose, origin: string): void {
    const now = this.#interval();
    const challenge = [now, now - 1]
      .map((interval) => this.#challengeAt(interval, wallet, purpose, origin))
      .find(({ id }) => id === challengeId);
    if (challenge === undefined) throw staleChallenge();
    const message = Buffer.from(challenge.message);
    if (isStrictlySigned(addressBytes(wallet), message, signature)) return;
    throw new ServiceError(
      'INVALID_MERCHANT_SIGNATURE',
      `The message of the challenge is not signed by ${wallet}: sign its UTF-8 bytes unchanged, and send the signature to the address of this service that returned the challenge`,
      { field: 'signature' },
    );
  }

  #interval(): number {
    return Math.floor(this.#parts.clock.now() / CHALLENGE_MS);
  }

  #challengeId(interval: number, wallet: Address, purpose: Purpose): string {
    return uuidOf(this.#mac(`challenge:${purpose}:${wallet}:${interval}`));
  }

  #challengeAt(interval: number, wallet: Address, purpose: Purpose, origin: string): Challenge {
    const id = this.#challengeId(interval, wallet, purpose);
    const expiresAt = (interval + 2) * CHALLENGE_MS;
    const expires = formatTime(expiresAt);
    const message = `${origin} requests merchant ${purpose}\nWallet: ${wallet}\nNonce: ${id}\nExpires: ${expires}`;
    return { id, wallet, purpose, message, expiresAt };
  }

  #newKey(): { readonly key: string; readonly keyHash: string } {
    const key = `mb_${Buffer.from(this.#parts.random.bytes(32)).toString('base64url')}`;
    return { key, keyHash: hashOf(key) };
  }

  #mac(text: string): Buffer {
    return createHmac('sha256', this.#parts.secret).update(text).digest();
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const staleChallenge = (): ServiceError =>
  new ServiceError(
    'INVALID_MERCHANT_CHALLENGE',
    'The challenge has expired, was already used, or belongs to a different wallet or purpose: request a new one with POST /v1/merchants/challenge',
    { field: 'challengeId' },
  );

/** Writes 16 bytes as a UUID of version 4. */
function uuidOf(bytes: Uint8Array): string {
  const uuid = Buffer.from(bytes.subarray(0, 16));
  uuid[6] = ((uuid[6] as number) & 0x0f) | 0x40;
  uuid[8] = ((uuid[8] as number) & 0x3f) | 0x80;
  return uuid.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
