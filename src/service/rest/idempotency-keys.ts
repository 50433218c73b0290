import { createCipheriv, createDecipheriv, createHash, randomFillSync } from 'node:crypto';
import { failureFields } from '../../errors/failure-fields.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Reply } from '../reply.ts';
import type { KeyStore, KeyUse, KeyVerdict } from './key-store.ts';

/** AES-256 in Galois/Counter Mode (NIST SP 800-38D), with a 96-bit nonce and a 128-bit tag. */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Separates the head, which is JSON without line feeds, from the body. */
const LINE_END = 0x0a;

type Head = Pick<Reply, 'status' | 'contentType' | 'headers'>;

/**
 * Encrypts a response for storage as nonce, tag and ciphertext. Only requests with the same key and token can
 * read it.
 *
 * @param secret 32 bytes in base64.
 */
function sealAnswer(secret: string, reply: Reply): Buffer {
  const { status, contentType, headers, body = '' } = reply;
  const head: Head = {
    status,
    ...(contentType && { contentType }),
    ...(headers && { headers }),
  };
  const nonce = randomFillSync(Buffer.allocUnsafe(NONCE_BYTES));
  const cipher = createCipheriv(CIPHER, Buffer.from(secret, 'base64'), nonce);
  const sealed = [cipher.update(`${JSON.stringify(head)}\n${body}`, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
}

/**
 * Decrypts a response from {@link sealAnswer} with the same secret.
 *
 * @throws {Error} Node's error, if the secret or the bytes are wrong.
 */
function openAnswer({ secret }: { readonly secret: string }, bytes: Uint8Array): Reply {
  const decipher = createDecipheriv(CIPHER, Buffer.from(secret, 'base64'), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  decipher.final();
  const end = opened.indexOf(LINE_END);
  return { ...(JSON.parse(opened.toString('utf8', 0, end)) as Head), body: opened.toString('utf8', end + 1) };
}

/**
 * Time until the key of an unfinished request is released, in ms. It exceeds the 30 s limit for operations.
 * The key of a killed process stays in use that long.
 */
const LEASE_MS = 45_000;

/** The result of claiming a key. */
export type Claim =
  /** The key is unused. Serve the request, and send the response only if `settle` succeeds. */
  | { readonly kind: 'new'; readonly settle: (reply: Reply | undefined) => Promise<void> }
  /** The same request has a stored response. */
  | { readonly kind: 'answered'; readonly reply: Reply }
  | Extract<KeyVerdict, { readonly kind: 'in-use' | 'reused' }>;

/** Digests of a request with a key, and the secret that encrypts its response. */
interface SecretUse extends KeyUse {
  /** The secret that encrypts the response: SHA-256 in base64. */
  readonly secret: string;
}

/**
 * Digests a key and its request.
 *
 * @param scope scope of the key, including the key.
 * @param request the request as JSON.
 */
export function digestUse(scope: readonly string[], request: unknown): SecretUse {
  return {
    place: digest(scope),
    secret: digest(['secret', scope]),
    fingerprint: digest(['request', scope, request]),
  };
}

/**
 * Status of the response to an unpaid request. The client repeats the request with a payment and the same
 * key.
 */
const PAYMENT_REQUIRED_STATUS = 402;

/** Requests with an `Idempotency-Key` and their responses, except 402 and 5xx, which are to be retried. */
export class IdempotencyKeys {
  readonly #store: KeyStore;
  readonly #logger: Logger;
  readonly #about: () => string;
  /** Whether the current failure of the store has been logged. */
  #isFailing = false;

  /**
   * @param about returns a value that responses depend on, such as the genesis hash of a ledger. A key used
   *   with a different value counts as unused.
   */
  constructor(store: KeyStore, logger: Logger, about: () => string = () => '') {
    this.#store = store;
    this.#logger = logger;
    this.#about = about;
  }

  /**
   * Claims a key for a request.
   *
   * @throws {ServiceError} SERVICE_BUSY if keys cannot be stored, so that no request is executed twice.
   */
  async claim(use: SecretUse): Promise<Claim> {
    // Digest the value now, because it may change before the response is ready.
    const place = digest([this.#about(), use.place]);
    const verdict = await this.#claimIn({ place, fingerprint: use.fingerprint });
    if (verdict.kind === 'answered') return { kind: 'answered', reply: openAnswer(use, verdict.reply) };
    if (verdict.kind !== 'new') return verdict;
    return { kind: 'new', settle: (reply) => this.#settle(place, use.secret, verdict.fence, reply) };
  }

  async #claimIn(use: KeyUse): Promise<KeyVerdict> {
    try {
      const verdict = await this.#store.claim(use, LEASE_MS);
      this.#isFailing = false;
      return verdict;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /**
   * Stores a response, or releases the key of one that can be retried.
   *
   * @throws {ServiceError} SERVICE_BUSY if the response is not stored. It must not be sent then, because a
   *   repeated request would get a different one.
   */
  async #settle(place: string, secret: string, fence: number, reply: Reply | undefined): Promise<void> {
    if (reply === undefined || reply.status >= 500 || reply.status === PAYMENT_REQUIRED_STATUS) {
      // The key stays in use until its lease ends.
      await this.#store.release(place, fence).catch((error: unknown) => void this.#failed(error));
      return;
    }
    let isStored: boolean;
    try {
      isStored = await this.#store.settle(place, fence, sealAnswer(secret, reply));
    } catch (error) {
      throw this.#failed(error);
    }
    if (isStored) return;
    throw new ServiceError(
      'SERVICE_BUSY',
      'The request took so long that a repeated request with its Idempotency-Key was started; repeat it to get that response',
    );
  }

  /** Logs the first of several failures, and returns the error for the caller. */
  #failed(error: unknown): ServiceError {
    if (!this.#isFailing) {
      this.#logger.error(
        failureFields(error),
        'responses to requests with an Idempotency-Key cannot be stored: such requests are rejected until they can',
      );
    }
    this.#isFailing = true;
    return new ServiceError(
      'SERVICE_BUSY',
      'Requests with an Idempotency-Key currently cannot be served, because their responses cannot be stored; try again in a second',
      {},
      { cause: error },
    );
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
