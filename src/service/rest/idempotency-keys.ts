import { createCipheriv, createDecipheriv, createHash, randomFillSync } from 'node:crypto';
import { failureFields } from '../../errors/failure-fields.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Reply } from '../reply.ts';
import type { KeyStore, KeyUse, KeyVerdict } from './key-store.ts';

/** AES-256 in Galois/Counter Mode (NIST SP 800-38D), with a nonce of 96 and a tag of 128 bits. */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Between the head, which is JSON and has no line ends, and the body. */
const LINE_END = 0x0a;

type Head = Pick<Reply, 'status' | 'contentType' | 'headers'>;

/**
 * An answer as it lies on a disk: nonce, tag, and what only somebody can read who has the key and the token
 * that it was asked for with.
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
 * Opens what {@link sealAnswer} sealed with the same secret.
 *
 * @throws {Error} Node's, if it is not that.
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
 * How long a request may take before its key is free again, ms: one that has run for 30 s
 * (`OPERATION_LIMITS`) is given up. That long a key is in use whose process was killed.
 */
const LEASE_MS = 45_000;

/** The result of claiming a key. */
export type Claim =
  /**
   * The key is unused: serve the request, and call `settle` with whatever answer it gets before sending that
   * answer. What a caller has seen is then stored already.
   */
  | { readonly kind: 'new'; readonly settle: (reply: Reply | undefined) => Promise<void> }
  /** The same request was answered before. */
  | { readonly kind: 'answered'; readonly reply: Reply }
  | Extract<KeyVerdict, { readonly kind: 'in-use' | 'reused' }>;

/** What a request with a key is known by, and the secret that its answer is enciphered with. */
interface SecretUse extends KeyUse {
  /** SHA-256 in base64. */
  readonly secret: string;
}

/**
 * Digests a key and its request.
 *
 * @param scope the scope of the key, the key included.
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
 * Requests made with an `Idempotency-Key`, and their answers. A 5xx answer is not kept, so that the request
 * can be retried.
 */
export class IdempotencyKeys {
  readonly #store: KeyStore;
  readonly #logger: Logger;
  readonly #about: () => string;
  /** Whether it has been said that nothing can be kept. */
  #isFailing = false;

  /**
   * @param about What answers are about as it is now, such as a ledger by its genesis hash: a key that was
   * used
   *   about something else is unused.
   */
  constructor(store: KeyStore, logger: Logger, about: () => string = () => '') {
    this.#store = store;
    this.#logger = logger;
    this.#about = about;
  }

  /**
   * Claims a key for a request.
   *
   * @throws {ServiceError} SERVICE_BUSY where keys cannot be kept: nothing is carried out then that could be
   *   carried out again.
   */
  async claim(use: SecretUse): Promise<Claim> {
    // By what it is about at this moment, also when that is replaced before there is an answer.
    const about = this.#about();
    const verdict = await this.#claimIn(use, about);
    if (verdict.kind === 'answered') return { kind: 'answered', reply: openAnswer(use, verdict.reply) };
    if (verdict.kind !== 'new') return verdict;
    return { kind: 'new', settle: (reply) => this.#settle(use, about, verdict.fence, reply) };
  }

  async #claimIn(use: KeyUse, about: string): Promise<KeyVerdict> {
    try {
      const verdict = await this.#store.claim(use, about, LEASE_MS);
      this.#isFailing = false;
      return verdict;
    } catch (error) {
      this.#failed(error);
      throw new ServiceError(
        'SERVICE_BUSY',
        'Requests with an Idempotency-Key cannot be served for now, as their answers cannot be kept; try again in a second',
        {},
        { cause: error as Error },
      );
    }
  }

  /** It never fails: the caller is answered, and the key is in use until its lease is over. */
  async #settle(use: SecretUse, about: string, fence: number, reply: Reply | undefined): Promise<void> {
    const isKept = reply !== undefined && reply.status < 500;
    try {
      if (isKept) await this.#store.settle(use, about, fence, sealAnswer(use.secret, reply));
      else await this.#store.release(use, about, fence);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (!this.#isFailing) {
      this.#logger.error(
        failureFields(error),
        'answers to requests with an Idempotency-Key cannot be kept: such requests are refused until they can',
      );
    }
    this.#isFailing = true;
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
