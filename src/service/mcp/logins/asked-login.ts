/** What somebody is asked to log in for, by whom, and what comes of it. */
export interface LoginWish {
  /** The wallet that is to log in, base58. */
  readonly wallet: string;
  /** The cluster whose rollup it logs in to, as the call names it; undefined for the default one. */
  readonly cluster: string | undefined;
  /** What the caller is told then, as the end of "It is told ...". */
  readonly tells: string;
  /** What the calling program says its name is; null where it says none. Nobody has checked it. */
  readonly client: string | null;
  /** A digest of the call, which alone may collect the login. */
  readonly call: string;
  /**
   * Trades the wallet's signature for a token.
   *
   * @throws {ServiceError} as `spl.login` does.
   */
  login(answer: LoginAnswer): Promise<string>;
}

/** What a wallet hands in: a challenge of the rollup, and the signature over its UTF-8 bytes in base58. */
export interface LoginAnswer {
  readonly challenge: string;
  readonly signature: string;
}

/** What is told to the one who asked, and to nobody else. */
export interface AskedLogin {
  /** With it the login is collected: 32 random bytes, base64url. */
  readonly secret: string;
  /** Names the login on the page: a digest of the secret, which does not lead back to it. */
  readonly id: string;
  /** What has to be typed on the page, as `ABC-DEF`. */
  readonly code: string;
}

/** What came of a login. */
export type Collected =
  | { readonly kind: 'token'; readonly token: string }
  /** Nobody has logged in yet. */
  | { readonly kind: 'open' }
  | { readonly kind: 'declined' }
  /** No such login, or none any more, or that of another call. */
  | { readonly kind: 'unknown' };
