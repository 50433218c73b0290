import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { formatTime } from '../../ports/clock.ts';
import { isJsonObject, type JsonObject } from '../../service/input/json-object.ts';
import type { Challenge } from '../../service/paid/till.ts';
import { canonicalize } from '../../service/input/canonicalize.ts';

const METHOD = 'solana';
const INTENT = 'charge';

const texts = z.string().max(4_096);

const credential = z.looseObject({
  challenge: z.looseObject({
    id: texts,
    realm: texts,
    method: texts,
    intent: texts,
    request: z.union([texts, z.record(z.string(), z.unknown())]),
    expires: texts.optional(),
    digest: texts.optional(),
    opaque: texts.optional(),
  }),
  payload: z.looseObject({ type: texts, transaction: texts.optional() }),
});

/** The used part of a credential of MPP. */
interface Credential {
  readonly challengeId: string;
  /** Whether the challenge was issued here for this tool. */
  readonly isIssued: boolean;
  /** When the challenge expires, as {@link formatTime} writes it. */
  readonly expires: string;
  readonly externalId: string;
  readonly payloadType: string;
  /** Base64; empty if there is none. */
  readonly transaction: string;
}

/**
 * Issues and recognizes challenges of MPP without storing them: the id of a challenge is a MAC of its other
 * members (draft-httpauth-payment, section 5.1.2.1.1).
 */
export class Challenges {
  readonly #secret: Uint8Array;
  readonly #realm: string;

  /**
   * @param secret the key of the MAC, the same in all replicas.
   * @param realm names the service to payers.
   */
  constructor(secret: Uint8Array, realm: string) {
    this.#secret = secret;
    this.#realm = realm;
  }

  /** Issues a challenge for one call of a tool. */
  issue(tool: string, request: JsonObject, expiresMs: number): Challenge {
    const bound = {
      realm: this.#realm,
      method: METHOD,
      intent: INTENT,
      expires: formatTime(expiresMs),
      opaque: encode({ tool }),
    };
    return { id: this.#idOf({ ...bound, request: encode(request) }), request, ...bound };
  }

  /** Reads a credential; undefined if it is not one. */
  read(content: unknown, tool: string): Credential | undefined {
    const parsed = credential.safeParse(content);
    if (!parsed.success) return undefined;
    const { challenge, payload } = parsed.data;
    const { request, expires = '' } = challenge;
    const encoded = typeof request === 'string' ? request : encode(request);
    const members = { ...challenge, request: encoded };
    const externalId = decode(encoded)['externalId'];
    return {
      challengeId: challenge.id,
      isIssued: isEqual(challenge.id, this.#idOf(members)) && challenge.opaque === encode({ tool }),
      expires,
      externalId: typeof externalId === 'string' ? externalId : '',
      payloadType: payload.type,
      transaction: payload.transaction ?? '',
    };
  }

  #idOf(members: Readonly<Record<string, unknown>>): string {
    const { realm, method, intent, request, expires = '', digest = '', opaque = '' } = members;
    return createHmac('sha256', this.#secret)
      .update([realm, method, intent, request, expires, digest, opaque].join('|'))
      .digest('base64url');
  }
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const encode = (value: JsonObject): string => Buffer.from(canonicalize(value)).toString('base64url');

function decode(encoded: string): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
