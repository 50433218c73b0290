import { beforeEach, describe, expect, it } from 'vitest';
import { MapChain, MapRollup } from '../../test/ports/map-chain.ts';
import type { LoginProof, RollupAuth } from '../chain/chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { createChallenge, createLogin } from './login.ts';
import { ANONYMOUS } from './operation.ts';

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;
const CHALLENGE = `Login to Query Filtering Service\nTimestamp: 1767225600\nUser: ${WALLET}`;
const SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));

/** A login service that accepts its own challenge from anyone. */
class OneChallengeAuth implements RollupAuth {
  readonly proofs: LoginProof[] = [];
  expiresAt: number | string | null = 1_767_312_000;

  challenge(owner: Address) {
    return Promise.resolve(CHALLENGE.replace(WALLET, owner));
  }

  login(proof: LoginProof) {
    this.proofs.push(proof);
    if (proof.challenge !== CHALLENGE) {
      return Promise.reject(new ServiceError('AUTH_REFUSED', 'The rollup did not accept the login'));
    }
    return Promise.resolve({ token: 'header.payload.signature', expiresAt: this.expiresAt });
  }

  authorizedUsers() {
    return Promise.resolve(null);
  }
}

let open: MapChain;
let closed: MapChain;
let auth: OneChallengeAuth;
let clusters: Clusters;

beforeEach(() => {
  auth = new OneChallengeAuth();
  open = new MapChain();
  open.cluster = 'devnet';
  open.rollup = new MapRollup();
  closed = new MapChain();
  closed.cluster = 'devnet-private';
  const rollup = new MapRollup();
  rollup.auth = auth;
  closed.rollup = rollup;
  clusters = new Clusters([open, closed, new MapChain()]);
});

const challenge = (args: object) => {
  const operation = createChallenge({ clusters });
  return operation.run(
    operation.input.parse({ cluster: 'devnet-private', pubkey: WALLET, ...args }),
    ANONYMOUS,
  );
};

const login = (args: object) => {
  const operation = createLogin({ clusters });
  const proof = { pubkey: WALLET, challenge: CHALLENGE, signature: SIGNATURE };
  return operation.run(operation.input.parse({ cluster: 'devnet-private', ...proof, ...args }), ANONYMOUS);
};

describe('challenge and login', () => {
  it("pass on the rollup's challenge and token, unchanged", async () => {
    expect((await challenge({})).output).toEqual({ challenge: CHALLENGE });
    const { output } = await login({});
    expect(output).toEqual({ token: 'header.payload.signature', expiresAt: 1_767_312_000 });
    expect(auth.proofs).toEqual([{ owner: WALLET, challenge: CHALLENGE, signature: SIGNATURE }]);
  });

  it('accept mock on localnet, without effect, and reject it on other clusters', async () => {
    closed.network = 'localnet';
    expect((await challenge({ mock: true })).output).toEqual({ challenge: CHALLENGE });
    const proof = { challenge: 'MOCK: Login to Query Filtering Service', mock: true };
    await expect(login(proof)).rejects.toMatchObject({ code: 'AUTH_REFUSED' });
    closed.network = 'devnet';
    for (const ask of [challenge, login]) {
      await expect(ask({ mock: true })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENTS',
        context: { field: 'mock' },
      });
    }
  });

  it('omit an expiry that the rollup does not return', async () => {
    auth.expiresAt = null;
    expect((await login({})).output).toEqual({ token: 'header.payload.signature' });
  });

  it('never include the token in a sentence', async () => {
    expect((await login({})).sentences.join(' ')).not.toContain('header.payload');
  });

  it('pass on a rejection of the rollup', async () => {
    await expect(login({ challenge: 'another' })).rejects.toMatchObject({ code: 'AUTH_REFUSED' });
  });

  it('fail if the rollup has no login, and name the clusters that have one', async () => {
    const refused = { code: 'AUTH_UNAVAILABLE', context: { supported: ['devnet-private'] } };
    await expect(challenge({ cluster: 'devnet' })).rejects.toMatchObject(refused);
    await expect(login({ cluster: 'devnet' })).rejects.toMatchObject(refused);
    await expect(login({ cluster: 'localnet' })).rejects.toMatchObject({ code: 'UNSUPPORTED_ON_CLUSTER' });
  });

  it.each([
    { pubkey: 'nope' },
    { challenge: '' },
    { challenge: 'x'.repeat(1_025) },
    { signature: 'nope!' },
    { signature: encodeBase58(new Uint8Array(63).fill(9)) },
    { extra: true },
  ])('reject the arguments %j before any request', (args) => {
    expect(() => login(args)).toThrow();
    expect(auth.proofs).toEqual([]);
  });
});
