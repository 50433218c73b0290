import { getAddressEncoder, getProgramDerivedAddress, address, type KeyPairSigner } from '@solana/kit';
import { callLedger, waitFor } from '../test/stack-process.ts';
import type { Examination, Outcome } from './examination.ts';
import { createFundedWallet, signAs, USDC } from './wallet.ts';

const FUNDS = 5_000_000;
const DEPOSIT = 1_500_000;
const TRANSFER = 700_000;

const SUCCEEDS = { simulation: { status: 'succeeds' } };

/** The error of requests that need shuttles or queues, which localnet does not have. */
const NOT_ON_LOCALNET: Outcome = { refuses: 'UNSUPPORTED_ON_CLUSTER' };

const ON_ROLLUP = { fromBalance: 'ephemeral', toBalance: 'ephemeral' };

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

const EPHEMERAL_TOKEN_PROGRAM = address('SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2');

interface Built {
  readonly transactionBase64: string;
  readonly sendTo: 'base' | 'ephemeral';
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
}

/**
 * Calls every tool with new wallets on localnet. Supported transactions are built, explained, signed, sent
 * and verified to the base unit. Unsupported requests must be rejected with their error code.
 *
 * @throws {Surprise} at the first unexpected outcome.
 */
export async function runScenario(examination: Examination, ledgerUrl: string): Promise<void> {
  const payer = await createFundedWallet(ledgerUrl, FUNDS);
  const recipient = await createFundedWallet(ledgerUrl, 0);
  await depositAndRead(examination, payer);
  await transfer(examination, payer, recipient.address);
  await swap(examination, payer.address);
  await payOnRollup(
    examination,
    [await createFundedWallet(ledgerUrl, FUNDS), await createFundedWallet(ledgerUrl, FUNDS)],
    ledgerUrl,
  );
}

async function depositAndRead(examination: Examination, payer: KeyPairSigner): Promise<void> {
  const owner = payer.address;
  await expectBalance(examination, owner, FUNDS, 'what the faucet gave');
  const request = { owner, amount: DEPOSIT, mint: USDC };
  const deposit = await examination.call<Built>(
    'spl.deposit',
    'tried on the ledger',
    { ...request, simulate: true },
    { gives: { kind: 'deposit', sendTo: 'base', requiredSigners: [owner], ...SUCCEEDS } },
  );
  await examination.call(
    'spl.explainTransaction',
    'against the request it was built from',
    { transactionBase64: deposit.transactionBase64, request: { operation: 'deposit', arguments: request } },
    { gives: { request: { satisfied: 'yes' }, fullySigned: false, ...SUCCEEDS } },
  );
  await signAndSend(examination, payer, deposit, 'the deposit');
  await expectBalance(examination, owner, FUNDS - DEPOSIT, 'less the deposit');
  await examination.call('spl.deposit', 'into a delegated account', request, {
    refuses: 'EATA_ALREADY_DELEGATED',
  });
  await examination.call(
    'spl.getPrivateBalance',
    'of a private deposit, without a token',
    { address: owner, mint: USDC },
    { refuses: 'MISSING_AUTH_TOKEN' },
  );
}

async function transfer(examination: Examination, payer: KeyPairSigner, to: string): Promise<void> {
  const request = { from: payer.address, to, mint: USDC, amount: TRANSFER };
  const built = await examination.call<Built>(
    'spl.transfer',
    'public, on the base ledger',
    { ...request, visibility: 'public', memo: 'for lunch' },
    { gives: { kind: 'transfer', sendTo: 'base', requiredSigners: [payer.address] } },
  );
  await signAndSend(examination, payer, built, 'the transfer');
  await expectBalance(examination, to, TRANSFER, 'of the recipient');
  await examination.call('spl.transfer', 'private', { ...request, visibility: 'private' }, NOT_ON_LOCALNET);
}

/** Builds a swap of USDC for SOL, without sending it. */
async function swap(examination: Examination, user: string): Promise<void> {
  const request = { inputMint: USDC, outputMint: WRAPPED_SOL, amount: TRANSFER };
  const quote = await examination.call<object>('spl.swapQuote', 'USDC for SOL', request, {
    gives: { inputMint: USDC, inAmount: String(TRANSFER) },
  });
  const args = { userPublicKey: user, quoteResponse: quote };
  await examination.call('spl.swap', 'as quoted', args, {
    gives: { kind: 'swap', sendTo: 'base', requiredSigners: [user] },
  });
}

/** Two wallets deposit. Then one pays the other on the rollup and withdraws the rest. */
async function payOnRollup(
  examination: Examination,
  [payer, payee]: readonly [KeyPairSigner, KeyPairSigner],
  ledgerUrl: string,
): Promise<void> {
  for (const wallet of [payer, payee]) {
    const request = { owner: wallet.address, mint: USDC, amount: DEPOSIT, private: false };
    const deposit = await examination.call<Built>('spl.deposit', 'public', request, {
      gives: { kind: 'deposit' },
    });
    await signAndSend(examination, wallet, deposit, 'a public deposit');
  }
  const request = { from: payer.address, to: payee.address, mint: USDC, amount: TRANSFER, ...ON_ROLLUP };
  const payment = await examination.call<Built>(
    'spl.transfer',
    'on the rollup',
    { ...request, simulate: true },
    { gives: { kind: 'transfer', sendTo: 'ephemeral', ...SUCCEEDS } },
  );
  await examination.call(
    'spl.explainTransaction',
    'of a transfer on the rollup',
    { transactionBase64: payment.transactionBase64, request: { operation: 'transfer', arguments: request } },
    { gives: { request: { satisfied: 'yes' }, ...SUCCEEDS } },
  );
  await signAndSend(examination, payer, payment, 'the transfer on the rollup');
  await expectPrivateBalance(examination, payer.address, DEPOSIT - TRANSFER, 'less what was paid');
  await expectPrivateBalance(examination, payee.address, DEPOSIT + TRANSFER, 'with what was paid');
  await takeBack(examination, payer, ledgerUrl);
}

/** Undelegates the balance on the rollup and withdraws it after the settlement. */
async function takeBack(examination: Examination, owner: KeyPairSigner, ledgerUrl: string): Promise<void> {
  const withdrawal = { owner: owner.address, mint: USDC, amount: DEPOSIT - TRANSFER };
  await examination.call('spl.withdraw', 'what is on the rollup', withdrawal, {
    refuses: 'EATA_ALREADY_DELEGATED',
  });
  const undelegation = await examination.call<Built>(
    'spl.undelegate',
    'what is on the rollup',
    { payer: owner.address, mint: USDC, simulate: true },
    { gives: { kind: 'undelegateEphemeralAta', sendTo: 'ephemeral', ...SUCCEEDS } },
  );
  await signAndSend(examination, owner, undelegation, 'the undelegation');
  await untilOnBase(owner, ledgerUrl);
  await expectPrivateBalance(examination, owner.address, 0, 'once it is settled');
  const built = await examination.call<Built>(
    'spl.withdraw',
    'what was settled',
    { ...withdrawal, simulate: true },
    { gives: { kind: 'withdraw', sendTo: 'base', requiredSigners: [owner.address], ...SUCCEEDS } },
  );
  await signAndSend(examination, owner, built, 'the withdrawal');
  await expectBalance(examination, owner.address, FUNDS - TRANSFER, 'with the withdrawal');
}

/** Waits until the owner's ephemeral token account belongs to its program again. */
async function untilOnBase({ address: owner }: KeyPairSigner, ledgerUrl: string): Promise<void> {
  const seeds = [owner, address(USDC)].map((seed) => getAddressEncoder().encode(seed));
  const [eata] = await getProgramDerivedAddress({ programAddress: EPHEMERAL_TOKEN_PROGRAM, seeds });
  await waitFor(async () => {
    const params = [eata, { encoding: 'base64' }];
    const { value } = await callLedger<{ value: { owner: string } | null }>(
      ledgerUrl,
      'getAccountInfo',
      params,
    );
    return value?.owner === EPHEMERAL_TOKEN_PROGRAM;
  });
}

async function signAndSend(
  examination: Examination,
  signer: KeyPairSigner,
  { transactionBase64, sendTo, recentBlockhash, lastValidBlockHeight }: Built,
  about: string,
): Promise<void> {
  const signed = await signAs(signer, transactionBase64);
  await examination.call(
    'spl.sendTransaction',
    about,
    { transactionBase64: signed, sendTo, confirm: true, recentBlockhash, lastValidBlockHeight },
    { gives: { outcome: 'confirmed', sendTo } },
  );
}

async function expectPrivateBalance(
  examination: Examination,
  owner: string,
  amount: number,
  about: string,
): Promise<void> {
  const outcome = { gives: { location: 'ephemeral', balance: String(amount) } };
  await examination.call('spl.getPrivateBalance', about, { address: owner, mint: USDC }, outcome);
}

async function expectBalance(
  examination: Examination,
  owner: string,
  amount: number,
  about: string,
): Promise<void> {
  const outcome = { gives: { location: 'base', balance: String(amount) } };
  await examination.call('spl.getBalance', about, { address: owner, mint: USDC }, outcome);
}
