import { createHash } from 'node:crypto';
import { ServiceError } from '../../../errors/service-error.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Random } from '../../../ports/random.ts';
import type { Timer } from '../../../ports/timer.ts';
import {
  agreementKey,
  freshKey,
  openBox,
  publicKeyOf,
  sealBox,
} from '../../../programs/private-transfer/sealed-box.ts';
import type { LoginStore, StoredLogin } from './login-store.ts';

/** The login that a call requests. */
export type LoginRequest = Pick<StoredLogin, 'wallet' | 'cluster' | 'tells' | 'client' | 'call'>;

/** A challenge of the rollup, and the wallet's signature over its UTF-8 bytes in base58. */
export interface LoginAnswer {
  readonly challenge: string;
  readonly signature: string;
}

/** Exchanges the wallet's signature for a token. It throws the errors of `spl.login`. */
type LogIn = (login: LoginAnswer & { readonly pubkey: string; readonly cluster?: string }) => Promise<string>;

/** The data that only the requesting client receives. */
export interface RequestedLogin {
  /** The secret that collects the login: 32 random bytes, base64url. */
  readonly secret: string;
  /** The id of the login on the page: a digest of the secret. */
  readonly id: string;
  /** The code that the user types on the page, such as `ABC-DEF`. */
  readonly code: string;
}

type Collected =
  /** The wallet has logged in. */
  | { readonly kind: 'token'; readonly token: string; readonly wallet: string }
  /** No one has logged in yet. */
  | { readonly kind: 'open' }
  | { readonly kind: 'declined' }
  /** The login does not exist, has expired, or belongs to another call. */
  | { readonly kind: 'unknown' };

/** 32 characters without the ambiguous I, O, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Code length. The 30 bits are enough, because only a few tries are allowed. */
const CHARACTERS = 6;

/** Creates a code such as `ABC-DEF`. */
export function makeCode(random: Random): string {
  // 256 is a multiple of 32, so all characters are equally likely.
  const characters = Array.from(random.bytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length] ?? '');
  return `${characters.slice(0, 3).join('')}-${characters.slice(3).join('')}`;
}

/** Whether the typed text is the code, in any case and with any separators. */
export const isCode = (typed: string, code: string): boolean => lettersOf(typed) === lettersOf(code);

const lettersOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Time limit for the person to sign and for the caller to collect the login, in ms. */
export const LOGIN_MS_MAX = 5 * 60_000;

/**
 * Time that a repeated call waits for the login, in ms. It is shorter than the clients' timeout (60 s), and
 * long enough that the official client's ten rounds last for minutes.
 */
const WAIT_MS_MAX = 20_000;

/** Interval at which a waiting call reads the login, in ms. The person may use another process. */
export const READ_EVERY_MS = 250;

/** Number of wrong codes after which a login ends. */
export const WRONG_CODES_MAX = 5;

const SECRET_BYTES = 32;

/** The data of a login that the page shows. It omits the code, so the URL alone is not enough to log in. */
type ShownLogin = Pick<StoredLogin, 'wallet' | 'tells' | 'client'> & { readonly cluster: string | null };

/** Options of {@link RequestedLogins}. */
interface RequestedLoginsOptions {
  readonly store: LoginStore;
  readonly origin: string;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Random;
}

/**
 * Logins that programs request from people.
 *
 * Two parties have separate rights. The caller has the secret, with which it can collect a login but not log
 * in. The person who opens the page has a digest of the secret, and the code that the caller shows. With the
 * wallet's signature, the person can log in but not collect the login. A login is valid for one call, once,
 * for a few minutes. Its token is encrypted for the caller's secret and used only for that call. Neither the
 * caller nor the page receives the token.
 */
export class RequestedLogins {
  readonly #options: RequestedLoginsOptions;
  readonly #store: LoginStore;
  readonly #closing = new AbortController();
  #logIn: LogIn | null = null;

  constructor(options: RequestedLoginsOptions) {
    this.#options = options;
    this.#store = options.store;
  }

  /** Sets the function that logs a wallet in. The service calls this before it serves requests. */
  logInWith(logIn: LogIn): void {
    this.#logIn = logIn;
  }

  /** Returns the URL of a login's page. It reveals neither the wallet nor the purpose nor the code. */
  pageOf({ id }: RequestedLogin): string {
    return `${this.#options.origin}/console/login?ask=${id}`;
  }

  /** Requests a login. Returns null if too many logins wait to be collected. */
  async request(request: LoginRequest): Promise<RequestedLogin | null> {
    const { random, clock } = this.#options;
    const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url');
    const id = idOf(secret);
    const code = makeCode(random);
    const isAdded = await this.#store.add(id, {
      ...request,
      code,
      triesLeft: WRONG_CODES_MAX,
      callerKey: agreementKey(boxSecretOf(secret)).publicKey,
      waiter: '',
      state: 'open',
      sealedToken: null,
      until: clock.now() + LOGIN_MS_MAX,
      version: 0,
    });
    return isAdded ? { secret, id, code } : null;
  }

  /** @throws {ServiceError} INVALID_ARGUMENTS if the login is not open. */
  async show(id: string): Promise<ShownLogin> {
    const { wallet, tells, client, cluster = null } = await this.#openOne(id);
    return { wallet, tells, client, cluster };
  }

  /**
   * Logs the wallet in for the requesting caller.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS if the login is not open or the code is wrong, and the errors of
   *   `spl.login`.
   */
  async answer(id: string, typed: string, answer: LoginAnswer): Promise<void> {
    const logIn = this.#logIn;
    if (logIn === null) throw notOpen();
    const { wallet: pubkey, cluster } = await this.#checkCode(id, typed);
    const token = await logIn({ ...answer, pubkey, ...(cluster !== undefined && { cluster }) });
    await this.#changeOpen(id, (login) => ({ state: 'answered', sealedToken: this.#seal(token, login) }));
  }

  /** @throws {ServiceError} INVALID_ARGUMENTS if the login is not open. */
  async decline(id: string): Promise<void> {
    await this.#changeOpen(id, () => ({ state: 'declined' }));
  }

  /**
   * Waits for the outcome of a login, and returns it once to the call that requested it. If two calls wait
   * for one login, the earlier call ends, because its client may have given up.
   *
   * @param call digest of the collecting call.
   *
   * @param gone aborts when the client disconnects. The login then stays available for a repeated call.
   */
  async collect(secret: string, call: string, gone?: AbortSignal): Promise<Collected> {
    const id = idOf(secret);
    const { clock, random } = this.#options;
    const waiter = Buffer.from(random.bytes(8)).toString('base64url');
    const claimed = await this.#change(id, (login) => (login.call === call ? { waiter } : null));
    if (claimed === null) return { kind: 'unknown' };
    const until = clock.now() + WAIT_MS_MAX;
    for (;;) {
      const login = await this.#store.get(id);
      if (login === undefined) return { kind: 'unknown' };
      if (gone?.aborted === true || login.waiter !== waiter) return { kind: 'open' };
      if (login.state !== 'open') {
        if (!(await this.#store.replace(id, login.version, null))) continue;
        const token = login.sealedToken && openBox(login.sealedToken, boxSecretOf(secret));
        return token === null
          ? { kind: 'declined' }
          : { kind: 'token', token: Buffer.from(token).toString(), wallet: login.wallet };
      }
      if (clock.now() >= until || this.#closing.signal.aborted) return { kind: 'open' };
      await this.#pause(gone);
    }
  }

  /** Ends a login that the user declined in the client. */
  async drop(secret: string): Promise<void> {
    await this.#change(idOf(secret), () => ({ until: 0 }));
  }

  /** Ends every wait. The logins stay available to other processes. */
  close(): void {
    this.#closing.abort();
  }

  #seal(token: string, { callerKey }: StoredLogin): Uint8Array {
    return sealBox(Buffer.from(token), publicKeyOf(callerKey), freshKey(this.#options.random));
  }

  #pause(gone: AbortSignal | undefined): Promise<void> {
    const signals = [this.#closing.signal, ...(gone === undefined ? [] : [gone])];
    return new Promise((resolve) => {
      const end = (): void => {
        stop();
        for (const signal of signals) signal.removeEventListener('abort', end);
        resolve();
      };
      const stop = this.#options.timer.after(READ_EVERY_MS, end);
      for (const signal of signals) signal.addEventListener('abort', end);
    });
  }

  async #openOne(id: string): Promise<StoredLogin> {
    const login = await this.#store.get(id);
    if (login?.state !== 'open') throw notOpen();
    return login;
  }

  async #changeOpen(id: string, change: (login: StoredLogin) => Partial<StoredLogin>): Promise<StoredLogin> {
    const changed = await this.#change(id, (login) => (login.state === 'open' ? change(login) : null));
    if (changed === null) throw notOpen();
    return changed;
  }

  /** Changes a login atomically, even across processes; returns null if there is none. */
  async #change(
    id: string,
    change: (login: StoredLogin) => Partial<StoredLogin> | null,
  ): Promise<StoredLogin | null> {
    for (;;) {
      const login = await this.#store.get(id);
      const changed = login === undefined ? null : change(login);
      if (login === undefined || changed === null) return null;
      const next = { ...login, ...changed, version: login.version + 1 };
      if (await this.#store.replace(id, login.version, next)) return next;
    }
  }

  /**
   * Compares the code and counts a wrong code atomically, so that each concurrent guess uses a try.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS if the login is not open or the code is wrong.
   */
  async #checkCode(id: string, typed: string): Promise<StoredLogin> {
    let isRight = false;
    const login = await this.#changeOpen(id, ({ code, triesLeft }) => {
      isRight = isCode(typed, code);
      if (isRight) return {};
      const left = triesLeft - 1;
      return left === 0 ? { triesLeft: left, until: 0 } : { triesLeft: left };
    });
    if (isRight) return login;
    const { triesLeft } = login;
    const left = triesLeft === 0 ? 'this login is over' : `${triesLeft} tries are left`;
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `This is not the code that the assistant shows: ${left}. If your assistant does not show a code, you did not start this login`,
      { field: 'code' },
    );
  }
}

const idOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Derives the private key that decrypts the token. */
const boxSecretOf = (secret: string): Uint8Array =>
  createHash('sha256').update(`login token ${secret}`).digest();

const notOpen = (): ServiceError =>
  new ServiceError(
    'INVALID_ARGUMENTS',
    'This login is not open: it was answered, expired, was replaced by later ones, or the service has restarted. Start it again from the assistant',
    { field: 'id' },
  );
