import { createHash } from 'node:crypto';
import { ServiceError } from '../../../errors/service-error.ts';
import type { Random } from '../../../ports/random.ts';
import type { Timer } from '../../../ports/timer.ts';

/** A login that a call requests. */
export interface LoginWish {
  /** The wallet that has to log in, base58. */
  readonly wallet: string;
  /** The cluster of the rollup, as the call names it; undefined for the default cluster. */
  readonly cluster: string | undefined;
  /** What the caller receives after the login, as the end of "It is told ...". */
  readonly tells: string;
  /** The name that the calling program gives itself, unverified; null if none. */
  readonly client: string | null;
  /** Digest of the call. Only the same call may collect the login. */
  readonly call: string;
  /**
   * Trades the wallet's signature for a token.
   *
   * @throws {ServiceError} as `spl.login` does.
   */
  login(answer: LoginAnswer): Promise<string>;
}

/** A challenge of the rollup, and the wallet's signature over its UTF-8 bytes in base58. */
export interface LoginAnswer {
  readonly challenge: string;
  readonly signature: string;
}

/** What only the requesting client receives. */
export interface AskedLogin {
  /** Collects the login: 32 random bytes, base64url. */
  readonly secret: string;
  /** Identifies the login on the page: a digest of the secret. */
  readonly id: string;
  /** The code that the user types on the page, such as `ABC-DEF`. */
  readonly code: string;
}

/** The outcome of a login. */
type Collected =
  | { readonly kind: 'token'; readonly token: string }
  /** Nobody has logged in yet. */
  | { readonly kind: 'open' }
  | { readonly kind: 'declined' }
  /** No such login, or none any more, or that of another call. */
  | { readonly kind: 'unknown' };

/** 32 characters without the ambiguous I, O, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** 30 bits, enough for the few tries. */
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

/** How long somebody has to open the page, to read it, to sign, and the caller to collect, ms. */
export const LOGIN_MS_MAX = 5 * 60_000;

/**
 * How long a repeated call waits for the login, ms: less than clients wait for an answer (60 s), and long
 * enough for the ten rounds that the official client makes of one call to last for minutes.
 */
export const WAIT_MS_MAX = 20_000;

/**
 * Logins that are kept at once, and of one wallet. Beyond that the oldest gives way that nobody has logged in
 * for, so that whoever asks and never collects keeps nobody else from asking.
 */
export const OPEN_MAX = 64;
export const OPEN_OF_WALLET_MAX = 4;

/** Wrong codes after which a login is over. */
export const WRONG_CODES_MAX = 5;

const SECRET_BYTES = 32;

/** A login that was asked for, as long as it is not collected. */
interface OpenLogin extends LoginWish {
  readonly id: string;
  readonly code: string;
  codesLeft: number;
  state: 'open' | 'answering' | 'declined' | { readonly token: string };
  /** Ends the wait of the call that was repeated last. */
  wake: () => void;
  readonly stop: () => void;
}

/** What the page shows of a login. The code is not in it: whoever has the address alone cannot answer. */
type ShownLogin = Pick<LoginWish, 'wallet' | 'tells' | 'client'> & { readonly cluster: string | null };

/** Where the logins that callers ask for are, and how long they are. */
interface AskedLoginsOptions {
  /** Where the page is, without a path. */
  readonly origin: string;
  readonly timer: Timer;
  readonly random: Random;
}

/**
 * Logins that programs have asked people for, in the memory of this process alone.
 *
 * Two parties meet here that must not be taken for each other. The caller has the secret, and can collect but
 * not log in. Whoever opens the page has a digest of the secret and, if they see what the caller shows, the
 * code; with the wallet's signature they can log in, but not collect. Each login is for one call, once, for a
 * few minutes. Its token goes to that call alone: neither the caller nor the page is told it.
 */
export class AskedLogins {
  readonly #options: AskedLoginsOptions;
  readonly #logins = new Map<string, OpenLogin>();

  constructor(options: AskedLoginsOptions) {
    this.#options = options;
  }

  /** Returns the page of a login. Its URL contains nothing about the wallet, the purpose or the code. */
  pageOf({ id }: AskedLogin): string {
    return `${this.#options.origin}/console/login?ask=${id}`;
  }

  /**
   * Opens a login. If there are too many, the oldest one that is open or declined is dropped. Returns null if
   * all of them are being answered or wait to be collected.
   */
  ask(wish: LoginWish): AskedLogin | null {
    const ofWallet = [...this.#logins.values()].filter(({ wallet }) => wallet === wish.wallet);
    if (!this.#makeRoom(ofWallet, OPEN_OF_WALLET_MAX)) return null;
    if (!this.#makeRoom([...this.#logins.values()], OPEN_MAX)) return null;
    const { random, timer } = this.#options;
    const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url');
    const id = idOf(secret);
    const code = makeCode(random);
    const stop = timer.after(LOGIN_MS_MAX, () => this.#end(id));
    const state = 'open';
    this.#logins.set(id, {
      ...wish,
      id,
      code,
      codesLeft: WRONG_CODES_MAX,
      state,
      stop,
      wake: () => undefined,
    });
    return { secret, id, code };
  }

  /** @throws {ServiceError} INVALID_ARGUMENTS for one that is not open. */
  show(id: string): ShownLogin {
    const { wallet, tells, client, cluster = null } = this.#openOne(id);
    return { wallet, tells, client, cluster };
  }

  /**
   * Logs the wallet in for the requesting caller.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS if the login is not open or the code is wrong; what `spl.login`
   *   throws.
   */
  async answer(id: string, typed: string, answer: LoginAnswer): Promise<void> {
    const login = this.#openOne(id);
    if (!isCode(typed, login.code)) throw this.#wrongCode(login);
    // No one else can answer it meanwhile, but it may end.
    login.state = 'answering';
    try {
      const token = await login.login(answer);
      if (this.#logins.get(id) !== login) throw notOpen();
      login.state = { token };
      login.wake();
    } catch (error) {
      login.state = 'open';
      throw error;
    }
  }

  /** @throws {ServiceError} INVALID_ARGUMENTS for one that is not open. */
  decline(id: string): void {
    const login = this.#openOne(id);
    login.state = 'declined';
    login.wake();
  }

  /**
   * Returns the outcome of a login to the call that requested it. Waits a while for it. An outcome is
   * returned once.
   *
   * @param call digest of the collecting call.
   *
   * @param gone aborted once the client has disconnected. Then the login stays for a repetition of the call.
   */
  async collect(secret: string, call: string, gone?: AbortSignal): Promise<Collected> {
    const login = this.#logins.get(idOf(secret));
    if (login === undefined || login.call !== call) return { kind: 'unknown' };
    if (!isSettled(login)) await this.#wait(login, gone);
    if (gone?.aborted === true) return { kind: 'open' };
    if (this.#logins.get(login.id) !== login) return { kind: 'unknown' };
    const { state } = login;
    if (state === 'open' || state === 'answering') return { kind: 'open' };
    this.#end(login.id);
    return state === 'declined' ? { kind: state } : { kind: 'token', token: state.token };
  }

  /** Ends a login that the user declined in the client. */
  drop(secret: string): void {
    this.#end(idOf(secret));
  }

  /** Ends every login and every call that waits for one. */
  close(): void {
    for (const id of this.#logins.keys()) this.#end(id);
  }

  /** If two calls wait for one login, the earlier one ends, because its client may have given up. */
  #wait(login: OpenLogin, gone: AbortSignal | undefined): Promise<void> {
    login.wake();
    return new Promise((resolve) => {
      const wake = (): void => {
        stop();
        gone?.removeEventListener('abort', wake);
        resolve();
      };
      gone?.addEventListener('abort', wake);
      const stop = this.#options.timer.after(WAIT_MS_MAX, wake);
      login.wake = wake;
    });
  }

  /**
   * Makes room for one more login; returns false if there is none.
   *
   * @param logins oldest first.
   */
  #makeRoom(logins: readonly OpenLogin[], max: number): boolean {
    if (logins.length < max) return true;
    const oldest = logins.find(givesWay);
    if (oldest !== undefined) this.#end(oldest.id);
    return oldest !== undefined;
  }

  #end(id: string): void {
    const login = this.#logins.get(id);
    if (login === undefined) return;
    this.#logins.delete(id);
    login.stop();
    login.wake();
  }

  #openOne(id: string): OpenLogin {
    const login = this.#logins.get(id);
    if (login?.state !== 'open') throw notOpen();
    return login;
  }

  #wrongCode(login: OpenLogin): ServiceError {
    login.codesLeft -= 1;
    if (login.codesLeft === 0) this.#end(login.id);
    const left = login.codesLeft === 0 ? 'this login is over' : `${login.codesLeft} tries are left`;
    return new ServiceError(
      'INVALID_ARGUMENTS',
      `This is not the code that the assistant shows: ${left}. If it shows you none, you did not start this login`,
      { field: 'code' },
    );
  }
}

const isSettled = ({ state }: OpenLogin): boolean => state === 'declined' || typeof state === 'object';

/** Declined logins too, because a caller can decline its own logins and would fill the table with them. */
const givesWay = ({ state }: OpenLogin): boolean => state === 'open' || state === 'declined';

const idOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const notOpen = (): ServiceError =>
  new ServiceError(
    'INVALID_ARGUMENTS',
    'This login is not open: it was answered, expired, was replaced by later ones, or the service has restarted. Start it again from the assistant',
    { field: 'id' },
  );
