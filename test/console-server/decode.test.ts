import { describe, expect, it } from 'vitest';
import { askRaw } from '../../src/console/testing/raw-request.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { ask, paymentsOf, payPrivately } from '../../src/localnet/testing/call-localnet.ts';
import {
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/programs/addresses.ts';
import { deriveEata } from '../../src/programs/ephemeral-token/pdas.ts';
import type { Address } from '../../src/solana/address.ts';
import { Life } from './life.ts';

interface Given {
  readonly address: string;
  readonly owner: string;
  readonly data: string;
}

interface Decoded {
  readonly kind: string;
  readonly bytes?: number;
  readonly fields?: readonly { name: string; value: unknown }[];
}

async function accountsOf(url: string, program: string): Promise<Given[]> {
  const found = (await ask(url, 'getProgramAccounts', program, { encoding: 'base64' })) as {
    pubkey: string;
    account: { owner: string; data: [string] };
  }[];
  return found.map(({ pubkey, account }) => ({
    address: pubkey,
    owner: account.owner,
    data: account.data[0],
  }));
}

async function decode(life: Life, given: readonly Given[]): Promise<Decoded[]> {
  const answer = await askRaw(life.localnet.urls.service, '/console/api/decode', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  });
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text) as Decoded[];
}

/** The decoded kind of every program account on base, and the sizes of unknown accounts. */
async function kindsOf(life: Life, program: string): Promise<string[]> {
  const decoded: Decoded[] = [];
  // Programs are too long for one request.
  for (const account of await accountsOf(life.localnet.urls.base, program)) {
    decoded.push(...(await decode(life, [account])));
  }
  return [
    ...new Set(decoded.map(({ kind, bytes }) => (bytes === undefined ? kind : `${kind} ${bytes}`))),
  ].toSorted();
}

describe('the accounts of a whole payment', () => {
  it('are decoded on layout A', async () => {
    const life = await Life.start();
    await life.deposit(life.alice, 3_500_000n);
    await life.deposit(life.bob, 1_000_000n);
    await payPrivately(life.localnet, life.alice, life.bob, 1_250_000n);
    await life.undelegate(life.bob);
    expect(await kindsOf(life, EPHEMERAL_TOKEN_PROGRAM)).toEqual(['eata', 'vault']);
    // The fees vaults have eight bytes of nothing.
    expect(await kindsOf(life, DELEGATION_PROGRAM)).toEqual([
      'delegationMetadata',
      'delegationRecord',
      'eata',
      'unknown 8',
    ]);
    expect(await kindsOf(life, PERMISSION_PROGRAM)).toEqual(['permission']);
    expect(await kindsOf(life, TOKEN_PROGRAM)).toEqual(['mint', 'tokenAccount']);

    const address = deriveEata(life.alice.address as Address, life.localnet.mint as Address).address;
    const given = (await accountsOf(life.localnet.urls.base, DELEGATION_PROGRAM)).filter(
      (each) => each.address === address,
    );
    const [eata] = await decode(life, given);
    expect(eata?.fields?.map(({ name, value }) => [name, value])).toEqual([
      ['owner', life.alice.address],
      ['mint', life.localnet.mint],
      // Hers was settled along with Bob's, to make room for what he gained.
      ['amount', '2250000'],
    ]);
  });

  it.skipIf(LAYOUT_B_FOLDER === null)(`are decoded on layout B (needs ${NO_LAYOUT_B})`, async () => {
    const life = await Life.start({ programs: LAYOUT_B_FOLDER as string });
    const { localnet, alice } = life;
    const payments = paymentsOf(localnet);
    await localnet.send(await payments.initializeMint({ payer: alice.address, mint: localnet.mint }), alice);
    await life.deposit(life.alice, 3_500_000n);
    await life.deposit(life.bob, 1_000_000n);
    await payPrivately(life.localnet, life.alice, life.bob, 1_250_000n);
    await life.undelegate(life.bob);
    const known = [
      ...(await kindsOf(life, EPHEMERAL_TOKEN_PROGRAM)),
      ...(await kindsOf(life, DELEGATION_PROGRAM)),
      ...(await kindsOf(life, PERMISSION_PROGRAM)),
      ...(await kindsOf(life, BPF_LOADER_UPGRADEABLE)),
    ];
    expect(known).toEqual(
      expect.arrayContaining([
        'eata',
        'vault',
        'queue',
        'delegationRecord',
        'delegationMetadata',
        'permission',
        'program',
        'programData',
      ]),
    );
    // The fees vaults have eight bytes of nothing.
    expect(known.filter((kind) => kind.startsWith('unknown'))).toEqual(['unknown 8']);
  });
});

describe('invalid input to decode', () => {
  it('is rejected with what to change, and never causes an internal error', async () => {
    const life = await Life.start();
    const { service } = life.localnet.urls;
    const post = (body: string) =>
      askRaw(service, '/console/api/decode', { headers: { 'content-type': 'application/json' }, body });
    const account = { address: life.alice.address, owner: TOKEN_PROGRAM, data: '' };
    expect(await post(JSON.stringify([account]))).toMatchObject({
      status: 200,
      text: '[{"kind":"unknown","title":"Account","bytes":0}]',
    });
    for (const body of [
      'null',
      '{}',
      JSON.stringify([{ ...account, address: 'no' }]),
      JSON.stringify([{ ...account, data: '%' }]),
      JSON.stringify(Array.from({ length: 101 }, () => account)),
    ]) {
      const { status, text } = await post(body);
      expect([status, (JSON.parse(text) as { code: string }).code], body.slice(0, 80)).toEqual([
        422,
        'INVALID_ARGUMENTS',
      ]);
    }
    expect((await post('{')).status).toBe(400);
  });
});
