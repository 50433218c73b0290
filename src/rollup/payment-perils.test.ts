import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/run-operation.ts';
import { delegationOf } from '../../test/vectors/derived-accounts.ts';
import { Keypair } from '../ledger/keypair.ts';
import { PERMISSION_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { EATA_TABLE_A } from '../programs/ephemeral-token/table/eata.ts';
import { encode } from '../programs/instruction-table/encode.ts';
import { derivePermission, type Member, MEMBER_FLAG } from '../programs/permission/state.ts';
import { updatePermission } from '../programs/permission/testing/instructions.ts';
import type { Address } from '../solana/address.ts';
import { openPaymentScene, type PaymentScene } from './testing/payment-scene.ts';
import { accountsOf } from './testing/rollup-scene.ts';

/** Interference with a payment that the real programs allow, and the reaction of the operations. */

const mint = USDC_MINT;

let scene: PaymentScene;
let alice: Keypair;
let stranger: Keypair;

beforeEach(async () => {
  scene = await openPaymentScene();
  [alice, stranger] = [await scene.wallet(), await scene.wallet()];
  await scene.base.airdropTokens(alice.address, mint, 1_000n);
});
afterEach(() => scene.close());

const deposit = (args: object = {}) => scene.do(alice, 'deposit', { owner: alice.address, ...args });

async function takeBack(): Promise<void> {
  await scene.do(alice, 'undelegate', { payer: alice.address, mint }, await scene.logIn(alice));
  await scene.rollup.settled();
}

const readAs = (token?: string) => scene.call('getPrivateBalance', { address: alice.address, mint }, token);

describe('an eATA that a stranger delegated to an unknown key', () => {
  const nobody = new Keypair(new Uint8Array(32).fill(9)).address;

  it.each([
    ['withdraw', (owner: Address) => ({ owner, mint, amount: '500' })],
    ['deposit', (owner: Address) => ({ owner, amount: '1' })],
    ['undelegate', (payer: Address) => ({ payer, mint })],
  ])('is rejected by %s with the name of that key', async (name, argsOf) => {
    await deposit({ amount: '500' });
    await takeBack();
    const { eata, eataBump, delegation } = accountsOf(alice.address);
    const parties = { payer: stranger.address, eata, delegation };
    await scene.land(stranger, encode(EATA_TABLE_A.delegateEata, parties, { eataBump, validator: nobody }));
    const refused = await refusalOf(scene.call(name, argsOf(alice.address)));
    expect(refused).toMatchObject({ code: 'EATA_DELEGATED_ELSEWHERE', context: { validator: nobody } });
    expect(refused.message).toContain(`Only validator ${nobody} can return it`);
    expect(refused.message).not.toMatch(/spl\.|pass |first/);
  });
});

describe('a private deposit to an eATA with an old permission that lets others read', () => {
  /** Alice deposits, withdraws the tokens to base and changes who may read them. */
  async function leavePermission(members: readonly Member[] | null): Promise<void> {
    await deposit({ amount: '10' });
    await takeBack();
    await scene.land(alice, updatePermission(parties(), members));
    scene.pass(1_000);
  }

  const parties = () => ({
    authority: { address: alice.address, signs: true },
    account: { address: accountsOf(alice.address).eata, signs: false },
    permission: derivePermission(accountsOf(alice.address).eata).address,
  });

  it.each<[string, () => Member[] | null]>([
    ['everybody', () => null],
    ['a stranger', () => [{ flags: MEMBER_FLAG.txBalances, address: stranger.address }]],
    ['a stranger who is the only reader', () => [{ flags: 31, address: stranger.address }]],
  ])("is the owner's alone again: %s", async (_, members) => {
    await leavePermission(members());
    const { output } = await deposit({ amount: '500', private: true });
    expect(output['warnings']).toMatchObject([{ code: 'DELEGATED_AGAIN' }]);
    expect((await refusalOf(readAs())).code).toBe('MISSING_AUTH_TOKEN');
    expect((await refusalOf(readAs(await scene.logIn(stranger)))).code).toBe('READER_NOT_ALLOWED');
    expect((await readAs(await scene.logIn(alice))).output['balance']).toBe('510');
  });

  it('satisfies the request according to spl.explainTransaction', async () => {
    await leavePermission(null);
    const args = { owner: alice.address, amount: '500' };
    const { transactionBase64 } = (await scene.call('deposit', args)).output;
    const request = { operation: 'deposit', arguments: args };
    const { output } = await scene.call('explainTransaction', { transactionBase64, request });
    expect(output).toMatchObject({ verdict: 'clear', request: { satisfied: 'yes' } });
  });

  it('comes with a warning if the permission is delegated and cannot be reset', async () => {
    await leavePermission(null);
    const { permission } = parties();
    const { eata, eataBump } = accountsOf(alice.address);
    const accounts = { payer: stranger.address, eata, permission, validator: scene.rollup.identity };
    const delegation = delegationOf(permission, PERMISSION_PROGRAM);
    await scene.land(
      stranger,
      encode(EATA_TABLE_A.delegatePermission, { ...accounts, delegation }, { eataBump }),
    );
    const { output } = await deposit({ amount: '500' });
    expect(output['warnings']).toMatchObject([
      { code: 'DEPOSIT_NOT_PRIVATE', message: expect.stringContaining('lets everyone read it') },
      { code: 'DELEGATED_AGAIN' },
    ]);
    expect((await readAs()).output['balance']).toBe('510');
  });
});
