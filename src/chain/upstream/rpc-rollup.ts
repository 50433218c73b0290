import { z } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import { tryParseJson } from '../../json/parse-json.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import { LASTING } from '../../solana/commitment.ts';
import type { AuthToken, LoginProof, Rollup, RollupAuth } from '../chain.ts';
import { feeAnswer, identityAnswer } from './rpc-answers.ts';
import { withToken } from './rpc-client.ts';
import { RpcLedgerClient } from './rpc-ledger-client.ts';
import type { UpstreamAnswer } from './transport.ts';
import { faultOfAnswer, faultOfStatus, UpstreamFault } from './upstream-fault.ts';
import { ANSWER_BYTES_MAX, Upstream, type UpstreamPorts } from './upstream.ts';

/** Maximum age of a cached identity, in ms. An operator who changes the key ends delegations first. */
export const IDENTITY_AGE_MAX_MS = 5 * 60_000;

/** Duration of one slot of MagicBlock's rollups, in ms. */
const ROLLUP_SLOT_MS = 50;

/** The endpoints of a rollup. */
interface RollupPlace {
  /** The URLs in order of preference. */
  readonly urls: readonly URL[];
  /** The URL shown to callers; null to derive it from `urls`. */
  readonly publicUrl: string | null;
  readonly hasLogin: boolean;
  /** The validator that the operator set; null to trust the validator that the rollup reports. */
  readonly validator: Address | null;
  /** The environment variable that sets `validator`. */
  readonly validatorVariable: string;
}

/** A rollup over JSON-RPC. The token is in the query, where MagicBlock's rollups expect it. */
export class RpcRollup extends RpcLedgerClient implements Rollup {
  readonly publicUrl: string | null;
  readonly auth: RollupAuth | null;
  readonly hidesStatuses: boolean;
  readonly #who: string;
  readonly #place: RollupPlace;
  readonly #clock: Clock;
  #identity: { readonly value: Promise<Address>; readonly readAt: number } | undefined;

  constructor(who: string, place: RollupPlace, ports: UpstreamPorts) {
    const { urls, publicUrl, hasLogin } = place;
    super(who, urls, 'query', ports, ROLLUP_SLOT_MS);
    this.#who = who;
    this.#place = place;
    this.publicUrl = publicUrlOf(publicUrl, urls);
    this.hidesStatuses = hasLogin;
    this.auth = hasLogin ? new HttpRollupAuth(new Upstream(who, urls, ports)) : null;
    this.#clock = ports.clock;
  }

  /**
   * @throws {ServiceError} VALIDATOR_DISPUTED if the rollup's validator is not the validator that the
   * operator set. Tokens would be delegated to the wrong key and recipients sealed for it, so neither
   * validator is used.
   */
  async identity(): Promise<Address> {
    const reported = await this.#reportedIdentity();
    const { validator, validatorVariable: variable } = this.#place;
    if (validator === null || validator === reported) return reported;
    throw new ServiceError(
      'VALIDATOR_DISPUTED',
      `${this.#who} reports validator ${reported}, but the operator has set ${variable} to ${validator}; no transaction is built until the operator corrects the variable or the URL`,
      { told: reported, configured: validator, variable },
    );
  }

  feeOf(message: Uint8Array): Promise<bigint | null> {
    return this.rpc.read({
      method: 'getFeeForMessage',
      params: [Buffer.from(message).toString('base64')],
      commitment: LASTING,
      config: {},
      result: feeAnswer,
    });
  }

  /** Reads the identity that the rollup reports. Concurrent callers share a read. Failures are not cached. */
  #reportedIdentity(): Promise<Address> {
    const now = this.#clock.now();
    const ageMs = now - (this.#identity?.readAt ?? 0);
    if (this.#identity !== undefined && ageMs >= 0 && ageMs <= IDENTITY_AGE_MAX_MS)
      return this.#identity.value;
    const value = this.rpc.read({ method: 'getIdentity', params: [], result: identityAnswer });
    const identity = { value, readAt: now };
    this.#identity = identity;
    value.catch(() => {
      if (this.#identity === identity) this.#identity = undefined;
    });
    return value;
  }
}

/**
 * Returns the URL of a rollup that callers may see: the operator's setting, or else the first URL of the
 * service unless it could contain a key (user, password, path, query or fragment). Returns null if there is
 * none.
 */
export function publicUrlOf(named: string | null, urls: readonly URL[]): string | null {
  if (named !== null) return named;
  const [url] = urls;
  if (url === undefined || url.href !== `${url.origin}/`) return null;
  return url.origin;
}

/** Maximum length of an accepted challenge and token, in characters. */
const CHALLENGE_MAX = 1_024;
const TOKEN_MAX = 8_192;

/** A rollup without the login service answers with a JSON-RPC error or the status of a missing path. */
const unknownRequest = z.object({ jsonrpc: z.string(), error: z.object({ code: z.int() }) });
const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405, 415, 501]);

/** A rejection of the login service: an error text, with any HTTP status. */
const refusal = z.object({ error: z.string().min(1) });

const challengeAnswer = z.object({ challenge: z.string().max(CHALLENGE_MAX) });
const loginAnswer = z.object({
  token: z.string().min(1).max(TOKEN_MAX),
  expiresAt: z.union([z.int(), z.string().max(64)]).nullish(),
});
const permissionAnswer = z.object({
  authorizedUsers: z.array(z.string().refine(isAddress)).nullish(),
});

/**
 * The login service that MagicBlock's private rollups run next to their RPC: `GET auth/challenge`, `POST
 * auth/login` and `GET permission` under the path of the RPC URL.
 */
export class HttpRollupAuth implements RollupAuth {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  async challenge(owner: Address): Promise<string> {
    return this.#upstream.request({
      what: 'auth/challenge',
      isRepeatable: true,
      answerBytesMax: ANSWER_BYTES_MAX,
      address: (base) => ({
        method: 'GET',
        url: below(base, 'auth/challenge', { pubkey: owner }),
        body: null,
      }),
      read: (received) => {
        const { challenge } = this.#read(received, challengeAnswer, 'UPSTREAM_REJECTED', false);
        // Wallets sign this text unread, so it must at least name this wallet.
        if (challenge.includes(owner)) return challenge;
        throw faultOfAnswer(this.#upstream.who, 'a login request with a challenge for a different wallet');
      },
    });
  }

  async login({ owner, challenge, signature }: LoginProof): Promise<AuthToken> {
    const body = JSON.stringify({ pubkey: owner, challenge, signature });
    const { token, expiresAt } = await this.#upstream.request({
      what: 'auth/login',
      isRepeatable: false,
      answerBytesMax: ANSWER_BYTES_MAX,
      address: (base) => ({ method: 'POST', url: below(base, 'auth/login', {}), body }),
      // The signed challenge is also a credential, so 401 and 403 mean the same as with a token.
      read: (received) => this.#read(received, loginAnswer, 'AUTH_REFUSED', true),
    });
    return { token, expiresAt: expiresAt ?? null };
  }

  async authorizedUsers(account: Address, token: string): Promise<readonly Address[] | null> {
    const { authorizedUsers } = await this.#upstream.request({
      what: 'permission',
      isRepeatable: true,
      answerBytesMax: ANSWER_BYTES_MAX,
      address: (base) => ({
        method: 'GET',
        url: withToken(below(base, 'permission', { pubkey: account }), token),
        body: null,
      }),
      read: (received) => this.#read(received, permissionAnswer, 'UPSTREAM_REJECTED', true),
    });
    return (authorizedUsers as Address[] | null | undefined) ?? null;
  }

  #read<T>(
    { status, retryAfter, body }: UpstreamAnswer,
    form: z.ZodType<T>,
    refusalCode: 'AUTH_REFUSED' | 'UPSTREAM_REJECTED',
    hasProof: boolean,
  ): T {
    const { who } = this.#upstream;
    const value = tryParseJson(body);
    if (NO_SUCH_PATH.has(status) || unknownRequest.safeParse(value).success) throw unavailable(who);
    if (refusal.safeParse(value).success && status < 500 && status !== 429) throw refused(who, refusalCode);
    if (status === 400 && hasProof) throw refused(who, refusalCode);
    if (status !== 200) throw faultOfStatus(who, status, retryAfter, hasProof);
    const parsed = form.safeParse(value);
    if (!parsed.success) throw faultOfAnswer(who, 'a login request in an unknown format');
    return parsed.data;
  }
}

function unavailable(who: string): UpstreamFault {
  const message = `${who} does not support logins; pass another cluster, or ask the operator to check its URL`;
  return new UpstreamFault(new ServiceError('AUTH_UNAVAILABLE', message, { field: 'cluster' }), 'never', 0);
}

function refused(who: string, code: 'AUTH_REFUSED' | 'UPSTREAM_REJECTED'): UpstreamFault {
  const fix =
    code === 'AUTH_REFUSED'
      ? '; request a new challenge and sign it with the wallet whose address is in pubkey'
      : '';
  return new UpstreamFault(new ServiceError(code, `${who} refused the login request${fix}`), 'never', 0);
}

/** Appends `path` to the path of `base` and keeps the query of `base`. */
function below(base: URL, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
