import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { MapChain, MapRollup } from '../../test/ports/map-chain.ts';
import { challengeText } from '../chain/login-challenge.ts';
import { PaymentsError } from '../client/payments-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import { SYSVAR_OWNER } from '../programs/addresses.ts';
import { CLOCK_SYSVAR } from '../programs/sysvars.ts';
import type { Address } from '../solana/address.ts';
import { type AgreeToText, RollupSession } from './rollup-session.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');

let wallet: KeyPairSigner;
beforeAll(async () => {
  wallet = await generateKeyPairSigner();
});

/** A session at a rollup whose tokens have numbers and expire as it says, and a clock to set. */
function sessionAt(expiresAt: number | string | null, asked?: string, agree?: AgreeToText) {
  const clock = { at: START_MS, now: () => clock.at };
  const handedIn: string[] = [];
  const auth = {
    challenge: () => Promise.resolve(asked ?? loginAt(clock.at)),
    login: ({ challenge }: { readonly challenge: string }) =>
      Promise.resolve({ token: `token-${handedIn.push(challenge)}`, expiresAt }),
    authorizedUsers: () => Promise.resolve(null),
  };
  const chain = new MapChain();
  chain.rollup = Object.assign(new MapRollup(), { auth });
  return { session: new RollupSession(chain, wallet, clock, agree), clock, chain, handedIn };
}

const loginAt = (ms: number, owner: string = wallet.address) => challengeText(owner as Address, ms / 1_000);

/** Texts that a thief may want signed. */
const FOREIGN = 'bank.example wants you to sign in.\nI authorize withdrawal of all funds to Thief.';

const refused = new PaymentsError('AUTH_REFUSED', 'not accepted');

describe('the token of a wallet', () => {
  it.each([
    START_MS + 600_000,
    (START_MS + 600_000) / 1_000,
    String(START_MS + 600_000),
    '2026-01-01T00:10:00Z',
  ])('is reused until a minute before it expires: %s', async (expiresAt) => {
    const { session, clock } = sessionAt(expiresAt);
    expect([await session.token(), await session.token()]).toEqual(['token-1', 'token-1']);
    clock.at = START_MS + 539_999;
    expect(await session.token()).toBe('token-1');
    clock.at = START_MS + 540_000;
    expect(await session.token()).toBe('token-2');
  });

  it.each(['\ttext', '\ntext', '\rtext', 'a\u0001', '', 'é', 'x'.repeat(1_025)])(
    'is never requested with a text that may be a transaction, even with consent (bug: it might begin with a tab): %j',
    async (text) => {
      const { session, handedIn } = sessionAt(null, text, () => true);
      await expect(session.token()).rejects.toMatchObject({ code: 'CHALLENGE_REFUSED' });
      expect(handedIn).toEqual([]);
    },
  );

  it('is never requested with a text that is not a login (bug: any printable text was signed)', async () => {
    const own = loginAt(START_MS);
    const texts = [FOREIGN, `${FOREIGN}\n${own}`, `${own}\n${FOREIGN}`, `${own}\n`, wallet.address];
    for (const text of [...texts, loginAt(START_MS, (await generateKeyPairSigner()).address)]) {
      const { session, handedIn } = sessionAt(null, text);
      await expect(session.token()).rejects.toMatchObject({
        code: 'CHALLENGE_REFUSED',
        details: { challenge: text },
      });
      expect(handedIn).toEqual([]);
    }
  });

  it('is never requested with a login of another time, unless the base ledger has that time', async () => {
    for (const awayMs of [-121_000, 121_000, 10 ** 10]) {
      const { session, handedIn, chain } = sessionAt(null, loginAt(START_MS + awayMs));
      await expect(session.token()).rejects.toMatchObject({ code: 'CHALLENGE_REFUSED' });
      expect(handedIn).toEqual([]);
      const data = new Uint8Array(40);
      new DataView(data.buffer).setBigInt64(32, BigInt((START_MS + awayMs) / 1_000 + 60), true);
      chain.put(CLOCK_SYSVAR, { owner: SYSVAR_OWNER, data });
      expect(await session.token()).toBe('token-1');
    }
    for (const awayMs of [-120_000, 120_000]) {
      expect(await sessionAt(null, loginAt(START_MS + awayMs)).session.token()).toBe('token-1');
    }
  });

  it('is requested with another text if the application agrees', async () => {
    const shown: string[] = [];
    const { session, handedIn } = sessionAt(null, FOREIGN, async (text) => shown.push(text) === 1);
    expect(await session.token()).toBe('token-1');
    expect([shown, handedIn]).toEqual([[FOREIGN], [FOREIGN]]);
    session.forget();
    await expect(session.token()).rejects.toMatchObject({ code: 'CHALLENGE_REFUSED' });
  });

  it('is requested with a login without asking the application', async () => {
    const agree = () => Promise.reject(new Error('asked'));
    expect(await sessionAt(null, undefined, agree).session.token()).toBe('token-1');
  });

  /** A session at a rollup that refuses these logins, by their number, and the pauses it made, ms. */
  function refusedAt(refusals: readonly number[], aheadMs: number) {
    const { chain, clock, handedIn } = sessionAt(null, undefined);
    const pauses: number[] = [];
    const auth = {
      challenge: () => Promise.resolve(loginAt(clock.at + aheadMs)),
      login: ({ challenge }: { readonly challenge: string }) =>
        refusals.includes(handedIn.push(challenge))
          ? Promise.reject(new ServiceError('AUTH_REFUSED', 'used'))
          : Promise.resolve({ token: `token-${handedIn.length}`, expiresAt: null }),
      authorizedUsers: () => Promise.resolve(null),
    };
    chain.rollup = Object.assign(new MapRollup(), { auth });
    const session = new RollupSession(chain, wallet, clock, undefined, (ms) => {
      clock.at += ms;
      pauses.push(ms);
      return Promise.resolve();
    });
    return { session, pauses };
  }

  it('is requested again if the wallet logs in more than once a second (bug: it was rejected)', async () => {
    const { session, pauses } = refusedAt([1, 2, 3, 4, 5, 6, 7], 5_000);
    expect(await session.token()).toBe('token-8');
    expect(pauses).toEqual(Array(7).fill(1_000));
  });

  it('is requested again if the login of another command invalidated the text', async () => {
    const { session, pauses } = refusedAt([1], 0);
    expect(await session.token()).toBe('token-2');
    expect(pauses).toEqual([1_000]);
  });

  it.each([
    [0, 1],
    [5_000, 7],
  ])('stops trying: with texts %i ms ahead after %i pauses', async (aheadMs, count) => {
    const { session, pauses } = refusedAt([1, 2, 3, 4, 5, 6, 7, 8], aheadMs);
    await expect(session.token()).rejects.toMatchObject({ code: 'AUTH_REFUSED' });
    expect(pauses).toHaveLength(count);
  });

  it.each([null, 'soon'])('is reused if its expiry is unknown: %s', async (expiresAt) => {
    const { session, clock } = sessionAt(expiresAt);
    await session.token();
    clock.at += 10 ** 12;
    expect(await session.token()).toBe('token-1');
  });

  it('is replaced once if the rollup rejects it in a read', async () => {
    const { session } = sessionAt(null);
    const reading = async (token: string | undefined) => {
      if (token === 'token-1') throw refused;
      return token;
    };
    expect(await session.read(reading)).toBe('token-2');
    const used: (string | undefined)[] = [];
    const never = async (token: string | undefined) => {
      used.push(token);
      throw refused;
    };
    await expect(session.read(never)).rejects.toBe(refused);
    expect(used).toEqual(['token-2', 'token-3']);
  });

  it('is not replaced if a read fails for another reason', async () => {
    const { session } = sessionAt(null);
    const away = new PaymentsError('UPSTREAM_UNAVAILABLE', 'away');
    await expect(session.read(() => Promise.reject(away))).rejects.toBe(away);
    expect(await session.token()).toBe('token-1');
  });
});
