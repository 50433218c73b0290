import { ed25519 } from '@noble/curves/ed25519.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/run-operation.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { buildTransaction } from '../ledger/testing/test-ledger.ts';
import { TOKEN_PROGRAM } from '../programs/addresses.ts';
import { transferTokens } from '../programs/token/instructions.ts';
import { decodeTokenAccount } from '../programs/token/state.ts';
import type { Account } from '../solana/account.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { createRollupAuth, LoginService } from './auth/login-service.ts';
import { TokenReaders } from './privacy/private-views.ts';
import {
  ALICE_AMOUNT,
  type Holder,
  openPrivateRollup,
  type PrivateRollup,
} from './privacy/testing/private-rollup.ts';
import { RollupChain } from './rollup-chain.ts';

/** The secret seed of each holder's wallet, as the scene makes them. */
const SEEDS = { alice: 1, bob: 2, sam: 3 } as const;
type Name = keyof typeof SEEDS;

let scene: PrivateRollup;
let chain: RollupChain;

beforeEach(async () => {
  scene = await openPrivateRollup();
  const { rollup, clock, views } = scene;
  const logins = new LoginService({
    secret: new Uint8Array(32).fill(1),
    clock,
    readersOf: (account) => views.readersOf(account),
  });
  chain = new RollupChain({
    rollup: {
      identity: rollup.identity,
      signatureStatus: (signature) => rollup.signatureStatus(signature),
      queueTask: async (queue) => (queue === scene.bob.eata ? 'running' : 'none'),
      delegationStatus: (eata) => ({ isDelegated: true, isUndelegating: eata === scene.bob.eata }),
    },
    readers: new TokenReaders(logins, views),
    auth: createRollupAuth(logins),
    publicUrl: 'http://127.0.0.1:7799',
  });
});

afterEach(() => scene.close());

/** Logs a holder in as their wallet would: with a signature over the challenge. */
async function tokenOf(name: Name): Promise<string> {
  const owner = scene[name].address;
  const challenge = await chain.auth.challenge(owner);
  const secret = new Uint8Array(32).fill(SEEDS[name]);
  const signature = encodeBase58(ed25519.sign(Buffer.from(challenge, 'utf8'), secret));
  return (await chain.auth.login({ owner, challenge, signature })).token;
}

function payment(from: Holder, to: Holder, amount = 1n): Uint8Array {
  const accounts = { source: from.ata, destination: to.ata, authority: from.address };
  const instruction = transferTokens(TOKEN_PROGRAM, accounts, amount);
  return buildTransaction(scene.rollup as EmbeddedLedger, [from.wallet], [instruction]).wire;
}

const amountOf = (account: Account | null | undefined): bigint | undefined =>
  account === null || account === undefined ? undefined : decodeTokenAccount(account.data)?.amount;

describe('RollupChain', () => {
  it('returns its identity, its URL and what is being settled', async () => {
    expect(await chain.identity()).toBe(scene.rollup.identity);
    expect(chain.publicUrl).toBe('http://127.0.0.1:7799');
    expect(await chain.isSettling(scene.bob.eata)).toBe(true);
    expect(await chain.isSettling(scene.alice.eata)).toBe(false);
    expect(await chain.queueTask(scene.bob.eata)).toBe('running');
  });

  it.each<[string, Name | null, (bigint | undefined)[]]>([
    ['public data to everyone', null, [undefined, 1_000n]],
    ['only public data to a stranger with a token', 'sam', [undefined, 1_000n]],
    ['public data and their own to the owner', 'alice', [ALICE_AMOUNT, 1_000n]],
  ])('shows %s', async (_, name, amounts) => {
    const token = name === null ? undefined : await tokenOf(name);
    const accounts = await chain.getAccounts([scene.alice.ata, scene.bob.ata], token);
    expect(accounts.map(amountOf)).toEqual(amounts);
  });

  it('rejects a foreign token in every method', async () => {
    const wire = payment(scene.bob, scene.sam);
    for (const asking of [
      () => chain.getAccounts([scene.bob.ata], 'made-up'),
      () => chain.latestBlockhash('made-up'),
      () => chain.blockHeight('made-up'),
      () => chain.isBlockhashValid(scene.rollup.genesisHash, 'made-up'),
      () => chain.simulateTransaction(wire, [], 'made-up'),
      () => chain.sendTransaction(wire, 'made-up'),
    ]) {
      expect((await refusalOf(asking())).code).toBe('AUTH_REFUSED');
    }
    expect(amountOf(scene.rollup.getAccount(scene.bob.ata))).toBe(1_000n);
  });

  it('simulates a transaction of private accounts only for their readers', async () => {
    const unsigned = payment(scene.alice, scene.bob).fill(0, 1, 65);
    const withoutToken = await refusalOf(chain.simulateTransaction(unsigned, [scene.alice.ata]));
    expect(withoutToken.code).toBe('MISSING_AUTH_TOKEN');
    const stranger = await refusalOf(chain.simulateTransaction(unsigned, [], await tokenOf('sam')));
    expect(stranger.code).toBe('AUTH_REFUSED');
    const run = await chain.simulateTransaction(unsigned, [scene.alice.ata], await tokenOf('alice'));
    expect(run.err).toBeNull();
    expect(run.accounts?.map(amountOf)).toEqual([ALICE_AMOUNT - 1n]);
  });

  it('accepts a signed transaction without a token, because the signature proves who pays', async () => {
    const signature = await chain.sendTransaction(payment(scene.alice, scene.bob, 5n));
    expect(amountOf(scene.rollup.getAccount(scene.alice.ata))).toBe(ALICE_AMOUNT - 5n);
    expect(scene.views.viewFor(null).getTransaction(signature)).toBeNull();
    // Otherwise its sender would take it for one that never landed, and pay twice.
    expect(await chain.signatureStatus(signature)).toMatchObject({ err: null });
    expect(await chain.signatureStatus('1'.repeat(64))).toBeNull();
  });

  it('returns a blockhash that its transactions can use', async () => {
    const { blockhash, lastValidBlockHeight } = await chain.latestBlockhash(await tokenOf('alice'));
    expect(scene.rollup.isBlockhashValid(blockhash)).toBe(true);
    expect(lastValidBlockHeight).toBeGreaterThan(await chain.blockHeight());
    expect(await chain.isBlockhashValid(blockhash)).toBe(true);
    expect(await chain.isBlockhashValid(scene.rollup.genesisHash)).toBe(false);
  });
});
