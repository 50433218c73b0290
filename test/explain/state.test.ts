import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Keypair } from '../../src/ledger/keypair.ts';
import type { Explanation } from '../../src/payments/explain/answer/explanation-schema.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { deriveEata } from '../../src/programs/ephemeral-token/pdas.ts';
import { concat } from '../../src/programs/instruction-data.ts';
import { derivePermission, MEMBER_FLAG } from '../../src/programs/permission/state.ts';
import { updatePermission } from '../../src/programs/permission/testing/instructions.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import { decodeTokenAccount } from '../../src/programs/token/state.ts';
import { openPaymentScene, type PaymentScene } from '../../src/rollup/testing/payment-scene.ts';
import { type Address, addressBytes } from '../../src/solana/address.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../src/solana/message.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';

// What the bytes of a transaction do not show, on the real programs of both ledgers: each transaction here is
// well-formed and is, byte for byte, or but for one thing, what its request asks for.

const FUNDED = 5_000_000n;

const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

let scene: PaymentScene;
let owner: Keypair;
let friend: Keypair;
let stranger: Keypair;

beforeEach(async () => {
  scene = await openPaymentScene();
  [owner, friend, stranger] = [await scene.wallet(), await scene.wallet(), await scene.wallet()];
  for (const { address } of [owner, friend]) await scene.base.airdropTokens(address, USDC_MINT, FUNDED);
});

afterEach(() => scene.close());

/**
 * SPL Token `SetAuthority` of the account's owner: from then on the tokens in the ATA of `from` are `to`'s.
 */
function handOver(from: Keypair, to: Address): Promise<void> {
  const accounts = [
    { address: ataOf(from.address), signer: false, writable: true },
    { address: from.address, signer: true, writable: false },
  ];
  const data = concat(Uint8Array.of(6, 2, 1), addressBytes(to));
  return scene.land(from, { programId: TOKEN_PROGRAM, accounts, data });
}

function tokensIn(account: Address): bigint {
  const found = scene.base.getAccount(account);
  return found === null ? 0n : (decodeTokenAccount(found.data)?.amount ?? 0n);
}

/** An unsigned transaction of these instructions on the newest blockhash of base, or on another one. */
function wireOf(
  payer: Keypair,
  instructions: Instruction[],
  blockhash = scene.base.head().blockhash,
): string {
  const message = compileLegacyMessage({
    feePayer: payer.address,
    blockhash: decodeBase58(blockhash),
    instructions,
  });
  return Buffer.from(encodeUnsignedTransaction(message)).toString('base64');
}

async function explain(args: object, token?: string) {
  const { output, sentences } = await scene.call('explainTransaction', args, token);
  return { explanation: output as unknown as Explanation, sentences };
}

const codesOf = ({ findings }: Explanation) => findings.map(({ code }) => code);

describe('a token account with another owner', () => {
  const payment = (from: Keypair, to: Address, amount: bigint): Instruction =>
    transferTokens(
      TOKEN_PROGRAM,
      { source: ataOf(from.address), destination: ataOf(to), authority: from.address },
      amount,
    );

  it('is explained truthfully: the payment to a friend goes to the stranger who owns the account', async () => {
    await handOver(friend, stranger.address);
    const transactionBase64 = wireOf(owner, [payment(owner, friend.address, 1_000_000n)]);
    const request = {
      operation: 'transfer',
      arguments: {
        from: owner.address,
        to: friend.address,
        mint: USDC_MINT,
        amount: 1_000_000,
        visibility: 'public',
      },
    };
    const { explanation, sentences } = await explain({ transactionBase64, sendTo: 'base', request });
    expect(explanation).toMatchObject({ verdict: 'danger', request: { satisfied: 'no' } });
    expect(codesOf(explanation)).toEqual(['TOKEN_ACCOUNT_OF_ANOTHER', 'NOT_AS_REQUESTED']);
    expect(explanation.effects.tokens).toContainEqual(
      expect.objectContaining({ owner: stranger.address, change: '1000000' }),
    );
    expect(explanation.request?.claims).toContainEqual(
      expect.objectContaining({ name: 'to', verdict: 'differs' }),
    );
    expect(sentences[0]).toMatch(/^DO NOT SIGN/);

    // It is still confirmed, and the explanation matches the result.
    await scene.land(owner, payment(owner, friend.address, 1_000_000n));
    expect(tokensIn(ataOf(friend.address))).toBe(FUNDED + 1_000_000n);
    const held = decodeTokenAccount(scene.base.getAccount(ataOf(friend.address))?.data ?? new Uint8Array());
    expect(held).toMatchObject({ owner: stranger.address, amount: FUNDED + 1_000_000n });
  });

  it('is also a danger without a request, if the transaction names the expected owner', async () => {
    const { output: built } = await scene.call('transfer', {
      from: owner.address,
      to: friend.address,
      mint: USDC_MINT,
      amount: 1,
      visibility: 'public',
      initRecipientAta: true,
    });
    await handOver(friend, stranger.address);
    const { explanation } = await explain({ transactionBase64: built.transactionBase64 });
    expect(codesOf(explanation)).toContain('TOKEN_ACCOUNT_OF_ANOTHER');
    expect(explanation.verdict).toBe('danger');
  });

  it('would receive a withdrawal, and is reported before that', async () => {
    await scene.do(owner, 'deposit', { owner: owner.address, amount: 1_000_000, private: false });
    await scene.do(owner, 'undelegate', { payer: owner.address, mint: USDC_MINT });
    scene.pass(1_000);
    const args = { owner: owner.address, mint: USDC_MINT, amount: 1_000_000 };
    const { output: built } = await scene.call('withdraw', args);
    await handOver(owner, stranger.address);
    const { transactionBase64 } = built;
    const { explanation } = await explain({
      transactionBase64,
      request: { operation: 'withdraw', arguments: args },
    });
    expect(explanation).toMatchObject({ verdict: 'danger', request: { satisfied: 'no' } });
    expect(codesOf(explanation)).toContain('TOKEN_ACCOUNT_OF_ANOTHER');
    await scene.send(owner, { output: built, sentences: [] });
    const held = decodeTokenAccount(scene.base.getAccount(ataOf(owner.address))?.data ?? new Uint8Array());
    expect(held).toMatchObject({ owner: stranger.address, amount: FUNDED });
  });
});

describe('a permission with another reader', () => {
  const args = () => ({ owner: owner.address, amount: 1_000_000 });

  /** The owner lets someone else read, through the permission of an earlier private deposit. */
  function letRead(reader: Address): Promise<void> {
    const eata = deriveEata(owner.address, USDC_MINT).address;
    const parties = {
      authority: { address: owner.address, signs: true },
      account: { address: eata, signs: false },
      permission: derivePermission(eata).address,
    };
    const readable = MEMBER_FLAG.txBalances + MEMBER_FLAG.txLogs;
    const members = [
      { flags: readable + MEMBER_FLAG.authority, address: owner.address },
      { flags: readable, address: reader },
    ];
    return scene.land(owner, updatePermission(parties, members));
  }

  beforeEach(async () => {
    await scene.do(owner, 'deposit', args());
    const token = await scene.logIn(owner);
    await scene.do(owner, 'undelegate', { payer: owner.address, mint: USDC_MINT }, token);
    scene.pass(1_000);
  });

  it('must be reset: a private deposit without the reset does not match the request', async () => {
    const { output: built } = await scene.call('deposit', args());
    await letRead(stranger.address);
    const request = { operation: 'deposit', arguments: args() };
    const { transactionBase64 } = built;
    const { explanation } = await explain({ transactionBase64, request });
    expect(explanation).toMatchObject({ verdict: 'danger', request: { satisfied: 'no' } });
    const found = explanation.findings.find(({ code }) => code === 'OTHER_READERS');
    expect(found?.message).toContain(stranger.address);
    expect((await explain({ transactionBase64 })).explanation.verdict).toBe('danger');

    const { output: again } = await scene.call('deposit', args());
    const reset = await explain({ transactionBase64: again.transactionBase64, request });
    expect(reset.explanation).toMatchObject({ verdict: 'clear', request: { satisfied: 'yes' } });
  });
});

describe('the blockhash of a transaction', () => {
  const pay = () => ({
    from: owner.address,
    to: friend.address,
    mint: USDC_MINT,
    amount: 1_000,
    fromBalance: 'ephemeral',
    toBalance: 'ephemeral',
    visibility: 'private',
  });

  const onBlockhash = (transactionBase64: string, blockhash: Uint8Array): string => {
    const wire = new Uint8Array(Buffer.from(transactionBase64, 'base64'));
    wire.set(blockhash, decodeTransaction(wire).blockhashAt);
    return Buffer.from(wire).toString('base64');
  };

  beforeEach(async () => {
    for (const wallet of [owner, friend]) {
      await scene.do(wallet, 'deposit', { owner: wallet.address, amount: 1_000_000, private: false });
    }
  });

  it('of base makes a rollup payment public: it does not match the request, even if nothing else differs', async () => {
    const { output: built } = await scene.call('transfer', pay());
    const request = { operation: 'transfer', arguments: pay() };
    const genuine = await explain({ transactionBase64: built.transactionBase64, request });
    expect(genuine.explanation).toMatchObject({ verdict: 'clear', request: { satisfied: 'yes' } });

    const base = decodeBase58(scene.base.head().blockhash);
    const transactionBase64 = onBlockhash(built.transactionBase64, base);
    const { explanation } = await explain({ transactionBase64, request, sendTo: 'ephemeral' });
    expect(explanation).toMatchObject({ verdict: 'danger', request: { satisfied: 'no' } });
    expect(codesOf(explanation)).toEqual(['BLOCKHASH_OF_OTHER_LEDGER', 'NOT_AS_REQUESTED']);
    expect(explanation.request?.differences).toEqual([
      { part: 'blockhash', expected: 'a blockhash of the rollup', found: 'a blockhash of the base ledger' },
    ]);
  });

  it.each([
    ['of nobody', new Uint8Array(32).fill(9), 'BLOCKHASH_UNKNOWN'],
    ['of zeros', new Uint8Array(32), 'BLOCKHASH_ZERO'],
  ])('%s is a danger that no simulation would show', async (_, blockhash, code) => {
    const { output: built } = await scene.call('transfer', pay());
    const transactionBase64 = onBlockhash(built.transactionBase64, blockhash);
    const request = { operation: 'transfer', arguments: pay() };
    const { explanation } = await explain({ transactionBase64, request, sendTo: 'ephemeral' });
    expect(codesOf(explanation)).toEqual([code, 'NOT_AS_REQUESTED']);
    expect(explanation).toMatchObject({ verdict: 'danger', simulation: { status: 'succeeds' } });
  });

  it('of the rollup is a danger on base', async () => {
    const { output: built } = await scene.call('deposit', { owner: stranger.address, amount: 1 });
    const other = decodeBase58(scene.rollup.head().blockhash);
    const transactionBase64 = onBlockhash(built.transactionBase64, other);
    const { explanation } = await explain({ transactionBase64 });
    expect(codesOf(explanation)).toContain('BLOCKHASH_OF_OTHER_LEDGER');
  });

  it('is unknown once it has expired', async () => {
    const { output: built } = await scene.call('transfer', pay());
    scene.pass(scene.base.slotMs * 400);
    const { explanation } = await explain({
      transactionBase64: built.transactionBase64,
      sendTo: 'ephemeral',
    });
    expect(codesOf(explanation)).toContain('BLOCKHASH_UNKNOWN');
  });
});

describe('a transaction built on localnet', () => {
  const request = (operation: string, args: object) => ({ operation, arguments: args });

  /** `alone` contains the findings without the request. */
  async function expectClear(
    name: string,
    args: object,
    token?: string,
    alone: string[] = [],
  ): Promise<void> {
    const { output } = await scene.call(name, args, token);
    const { transactionBase64, sendTo } = output;
    const asked = await explain({ transactionBase64, sendTo, request: request(name, args) }, token);
    expect([name, codesOf(asked.explanation)]).toEqual([name, []]);
    expect(asked.explanation).toMatchObject({ verdict: 'clear', request: { satisfied: 'yes' } });
    const unasked = await explain({ transactionBase64, sendTo }, token);
    expect([name, codesOf(unasked.explanation)]).toEqual([name, alone]);
    await scene.send(owner, { output, sentences: [] }, token);
  }

  it.each([false, true])('is clear from the deposit to the withdrawal (private: %s)', async (isPrivate) => {
    const mint = USDC_MINT;
    await scene.do(friend, 'deposit', { owner: friend.address, amount: 1_000, private: isPrivate });
    await expectClear('deposit', { owner: owner.address, amount: 1_000_000, private: isPrivate });
    const token = await scene.logIn(owner);
    const between = { from: owner.address, to: friend.address, mint, amount: 1_000 };
    const onRollup = { fromBalance: 'ephemeral', toBalance: 'ephemeral' };
    // Whose a hidden account is neither bytes nor rollup tell; the request does.
    const alone = isPrivate ? ['HOLDER_UNSEEN'] : [];
    await expectClear('transfer', { ...between, ...onRollup }, token, alone);
    await expectClear('transfer', { ...between, visibility: 'public', initRecipientAta: true });
    await expectClear('undelegate', { payer: owner.address, mint }, token, ['SETTLEMENT_REQUESTED']);
    scene.pass(1_000);
    await expectClear('withdraw', { owner: owner.address, mint, amount: 999_000 });
  });

  it('begins with the outflow of the given wallet', async () => {
    const args = { owner: owner.address, amount: 1_000_000 };
    const { output } = await scene.call('deposit', args);
    const { transactionBase64 } = output;
    const { explanation, sentences } = await explain({ transactionBase64, wallet: owner.address });
    expect(explanation.wallet).toMatchObject({
      address: owner.address,
      signs: true,
      tokens: [{ change: '-1000000' }, { change: '1000000', location: 'ephemeral' }],
    });
    const { rentLamportsMax, networkFeeLamportsMax } = explanation.effects;
    const paid = BigInt(rentLamportsMax ?? -1) + BigInt(networkFeeLamportsMax ?? 0);
    expect(explanation.wallet?.lamportsMin).toBe((-paid).toString());
    expect(sentences[1]).toMatch(/^Your wallet: .* loses 1 USDC/);
    const other = await explain({ transactionBase64, wallet: stranger.address });
    expect(other.sentences[1]).toBe(`Your wallet ${stranger.address} does not sign it.`);
  });
});

it('is never clear without a ledger', async () => {
  const { output } = await scene.call('deposit', { owner: owner.address, amount: 1 });
  const { transactionBase64 } = output;
  const { explanation } = await explain({ transactionBase64, offline: true });
  expect(explanation).toMatchObject({ verdict: 'caution', chainRead: false });
  expect(codesOf(explanation)).toEqual(['OTHER_VALIDATOR', 'OFFLINE']);
});
